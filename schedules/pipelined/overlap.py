"""All-reduces whose two halves overlap: a sum is spread while others are still collected.

A reduce-scatter and an all-gather one after the other leave lanes idle, those that the slowest processor of each half does not use.
Here only the order of the transfers of each sum is kept: a processor sends on what it has added up when all has
come, and the sum when it is complete. Everything else is a :class:`~fatcube.schedules.pipelined.project.Project`.
"""

from collections import defaultdict
from collections.abc import Sequence
import random

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.constructions.all_reduce import all_reduce
from fatcube.schedules.pipelined.project import Project
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.symmetry import Symmetry

__all__ = ["overlapped", "overlapped_moves"]


WORK = 40_000  # moves of all tries together; the first try is free


def overlapped(collect: Schedule, spread: Schedule, least_steps: int, *, tries: int = 1) -> Schedule:
    """The all-reduce with the transfers of a reduce-scatter and of an all-gather of the same network, step model and parts.

    Lanes must be full duplex, routers must not copy packets, and processors may send and receive in a step. Improvement ends
    with ``least_steps`` steps. The shortest of up to ``tries`` is taken, each of which begins with the sums in another order.
    """
    if spread.symmetric != collect.symmetric:
        spread, collect = spread.expanded(), collect.expanded()
    collected, spreads = (
        [spread.symmetry.representative(one.move) for one in half.transfers] for half in (collect, spread)
    )
    network = spread.topology, spread.ports, spread.symmetry
    moves = overlapped_moves(*network, collected, spreads, least_steps)
    for seed in range(1, min(tries, WORK // len(moves))):
        if _steps(moves) <= least_steps:
            break
        moves = min(moves, overlapped_moves(*network, collected, spreads, least_steps, seed=seed), key=_steps)
    return Schedule.from_moves(
        spread.topology,
        spread.ports,
        Collective.ALL_REDUCE,
        None,
        moves,
        symmetric=spread.symmetric,
        parts=spread.parts,
        model=spread.model,
        among=all_reduce(collect, spread).among,
    )


def _steps(moves: Sequence[Move]) -> int:
    return max(move.step for move in moves)


def overlapped_moves(
    topology: Topology,
    ports: PortModel,
    symmetry: Symmetry,
    collected: Sequence[Move],
    spreads: Sequence[Move],
    least_steps: int,
    *,
    seed: int = 0,
) -> list[Move]:
    """The moves of the all-reduce of which these are the two halves, with other steps.

    Of each sum, the moves into a processor come before those from it. The steps of the moves do not count. ``seed`` is that of the order
    of the sums with which the improvement begins.
    """
    project = Project(topology, ports, symmetry)
    turns: dict[tuple[int | None, int], int] = {}
    for move in spreads:
        turns.setdefault((move.message.origin, move.message.part), len(turns))
    shuffled = random.Random(seed).sample(range(len(turns)), len(turns))
    into: dict[tuple[int, Message], list[int]] = defaultdict(list)
    for move in collected:
        task = project.add(move, into[move.src, move.message])
        into[move.dst, move.message].append(task)
    for move in spreads:
        src, message = move.src, move.message
        if src == message.origin:
            before = into[src, Message(None, src, message.part)]
        else:
            before = into[src, message]
        into[move.dst, message].append(project.add(move, before))
    order = [
        shuffled[turns[move.message.destination if move.message.reduced else move.message.origin, move.message.part]]
        for move in project.moves
    ]
    steps = project.shortest(order, least_steps)
    return [move._replace(step=step) for move, step in zip(project.moves, steps)]
