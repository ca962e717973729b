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

from fatcube.groundwork.validation import check_count
from fatcube.noc.topology import Topology
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.participants import Participants
from fatcube.schedules.problem import Problem
from fatcube.schedules.reach import passed_nodes
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step import StepRules, StepState
from fatcube.schedules.symmetry import Symmetry

__all__ = ["greedy"]


_TieBreak = Callable[[], float]
_Wanted = Mapping[int, Sequence[int]]  # by node
TRIES = 1000
WORK = 2_000_000  # moves times processors; the first try is free, further ones stop here
ALONE = 2_000_000  # least steps times channels times messages that are followed without symmetry, which take ten seconds then


def greedy(problem: Problem, least_steps: int) -> Schedule:
    """A :class:`Schedule` for any topology and size, of OAB, OAS, AAB or AAS.

    AAB and AAS are the same seen from every node, as far as the topology is (see :mod:`fatcube.schedules.symmetry`).
    Among some processors, a message for several of them is given to these, and to one processor of each other node on the
    shortest paths that it takes (:func:`fatcube.schedules.reach.passed_nodes`).
    The last steps may be filled only in part. Tries end with one that
    has ``least_steps`` steps. It keeps to half-duplex links, to the use of ports, and to
    dedicated ports. Where images of a transfer exclude each other, as two partners of a processor do, there is no symmetry.

    Raises
    ------
    ParameterError
        If every message would have to be followed where there is no symmetry, and there are too many.
    """
    topology, ports, model = problem.topology, problem.ports, problem.model
    symmetry = Symmetry.of(topology, problem.collective, model, problem.among)
    moves = _shortest(problem, StepRules(topology, ports, symmetry, model), least_steps)
    if not moves:
        symmetry = Symmetry.none(topology)
        looked = least_steps * topology.processors * topology.degree * len(topology.translations)
        check_count("channels looked at without symmetry", looked, maximum=ALONE, what=f"for {problem}")
        moves = _shortest(problem, StepRules(topology, ports, symmetry, model), least_steps)
    return problem.schedule(moves, symmetric=not symmetry.trivial)


def _shortest(problem: Problem, rules: StepRules, least_steps: int) -> list[Move]:
    """The moves of the shortest of all tries; none if images of transfers exclude each other."""
    topology, symmetry, among, collective = rules.topology, rules.symmetry, problem.among, problem.collective
    messages = list(symmetry.representatives(collective, problem.root, problem.parts, among))
    build = _moves_to_one
    if to_several := messages[0].destination is None:
        build = functools.partial(_moves_to_all, wanted=_wanted(topology, messages, among))
    shortest: list[Move] = []
    work = 0
    for number in range(TRIES):
        tie_break: _TieBreak = random.Random(number).random if number else int  # int() is always 0: in order of numbers
        shortest = build(rules, messages, tie_break, shortest) or shortest
        if not shortest:
            break
        work += len(shortest) * topology.processors  # all have as many moves
        if symmetry.trivial and not collective.rooted:
            # Every step goes through all messages, and through each holder of those for everybody.
            work += 4 * shortest[-1].step * len(messages) * (topology.processors if to_several else 1)
        if shortest[-1].step == least_steps or work > WORK:
            break
    return shortest


def _beats(rules: StepRules, moves: Sequence[Move], steps: int, shortest: Sequence[Move]) -> bool:
    """Return whether ``moves``, of the first ``steps`` steps, can become fewer steps than ``shortest``, if there is one."""
    left = -(-(len(shortest) - len(moves)) // rules.received_in_a_step)
    return not shortest or steps + left < shortest[-1].step


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
    rules: StepRules, messages: Sequence[Message], tie_break: _TieBreak, shortest: Sequence[Move]
) -> list[Move] | None:
    """The moves that bring messages to one processor each, over shortest paths.

    ``None`` if ``shortest`` is no longer, or a step takes nothing.
    """
    classes, nodes, distances = rules.classes, rules.nodes, rules.topology.served_distances
    tie = {message: tie_break() for message in messages}
    place = {message: message.source for message in messages}
    goal = {message: nodes[message.target] for message in messages}
    moves: list[Move] = []
    steps = 0
    while place:
        if not _beats(rules, moves, steps, shortest):
            return None
        steps += 1
        step = StepState(steps, rules)
        load = Counter(classes[src] for src in place.values())

        def urgency(message: Message) -> tuple[int, int, float]:
            src = place[message]
            return -distances[nodes[src]][goal[message]], -load[classes[src]], tie[message]

        for message in sorted(place, key=urgency):
            src = place[message]
            if step.sends(src, message):
                targets = [dst for dst in _nearer(rules, src, message.target, step) if step.receives(dst)]
                if rules.paired:
                    targets = [dst for dst in targets if step.pairs(src, dst)]
                if targets:
                    step.move(
                        src,
                        min(
                            targets,
                            key=lambda dst: (step.received[classes[dst]], load[classes[dst]], tie_break()),
                        ),
                        message,
                    )
        if not step.moves:
            return None
        moves += step.moves
        for move in step.moves:
            place[move.message] = move.dst
            if move.dst == move.message.destination:
                del place[move.message]
    return moves


