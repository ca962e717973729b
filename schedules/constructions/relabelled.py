"""Schedules of a collective that are those of a larger one, with other names for what it moves.

An all-to-all brings every processor a message of every other one, so it is an all-gather if all messages of a processor are the
same; the messages of one processor alone make a scatter, or a broadcast. These take no more steps than the larger collective.

Without a limit on the messages in a packet, the reverse holds too: the message for a processor goes the way on which an all-gather
brings it what is for everybody, so an all-to-all takes the steps of an all-gather, and a scatter those of a broadcast.
"""

from collections.abc import Iterable, Iterator, Sequence

from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import UNLIMITED, StepModel

__all__ = ["contained", "contains", "larger", "relabelled"]


_CONTAINED = {
    Collective.OAB: (),
    Collective.OAS: (Collective.OAB,),
    Collective.AAB: (Collective.OAB,),
    Collective.AAS: (Collective.OAS, Collective.AAB, Collective.OAB),
}
"""The collectives that a schedule of one is one of too, among all processors."""

_UNLIMITED = {
    Collective.OAB: (Collective.OAS,),
    Collective.OAS: (),
    Collective.AAB: (Collective.OAS, Collective.AAS),
    Collective.AAS: (),
}
"""What it is one of beside these where packets have no limit."""


def contains(one: Collective, other: Collective, model: StepModel) -> bool:
    """Return whether every schedule of ``one`` among all processors is one of another collective, relabelled."""
    return other in _CONTAINED.get(one, ()) or model.per_packet == UNLIMITED and other in _UNLIMITED.get(one, ())


def contained(problem: Problem) -> Iterator[Problem]:
    """The other problems of which every schedule of a normal problem is one, relabelled; none if it is not among all processors.

    Their root is that of the problem, or processor 0.
    """
    for collective in _CONTAINED if problem.among.all else ():
        if contains(problem.collective, collective, problem.model):
            yield problem.changed(collective=collective, root=problem.root or 0)


def larger(problem: Problem) -> Iterator[Problem]:
    """The other problems whose schedules are such of this normal problem, relabelled; none if it is not among all processors."""
    for collective in _CONTAINED if problem.among.all else ():
        if contains(collective, problem.collective, problem.model):
            yield problem.changed(collective=collective, root=problem.root or 0)


def relabelled(schedule: Schedule, problem: Problem) -> Schedule:
    """The schedule of ``problem`` that one of a larger problem (:func:`larger`) stands for; it has at most as many steps."""
    moves: Iterable[Move] = [transfer.move for transfer in schedule.expanded().transfers]
    if problem.root is not None:
        moves = [move for move in moves if move.message.origin == problem.root]
    if not problem.collective.personalized:
        moves = _first(moves)
    elif not schedule.collective.personalized:
        moves = _for_each(_first(moves))
    return problem.schedule(moves)


def _first(moves: Iterable[Move]) -> list[Move]:
    """The moves, in order of their steps, that first bring something of an origin to a processor, as moves of what is for everybody."""
    came: dict[tuple[int | None, int, int], Move] = {}
    for move in moves:
        origin, _, part = move.message
        if move.dst != origin:
            came.setdefault((origin, part, move.dst), move._replace(message=Message(origin, None, part)))
    return [*came.values()]


def _for_each(moves: Sequence[Move]) -> Iterator[Move]:
    """The moves of a message for each processor along those that bring it what is for everybody."""
    came = {(move.message, move.dst): move for move in moves}
    for message, target in came:
        place = target
        while place != message.origin:
            move = came[message, place]
            yield move._replace(message=message._replace(destination=target))
            place = move.src
