"""Schedules for any topology and size, built step by step: good ones, not always the shortest.

Every step is filled greedily, the messages that have farthest to go first (the FF strategy of the fat-cube
paper, section 4.3). Where that leaves a choice, the first try takes processors and messages in the order of
their numbers, and further tries choose by a pseudo-random order; the shortest schedule counts. The result
is the same in every run.
"""

from collections import Counter
from collections.abc import Callable, Sequence
import heapq
import random

import networkx

from noc.topology import Topology
from rtl.port_model import PortModel
from schedules.collective import Collective, Message, Move
from schedules.schedule import Schedule
from schedules.symmetry import Link, Symmetry

__all__ = ["greedy"]


_TieBreak = Callable[[], float]
TRIES = 1000
WORK = 2_000_000  # moves times processors; the first try is free, further ones stop here


def greedy(
    topology: Topology, ports: PortModel, collective: Collective, root: int | None, least_steps: int
) -> Schedule:
    """A :class:`Schedule` for any topology and size, of OAB, OAS, AAB or AAS.

    AAB and AAS are the same seen from every node, as far as the topology is (see :mod:`schedules.symmetry`).
    It takes as many steps as it takes: what is left over in the last steps does not fill them. Tries end with one that
    has ``least_steps`` steps.
    """
    symmetry = Symmetry.of(topology, collective)
    capacity = _Capacity(topology, ports, symmetry)
    messages = list(symmetry.representatives(collective, root))
    build = _moves_to_all if messages[0].destination is None else _moves_to_one
    shortest: list[Move] = []
    work = 0
    for number in range(TRIES):
        tie_break: _TieBreak = random.Random(number).random if number else int  # int() is always 0: in order of numbers
        shortest = build(capacity, messages, tie_break, shortest) or shortest
        work += len(shortest) * topology.processors  # all have as many moves
        if symmetry.trivial and not collective.rooted:
            # All messages are looked at in every step, those for everybody with each of their holders.
            work += 4 * shortest[-1].step * len(messages) * (topology.processors if build is _moves_to_all else 1)
        if shortest[-1].step == least_steps or work > WORK:
            break
    return Schedule.from_moves(topology, ports, collective, root, shortest, symmetric=not symmetry.trivial)


