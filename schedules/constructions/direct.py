"""Direct scatters and all-to-alls: every message goes once, along a shortest path, from its origin to its destination.

Every step is filled greedily, those messages first that have farthest to go, each on the first shortest path on which a
lane is left everywhere. What one node sends every node sends (see :mod:`fatcube.schedules.symmetry`), so on a cube with one port
a step is an exchange of every u with u xor i, as in the fat-cube paper's table 3: the P - 1 steps cannot be fewer. Where
a choice is left, the first try takes messages in the order of their numbers, and further tries choose by a
pseudo-random order. The result is the same in every run.
"""

from collections.abc import Callable, Sequence
import random

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.constructions.list_schedule import list_schedule
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step import StepRules, StepState
from fatcube.schedules.step_model import StepModel
from fatcube.schedules.symmetry import Symmetry

__all__ = ["direct"]


TRIES = 200
WORK = 2_000_000  # messages times steps of all tries; the first try is free


def direct(problem: Problem, least_steps: int) -> Schedule:
    """A :class:`Schedule` of OAS or AAS with direct transfers on any topology whose links are not simplex.

    Tries end with one that has ``least_steps`` steps. It keeps to half-duplex links, to the
    use of ports, and to dedicated ports.
    """
    for symmetry in (
        Symmetry.of(problem.topology, problem.collective, problem.model),
        Symmetry.none(problem.topology),
    ):
        made = _shortest(problem, least_steps, symmetry)
        if made.transfers:
            break
    return made


def _shortest(problem: Problem, least_steps: int, symmetry: Symmetry) -> Schedule:
    """The shortest schedule of all tries with a symmetry; one without transfers if its translations exclude each other."""
    topology = problem.topology
    messages = list(symmetry.representatives(problem.collective, problem.root))
    best: list[Move] = []
    for number in range(min(TRIES, 1 + WORK // max(1, len(messages) * least_steps))):
        dice = random.Random(number)
        tie = {message: dice.random() if number else 0.0 for message in messages}
        moves = _steps(
            topology,
            problem.ports,
            symmetry,
            problem.model,
            sorted(messages, key=lambda one: (-_hops(topology, one), tie[one])),
        )
        if not moves:
            break
        if not best or moves[-1].step < best[-1].step:
            best = moves
        if best[-1].step == least_steps:
            break
    return problem.schedule(best, symmetric=not symmetry.trivial)


def _hops(topology: Topology, message: Message) -> int:
    return topology.distances[topology.node_of(message.source)][topology.node_of(message.target)]


def _steps(
    topology: Topology, ports: PortModel, symmetry: Symmetry, model: StepModel, messages: Sequence[Message]
) -> list[Move]:
    """The moves of all messages, in as many steps as it takes; none if there is one that its own images exclude."""
    rules = StepRules(topology, ports, symmetry, model)
    moves: list[Move] = []

    def begin(number: int) -> Callable[[int], bool]:
        step = StepState(number, rules)

        def take(task: int) -> bool:
            message = messages[task]
            way = _way(step, rules, message)
            if way is not None:
                step.add(message.source, message.target, message, way)
                moves.append(Move(number, message.source, message.target, message, way))
            return way is not None

        return take

    order = range(len(messages))
    steps = list_schedule([()] * len(messages), order, order, begin)
    return [] if steps is None else moves


def _way(step: StepState, rules: StepRules, message: Message) -> tuple[int, ...] | None:
    """The nodes that a message enters on its first shortest path that a step takes, none if that is one link; else ``None``."""
    src, dst = message.source, message.target
    if not (step.sends(src, message) and step.receives(dst) and step.meets(src, dst)):
        return None
    distances, adjacent, goal = rules.topology.distances, rules.topology.adjacent, rules.nodes[dst]
    ways: list[tuple[int, ...]] = [()]
    while ways:
        way = ways.pop()
        here = way[-1] if way else rules.nodes[src]
        if here == goal:
            passed = way if len(way) > 1 else ()
            if step.takes(src, dst, message, passed):
                return passed
            continue
        ways += [
            (*way, there)
            for there in adjacent[here]
            if distances[there][goal] == distances[here][goal] - 1 and step.carries_along(src, (*way, there))
        ]
    return None
