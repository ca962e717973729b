"""A schedule pruned to some processors: the paths that lead to them, and nothing else (Johnsson and Ho, section 1)."""

from collections.abc import Iterable
import itertools

from fatcube.schedules.collective import Message, Move
from fatcube.schedules.participants import Participants
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step import StepRules, StepState
from fatcube.schedules.step_model import PortUse
from fatcube.schedules.symmetry import Symmetry

__all__ = ["pruned"]


def pruned(schedule: Schedule, among: Participants) -> Schedule:
    """The schedule of OAB, OAS, AAB or AAS without moves that no participant needs, as a :class:`Schedule`.

    The remaining moves keep their order and come as early as ports and lanes allow. Packets of several messages, and exchanges with
    one partner, stay together: of these only steps in which nothing remains are dropped.

    Parameters
    ----------
    schedule : :class:`Schedule`
        A schedule for all processors that gives no processor a message twice, of routers that do not copy packets.
    among : :class:`Participants`
    """
    if among.all:
        return schedule
    topology, collective, root = schedule.topology, schedule.collective, schedule.root
    messages = frozenset(collective.messages(topology, root, schedule.parts, among))
    needed = {(target, message) for message in messages for target in message.destinations(topology, among)}
    kept: list[Move] = []
    for transfer in reversed(schedule.expanded().transfers):
        if (transfer.dst, transfer.message) in needed and transfer.dst != transfer.message.origin:
            needed.add((transfer.src, transfer.message))
            kept.append(transfer.move)
    kept.reverse()
    model = schedule.model
    together = model.combining or model.port_use is PortUse.ONE_PARTNER
    moves = (
        _renumbered(kept)
        if together
        else _early(kept, StepRules(topology, schedule.ports, Symmetry.none(topology), model))
    )
    return Schedule.from_moves(
        topology, schedule.ports, collective, root, moves, parts=schedule.parts, model=model, among=among
    )


def _renumbered(moves: Iterable[Move]) -> list[Move]:
    """The moves without the steps in which there are none."""
    steps = itertools.groupby(moves, key=lambda move: move.step)
    return [move._replace(step=number) for number, (_, those) in enumerate(steps, 1) for move in those]


def _early(moves: Iterable[Move], rules: StepRules) -> list[Move]:
    """The moves, each in the first step in which its message is there and its ports and lane are free."""
    steps: list[StepState] = []
    arrival: dict[tuple[int, Message], int] = {}
    for move in moves:
        for number in itertools.count(arrival.get((move.src, move.message), 0) + 1):
            if number > len(steps):
                steps.append(StepState(number, rules))
            step = steps[number - 1]
            if step.takes(move.src, move.dst, move.message):
                step.move(move.src, move.dst, move.message)
                arrival[move.dst, move.message] = number
                break
    return [move for step in steps for move in step.moves]
