"""Rings through all nodes of cube-connected cycles, found by search (result 8 of the paper)."""

from collections.abc import Iterable, Iterator, Sequence
import itertools

import networkx
from ortools.sat.python import cp_model

from fatcube.groundwork.solving import solve
from fatcube.papers.ccc.graphs import ccc
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.schedule import Schedule

__all__ = ["crossings", "partitions", "ring", "walk"]


def partitions(n: int) -> Iterator[list[int]]:
    """How a simple ring through all nodes can cross a cycle of n: the lengths of the pieces, each of two nodes or more.

    A node with no link of the cycle on the ring would have only one link on it.
    """

    def parts(rest: int, most: int) -> Iterator[list[int]]:
        if not rest:
            yield []
        for first in range(min(rest, most), 1, -1):
            for others in parts(rest - first, first):
                yield [first, *others]

    return parts(n, n)


def ring(n: int, pieces: Sequence[int]) -> list[int] | None:
    """A ring through all nodes that crosses cycle 0 in pieces of these lengths, from position 0 on; ``None`` if none is
    found."""
    model = cp_model.CpModel()
    arcs = {(u, v): model.new_bool_var("") for u, v in networkx.Graph(ccc(n).graph).to_directed().edges()}
    model.add_circuit([(u, v, taken) for (u, v), taken in arcs.items()])
    ends = set(itertools.accumulate(pieces))
    for position in range(n):
        following = (position + 1) % n
        taken = position + 1 not in ends
        model.add(arcs[position, following] + arcs[following, position] == int(taken))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = 60
    if solve(solver, model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    after = {u: v for (u, v), taken in arcs.items() if solver.boolean_value(taken)}
    found = [0]
    while after[found[-1]] != 0:
        found.append(after[found[-1]])
    return found


def crossings(n: int, nodes: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Every crossing of a cycle on a ring: the cycle, the position of entry, the position of exit."""
    starts = [index for index, node in enumerate(nodes) if nodes[index - 1] // n != node // n]
    for start, end in zip(starts, [*starts[1:], starts[0] + len(nodes)]):
        cycle, entry = divmod(nodes[start], n)
        yield cycle, entry, nodes[(end - 1) % len(nodes)] % n


def walk(n: int, nodes: Iterable[int]) -> Schedule:
    """The broadcast that goes round a ring but for its last link."""
    moves = [Move(step, u, v, Message(0, None)) for step, (u, v) in enumerate(itertools.pairwise(nodes), start=1)]
    return Schedule.from_moves(ccc(n), "1", "OAB", 0, moves)
