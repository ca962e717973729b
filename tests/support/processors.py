"""A processor under test, its packets, and the host that loads it."""

from fatcube.rtl.endpoint.host import Region
from fatcube.rtl.endpoint.processor import Processor
from fatcube.rtl.endpoint.program import PortStatus, ProgramEntry
from tests.support.streams import Sink, Source, cycles

WIDTH, LOW, BITS = 16, 5, 4
STRIDE, PAYLOAD = 2, 3
MESSAGE_SLOTS = 1 << BITS


def processor(ports=2, **others):
    return Processor(
        WIDTH,
        **{
            "ports": ports,
            "message_low": LOW,
            "message_bits": BITS,
            "memory_words": 64,
            "program_entries": 8,
            "host_width": 64,
            **others,
        },
    )


def header(message, rubbish=0):
    """A header with message id ``message``; all else is the router's."""
    return message << LOW | rubbish & (1 << LOW) - 1 | rubbish >> LOW + BITS << LOW + BITS


def words(message):
    """The payload of a message."""
    return [0x1000 | message << 4 | index for index in range(PAYLOAD)]


def packet(message, rubbish=0):
    return [header(message, rubbish), *words(message)]


class Host:
    """The host bus, and the settings of a run."""

    def __init__(self, ctx, dut, *, lockstep, payload=PAYLOAD, reduced=0):
        self.ctx, self.dut = ctx, dut
        ctx.set(dut.lockstep, lockstep)
        ctx.set(dut.payload_flits, payload)
        ctx.set(dut.slot_shift, STRIDE)
        if getattr(dut, "reductions", False):
            ctx.set(dut.reduced, reduced)

    def _select(self, region, bank, word):
        for name, value in (("select", 1), ("region", region), ("bank", bank), ("word", word)):
            self.ctx.set(getattr(self.dut.host, name), value)

    async def write(self, region, bank, word, data):
        self._select(region, bank, word)
        self.ctx.set(self.dut.host.write, 1)
        self.ctx.set(self.dut.host.data, data)
        await self.ctx.tick()
        self.ctx.set(self.dut.host.write, 0)
        self.ctx.set(self.dut.host.select, 0)
        self.ctx.set(self.dut.host.region, Region.IDLE)

    async def read(self, region, bank, word=0):
        self._select(region, bank, word)
        await self.ctx.tick()
        self.ctx.set(self.dut.host.select, 0)
        self.ctx.set(self.dut.host.region, Region.IDLE)
        return self.ctx.get(self.dut.host.value)

    async def load(self, bank, message, *, held=True, payload=None):
        """A message into memory."""
        for index, word in enumerate(payload or words(message)):
            await self.write(Region.PAYLOAD, bank, (message << STRIDE) + index, word)
        await self.write(Region.HELD, bank, message, held)

    async def program(self, *ports):
        """Programs: for each port a list of entries, as keywords of :class:`ProgramEntry`."""
        for port, entries in enumerate(ports):
            for number, entry in enumerate([*entries, {"end": 1}]):
                await self.write(
                    Region.PROGRAM,
                    port,
                    number,
                    ProgramEntry(WIDTH, reductions=self.dut.reductions, barriers=self.dut.barriers)
                    .const(entry)
                    .as_bits(),
                )
        await cycles(self.ctx, 4)

    async def stored(self, bank, message):
        """The words of a message in memory."""
        return [await self.read(Region.PAYLOAD, bank, (message << STRIDE) + index) for index in range(1 << STRIDE)]

    async def status(self, port):
        """The status word, as a dict of what is not zero."""
        seen = PortStatus().from_bits(await self.read(Region.STATUS, port))
        return {name: seen[name] for name, _ in PortStatus() if seen[name]}

    async def go(self):
        """One cycle of ``go``."""
        self.ctx.set(self.dut.go, 1)
        await self.ctx.tick()
        self.ctx.set(self.dut.go, 0)

    async def until(self, name, limit=100):
        """Waits for an output to go up. Returns the cycles that it took."""
        for count in range(limit):
            if self.ctx.get(getattr(self.dut, name)):
                return count
            await self.ctx.tick()
        raise AssertionError(f"{name} stays down")


def ends(dut, *, stall=0):
    """A source and a sink for every port."""
    ports = range(dut.ports)
    return (
        [Source(getattr(dut, f"receive{j}"), seed=j) for j in ports],
        [Sink(getattr(dut, f"send{j}"), stall=stall, seed=j, name=f"send{j}") for j in ports],
    )
