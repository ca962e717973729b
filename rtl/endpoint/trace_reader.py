"""The trace of a traffic source: a ring of the packets to create, which the host fills while the source reads it."""

from amaranth.hdl import Module, Signal
from amaranth.lib import data, memory, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from fatcube.rtl.endpoint.host import HostBus
from fatcube.rtl.endpoint.traffic import CYCLE, TraceEntry, TrafficRegion

__all__ = ["TraceReader"]


class TraceReader(wiring.Component):
    """Shows the next packet of a trace, if the host has given it.

    Parameters
    ----------
    entries : :class:`int`
        Entries of the ring, a power of two.
    host_width : :class:`int`
        Data bits of the host bus.

    Members
    -------
    take : :py:`In(1)`
        The packet is taken.
    cycle : :py:`In(32)`
        The cycle of the run, modulo 2**32. That of an entry is less than 2**31 cycles away.
    entry : :py:`Out(TraceEntry())`
        The next packet.
    waiting : :py:`Out(1)`
        It is there, and its cycle has come: one cycle later than possible, so that the delay from creation to sending is the
        same as with a queue.
    over : :py:`Out(1)`
        There is no next packet.
    read : :py:`Out(32)`
        The number of packets that were taken.
    host : :py:`In(HostBus(host_width))`
        Writes the entries, and how many have been given.
    """

    take: Signal
    cycle: Signal
    entry: data.View
    waiting: Signal
    over: Signal
    read: Signal
    host: wiring.PureInterface

    def __init__(self, entries: int, *, host_width: int) -> None:
        self.entries = entries
        super().__init__(
            {
                "take": In(1),
                "cycle": In(CYCLE),
                "entry": Out(TraceEntry()),
                "waiting": Out(1),
                "over": Out(1),
                "read": Out(32),
                "host": In(HostBus(host_width, TrafficRegion)),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.memory = trace = memory.Memory(shape=TraceEntry(), depth=self.entries, init=[])
        write, read = trace.write_port(), trace.read_port()
        given = Signal(32, reset_less=True)  # it is loaded, as memories are
        there = Signal()
        since = Signal(CYCLE)
        following = (self.read + self.take)[:32]
        m.d.comb += [
            read.addr.eq(following[: ceil_log2(self.entries)]),
            self.entry.eq(read.data),
            self.over.eq(~there),
            since.eq(self.cycle - self.entry.cycle - 2),
            self.waiting.eq(there & ~since[-1]),
            write.addr.eq(self.host.word),
            write.data.eq(self.host.data),
            write.en.eq(self.host.select & self.host.write & (self.host.region == TrafficRegion.TRACE)),
        ]
        # The entry is read in the same cycle.
        m.d.sync += [self.read.eq(following), there.eq(given != following)]
        with m.If(self.host.select & self.host.write & (self.host.region == TrafficRegion.GIVEN)):
            m.d.sync += given.eq(self.host.data)
        return m
