"""Channel loads under a traffic matrix, and the bound on accepted load that the most loaded lane sets.

A load is in flits per cycle if every processor offers one flit per cycle; a lane takes one flit per cycle. Headers are
flits. All numbers are exact fractions.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from groundwork.validation import ParameterError, check_count, check_integer
from noc.routing.lanes import LaneRule
from noc.routing.routing import Routing
from noc.topology import Topology

__all__ = ["Lane", "Traffic", "lane_loads", "load_bound", "uniform"]


MOST_PROCESSORS = 1024  # of a traffic matrix: a million entries

#: ``traffic[source][target]``: of all flits that the source offers, the share that goes to the target.
Traffic: TypeAlias = Sequence[Sequence[Fraction | int]]


class Lane(NamedTuple):
    """A lane of a channel of a node, as it leaves the node."""

    node: int
    channel: int
    lane: int


def uniform(topology: Topology, *, to_itself: bool = True) -> Traffic:
    """The same share from every processor to every other one, and to itself unless ``to_itself`` is false.

    Raises
    ------
    ParameterError
        If there are more than :data:`MOST_PROCESSORS` processors, or nobody to send to.
    """
    check_integer("processors", topology.processors, minimum=1 if to_itself else 2, maximum=MOST_PROCESSORS)
    share = Fraction(1, topology.processors - (not to_itself))
    everybody = range(topology.processors)
    return [[share if source != target or to_itself else 0 for target in everybody] for source in everybody]


def lane_loads(
    routing: Routing,
    traffic: Traffic | None = None,
    rule: LaneRule = LaneRule.FIXED,
    *,
    replies: Fraction | int = 0,
) -> dict[Lane, Fraction]:
    """The load of every lane, those without any among them.

    Parameters
    ----------
    traffic : list of list of :class:`Fraction`
        A row for each processor, which adds up to at most 1; uniform, to itself too, if not given.
    rule : :class:`LaneRule`
        The rule by which packets share the lanes of a link; if they are taken in turn, each has an equal share.
    replies : :class:`Fraction`
        Flits that go back for each flit of the matrix.

    Raises
    ------
    ParameterError
        If the matrix has other rows, or there are too many nodes or processors to go through all ways.
    """
    topology = routing.topology
    matrix = _checked(topology, uniform(topology) if traffic is None else traffic)
    found = {
        Lane(node, channel, lane): Fraction(0)
        for node, channels in enumerate(routing.links)
        for channel, _ in channels
        for lane in range(topology.f)
    }
    for source, target, way in routing.ways():
        shares: dict[int, Fraction] = {}
        for processor in topology.processors_of(source):
            others = topology.processors_of(target)
            flow = sum((matrix[processor][other] + replies * matrix[other][processor] for other in others), Fraction(0))
            lanes = rule.lanes(processor, topology.f)
            for lane in lanes:
                shares[lane] = shares.get(lane, Fraction(0)) + flow / len(lanes)
        node = source
        for hop in way:
            for lane, share in shares.items():
                found[Lane(node, hop.channel, lane)] += share
            node, _ = routing.ends[node][hop.channel]
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

    It is the offered load at which the first lane, or the first processor that receives, has a flit in every cycle. Above
    it some packets wait without end; those that do not cross that lane can still be accepted.

    Parameters
    ----------
    traffic, rule, replies
        As for :func:`lane_loads`.
    ports : :class:`int`
        Ports of a processor, k, each of which sends and receives a flit per cycle; replies have as many of their own.

    Raises
    ------
    ParameterError
        If :func:`lane_loads` refuses them.
    """
    check_integer("ports of a processor", ports, minimum=1)
    topology = routing.topology
    matrix = _checked(topology, uniform(topology) if traffic is None else traffic)
    received = max(sum(column) for column in zip(*matrix))
    sent = max(sum(row) for row in matrix)
    at_ports = max(received, sent) * max(Fraction(1), Fraction(replies)) / ports
    loads = [*lane_loads(routing, matrix, rule, replies=replies).values(), at_ports]
    if not any(loads):
        raise ParameterError("traffic must have a share above 0, not none")
    return 1 / max(loads)


def _checked(topology: Topology, traffic: Traffic) -> Sequence[Sequence[Fraction]]:
    """The matrix, of fractions only, refused if it is none."""
    check_count("processors", topology.processors, maximum=MOST_PROCESSORS, what="for a traffic matrix")
    if len(traffic) != topology.processors or any(len(row) != topology.processors for row in traffic):
        raise ParameterError(f"traffic must have a row and a column for each of {topology.processors} processors")
    matrix = [[Fraction(share) for share in row] for row in traffic]
    for processor, row in enumerate(matrix):
        if min(row) < 0:
            raise ParameterError(f"traffic of processor {processor} must be shares of at least 0, not {min(row)}")
        if sum(row) > 1:
            raise ParameterError(f"traffic of processor {processor} must add up to at most 1, not to {sum(row)}")
    return matrix
