"""The rules by which packets share the lanes of a link, and the routes of processors, which name a lane at each hop."""

import enum
from typing import NamedTuple

from fatcube.groundwork.validation import check_choice, check_integer
from fatcube.noc.routing.routing import Routing

__all__ = ["LaneHop", "LaneRule", "processor_ways"]


class LaneRule(enum.Enum):
    """A rule by which packets share the f lanes of each link.

    A packet takes the lane of the same number at every hop. The lanes of one number are therefore a separate network, and
    packets on one lane never wait for another lane: a routing that is free of deadlock with one lane is also free of
    deadlock with several. If a lane has failed, its packets take another lane of the same link
    (:meth:`Routing.lanes_taken`), which does not change the channel dependency graph.
    """

    FIXED = "fixed"  # All packets take lane 0.
    BY_SOURCE = "by-source"  # A processor's packets take the lane of its number, modulo f.
    IN_TURN = "in-turn"  # A processor's packets alternate between all lanes.

    @classmethod
    def parse(cls, text: object) -> "LaneRule":
        """The rule with this name.

        Raises
        ------
        ParameterError
            If no rule has this name.
        """
        return text if isinstance(text, cls) else cls(check_choice("lanes", text, [rule.value for rule in cls]))

    @property
    def keeps_order(self) -> bool:
        """``True`` if packets from one processor to another one arrive in the order in which they are sent."""
        return self is not LaneRule.IN_TURN

    def lanes(self, source: int, lanes: int) -> range:
        """The lanes that packets of processor ``source`` alternate between, where each link has ``lanes`` lanes."""
        if self is LaneRule.IN_TURN:
            return range(lanes)
        first = source % lanes if self is LaneRule.BY_SOURCE else 0
        return range(first, first + 1)


class LaneHop(NamedTuple):
    """One hop of a processor's route: the channel, the lane of the channel, and the virtual channel class on the lane."""

    channel: int
    lane: int
    channel_class: int


def processor_ways(
    routing: Routing, source: int, target: int, rule: LaneRule = LaneRule.FIXED
) -> tuple[tuple[LaneHop, ...], ...]:
    """The routes from processor ``source`` to processor ``target``, one for each path and lane that packets may take.

    A route has no hops if both processors are on the same node.

    Raises
    ------
    ParameterError
        If ``source`` or ``target`` is not a processor.
    """
    topology = routing.topology
    for name, processor in (("source", source), ("target", target)):
        check_integer(f"{name} processor", processor, minimum=0, maximum=topology.processors - 1)
    lanes = [routing.lanes_taken(lane) for lane in rule.lanes(source, topology.f)]
    ways = []
    for path in routing.paths(topology.node_of(source), topology.node_of(target)):
        node, hops = topology.node_of(source), []
        for hop in path:
            hops.append((node, hop))
            node, _ = routing.ends[node][hop.channel]
        ways += [
            tuple(LaneHop(hop.channel, int(taken[node, hop.channel]), hop.channel_class) for node, hop in hops)
            for taken in lanes
        ]
    return tuple(ways)
