"""Lower bounds from maximum flows: what has to cross a set of lanes, and, of a broadcast, when it can be there.

They hold for any network, one with failures too, and for lanes that go one way. Maximum flows are computed by OR-tools, in
integers, so the bounds are exact: no rounding takes part. The bound of an all-gather, the most that any set S of nodes has to send
out for the lanes that leave it, max |S| / B+(S), is that of ForestColl (Zhao et al., 2024, section 4), whose trees reach it.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from fatcube.noc.topology import Topology
from fatcube.schedules import counting
from fatcube.schedules.counting import Bound
from fatcube.schedules.reach import lanes_into
from fatcube.schedules.step_model import STANDARD, UNLIMITED, StepModel
from fatcube.schedules.symmetry import Link

__all__ = [
    "cut_of_all_gather",
    "cut_of_broadcast",
    "cut_of_sums",
    "flow_over_time",
    "ratio_of_all_gather",
    "spread_of_parts",
    "ways_to_all",
]


MOST_ARCS = 10_000_000  # of all networks in time of a bound, which take about ten seconds
_ALL = 1 << 40  # more than any lanes carry


def _flow() -> Any:
    """An empty network of OR-tools, whose types know other arrays; it is imported here, as few commands need it."""
    from ortools.graph.python import max_flow

    return max_flow.SimpleMaxFlow()


class _Lanes:
    """The links between nodes with processors, and the messages that each carries in a step, as arrays for OR-tools."""

    def __init__(self, topology: Topology, model: StepModel) -> None:
        import numpy  # here, as few commands need it

        self.topology = topology
        self.rates_of = {
            Link(source, node): min(counting.messages_in(lanes, model), _ALL)
            for node in topology.served
            for source, lanes in lanes_into(topology, node).items()
        }
        self.starts, self.ends = numpy.array([*self.rates_of], dtype=numpy.int64).reshape(-1, 2).T
        self.rates = numpy.array([*self.rates_of.values()], dtype=numpy.int64)

    def worst_cut(self, supplies: Mapping[int, int], sinks: Iterable[int]) -> Bound:
        """The most messages of ``supplies``, which are by node, that have to cross lanes to a node of ``sinks``, by what these carry.

        Newton's method: as long as the lanes cannot bring all supplies to a node within the current number of steps, the minimum
        cut gives the number of further steps.
        """
        best = Bound(0, "nothing has to move")
        for sink in sinks:
            given = {node: count for node, count in supplies.items() if node != sink}
            while (behind := self._cut(given, sink, best.steps)) is not None:
                best = self._bound(given, behind, sink)
        return best

    def worst_ratio(self, supplies: Mapping[int, int], sinks: Iterable[int]) -> Fraction:
        """The value of :meth:`worst_cut` before it is rounded up to whole steps, exact."""
        best = Fraction(0)
        for sink in sinks:
            given = {node: count for node, count in supplies.items() if node != sink}
            while (behind := self._cut(given, sink, best)) is not None:
                best = Fraction(sum(given.get(node, 0) for node in behind), self._leaving(behind))
        return best

    def most_to(self, home: int, node: int) -> int:
        """The ways from node ``home`` to ``node`` that share no lane."""
        flow = _flow()
        flow.add_arcs_with_capacity(self.starts, self.ends, self.rates)
        flow.solve(home, node)
        return flow.optimal_flow()

    def _leaving(self, behind: set[int]) -> int:
        """The messages that the lanes out of a set of nodes carry in a step."""
        return sum(rate for (here, there), rate in self.rates_of.items() if here in behind and there not in behind)

    def _cut(self, given: Mapping[int, int], sink: int, steps: int | Fraction) -> set[int] | None:
        """The nodes behind a minimum cut between ``given`` and ``sink``, if ``steps`` steps are too few."""
        import numpy

        source = self.topology.nodes
        counts = numpy.fromiter(given.values(), numpy.int64) * steps.denominator
        flow = _flow()
        flow.add_arcs_with_capacity(self.starts, self.ends, self.rates * steps.numerator)
        flow.add_arcs_with_capacity(numpy.full(len(given), source), numpy.fromiter(given, numpy.int64), counts)
        flow.solve(source, sink)
        if flow.optimal_flow() == counts.sum():
            return None
        return {int(node) for node in flow.get_source_side_min_cut()} - {source}

    def _bound(self, given: Mapping[int, int], behind: set[int], sink: int) -> Bound:
        """The bound of a cut: the messages that are given ``behind`` it, and what the lanes over it carry."""
        messages = sum(given.get(node, 0) for node in behind)
        rate = self._leaving(behind)
        beyond = len(self.topology.served) - len(behind)
        where = f"enter node {sink}" if beyond == 1 else f"leave {len(behind)} of the nodes on ways to node {sink}"
        return Bound(counting.ceil_divide(messages, rate), f"{messages} messages {where}, at most {rate} a step")

    def carried(self, home: int, node: int, steps: int) -> int:
        """The messages that lanes bring from node ``home`` to ``node`` in ``steps`` steps, each link in a step."""
        import numpy

        nodes = self.topology.nodes
        times = numpy.arange(steps, dtype=numpy.int64)[:, None] * nodes
        waiting = numpy.arange(nodes, dtype=numpy.int64)[None, :] + times
        flow = _flow()
        flow.add_arcs_with_capacity(
            (self.starts + times).ravel(), (self.ends + times + nodes).ravel(), numpy.tile(self.rates, steps)
        )
        flow.add_arcs_with_capacity(waiting.ravel(), (waiting + nodes).ravel(), numpy.full(waiting.size, _ALL))
        flow.solve(home, node + steps * nodes)
        return flow.optimal_flow()


def cut_of_all_gather(topology: Topology, model: StepModel, parts: int = 1) -> Bound:
    """All messages that start in a set of nodes leave it, as a node outside is to have them, over the lanes that leave it.

    The set is the worst of all: for each node outside it is a minimum cut. Where nodes look alike, one of each class stands for all.
    """
    supplies = {node: len(topology.processors_of(node)) * parts for node in topology.served}
    sinks = [node for node in topology.bases if node in topology.served]
    return _Lanes(topology, model).worst_cut(supplies, sinks)


def ratio_of_all_gather(topology: Topology, model: StepModel = STANDARD) -> Fraction:
    """The steps that the worst of all cuts takes for each part of an all-gather: max |S| / B+(S), exact."""
    supplies = {node: len(topology.processors_of(node)) for node in topology.served}
    return _Lanes(topology, model).worst_ratio(supplies, [node for node in topology.bases if node in topology.served])


def ways_to_all(topology: Topology, home: int, model: StepModel = STANDARD) -> int:
    """The ways from node ``home`` that share no lane, to that node to which there are the fewest."""
    lanes = _Lanes(topology, model)
    return min(lanes.most_to(home, node) for node in topology.served if node != home)


def cut_of_broadcast(topology: Topology, root: int, model: StepModel, parts: int = 1) -> Bound:
    """All parts of the message of processor ``root`` leave every set of nodes that it is in, if not all are."""
    home = topology.node_of(root)
    return _Lanes(topology, model).worst_cut({home: parts}, [node for node in topology.served if node != home])


def cut_of_sums(topology: Topology, model: StepModel, parts: int = 1) -> Bound:
    """Every sum of an all-reduce leaves every set of nodes, if not all are in it.

    If the processor to which a sum belongs is in the set, the sum has to leave it; if not, what the set adds to the sum has to.
    """
    lanes = _Lanes(topology, model)
    first, *others = topology.served
    sums = topology.processors * parts
    return counting.highest(
        lanes.worst_cut({first: sums}, others), *(lanes.worst_cut({node: sums}, [first]) for node in others)
    )


def spread_of_parts(topology: Topology, root: int, model: StepModel, parts: int) -> Iterator[Bound]:
    """The bounds of the parts of a broadcast; of one part these say no more than its distances do."""
    if parts > 1:
        yield from flow_over_time(topology, root, model, parts)
        yield cut_of_broadcast(topology, root, model, parts)


def flow_over_time(topology: Topology, root: int, model: StepModel, parts: int = 1) -> Iterator[Bound]:
    """All parts of the message of processor ``root`` come to a node over paths that take a step for each link.

    To each node it is the time of a quickest flow (Ford and Fulkerson, 1958): the fewest steps in which a network in time, with a
    node for every node and step, carries all parts there. It contains the distance, the minimum cut, and that a node is
    entered first after its distance and then over its lanes: distance - 1 + parts / lanes. Not for direct transfers,
    which cross several links in a step, and not where it would take too long.
    """
    home = topology.node_of(root)
    others = [node for node in topology.served if node != home]
    if model.direct or model.per_packet == UNLIMITED or not others:
        return
    lanes, hops = _Lanes(topology, model), topology.served_distances[home]
    entries = []
    for node in others:
        rate = counting.messages_in(sum(lanes_into(topology, node).values()), model)
        reason = f"{parts} parts enter node {node}, {hops[node]} links away, at most {rate} a step"
        entries.append(Bound(hops[node] - 1 + counting.ceil_divide(parts, rate), reason))
    best = counting.highest(*entries)
    if len(lanes.rates) * best.steps * len(others) <= MOST_ARCS:
        for node in others:
            while (carried := lanes.carried(home, node, best.steps)) < parts:
                reason = f"lanes bring {carried} of {parts} parts to node {node} in {best.steps} steps, and no more"
                best = Bound(best.steps + 1, reason)
    yield best
