"""Direct scatters and all-to-alls: every message goes once, along a shortest path, from its origin to its destination.

Every step is filled greedily, those messages first that have farthest to go, each on the first shortest path on which a
lane is left everywhere. What one node sends every node sends (see :mod:`fatcube.schedules.symmetry`), so on a cube with one port
a step is an exchange of every u with u xor i, as in the fat-cube paper's table 3: the P - 1 steps cannot be fewer. Where
that leaves a choice, the first try takes messages in the order of their numbers, and further tries choose by a
pseudo-random order. The result is the same in every run.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
import random

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import Links, PortUse, StepModel
from fatcube.schedules.symmetry import Link, Symmetry

__all__ = ["direct"]


TRIES = 200
WORK = 2_000_000  # messages times steps of all tries; the first try is free


def direct(problem: Problem, least_steps: int) -> Schedule:
    """A :class:`Schedule` of OAS or AAS with direct transfers on any topology whose links are not simplex.

    Tries end with one that has ``least_steps`` steps. Of the step model it heeds half-duplex links and whether a processor
    sends or receives.
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
    moves: list[Move] = []
    waiting, number = list(messages), 0
    while waiting:
        number += 1
        step = _Step(topology, ports, symmetry, model)
        later: list[Message] = []
        for message in waiting:
            way = step.take(message)
            if way is None:
                later.append(message)
            else:
                moves.append(Move(number, message.source, message.target, message, way if len(way) > 1 else ()))
        if len(later) == len(waiting):
            return []
        waiting = later
    return moves


class _Step:
    """One step while it is filled: the ports and lanes that are taken, by class."""

    def __init__(self, topology: Topology, ports: PortModel, symmetry: Symmetry, model: StepModel) -> None:
        self._topology = topology
        self._symmetry = symmetry
        self._ports = ports.processor_ports(topology.degree, topology.m)
        self._in_turn = model.port_use is PortUse.SEND_OR_RECEIVE
        self._shared = model.links is Links.HALF_DUPLEX and not topology.directed
        self._sent: Counter[int] = Counter()
        self._received: Counter[int] = Counter()
        self._carried: Counter[Link] = Counter()

    def take(self, message: Message) -> tuple[int, ...] | None:
        """Take what a message needs, and return the nodes that it enters; ``None`` if something is not left."""
        src, dst = map(self._symmetry.processor_class, (message.source, message.target))
        if self._sent[src] == self._ports or self._received[dst] == self._ports:
            return None
        if self._in_turn and (self._received[src] or self._sent[dst] or src == dst):
            return None
        way = self._way(self._topology.node_of(message.source), self._topology.node_of(message.target))
        if way is None:
            return None
        self._sent[src] += 1
        self._received[dst] += 1
        for here, there in pairwise(way):
            self._carried.update(self._classes(here, there))
        return tuple(way[1:])

    def _classes(self, here: int, there: int) -> Iterable[Link]:
        """The links, by class, of which a packet from node ``here`` to node ``there`` takes a lane."""
        yield self._symmetry.link_class(here, there)
        if self._shared:
            yield self._symmetry.link_class(there, here)

    def _way(self, source: int, goal: int) -> list[int] | None:
        """The first shortest path on which lanes are left, as nodes; ``None`` if there is none."""
        distances = self._topology.distances
        ways = [[source]]
        while ways:
            way = ways.pop()
            here = way[-1]
            if here == goal:
                return way
            taken = Counter(link for hop in pairwise(way) for link in self._classes(*hop))
            for there in self._topology.adjacent[here]:
                if distances[there][goal] == distances[here][goal] - 1:
                    lanes = len(self._topology.channels_between(here, there)) * self._topology.f
                    link = self._symmetry.link_class(here, there)
                    if self._carried[link] + taken[link] < lanes:
                        ways.append([*way, there])
        return None