def _nearer(rules: StepRules, src: int, destination: int, step: StepState) -> list[int]:
    """The processors that are one transfer nearer to ``destination`` than ``src``, where a lane is left."""
    here, goal = rules.nodes[src], rules.nodes[destination]
    if here == goal:
        return [destination]
    targets: list[int] = []
    for there in rules.nearer(here, goal):
        if step.carries(here, there):
            targets += [destination] if there == goal else rules.topology.processors_of(there)
    return targets


def _moves_to_all(
    rules: StepRules,
    messages: Sequence[Message],
    tie_break: _TieBreak,
    shortest: Sequence[Move],
    wanted: Sequence[_Wanted],
) -> list[Move] | None:
    """The moves that bring messages to all processors that are ``wanted`` for each.

    ``None`` if ``shortest`` is no longer, or a step takes nothing. One processor is given the message at a time, always in
    the node that has the fewest processors with that message; among those, where most of the way is still ahead.
    """
    spread = _Spread(rules, messages, tie_break, wanted)
    moves: list[Move] = []
    steps = 0
    while spread.lacking:
        if not _beats(rules, moves, steps, shortest):
            return None
        steps += 1
        found = spread.fill(StepState(steps, rules))
        if not found:
            return None
        spread.deliver(found)
        moves += found
    return moves


class _Spread:
    """The state of messages for several processors between two steps.

    Members
    -------
    holders : dict from message to dict from node to list of processors
        The processors that have a message.
    wanted : dict from message to dict from node to list of processors
        The processors that must have it.
    lacking : dict from message to :class:`int`
        The number of those that do not; a message that all of them have is not in it.
    """

    def __init__(
        self, rules: StepRules, messages: Sequence[Message], tie_break: _TieBreak, wanted: Sequence[_Wanted]
    ) -> None:
        topology = rules.topology
        self.rules = rules
        self.tie_break = tie_break
        self.wanted = dict(zip(messages, wanted, strict=True))
        self.ahead = {
            message: _hops_ahead(topology, topology.node_of(message.source), self.wanted[message])
            for message in messages
        }
        self.holders = {message: {topology.node_of(message.source): [message.source]} for message in messages}
        self.lacking = {message: sum(map(len, self.wanted[message].values())) - 1 for message in messages}

    def fill(self, step: StepState) -> list[Move]:
        """The moves of a step, which are still to be delivered."""
        given: dict[Message, set[int]] = {message: set() for message in self.lacking}
        queue = self._queue()
        while queue and len(step.moves) < self.rules.received_in_a_step:
            count, hops, left, _, node, message = heapq.heappop(queue)
            target = self._targets(step, node, message, given[message])
            source = self._sources(step, node, message)
            if self.rules.paired:
                source = [src for src in source if any(step.pairs(src, dst) for dst in target)]
            if target and source:
                src = min(source, key=lambda src: self._preference(step, src, node, message))
                if self.rules.paired:
                    target = [dst for dst in target if step.pairs(src, dst)]
                dst = min(target, key=lambda dst: (step.received[self.rules.classes[dst]], self.tie_break()))
                step.move(src, dst, message)
                given[message].add(dst)
                heapq.heappush(queue, (count + 1, hops, left, self.tie_break(), node, message))
        return step.moves

    def deliver(self, moves: Sequence[Move]) -> None:
        """Let the receivers of a step hold what they were sent."""
        for move in moves:
            self.holders[move.message].setdefault(self.rules.topology.node_of(move.dst), []).append(move.dst)
            self.lacking[move.message] -= 1
            if not self.lacking[move.message]:
                del self.lacking[move.message]

    def _queue(self) -> list[tuple[int, int, int, float, int, Message]]:
        """A heap of the nodes that can be given a message, and of what decides which is given it first."""
        topology = self.rules.topology
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

    def _targets(self, step: StepState, node: int, message: Message, given: Container[int]) -> list[int]:
        """The processors of a node that can be given a message: they neither hold it nor are ``given`` it already."""
        return [
            dst
            for dst in self.wanted[message].get(node, ())
            if step.receives(dst) and dst not in given and dst not in self.holders[message].get(node, ())
        ]

    def _sources(self, step: StepState, node: int, message: Message) -> list[int]:
        """The processors that can send a message to a node."""
        return [
            src
            for here in (node, *self.rules.topology.sources(node))
            if step.carries(here, node)
            for src in self.holders[message].get(here, ())
            if step.sends(src, message)
        ]

    def _preference(self, step: StepState, src: int, node: int, message: Message) -> tuple[bool, bool, int, float]:
        """The order of processors that can send a message to a node: by what is free, near and idle."""
        rules = self.rules
        return (
            not step.copies(src, message),
            rules.topology.node_of(src) != node,
            step.sent[rules.classes[src]],
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
