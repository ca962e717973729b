"""Which way half-duplex lanes face in the course of a lockstep run, and how long packets wait for those that must turn.

A lane keeps its direction. A header that arrives at one that faces the other way crosses a cycle later with one virtual
channel, and with several in the cycles of :func:`noc.latency.turning`; and never before the wires have been idle for
``turn_round`` cycles since the tail flit of the packet before. From that flit to the next header lie the end of its step and
the beginning of another one, so this counts with long turn-round times only.
"""

from collections.abc import Sequence

from noc.latency import turning
from noc.network import Network
from schedules.schedule import Hop

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
        self._turning = turning(network.options)
        self._sender: dict[tuple[int, int, int], int] = {}
        self._busy: dict[tuple[int, int, int], int] = {}
        self._now = 0  # the cycle of ``go`` of the step

    def cross(self, hops: Sequence[Hop], flits: int) -> int:
        """The cycles that the header of a packet waits at the lanes of its path, which then face its way."""
        if not self._turning:
            return 0
        options, waited = self._network.options, 0
        crossed = []
        for number, hop in enumerate(hops, 1):
            lane, end = self._lane(hop)
            here = self._now + number * (options.pipeline + options.link_stages) + waited
            turns = 0
            if self._sender.get(lane, 0) != end:
                rested = self._busy.get(lane, -options.turn_round - 1) + options.turn_round + 1
                turns = max(self._turning, rested - here)
            self._sender[lane] = end
            waited += turns
            crossed.append((lane, here + turns))
        for place, (lane, header) in enumerate(crossed):
            self._busy[lane] = header + flits - 1 + self._held_up(crossed[place:], flits)
        return waited

    def _held_up(self, crossed: Sequence[tuple[tuple[int, int, int], int]], flits: int) -> int:
        """The cycles by which the tail flit crosses the first of these lanes later, as the header waits at others."""
        options = self._network.options
        step = options.pipeline + options.link_stages
        late = crossed[-1][1] - crossed[0][1] - (len(crossed) - 1) * step
        return late if flits > options.buffer_depth else 0

    def end_step(self, cycles: int) -> None:
        """Go on to the next step, after one of so many cycles."""
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
