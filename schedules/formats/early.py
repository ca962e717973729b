"""Packets timed as early as what they wait for allows, one packet per lane and step.

List scheduling: step after step, of the packets that wait for nothing any more those with the longest chain of others
behind them go first, in so far as ports and lanes are free.
"""

from collections.abc import Callable, Sequence
import random
from typing import NamedTuple

from fatcube.groundwork.validation import ParameterError, check_count
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.constructions.list_schedule import list_schedule
from fatcube.schedules.step import StepRules, StepState
from fatcube.schedules.step_model import StepModel
from fatcube.schedules.symmetry import Symmetry

__all__ = ["MOST_PACKETS", "Packet", "Task", "timed"]


MOST_PACKETS = 400_000  # the most that a schedule file has room for
_ATTEMPTS = 16
_FEW = 20_000  # packets of which several orders are tried


class Packet(NamedTuple):
    """A message that goes from processor ``src`` to processor ``dst``; ``way`` are the nodes that a direct transfer over
    several links enters, that of ``dst`` last."""

    src: int
    dst: int
    message: Message
    way: tuple[int, ...] = ()


class Task(NamedTuple):
    """Something that is done when all tasks ``after`` which it comes, given by their positions, are done.

    One with a packet takes a step; one without takes no time. Packets of a lower ``rank`` go first on a lane.
    """

    after: tuple[int, ...]
    packet: Packet | None = None
    rank: int = 0


def timed(tasks: Sequence[Task], topology: Topology, ports: PortModel, model: StepModel) -> list[Move]:
    """The packets of tasks, each in its step: the shortest of some orders of packets with chains of the same length.

    The first order is that of the tasks, the others are drawn, always the same ones.

    Parameters
    ----------
    tasks : sequence of :class:`Task`
        Each comes only after earlier ones.
    topology : :class:`Topology`
        It has the links that the packets cross.
    ports, model
        The rules of a step. Packets have one message each, though the model may allow more.

    Raises
    ------
    ParameterError
        If there are too many packets, or one crosses a link whose lanes all lead the other way.
    """
    check_count("packets", sum(task.packet is not None for task in tasks), maximum=MOST_PACKETS, what="of a schedule")
    then: list[list[int]] = [[] for _ in tasks]
    for number, task in enumerate(tasks):
        for other in task.after:
            then[other].append(number)
    behind = [0] * len(tasks)  # packets in the longest chain that begins with a task
    for number in range(len(tasks) - 1, -1, -1):
        last = max((behind[other] for other in then[number]), default=0)
        behind[number] = last + (tasks[number].packet is not None)
    rules = StepRules(topology, ports, Symmetry.none(topology), model)
    draws = random.Random(0)
    best: list[Move] = []
    for attempt in range(_ATTEMPTS if sum(task.packet is not None for task in tasks) <= _FEW else 1):
        order = [draws.random() if attempt else number for number in range(len(tasks))]
        urgency = [(task.rank, -behind[number], order[number]) for number, task in enumerate(tasks)]
        moves = _in_steps(tasks, then, urgency, rules)
        if not best or moves[-1].step < best[-1].step:
            best = moves
    return best


def _in_steps(
    tasks: Sequence[Task], then: Sequence[Sequence[int]], urgency: Sequence[tuple[int, int, float]], rules: StepRules
) -> list[Move]:
    """The packets of tasks, step after step, the lowest ``urgency`` first; ``then`` are the tasks that wait for each."""

    def begin(number: int) -> Callable[[int], bool]:
        step = StepState(number, rules)

        def take(task: int) -> bool:
            packet = tasks[task].packet
            return packet is not None and step.take(*packet)

        return take

    crossed = [None if task.packet is None else (task.packet.src, task.packet.dst, task.packet.way) for task in tasks]
    steps = list_schedule(then, urgency, crossed, begin)
    if steps is None:
        raise ParameterError(
            f"lanes must lead the way of every packet, but some lead the other way on the {rules.topology.name}"
        )
    return [
        Move(number, *packet)
        for number, taken in enumerate(steps, 1)
        for task in taken
        if (packet := tasks[task].packet) is not None
    ]