class _Capacity:
    """The ports and lanes that there are, each with its class, looked up once."""

    def __init__(self, topology: Topology, ports: PortModel, symmetry: Symmetry) -> None:
        self.topology = topology
        self.multicast = ports.multicast
        self.ports = ports.processor_ports(topology.degree, topology.m)
        self.classes = [symmetry.processor_class(processor) for processor in range(topology.processors)]
        self.nodes = [topology.node_of(processor) for processor in range(topology.processors)]
        self.received_in_a_step = len(set(self.classes)) * self.ports
        # For each link its class, and the lanes that it has.
        self.links = {
            (here, there): (
                symmetry.link_class(here, there),
                len(topology.channels_between(here, there)) * topology.f,
            )
            for here in topology.served
            for there in topology.served[here]
        }
        # What a step begins with. No counters: what they lack is slow to read, and they are read more than they count.
        self.no_messages = dict.fromkeys(self.classes, 0)
        self.no_links: dict[Link, int] = dict.fromkeys((link for link, _ in self.links.values()), 0)
        self._nearer: dict[tuple[int, int], list[int]] = {}

    def beats(self, moves: Sequence[Move], steps: int, shortest: Sequence[Move]) -> bool:
        """Return whether ``moves``, the first so many ``steps``, can become fewer steps than ``shortest``, if there is one."""
        left = -(-(len(shortest) - len(moves)) // self.received_in_a_step)
        return not shortest or steps + left < shortest[-1].step

    def nearer(self, here: int, goal: int) -> list[int]:
        """The neighbours of node ``here`` that are a hop nearer to node ``goal``."""
        found = self._nearer.get((here, goal))
        if found is None:
            distances = self.topology.served_distances
            hops = distances[here][goal] - 1
            found = [there for there in self.topology.served[here] if distances[there][goal] == hops]
            self._nearer[here, goal] = found
        return found


class _Step:
    """One step while it is filled: its moves, and the ports and lanes that they take, by class."""

    def __init__(self, number: int, capacity: _Capacity) -> None:
        self.number = number
        self.moves: list[Move] = []
        self.sent = capacity.no_messages.copy()
        self.received = capacity.no_messages.copy()
        self._capacity = capacity
        self._carried = capacity.no_links.copy()
        self._sources: set[tuple[int, Message]] = set()

    def copies(self, src: int, message: Message) -> bool:
        """Return whether the router of ``src`` can copy ``message``, because it is sent already."""
        return self._capacity.multicast and (src, message) in self._sources

    def sends(self, src: int, message: Message) -> bool:
        """Return whether ``src`` can send ``message``."""
        return self.sent[self._capacity.classes[src]] < self._capacity.ports or self.copies(src, message)

    def receives(self, dst: int) -> bool:
        """Return whether ``dst`` can receive one more message."""
        return self.received[self._capacity.classes[dst]] < self._capacity.ports

    def carries(self, here: int, there: int) -> bool:
        """Return whether one more message can get from node ``here`` to node ``there``."""
        if here == there:
            return True
        link, lanes = self._capacity.links[here, there]
        return self._carried[link] < lanes

    def take(self, src: int, dst: int, message: Message) -> None:
        """Move ``message`` from ``src`` to ``dst``."""
        here, there = self._capacity.nodes[src], self._capacity.nodes[dst]
        if here != there:
            self._carried[self._capacity.links[here, there][0]] += 1
        self.sent[self._capacity.classes[src]] += 1
        self.received[self._capacity.classes[dst]] += 1
        self._sources.add((src, message))
        self.moves.append(Move(self.number, src, dst, message))


def _moves_to_one(
    capacity: _Capacity, messages: Sequence[Message], tie_break: _TieBreak, shortest: Sequence[Move]
) -> list[Move] | None:
    """The moves that bring messages to one processor each, over shortest paths; ``None`` if ``shortest`` is no longer."""
    classes, nodes, distances = capacity.classes, capacity.nodes, capacity.topology.served_distances
    tie = {message: tie_break() for message in messages}
    place = {message: message.source for message in messages}
    goal = {message: nodes[message.target] for message in messages}
    moves: list[Move] = []
    steps = 0
    while place:
        if not capacity.beats(moves, steps, shortest):
            return None
        steps += 1
        step = _Step(steps, capacity)
        load = Counter(classes[src] for src in place.values())

        def urgency(message: Message) -> tuple[int, int, float]:
            src = place[message]
            return -distances[nodes[src]][goal[message]], -load[classes[src]], tie[message]

        for message in sorted(place, key=urgency):
            src = place[message]
            if step.sends(src, message):
                targets = [dst for dst in _nearer(capacity, src, message.target, step) if step.receives(dst)]
                if targets:
                    step.take(
                        src,
                        min(
                            targets,
                            key=lambda dst: (step.received[classes[dst]], load[classes[dst]], tie_break()),
                        ),
                        message,
                    )
        moves += step.moves
        for move in step.moves:
            place[move.message] = move.dst
            if move.dst == move.message.destination:
                del place[move.message]
    return moves


def _nearer(capacity: _Capacity, src: int, destination: int, step: _Step) -> list[int]:
    """The processors that are one transfer nearer to ``destination`` than ``src``, where a lane is left."""
    here, goal = capacity.nodes[src], capacity.nodes[destination]
    if here == goal:
        return [destination]
    targets: list[int] = []
    for there in capacity.nearer(here, goal):
        if step.carries(here, there):
            targets += [destination] if there == goal else capacity.topology.processors_of(there)
    return targets


def _moves_to_all(
    capacity: _Capacity, messages: Sequence[Message], tie_break: _TieBreak, shortest: Sequence[Move]
) -> list[Move] | None:
    """The moves that bring messages to all processors; ``None`` if ``shortest`` is no longer.

    One processor is given the message at a time, always in the node that has the fewest processors with
    that message; among those, where most of the way is still ahead.
    """
    topology, classes = capacity.topology, capacity.classes
    ahead = {message: _hops_ahead(topology, topology.node_of(message.source)) for message in messages}
    holders = {message: {topology.node_of(message.source): [message.source]} for message in messages}
    lacking = dict.fromkeys(messages, topology.processors - 1)
    moves: list[Move] = []
    steps = 0
    while lacking:
        if not capacity.beats(moves, steps, shortest):
            return None
        steps += 1
        step = _Step(steps, capacity)
        given: dict[Message, set[int]] = {message: set() for message in lacking}
        queue: list[tuple[int, int, int, float, int, Message]] = []
        for message in lacking:
            nodes = set(holders[message])
            for node in nodes.union(*(topology.served[node] for node in nodes)):
                count = len(holders[message].get(node, ()))
                if count < len(topology.processors_of(node)):
                    queue.append((count, -ahead[message][node], -lacking[message], tie_break(), node, message))
        heapq.heapify(queue)
        while queue and len(step.moves) < capacity.received_in_a_step:
            count, hops, left, _, node, message = heapq.heappop(queue)
            target = [
                dst
                for dst in topology.processors_of(node)
                if step.receives(dst) and dst not in given[message] and dst not in holders[message].get(node, ())
            ]
            source = [
                src
                for here in (node, *topology.sources(node))
                if step.carries(here, node)
                for src in holders[message].get(here, ())
                if step.sends(src, message)
            ]
            if target and source:
                src = min(
                    source,
                    key=lambda src: (
                        not step.copies(src, message),
                        topology.node_of(src) != node,
                        step.sent[classes[src]],
                        tie_break(),
                    ),
                )
                dst = min(target, key=lambda dst: (step.received[classes[dst]], tie_break()))
                step.take(src, dst, message)
                given[message].add(dst)
                heapq.heappush(queue, (count + 1, hops, left, tie_break(), node, message))
        moves += step.moves
        for move in step.moves:
            holders[move.message].setdefault(topology.node_of(move.dst), []).append(move.dst)
            lacking[move.message] -= 1
            if not lacking[move.message]:
                del lacking[move.message]
    return moves


def _hops_ahead(topology: Topology, origin: int) -> dict[int, int]:
    """For each node, the hops that shortest paths from node ``origin`` still go on beyond it."""
    hops = networkx.single_source_shortest_path_length(topology.served, origin)
    ahead = dict.fromkeys(hops, 0)
    for node in sorted(hops, key=hops.__getitem__, reverse=True):
        for other in topology.served[node]:
            if hops[other] == hops[node] + 1:
                ahead[node] = max(ahead[node], ahead[other] + 1)
    return ahead
