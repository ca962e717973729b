"""The rules by which packets share the lanes of a link, and the ways of processors, which name a lane at each hop."""

import enum
from typing import NamedTuple

from groundwork.validation import check_choice, check_integer
from noc.routing.routing import Routing

__all__ = ["LaneHop", "LaneRule", "processor_ways"]


class LaneRule(enum.Enum):
    """A rule by which packets share the f lanes of each link.

    A packet takes the lane of the same number at every hop. So a lane is a network of its own, and no lane waits for
    another one: what is free of deadlock with one lane is so with several.
    """

    FIXED = "fixed"  # Everything goes over lane 0.
    BY_SOURCE = "by-source"  # A processor's packets go over the lane of its number, modulo f.
    IN_TURN = "in-turn"  # A processor's packets go over one lane after the other.

    @classmethod
    def parse(cls, text: object) -> "LaneRule":
        """The rule of this name.

        Raises
        ------
        ParameterError
            If there is none.
        """
        return text if isinstance(text, cls) else cls(check_choice("lanes", text, [rule.value for rule in cls]))

    @property
    def keeps_order(self) -> bool:
        """``True`` if packets from one processor to another one arrive in the order in which they are sent."""
        return self is not LaneRule.IN_TURN

    def lanes(self, source: int, lanes: int) -> range:
        """The lanes, of ``lanes`` that each link has, that packets of processor ``source`` take, one after the other."""
        if self is LaneRule.IN_TURN:
            return range(lanes)
        first = source % lanes if self is LaneRule.BY_SOURCE else 0
        return range(first, first + 1)


class LaneHop(NamedTuple):
    """One hop of a processor's way: channel, lane of that channel, and class of virtual channels of that lane."""

    channel: int
    lane: int
    channel_class: int


def processor_ways(
    routing: Routing, source: int, target: int, rule: LaneRule = LaneRule.FIXED
) -> tuple[tuple[LaneHop, ...], ...]:
    """The ways from processor ``source`` to processor ``target``, one for each lane that the packets take in turn.

    A way has no hops if both sit on the same node.

    Raises
    ------
    ParameterError
        If one of them is no processor.
    """
    topology = routing.topology
    for name, processor in (("source", source), ("target", target)):
        check_integer(f"{name} processor", processor, minimum=0, maximum=topology.processors - 1)
    way = routing.way(topology.node_of(source), topology.node_of(target))
    return tuple(
        tuple(LaneHop(hop.channel, lane, hop.channel_class) for hop in way) for lane in rule.lanes(source, topology.f)
    )
