"""Channel loads under a traffic matrix, and the bound on accepted load set by the most loaded lane.

A load is in flits per cycle if every processor offers one flit per cycle; a lane takes one flit per cycle. Headers are
flits. All numbers are exact fractions.
"""

from collections.abc import Sequence
import dataclasses
from fractions import Fraction
import math
from typing import NamedTuple, Self, TypeAlias

import numpy

from fatcube.groundwork.validation import ParameterError, check_count, check_integer
from fatcube.noc.routing.lanes import LaneRule
from fatcube.noc.routing.routing import Routing
from fatcube.noc.routing.trees import Array
from fatcube.noc.topology import Topology

__all__ = ["Lane", "Shares", "Traffic", "lane_loads", "load_bound", "uniform"]


MOST_PROCESSORS = 4096  # A traffic matrix then has sixteen million entries.
_MOST = 1 << 62  # largest sum in 64-bit integers


@dataclasses.dataclass(frozen=True)
class Shares:
    """A traffic matrix in integers, over a common denominator.

    Parameters
    ----------
    parts : array of integers
        A row for each source, a column for each target.
    whole : :class:`int`
        The integer that represents a share of 1; the sum of a row is at most ``whole``.
    """

    parts: Array
    whole: int

    @classmethod
    def of(cls, traffic: Sequence[Sequence[Fraction | int]]) -> Self:
        """The matrix ``traffic``, which is given in fractions."""
        rows = [[Fraction(share) for share in row] for row in traffic]
        whole = math.lcm(*{share.denominator for row in rows for share in row})
        parts = [[share.numerator * (whole // share.denominator) for share in row] for row in rows]
        return cls(numpy.array(parts, dtype=object), whole)

    @classmethod
    def even(cls, destinations: Sequence[Sequence[int]]) -> Self:
        """The matrix of sources that send equally to their destinations; one that is listed n times receives n times as much."""
        whole = math.lcm(*filter(None, set(map(len, destinations))))
        parts = numpy.zeros((len(destinations), len(destinations)), dtype=object if whole > _MOST else numpy.int64)
        for row, some in zip(parts, destinations):
            if len(some):
                row += numpy.bincount(some, minlength=len(row)) * (whole // len(some))
        return cls(parts, whole)

    def of_sources(self, rates: Sequence[Fraction]) -> Self:
        """The matrix in which each source sends this part of what it sends here."""
        whole = math.lcm(*(rate.denominator for rate in rates))
        factors = numpy.array([[rate.numerator * (whole // rate.denominator)] for rate in rates], dtype=object)
        return type(self)(self.parts.astype(object) * factors, self.whole * whole)

    def with_replies(self, replies: Fraction) -> Self:
        """The matrix with ``replies`` flits returned for each flit; the sum of a row may then exceed ``whole``."""
        forth, back, whole = replies.denominator, replies.numerator, self.whole * replies.denominator
        parts = self.parts
        # No sum of entries exceeds the total of all flits that processors send and of all replies.
        if len(parts) * (whole + self.whole * back) > _MOST:
            parts = parts.astype(object)
        elif parts.dtype == object:
            parts = parts.astype(numpy.int64)
        return type(self)(parts * forth + parts.T * back if back else parts * forth, whole)


#: ``traffic[source][target]``: of all flits that the source offers, the share that goes to the target.
Traffic: TypeAlias = Sequence[Sequence[Fraction | int]] | Shares


class Lane(NamedTuple):
    """A lane of a channel of a node, as it leaves the node."""

    node: int
    channel: int
    lane: int


def uniform(topology: Topology, *, to_itself: bool = True) -> Sequence[Sequence[Fraction | int]]:
    """A matrix with an equal share from every processor to every other one, and to itself unless ``to_itself`` is false.

    Raises
    ------
    ParameterError
        If there are more than :data:`MOST_PROCESSORS` processors, or no processor to send to.
    """
    check_integer("processors", topology.processors, minimum=1 if to_itself else 2, maximum=MOST_PROCESSORS)
    share = Fraction(1, max(1, len(topology.working) - (not to_itself)))
    everybody, works = range(topology.processors), topology.works
    return [
        [share if works(source) and works(target) and (source != target or to_itself) else 0 for target in everybody]
        for source in everybody
    ]


def lane_loads(
    routing: Routing,
    traffic: Traffic | None = None,
    rule: LaneRule = LaneRule.FIXED,
    *,
    replies: Fraction | int = 0,
) -> dict[Lane, Fraction]:
    """The load of every lane, including lanes without load. If a pair has several routes, each has an equal share.

    Parameters
    ----------
    traffic : list of list of :class:`Fraction`, or :class:`Shares`
        A row for each processor, whose sum is at most 1; if not given, uniform traffic including to the processor itself.
    rule : :class:`LaneRule`
        The rule by which packets share the lanes of a link; if packets alternate between lanes, each has an equal share.
    replies : :class:`Fraction`
        Flits returned for each flit of the matrix.

    Raises
    ------
    ParameterError
        If the matrix has other rows, or there are too many nodes or processors to follow all routes.
    """
    topology = routing.topology
    shares = _checked(topology, traffic).with_replies(Fraction(replies))
    loads = _loads(routing, shares.parts, rule)
    whole = shares.whole * (topology.f if rule is LaneRule.IN_TURN else 1) * len(routing.alternatives)
    return {
        Lane(node, channel, lane): Fraction(int(loads[lane][node, channel]), whole) if lane in loads else Fraction(0)
        for node, channels in enumerate(routing.links)
        for channel, _ in channels
        for lane in topology.lanes_of(node, channel)
    }


def _loads(routing: Routing, parts: Array, rule: LaneRule) -> dict[int, Array]:
    """The load of each channel, a row for each node, by lane, for each lane that has load.

    If packets alternate between the lanes, all lanes have equal loads, in a unit smaller by a factor of the number of lanes.
    """
    topology = routing.topology
    sources: dict[int, list[int]] = {}  # the processors whose packets take each lane
    for processor in range(topology.processors):
        sources.setdefault(rule.lanes(processor, topology.f).start, []).append(processor)
    first = [topology.processors_of(node).start for node in routing.homes]
    to_node = numpy.add.reduceat(parts, first, axis=1)
    flows = {}
    for lane, processors in sources.items():
        sending = numpy.zeros_like(to_node)
        sending[processors] = to_node[processors]
        flows[lane] = numpy.add.reduceat(sending, first, axis=0)
    loads = {lane: numpy.zeros((topology.nodes, topology.degree), dtype=parts.dtype) for lane in sources}
    for one in routing.alternatives:
        begin = 0
        for trees in one.trees():
            end = begin + trees.starts.shape[1]
            for lane, flow in flows.items():
                numpy.add.at(loads[lane], (trees.node, trees.channel), trees.gathered(flow[:, begin:end]))
            begin = end
    if rule is LaneRule.IN_TURN:
        loads = dict.fromkeys(range(topology.f), loads[0])
    return _on_lanes_left(routing, loads)


def _on_lanes_left(routing: Routing, loads: dict[int, Array]) -> dict[int, Array]:
    """Loads by lane, with the load of each failed lane moved to the lane that its packets take instead."""
    if routing.topology.lanes == routing.topology.channels * routing.topology.f:
        return loads
    found = {lane: numpy.zeros_like(loads[min(loads)]) for lane in range(routing.topology.f)}
    for lane, load in loads.items():
        taken = routing.lanes_taken(lane)
        for other, there in found.items():
            there += numpy.where(taken == other, load, 0)
    return found


def load_bound(
    routing: Routing,
    traffic: Traffic | None = None,
    rule: LaneRule = LaneRule.FIXED,
    *,
    ports: int = 1,
    replies: Fraction | int = 0,
) -> Fraction:
    """The most flits per cycle and processor that can be accepted if all processors are served alike.

    It is the offered load at which the first lane, or the first receiving processor, has a flit in every cycle. Above this
    load some packets wait without end; packets that do not cross the saturated lane can still be accepted.

    Parameters
    ----------
    traffic, rule, replies
        The parameters of :func:`lane_loads`.
    ports : :class:`int`
        Ports of a processor, k, each of which sends and receives a flit per cycle; replies have k further ports.

    Raises
    ------
    ParameterError
        If :func:`lane_loads` refuses its parameters.
    """
    check_integer("ports of a processor", ports, minimum=1)
    topology = routing.topology
    shares = _checked(topology, traffic)
    at_most = max(int(shares.parts.sum(axis=axis).max()) for axis in (0, 1))
    at_ports = Fraction(at_most, shares.whole) * max(Fraction(1), Fraction(replies)) / ports
    loads = [*lane_loads(routing, shares, rule, replies=replies).values(), at_ports]
    if not any(loads):
        raise ParameterError("traffic must have a share above 0, not none")
    return 1 / max(loads)


def _checked(topology: Topology, traffic: Traffic | None) -> Shares:
    """The matrix in integers, checked; uniform traffic if ``traffic`` is ``None``."""
    processors = topology.processors
    if traffic is None:
        check_integer("processors", processors, minimum=1, maximum=MOST_PROCESSORS)
        works = numpy.array([topology.works(processor) for processor in range(processors)], dtype=numpy.int64)
        return Shares(numpy.outer(works, works), len(topology.working))
    check_count("processors", processors, maximum=MOST_PROCESSORS, what="for a traffic matrix")
    rows = traffic.parts if isinstance(traffic, Shares) else traffic
    if len(rows) != processors or any(len(row) != processors for row in rows):
        raise ParameterError(f"traffic must have a row and a column for each of {processors} processors")
    shares = traffic if isinstance(traffic, Shares) else Shares.of(traffic)
    for processor, (least, total) in enumerate(zip(shares.parts.min(axis=1), shares.parts.sum(axis=1))):
        if least < 0:
            raise ParameterError(
                f"traffic of processor {processor} must be shares of at least 0, not {Fraction(int(least), shares.whole)}"
            )
        if total > shares.whole:
            raise ParameterError(
                f"traffic of processor {processor} must add up to at most 1, not to {Fraction(int(total), shares.whole)}"
            )
    return shares
