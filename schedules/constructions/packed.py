"""Packets of several messages, as full as they can be: all-to-all and scatter, step by step, on any topology.

A message goes over shortest paths, to any processor of each node on its way, so that messages in the same direction share packets.
In each step the packets with the most urgent messages are taken first: those that still have the farthest to go count most. Where
several are equal, tries after the first one choose by a pseudo-random order, and the shortest schedule counts. In further
tries, some messages may also go aside once, to another processor of the node in which they are, or of a neighbour that
is as far from where they go: so a packet is filled with what its receiver passes on, and few messages are left alone at the end.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
import random

from fatcube.schedules.collective import Message, Move
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step import StepRules, StepState
from fatcube.schedules.step_model import StepModel
from fatcube.schedules.symmetry import Symmetry

__all__ = ["packed"]


TRIES = 300
WORK = 400_000  # moves of all tries, times processors; the first try is free
WORK_ASIDE = 100_000  # of those in which messages may go aside
ASIDE = 0.3  # of the messages may go aside
# How many times as much a message counts that has one more link to cross, and one that goes aside.
WEIGHTS = ((4.0, 0.5), (1.5, 0.5), (4.0, 0.01), (1.5, 0.01))


def packed(problem: Problem, least_steps: int) -> Schedule:
    """A :class:`Schedule` of OAS or AAS in packets of several messages; tries end with one that has ``least_steps`` steps.

    Of the step model, the messages in a packet, half-duplex links, and processors that send or receive count.
    """
    topology, model = problem.topology, problem.model
    symmetry = Symmetry.none(topology)
    rules = StepRules(topology, problem.ports, symmetry, model)
    messages = list(symmetry.representatives(problem.collective, problem.root))
    shortest: list[Move] = []
    for numbers, share, limit in ((range(TRIES), 0.0, WORK), (range(1, TRIES, 2), ASIDE, WORK_ASIDE)):
        work = 0
        for number in numbers:
            tie_break: Callable[[], float] = random.Random(number).random if number else float
            aside = [message for message in messages if share and tie_break() < share]
            farther, lateral = WEIGHTS[number // 2 % len(WEIGHTS) if aside else 0]
            found = _Packing(rules, messages, model, tie_break, aside, farther, lateral).moves(shortest)
            shortest = found or shortest
            work += len(shortest) * topology.processors
            if shortest[-1].step == least_steps or work > limit:
                break
        if shortest[-1].step == least_steps:
            break
    return problem.schedule(shortest)


class _Packing:
    """Where messages are, while steps are filled."""

    def __init__(
        self,
        rules: StepRules,
        messages: list[Message],
        model: StepModel,
        tie_break: Callable[[], float],
        aside: Collection[Message],
        farther: float,
        lateral: float,
    ) -> None:
        self._rules = rules
        self._aside = set(aside)
        self._farther = farther
        self._lateral = lateral
        self._most = int(min(model.most_messages, len(messages)))
        self._tie_break = tie_break
        self._held: dict[int, list[Message]] = defaultdict(list)
        for message in messages:
            self._held[message.source].append(message)

    def moves(self, shortest: list[Move]) -> list[Move] | None:
        """The moves that deliver everything; ``None`` if they take no fewer steps than ``shortest``, if there is one."""
        moves: list[Move] = []
        steps = 0
        while any(self._held.values()):
            steps += 1
            if shortest and steps >= shortest[-1].step:
                return None
            step = StepState(steps, self._rules)
            self._fill(step)
            for move in step.moves:
                self._held[move.src].remove(move.message)
                if move.dst != move.message.destination:
                    self._held[move.dst].append(move.message)
            self._aside.difference_update(move.message for move in step.moves)
            moves += step.moves
        return moves

    def _fill(self, step: StepState) -> None:
        """Take packets, the most urgent first, until no more fit."""
        packets = {(src, dst): found for src, dst, found in self._possible()}
        taken: set[Message] = set()
        while packets:
            values: dict[tuple[int, int], tuple[float, float]] = {}
            for (src, dst), found in list(packets.items()):
                left = [message for message in found if message not in taken]
                if left and step.sends(src, left[0]) and step.receives(dst) and step.carries(*self._nodes(src, dst)):
                    packets[src, dst] = left
                    values[src, dst] = sum(map(self._urgency(src, dst), left[: self._most])), self._tie_break()
                else:
                    del packets[src, dst]
            if values:
                src, dst = max(values, key=values.__getitem__)
                packet = packets.pop((src, dst))[: self._most]
                step.move(src, dst, packet[0])
                for message in packet[1:]:
                    step.join(src, dst, message)
                taken.update(packet)

    def _possible(self) -> Iterator[tuple[int, int, list[Message]]]:
        """For each sender and receiver the messages that may go between them, the most urgent first."""
        topology = self._rules.topology
        for src, messages in self._held.items():
            here = topology.node_of(src)
            ways: dict[int, list[Message]] = defaultdict(list)
            for message in messages:
                goal = topology.node_of(message.target)
                if message in self._aside:
                    for there in (here, *self._no_farther(here, goal)):
                        for dst in topology.processors_of(there):
                            if dst not in (src, message.target):
                                ways[dst].append(message)
                if goal == here:
                    ways[message.target].append(message)
                    continue
                for there in self._rules.nearer(here, goal):
                    for dst in topology.processors_of(there):
                        ways[dst].append(message)
            for dst, found in ways.items():
                urgency = self._urgency(src, dst)
                # Of equally urgent messages, those that end at the receiver come first.
                order = {
                    message: (-urgency(message), message.destination != dst, self._tie_break()) for message in found
                }
                yield src, dst, sorted(found, key=order.__getitem__)

    def _no_farther(self, here: int, goal: int) -> list[int]:
        """The neighbours of node ``here`` that are as far from node ``goal``."""
        topology = self._rules.topology
        distances = topology.served_distances
        return [there for there in topology.served[here] if distances[there][goal] == distances[here][goal]]

    def _urgency(self, src: int, dst: int) -> Callable[[Message], float]:
        """How much a message counts that goes from ``src`` to ``dst``: more for each link that it has yet to cross, less aside."""
        distances, nodes = self._rules.topology.served_distances, self._rules.nodes
        here, there = distances[nodes[src]], distances[nodes[dst]]
        farther, lateral = self._farther, self._lateral

        def urgency(message: Message) -> float:
            goal = nodes[message.target]
            nearer = message.destination == dst or there[goal] < here[goal]
            return farther ** here[goal] * (1.0 if nearer else lateral)

        return urgency

    def _nodes(self, src: int, dst: int) -> tuple[int, int]:
        return self._rules.nodes[src], self._rules.nodes[dst]
