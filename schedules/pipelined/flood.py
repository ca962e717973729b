"""Broadcasts and all-gathers in many parts: a tree for every part, grown step by step so that lanes stay busy.

In every step each lane carries a part to a processor that lacks it, the rarest of those that its sender has: the part that the
fewest processors have. So each part spreads along a spanning tree of its own, and no lane into a processor is idle while a neighbour has
something new. It is the greedy matching of links and chunks of TACOS (Won et al., 2024, algorithm 1) with another order. No
more than a bound says how good it is; on all networks of ``fatcube large`` the all-gathers reach the bound.

Where the network looks alike from all nodes, only the parts of one node of each class are followed, and lanes are counted by class.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
import random

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.problem import Problem
from fatcube.schedules.reach import lanes_into
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step import StepRules, StepState
from fatcube.schedules.step_model import StepModel
from fatcube.schedules.symmetry import Symmetry

__all__ = ["flood", "floods"]


TRIES = 100  # of parts in another order each, at most
EXACT = 128  # holders up to which messages are distinguished by their number
WORK = 200_000  # moves; the first try is free, further ones stop here


def floods(problem: Problem, least_steps: int) -> Schedule:
    """The shortest of several :func:`flood`; tries end with one that has ``least_steps`` steps. It is the same in every run."""
    shortest = flood(problem)
    assert shortest is not None
    work = shortest.size
    for seed in range(1, TRIES):
        work += shortest.size
        if shortest.steps <= least_steps or work > WORK:
            break
        shortest = flood(problem, seed=seed, most=shortest.steps - 1) or shortest
    return shortest


def flood(problem: Problem, *, seed: int = 0, most: float = float("inf")) -> Schedule | None:
    """A :class:`Schedule` of OAB or AAB in parts; ``None`` if it would have more than ``most`` steps.

    It keeps to half-duplex links and to dedicated ports.
    """
    topology, model = problem.topology, problem.model
    symmetry = Symmetry.of(topology, problem.collective, model)
    messages = [*symmetry.representatives(problem.collective, problem.root, problem.parts)]
    state = _State(topology, problem.ports, symmetry, model, messages, seed)
    moves: list[Move] = []
    steps = 0
    while any(state.lacks):
        steps += 1
        if steps > most:
            return None
        moves += state.step(steps)
    return problem.schedule(moves, symmetric=not symmetry.trivial)


class _State:
    """Which processor has which messages, as sets of bits, between two steps.

    Members
    -------
    has : list of :class:`int`
        The messages of each processor: bit b is that of ``messages[b]``.
    common : list of :class:`int`
        The messages by the :func:`_level` of the number of their holders.
    lacks : list of :class:`int`
        The number of messages that each processor lacks, and in ``rates`` the lanes into its node.
    """

    def __init__(
        self,
        topology: Topology,
        ports: PortModel,
        symmetry: Symmetry,
        model: StepModel,
        messages: list[Message],
        seed: int,
    ) -> None:
        self.dice = random.Random(seed)
        self.dice.shuffle(messages)
        self.messages = messages
        self.rules = StepRules(topology, ports, symmetry, model)
        self.has = [0] * topology.processors
        for bit, message in enumerate(messages):
            self.has[message.source] |= 1 << bit
        self.holders = [1] * len(messages)
        self.common = [0] * (_level(topology.processors) + 1)
        self.common[_level(1)] = (1 << len(messages)) - 1
        self.lacks = [len(messages) - messages_of.bit_count() for messages_of in self.has]
        self.rates = [
            sum(lanes_into(topology, topology.node_of(one)).values()) or 1 for one in range(topology.processors)
        ]
        self.ways = [*_ways(topology, self.rules)]

    def step(self, number: int) -> list[Move]:
        """The moves of a step, which have been made."""
        received = [0] * len(self.has)
        sent: dict[int, int] = defaultdict(int)
        step = StepState(number, self.rules)
        turns = []
        for index, pairs in enumerate(self.ways):
            wants = [
                (-self.lacks[dst] / self.rates[dst], useful.bit_count())
                for src, dst in pairs
                if (useful := self.has[src] & ~self.has[dst])
            ]
            if wants:
                turns.append((min(wants), self.dice.random(), index))
        for _, _, index in sorted(turns):  # first to the processor that lacks most, over the way with the least choice
            pairs = self.ways[index]
            while (found := self._rarest(pairs, received, sent, step)) is not None:
                src, dst, bit = found
                step.move(src, dst, self.messages[bit])
                sent[src] |= 1 << bit
                received[dst] |= 1 << bit
                self._more(bit)
        for dst, messages in enumerate(received):
            self.has[dst] |= messages
            self.lacks[dst] -= messages.bit_count()
        return step.moves

    def _rarest(
        self, pairs: Sequence[tuple[int, int]], received: Sequence[int], sent: Mapping[int, int], step: StepState
    ) -> tuple[int, int, int] | None:
        """The rarest message that can go from the first to the second of one of ``pairs``, after these two."""
        rules = self.rules
        best: tuple[int, float, int, int, int] | None = None
        for src, dst in pairs:
            useful = self.has[src] & ~self.has[dst] & ~received[dst]
            if step.sent[rules.classes[src]] >= rules.ports:  # only what its router can copy
                useful &= sent.get(src, 0) if rules.copies else 0
            if not (useful and step.receives(dst) and step.carries(rules.nodes[src], rules.nodes[dst])):
                continue
            if rules.paired and not step.pairs(src, dst):
                continue
            for level, messages in enumerate(self.common):
                if rare := useful & messages:
                    key = level, self.dice.random(), src, dst, (rare & -rare).bit_length() - 1
                    best = key if best is None else min(best, key)
                    break
        return None if best is None else best[2:]

    def _more(self, bit: int) -> None:
        """One more processor has a message."""
        self.common[_level(self.holders[bit])] &= ~(1 << bit)
        self.holders[bit] += 1
        self.common[_level(self.holders[bit])] |= 1 << bit


def _level(holders: int) -> int:
    """How common a message is: the number of its holders, and of many roughly that, so that there are few levels."""
    return holders if holders < EXACT else EXACT + (holders // EXACT).bit_length()


def _ways(topology: Topology, rules: StepRules) -> Iterator[list[tuple[int, int]]]:
    """The pairs of processors between which messages can move, those together that share lanes or are one class within nodes."""
    ways: dict[object, list[tuple[int, int]]] = defaultdict(list)
    for here in topology.served:
        beside = topology.processors_of(here)
        for there in topology.served[here]:
            link, _, _ = rules.links[here, there]
            ways[link] += [(src, dst) for src in beside for dst in topology.processors_of(there)]
        for src in beside:
            for dst in beside:
                if src != dst:
                    ways[rules.classes[src], rules.classes[dst]].append((src, dst))
    yield from ways.values()
