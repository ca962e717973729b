"""Packets of several messages, as full as they can be: all-to-all and scatter, step by step, on any topology.

A message goes over shortest paths, to any processor of each node on its way, so that what goes the same way shares packets. In
each step the packets with the most urgent messages are taken first: those that still have the farthest to go count most. Where
that leaves a choice, tries after the first one choose by a pseudo-random order, and the shortest schedule counts.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
import random

from noc.topology import Topology
from rtl.port_model import PortModel
from schedules.collective import Collective, Message, Move
from schedules.constructions.capacity import Capacity, Step
from schedules.schedule import Schedule
from schedules.step_model import StepModel
from schedules.symmetry import Symmetry

__all__ = ["packed"]


TRIES = 300
WORK = 400_000  # moves of all tries, times processors; the first try is free


def packed(
    topology: Topology,
    ports: PortModel,
    collective: Collective,
    root: int | None,
    least_steps: int,
    model: StepModel,
) -> Schedule:
    """A :class:`Schedule` of OAS or AAS in packets of several messages; tries end with one that has ``least_steps`` steps.

    Of ``model`` it heeds the messages in a packet, half-duplex links and whether a processor sends or receives.
    """
    symmetry = Symmetry.none(topology)
    capacity = Capacity(topology, ports, symmetry, model)
    messages = list(symmetry.representatives(collective, root))
    shortest: list[Move] = []
    work = 0
    for number in range(TRIES):
        tie_break: Callable[[], float] = random.Random(number).random if number else float
        found = _Packing(capacity, messages, model, tie_break).moves(shortest)
        shortest = found or shortest
        work += len(shortest) * topology.processors
        if shortest[-1].step == least_steps or work > WORK:
            break
    return Schedule.from_moves(topology, ports, collective, root, shortest, model=model)


class _Packing:
    """Where messages are, while steps are filled."""

    def __init__(
        self, capacity: Capacity, messages: list[Message], model: StepModel, tie_break: Callable[[], float]
    ) -> None:
        self._capacity = capacity
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
            step = Step(steps, self._capacity)
            self._fill(step)
            for move in step.moves:
                self._held[move.src].remove(move.message)
                if move.dst != move.message.destination:
                    self._held[move.dst].append(move.message)
            moves += step.moves
        return moves

    def _fill(self, step: Step) -> None:
        """Take packets, the most urgent first, until no more fit."""
        packets = {(src, dst): found for src, dst, found in self._possible()}
        taken: set[Message] = set()
        while packets:
            values: dict[tuple[int, int], tuple[float, float]] = {}
            for (src, dst), found in list(packets.items()):
                left = [message for message in found if message not in taken]
                if left and step.sends(src, left[0]) and step.receives(dst) and step.carries(*self._nodes(src, dst)):
                    packets[src, dst] = left
                    values[src, dst] = sum(map(self._urgency(src), left[: self._most])), self._tie_break()
                else:
                    del packets[src, dst]
            if values:
                src, dst = max(values, key=values.__getitem__)
                packet = packets.pop((src, dst))[: self._most]
                step.take(src, dst, packet[0])
                for message in packet[1:]:
                    step.join(src, dst, message)
                taken.update(packet)

    def _possible(self) -> Iterator[tuple[int, int, list[Message]]]:
        """For each sender and receiver the messages that may go between them, the most urgent first."""
        topology = self._capacity.topology
        for src, messages in self._held.items():
            here = topology.node_of(src)
            ways: dict[int, list[Message]] = defaultdict(list)
            for message in messages:
                goal = topology.node_of(message.target)
                if goal == here:
                    ways[message.target].append(message)
                    continue
                for there in self._capacity.nearer(here, goal):
                    for dst in topology.processors_of(there):
                        ways[dst].append(message)
            urgency = self._urgency(src)
            for dst, found in ways.items():
                # Of equally urgent messages, those that end at the receiver come first.
                order = {
                    message: (-urgency(message), message.destination != dst, self._tie_break()) for message in found
                }
                yield src, dst, sorted(found, key=order.__getitem__)

    def _urgency(self, src: int) -> Callable[[Message], float]:
        """How much a message counts that is at ``src``: four times as much for each link that it has yet to cross."""
        hops = self._capacity.topology.served_distances[self._capacity.nodes[src]]
        nodes = self._capacity.nodes
        return lambda message: 4.0 ** hops[nodes[message.target]]

    def _nodes(self, src: int, dst: int) -> tuple[int, int]:
        return self._capacity.nodes[src], self._capacity.nodes[dst]
