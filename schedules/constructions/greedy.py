"""Schedules for any topology and size, built step by step: good ones, not always the shortest.

Every step is filled greedily, the messages that have farthest to go first (the FF strategy of the fat-cube
paper, section 4.3). Where that leaves a choice, the first try takes processors and messages in the order of
their numbers, and further tries choose by a pseudo-random order; the shortest schedule counts. The result
is the same in every run.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
import functools
import heapq
import random

import networkx

from fatcube.noc.topology import Topology
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.constructions.capacity import Capacity, Step
from fatcube.schedules.participants import Participants
from fatcube.schedules.problem import Problem
from fatcube.schedules.reach import passed_nodes
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.symmetry import Symmetry

__all__ = ["greedy"]


_TieBreak = Callable[[], float]
_Wanted = Mapping[int, Sequence[int]]  # by node
TRIES = 1000
WORK = 2_000_000  # moves times processors; the first try is free, further ones stop here


def greedy(problem: Problem, least_steps: int) -> Schedule:
    """A :class:`Schedule` for any topology and size, of OAB, OAS, AAB or AAS.

    AAB and AAS are the same seen from every node, as far as the topology is (see :mod:`fatcube.schedules.symmetry`).
    Among some processors, a message for several of them is given to these, and to one processor of each other node on the
    shortest paths that it takes (:func:`fatcube.schedules.reach.passed_nodes`).
    It takes as many steps as it takes: what is left over in the last steps does not fill them. Tries end with one that
    has ``least_steps`` steps. Of the step model it heeds half-duplex links and whether a processor sends or receives.
    """
    topology, collective, among = problem.topology, problem.collective, problem.among
    symmetry = Symmetry.of(topology, collective, problem.model, among)
    capacity = Capacity(topology, problem.ports, symmetry, problem.model)
    messages = list(symmetry.representatives(collective, problem.root, problem.parts, among))
    build = _moves_to_one
    if to_several := messages[0].destination is None:
        build = functools.partial(_moves_to_all, wanted=_wanted(topology, messages, among))
    shortest: list[Move] = []
    work = 0
    for number in range(TRIES):
        tie_break: _TieBreak = random.Random(number).random if number else int  # int() is always 0: in order of numbers
        shortest = build(capacity, messages, tie_break, shortest) or shortest
        work += len(shortest) * topology.processors  # all have as many moves
        if symmetry.trivial and not collective.rooted:
            # All messages are looked at in every step, those for everybody with each of their holders.
            work += 4 * shortest[-1].step * len(messages) * (topology.processors if to_several else 1)
        if shortest[-1].step == least_steps or work > WORK:
            break
    return problem.schedule(shortest, symmetric=not symmetry.trivial)


def _wanted(topology: Topology, messages: Sequence[Message], among: Participants) -> list[_Wanted]:
    """For each message the processors that are to be given it: its targets, and one of each node that it only passes."""
    if among.targets is None:
        return [{node: topology.processors_of(node) for node in topology.served}] * len(messages)
    wanted: list[_Wanted] = []
    for message in messages:
        nodes: dict[int, list[int]] = defaultdict(list)
        for processor in sorted({*among.targets, message.source}):
            nodes[topology.node_of(processor)].append(processor)
        local = topology.local_of(message.source)  # so that messages from one node pass different processors
        for node in passed_nodes(topology, topology.node_of(message.source), [*nodes]) - nodes.keys():
            beside = topology.processors_of(node)
            nodes[node] = [beside[local % len(beside)]]
        wanted.append(nodes)
    return wanted


def _moves_to_one(
    capacity: Capacity, messages: Sequence[Message], tie_break: _TieBreak, shortest: Sequence[Move]
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
        step = Step(steps, capacity)
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


def _nearer(capacity: Capacity, src: int, destination: int, step: Step) -> list[int]:
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
    capacity: Capacity,
    messages: Sequence[Message],
    tie_break: _TieBreak,
    shortest: Sequence[Move],
    wanted: Sequence[_Wanted],
) -> list[Move] | None:
    """The moves that bring messages to all processors that are ``wanted`` for each; ``None`` if ``shortest`` is no longer.

    One processor is given the message at a time, always in the node that has the fewest processors with
    that message; among those, where most of the way is still ahead.
    """
    spread = _Spread(capacity, messages, tie_break, wanted)
    moves: list[Move] = []
    steps = 0
    while spread.lacking:
        if not capacity.beats(moves, steps, shortest):
            return None
        steps += 1
        found = spread.fill(Step(steps, capacity))
        spread.deliver(found)
        moves += found
    return moves


class _Spread:
    """The state of messages for several processors between two steps.

    Members
    -------
    holders : dict from message to dict from node to list of processors
        Those that have a message.
    wanted : dict from message to dict from node to list of processors
        Those that are to have it.
    lacking : dict from message to :class:`int`
        The number of those that do not; a message that all of them have is not in it.
    """

    def __init__(
        self, capacity: Capacity, messages: Sequence[Message], tie_break: _TieBreak, wanted: Sequence[_Wanted]
    ) -> None:
        topology = capacity.topology
        self.capacity = capacity
        self.tie_break = tie_break
        self.wanted = dict(zip(messages, wanted, strict=True))
        self.ahead = {
            message: _hops_ahead(topology, topology.node_of(message.source), self.wanted[message])
            for message in messages
        }
        self.holders = {message: {topology.node_of(message.source): [message.source]} for message in messages}
        self.lacking = {message: sum(map(len, self.wanted[message].values())) - 1 for message in messages}

    def fill(self, step: Step) -> list[Move]:
        """The moves of a step, which are still to be delivered."""
        given: dict[Message, set[int]] = {message: set() for message in self.lacking}
        queue = self._queue()
        while queue and len(step.moves) < self.capacity.received_in_a_step:
            count, hops, left, _, node, message = heapq.heappop(queue)
            target = self._targets(step, node, message, given[message])
            source = self._sources(step, node, message)
            if target and source:
                src = min(source, key=lambda src: self._preference(step, src, node, message))
                dst = min(target, key=lambda dst: (step.received[self.capacity.classes[dst]], self.tie_break()))
                step.take(src, dst, message)
                given[message].add(dst)
                heapq.heappush(queue, (count + 1, hops, left, self.tie_break(), node, message))
        return step.moves

    def deliver(self, moves: Sequence[Move]) -> None:
        """Let the receivers of a step hold what they were sent."""
        for move in moves:
            self.holders[move.message].setdefault(self.capacity.topology.node_of(move.dst), []).append(move.dst)
            self.lacking[move.message] -= 1
            if not self.lacking[move.message]:
                del self.lacking[move.message]

    def _queue(self) -> list[tuple[int, int, int, float, int, Message]]:
        """A heap of the nodes that can be given a message, and of what decides which is given it first."""
        topology = self.capacity.topology
        queue: list[tuple[int, int, int, float, int, Message]] = []
        for message, left in self.lacking.items():
            holders, wanted = self.holders[message], self.wanted[message]
            nodes = set(holders)
            for node in nodes.union(*(topology.served[node] for node in nodes)):
                count = len(holders.get(node, ()))
                if count < len(wanted.get(node, ())):
                    queue.append((count, -self.ahead[message][node], -left, self.tie_break(), node, message))
        heapq.heapify(queue)
        return queue

    def _targets(self, step: Step, node: int, message: Message, given: Container[int]) -> list[int]:
        """The processors of a node that can be given a message: they neither hold it nor are ``given`` it already."""
        return [
            dst
            for dst in self.wanted[message].get(node, ())
            if step.receives(dst) and dst not in given and dst not in self.holders[message].get(node, ())
        ]

    def _sources(self, step: Step, node: int, message: Message) -> list[int]:
        """The processors that can send a message to a node."""
        return [
            src
            for here in (node, *self.capacity.topology.sources(node))
            if step.carries(here, node)
            for src in self.holders[message].get(here, ())
            if step.sends(src, message)
        ]

    def _preference(self, step: Step, src: int, node: int, message: Message) -> tuple[bool, bool, int, float]:
        """The order of processors that can send a message to a node: by what is free, near and idle."""
        capacity = self.capacity
        return (
            not step.copies(src, message),
            capacity.topology.node_of(src) != node,
            step.sent[capacity.classes[src]],
            self.tie_break(),
        )


def _hops_ahead(topology: Topology, origin: int, nodes: Container[int]) -> dict[int, int]:
    """For each node of ``nodes``, the hops that shortest paths from node ``origin`` among them still go on beyond it."""
    hops = networkx.single_source_shortest_path_length(topology.served, origin)
    hops = {node: count for node, count in hops.items() if node in nodes}
    ahead = dict.fromkeys(hops, 0)
    for node in sorted(hops, key=hops.__getitem__, reverse=True):
        for other in topology.served[node]:
            if hops.get(other) == hops[node] + 1:
                ahead[node] = max(ahead[node], ahead[other] + 1)
    return ahead
