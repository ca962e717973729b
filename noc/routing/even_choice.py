"""The choice of one of several shortest routes to each target, so that the channel loads are balanced.

All routes to some targets are chosen together, level by level; the states of a level have the same number of hops left.
Two states of one level are at different nodes, or at one node in different phases. Only states at one node can add to the
load of the same channel, so these states choose one after the other.
"""

from collections.abc import Sequence
import dataclasses
import math
from typing import Any, Self

import numpy

from fatcube.noc.routing.node_order import FAR, Hops
from fatcube.noc.routing.phase_steps import PhaseSteps
from fatcube.noc.routing.trees import Array

__all__ = ["EvenChoice"]


_MOST = 1 << 62  # largest cost in 64-bit integers


@dataclasses.dataclass(frozen=True)
class EvenChoice:
    """The choice of routes by channel loads, if every processor sends equally to every other one.

    Members
    -------
    steps : :class:`PhaseSteps`
        The hops that packets can take in each state.
    left : list of array
        Fewest hops left, by phase: a row for each node, a column for each target.
    weights : array of integers
        The number of processors of each node, divided by the greatest common divisor of these numbers.
    kind : type
        The data type of loads, and of costs, which are sums of squared loads.
    """

    steps: PhaseSteps
    left: Sequence[Hops]
    weights: Array
    kind: Any

    @classmethod
    def of(cls, steps: PhaseSteps, left: Sequence[Hops], processors: Sequence[int]) -> Self:
        """The choice among the hops ``steps``, with ``processors[n]`` processors on node n."""
        common = math.gcd(*processors)
        weights = [count // common for count in processors]
        kind = object if sum(weights) ** 4 * 4 * len(weights) > _MOST else numpy.int64
        return cls(steps, left, numpy.array(weights, dtype=kind), kind)

    @property
    def nothing(self) -> Array:
        """No load on any channel: a row for each node, a column for each channel."""
        return numpy.zeros((self.steps.nodes, self.steps.channel.shape[1]), dtype=self.kind)

    def slots(self, targets: Array, loads: Array) -> tuple[Array, Array]:
        """The slots taken towards ``targets``, and the loads that they add to ``loads``, the loads of all other routes.

        The first is an array with a row for each target and a column for each state, -1 where no route reaches the state.
        """
        return _Choosing(self, targets, loads).slots()


class _Choosing:
    """The choice of the routes to some targets."""

    def __init__(self, choice: EvenChoice, targets: Array, loads: Array) -> None:
        self._steps, self._weights, self._loads = choice.steps, choice.weights, loads
        self._targets = targets
        self._states = len(choice.steps.channel)
        columns = [hops[:, targets].T for hops in choice.left]
        # A slot without a hop leads to an extra state, from which no target can be reached.
        none = numpy.full((len(targets), 1), FAR, dtype=numpy.int16)
        self._left = numpy.concatenate([*columns, none], axis=1)
        # Larger than every cost, and small enough that the square of a load can be added without overflow.
        self._never = 1 << 1000 if choice.kind is object else _MOST
        self._costs = numpy.full(self._left.shape, self._never, dtype=choice.kind)
        self._costs[self._left == 0] = 0
        self._added = numpy.zeros((len(targets), *loads.shape), dtype=choice.kind)

    def slots(self) -> tuple[Array, Array]:
        nodes, count = self._steps.nodes, len(self._targets)
        row, home = numpy.nonzero((self._weights > 0) & (numpy.arange(nodes) != self._targets[:, None]))
        flows = numpy.zeros(self._left.shape, dtype=self._costs.dtype)
        flows[row, home] = self._weights[home] * self._weights[self._targets[row]]
        levels = self._levels(int(self._left[row, home].max(initial=0)))
        for hops, (which, states) in enumerate(levels, 1):
            loads = self._loads[states[:, None] % nodes, self._steps.channel[states]]
            self._costs[which, states] = self._costs_of(which, states, hops, loads).min(axis=1)
        slots = numpy.full((count, self._states), -1, dtype=numpy.int16)
        for hops, (which, states) in reversed([*enumerate(levels, 1)]):
            there = flows[which, states] > 0
            for some in self._turns(which[there], states[there], flows):
                slots[some] = self._choose(*some, hops, flows)
        return slots, self._added.sum(axis=0)

    def _levels(self, most: int) -> list[tuple[Array, Array]]:
        """For each number of hops left, from 1, the states with this number, as arrays of target numbers and state numbers."""
        flat = self._left[:, : self._states].ravel()
        order = numpy.argsort(flat, kind="stable")
        ends = numpy.searchsorted(flat[order], numpy.arange(most + 2))
        return [numpy.divmod(order[low:high], self._states) for low, high in zip(ends[1:], ends[2:])]

    def _costs_of(self, which: Array, states: Array, hops: int, loads: Array) -> Array:
        """The cost of each slot of some states with ``hops`` hops left, whose channels have the loads ``loads``."""
        behind = which[:, None] * self._left.shape[1] + self._steps.behind[states]
        nearer = self._left.take(behind) == hops - 1
        return numpy.where(nearer, loads * loads + self._costs.take(behind), self._never)

    def _turns(self, which: Array, states: Array, flows: Array) -> list[tuple[Array, Array]]:
        """The given states in groups with at most one state per node; the state with the most flow at a node comes first."""
        place = which * self._steps.nodes + states % self._steps.nodes
        if not len(place):
            return []
        if numpy.bincount(place).max() == 1:
            return [(which, states)]
        # A flow is at most the square of the number of processors; only costs need larger integers.
        flow = flows[which, states].astype(numpy.int64)
        order = numpy.lexsort((states, -flow, place))
        place = place[order]
        turn = numpy.arange(len(order)) - numpy.searchsorted(place, place)
        groups = [order[turn == number] for number in range(turn.max() + 1)]
        return [(which[group], states[group]) for group in groups]

    def _choose(self, which: Array, states: Array, hops: int, flows: Array) -> Array:
        """The slots of some states, each at a different node; their flows are added to the next states."""
        node, channels = states % self._steps.nodes, self._steps.channel[states]
        loads = self._loads[node[:, None], channels] + self._added[which[:, None], node[:, None], channels]
        slots = self._costs_of(which, states, hops, loads).argmin(axis=1)
        flow, all_of_them = flows[which, states], numpy.arange(len(states))
        self._added[which, node, channels[all_of_them, slots]] += flow
        numpy.add.at(flows, (which, self._steps.behind[states, slots]), flow)
        return slots
