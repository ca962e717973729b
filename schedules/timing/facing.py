"""Which way half-duplex lanes face in the course of a lockstep run, and since when their wires have rested.

A lane keeps its direction. One that faces the other way turns for a header that arrives, which crosses a cycle later with one
virtual channel, and with several in those of :func:`fatcube.noc.latency.permission`; and never before the wires have been idle for
``turn_round`` cycles since the tail flit of the packet before. From that flit to the next header lie the end of its step and
the beginning of another one, so this counts with long turn-round times only.
"""

from collections.abc import Sequence

from fatcube.noc.network import Network
from fatcube.schedules.schedule import Hop

__all__ = ["Facing"]


class Facing:
    """The direction of every lane, and the cycle in which the last flit crossed it.

    Parameters
    ----------
    network : :class:`Network`
        Just after reset: every lane faces away from the end with the lower node and channel.
    """

    def __init__(self, network: Network) -> None:
        self._network = network
        self._sender: dict[tuple[int, int, int], int] = {}
        self._busy: dict[tuple[int, int, int], int] = {}
        self._now = 0  # the cycle of ``go`` of the step

    def rested(self, hops: Sequence[Hop]) -> list[int | None]:
        """For each lane of a path that has to turn, the cycle of the step from which its wires have rested, negative if that
        was before; ``None`` for those that face the way."""
        if not self._network.options.shared_lanes:
            return [None] * len(hops)
        return [self._rested(*self._lane(hop)) for hop in hops]

    def _rested(self, lane: tuple[int, int, int], end: int) -> int | None:
        if self._sender.get(lane, 0) == end:
            return None
        turn_round = self._network.options.turn_round
        return self._busy.get(lane, -turn_round - 1) + turn_round + 1 - self._now

    def cross(self, hops: Sequence[Hop], crossed: Sequence[int]) -> None:
        """Let the lanes of a path face its way, of a packet whose last flit crosses them in these cycles of the step."""
        if not self._network.options.shared_lanes:
            return
        for hop, cycle in zip(hops, crossed, strict=True):
            lane, end = self._lane(hop)
            self._sender[lane] = end
            self._busy[lane] = self._now + cycle

    def end_step(self, cycles: int) -> None:
        """Advance to the next step, after one that took ``cycles``."""
        self._now += cycles

    def _lane(self, hop: Hop) -> tuple[tuple[int, int, int], int]:
        """A lane, by the end that it faces away from at first, and the number of the end that sends on it, 0 or 1."""
        topology = self._network.topology
        node, other, number = hop
        channel = topology.channels_between(node, other)[number // topology.f]
        lane = number % topology.f
        end = topology.neighbour(node, channel)
        assert end is not None
        _, back = end
        if (node, channel) < (other, back):
            return (node, channel, lane), 0
        return (other, back, lane), 1
