"""The lower bound of an all-reduce whose two halves share the lanes: for each sum something leaves every node, and the sum enters it.

From every node to the one of a sum, what is collected for it makes a way; and so does what is spread, from that one to every node.
So the lanes carry, for each node v, a flow of all other nodes' messages to v among what is spread, and one from v among what is
collected. The fewest steps in which lanes carry both are those of a linear program. Its dual gives every link a length for
each v and each half; the steps are then at least all distances to v, times messages, over the lengths of all lanes, whatever these lengths are.
A solver only proposes them: they are rounded to integers, and distances and bound are computed from those, so the bound is exact.

Where links go one way this is more than what any set of nodes has to send out (:func:`fatcube.schedules.bounding.cuts.cut_of_sums`):
the messages that spread from a node may need the very lanes over which that node collects.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
import heapq
import math
from typing import Any

from fatcube.noc.topology import Topology
from fatcube.schedules import counting
from fatcube.schedules.counting import Bound
from fatcube.schedules.reach import lanes_into
from fatcube.schedules.step_model import UNLIMITED, StepModel
from fatcube.schedules.symmetry import Link

__all__ = ["halves_of_sums", "steps_of_lengths"]


MOST_LINKS = 800  # nodes times links, which take about a second
_SCALE = 1 << 20  # the length of all lanes together, before lengths are rounded


@lru_cache(maxsize=256)
def halves_of_sums(topology: Topology, model: StepModel, parts: int = 1) -> Bound:
    """The bound of the linear program, where links go one way and it does not take too long."""
    lanes = {
        Link(source, node): counting.messages_in(count, model)
        for node in topology.served
        for source, count in lanes_into(topology, node).items()
    }
    nodes = topology.served
    if not topology.directed or model.per_packet == UNLIMITED or len(nodes) * len(lanes) > MOST_LINKS:
        return Bound(0, "lanes are not counted for both halves")
    sums = {node: parts * len(topology.processors_of(node)) for node in nodes}
    steps = steps_of_lengths(lanes, sums, _lengths(lanes, sums))
    shown = math.ceil(100 * steps) / 100
    reason = f"lanes share what is collected and what is spread of {sum(sums.values())} sums, which takes them {shown:g} steps"
    return Bound(math.ceil(steps), reason)


def steps_of_lengths(
    lanes: Mapping[Link, int], sums: Mapping[int, int], lengths: Mapping[tuple[int, int], Mapping[Link, int]]
) -> Fraction:
    """The steps that an all-reduce takes at least, by any lengths of the links.

    Parameters
    ----------
    lanes : dict from :class:`Link` to :class:`int`
        The messages that each link carries in a step.
    sums : dict from :class:`int` to :class:`int`
        The sums that belong to each node.
    lengths : dict from (way, node) to dict
        The length of each link for the half of what is spread, 1, or of what is collected, -1, and a node.
    """
    ways = sum(
        sums[node] * distance
        for (way, sink), half in lengths.items()
        for node, distance in _distances(half, sink, way).items()
    )
    total = sum(
        count * max(sum(half[link] for (way, _), half in lengths.items() if way == one) for one in (1, -1))
        for link, count in lanes.items()
    )
    return Fraction(ways, total) if total else Fraction(0)


def _lengths(lanes: Mapping[Link, int], sums: Mapping[int, int]) -> dict[tuple[int, int], dict[Link, int]]:
    """The lengths of all links for each half, 1 for what is spread and -1 for what is collected, and each node."""
    from ortools.linear_solver import pywraplp  # here, as few commands need it

    solver: Any = pywraplp.Solver.CreateSolver("GLOP")
    many = solver.infinity()
    steps = solver.NumVar(0, many, "")
    halves = {way: {link: solver.NumVar(0, many, "") for link in lanes} for way in (1, -1)}
    for link, count in lanes.items():
        solver.Add(halves[1][link] + halves[-1][link] <= count * steps)
    carries: dict[tuple[int, int], dict[Link, Any]] = {}
    for way, half in halves.items():
        for sink in sums:
            flow = {link: solver.NumVar(0, many, "") for link in lanes}
            carries[way, sink] = {link: solver.Add(flow[link] <= half[link]) for link in lanes}
            for node in sums:
                if node != sink:
                    leaving = sum(one for link, one in flow.items() if link[::way][0] == node)
                    entering = sum(one for link, one in flow.items() if link[::way][1] == node)
                    solver.Add(leaving - entering == sums[node])
    solver.Minimize(steps)
    solver.Solve()
    return {
        one: {link: round(abs(constraint.dual_value()) * _SCALE) for link, constraint in constraints.items()}
        for one, constraints in carries.items()
    }


def _distances(lengths: Mapping[Link, int], sink: int, way: int) -> dict[int, int]:
    """The length of the shortest way from each node to ``sink``, or, the other ``way``, from there to each node."""
    into: dict[int, list[tuple[int, int]]] = {}
    for link, length in lengths.items():
        source, node = link[::way]
        into.setdefault(node, []).append((source, length))
    found: dict[int, int] = {}
    heap = [(0, sink)]
    while heap:
        distance, node = heapq.heappop(heap)
        if node not in found:
            found[node] = distance
            for source, length in into.get(node, ()):
                heapq.heappush(heap, (distance + length, source))
    return found
