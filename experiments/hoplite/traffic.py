"""Random traffic through a torus of Hoplite, as :class:`~fatcube.sim.traffic.load.LoadTest` puts networks of ours under.

Every packet is followed: it has to arrive once, where it was sent to, as it was sent, and within the bound on its path.
"""

from collections import deque
from collections.abc import Callable
import dataclasses
import itertools
import random
import statistics

from amaranth.hdl import Cat
from amaranth.sim import Simulator

from experiments.hoplite.torus import HopliteTorus, longest
from fatcube.sim.traffic.load import QUEUE

__all__ = ["Fault", "Packet", "Run", "hot_spot", "run_traffic", "uniform"]


Pattern = Callable[[random.Random, int], int]
"""The destination of a packet, from random numbers and its source."""


def uniform(processors: int) -> Pattern:
    """The pattern in which all processors are equally likely, the sender among them."""
    return lambda dice, source: dice.randrange(processors)


def hot_spot(processors: int, spot: int, share: float) -> Pattern:
    """The pattern in which a share of all packets goes to one processor, and the rest to all alike."""
    return lambda dice, source: spot if dice.random() < share else dice.randrange(processors)


class Fault(Exception):
    """A packet is lost, doubled, changed, at the wrong processor, or late."""


@dataclasses.dataclass(kw_only=True)
class Packet:
    """A packet.

    Members
    -------
    source, destination : :class:`int`
        Processors.
    data : :class:`int`
        Its data, which differ from those of all other packets of the run.
    created, sent, arrived : :class:`int`
        Cycles: when the processor had it, when the router took it, and when it was at the destination.
    """

    source: int
    destination: int
    data: int
    created: int
    sent: int = -1
    arrived: int = -1


@dataclasses.dataclass(frozen=True)
class Run:
    """The packets of a run, all of which have arrived.

    Members
    -------
    torus : :class:`HopliteTorus`
    packets : list of :class:`Packet`
    warm_up, measured : :class:`int`
        Cycles before the measurement, and of it.
    """

    torus: HopliteTorus
    packets: list[Packet]
    warm_up: int
    measured: int

    @property
    def offered(self) -> float:
        """Packets created in a cycle of the measurement for each processor."""
        return self._in_measurement("created") / self._cycles

    @property
    def accepted(self) -> float:
        """Packets that arrived in a cycle of the measurement, for each processor."""
        return self._in_measurement("arrived") / self._cycles

    @property
    def latency(self) -> float:
        """The mean of cycles from creation to arrival, of packets that were created in the measurement."""
        return statistics.fmean(
            packet.arrived - packet.created
            for packet in self.packets
            if self.warm_up <= packet.created < self.warm_up + self.measured
        )

    @property
    def longest(self) -> int:
        """The most cycles of a packet in the network."""
        return max(packet.arrived - packet.sent for packet in self.packets)

    @property
    def _cycles(self) -> int:
        return self.measured * self.torus.columns * self.torus.rows

    def _in_measurement(self, event: str) -> int:
        return sum(self.warm_up <= getattr(packet, event) < self.warm_up + self.measured for packet in self.packets)


def run_traffic(
    torus: HopliteTorus, *, load: float, pattern: Pattern, warm_up: int = 1000, measured: int = 3000, seed: int = 0
) -> Run:
    """Packets created in every cycle with probability ``load`` at each processor, until all have arrived.

    They are created during warm-up and measurement, and then for as long as warm-up lasts. :data:`QUEUE` can wait at a processor;
    while they do, it creates none.

    Raises
    ------
    Fault
        If anything but these packets arrives, or one of them does not arrive in time.
    """
    dice = random.Random(seed)
    processors = torus.columns * torus.rows
    creating = 2 * warm_up + measured
    waiting: list[deque[Packet]] = [deque() for _ in range(processors)]
    on_the_way: dict[int, Packet] = {}
    used: set[int] = set()
    packets: list[Packet] = []

    def create(cycle: int) -> None:
        for source, queue in enumerate(waiting):
            if dice.random() < load and len(queue) < QUEUE:
                data = dice.randrange(1 << 32)
                while data in used:
                    data = dice.randrange(1 << 32)
                used.add(data)
                packet = Packet(source=source, destination=pattern(dice, source), data=data, created=cycle)
                packets.append(packet)
                queue.append(packet)

    def arrive(cycle: int, place: int, data: int) -> None:
        packet = on_the_way.pop(data, None)
        if packet is None:
            raise Fault(f"processor {place} received {data:#x}, an unexpected or duplicate packet")
        if packet.destination != place:
            raise Fault(f"processor {place} received a packet for processor {packet.destination}")
        check(cycle, packet)
        packet.arrived = cycle

    async def testbench(ctx):
        sends, receives = torus.send, torus.receive
        valids, readies = (Cat(getattr(one, name) for one in sends) for name in ("valid", "ready"))
        arrivals = Cat(one.valid for one in receives)
        shown: list[Packet | None] = [None] * processors
        cycle = 0
        while cycle < creating or on_the_way or any(waiting):
            if cycle < creating:
                create(cycle)
            offered = 0
            for number, queue in enumerate(waiting):
                if queue:
                    offered |= 1 << number
                if queue and queue[0] is not shown[number]:
                    shown[number] = queue[0]
                    row, column = divmod(queue[0].destination, torus.columns)
                    ctx.set(sends[number].payload, {"column": column, "row": row, "data": queue[0].data})
            ctx.set(valids, offered)
            taken = offered & ctx.get(readies)
            arrived = ctx.get(arrivals)
            if offered and not taken and not on_the_way:
                raise Fault("no processor is let into an empty network")
            for number in range(processors):
                if arrived >> number & 1:
                    arrive(cycle, number, ctx.get(receives[number].payload.data))
                if taken >> number & 1:
                    packet = waiting[number].popleft()
                    packet.sent = cycle
                    on_the_way[packet.data] = packet
            # Packets on the way are in the order in which they were sent.
            check(cycle, *itertools.islice(on_the_way.values(), 1))
            await ctx.tick()
            cycle += 1

    def check(cycle: int, *some: Packet) -> None:
        for packet in some:
            (row, column), (to_row, to_column) = (
                divmod(one, torus.columns) for one in (packet.source, packet.destination)
            )
            bound = longest(torus.columns, (to_column - column) % torus.columns, (to_row - row) % torus.rows)
            if cycle - packet.sent > bound:
                raise Fault(f"a packet from {packet.source} to {packet.destination} is not there in {bound} cycles")

    simulator = Simulator(torus)
    simulator.add_clock(1e-6)
    simulator.add_testbench(testbench)
    simulator.run()
    return Run(torus, packets, warm_up, measured)
