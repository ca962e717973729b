"""The choice of one of several shortest ways to each target, so that the loads of the channels are even.

All ways to some targets are chosen together, level by level: the states of a level are those with the same number of hops left.
In states of one level a packet leaves different nodes, or one node in different phases; only the latter can add to the load of
the same channel, so they choose one after the other.
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


_MOST = 1 << 62  # that costs may come to in integers of a machine


@dataclasses.dataclass(frozen=True)
class EvenChoice:
    """The choice of ways by the loads of channels, if every processor sends as much to every other.

    Members
    -------
    steps : :class:`PhaseSteps`
        What packets can do in each state.
    left : list of array
        Fewest hops left, by phase: a row for each node, a column for each target.
    weights : array of integers
        The processors of each node, divided by what all have in common.
    kind : type
        That of loads, and of costs, which are sums of their squares.
    """

    steps: PhaseSteps
    left: Sequence[Hops]
    weights: Array
    kind: Any

    @classmethod
    def of(cls, steps: PhaseSteps, left: Sequence[Hops], processors: Sequence[int]) -> Self:
        """That for nodes with so many processors."""
        common = math.gcd(*processors)
        weights = [count // common for count in processors]
        kind = object if sum(weights) ** 4 * 4 * len(weights) > _MOST else numpy.int64
        return cls(steps, left, numpy.array(weights, dtype=kind), kind)

    @property
    def nothing(self) -> Array:
        """No load on any channel: a row for each node, a column for each channel."""
        return numpy.zeros((self.steps.nodes, self.steps.channel.shape[1]), dtype=self.kind)

    def slots(self, targets: Array, loads: Array) -> tuple[Array, Array]:
        """The slots of the steps to some targets, and the loads that they add, where all others load the channels by ``loads``.

        The first is an array with a row for each target, a column for each state, -1 where no way comes to.
        """
        return _Choosing(self, targets, loads).slots()


class _Choosing:
    """The choice of the ways to some targets."""

    def __init__(self, choice: EvenChoice, targets: Array, loads: Array) -> None:
        self._steps, self._weights, self._loads = choice.steps, choice.weights, loads
        self._targets = targets
        self._states = len(choice.steps.channel)
        columns = [hops[:, targets].T for hops in choice.left]
        # Behind a slot without a hop there is a state from where no way leads on.
        none = numpy.full((len(targets), 1), FAR, dtype=numpy.int16)
        self._left = numpy.concatenate([*columns, none], axis=1)
        # More than every cost, and little enough that the square of a load can be added to it.
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
        """For each number of hops left from 1 on, the states that have it, each as the number of its target and its own."""
        flat = self._left[:, : self._states].ravel()
        order = numpy.argsort(flat, kind="stable")
        ends = numpy.searchsorted(flat[order], numpy.arange(most + 2))
        return [numpy.divmod(order[low:high], self._states) for low, high in zip(ends[1:], ends[2:])]

    def _costs_of(self, which: Array, states: Array, hops: int, loads: Array) -> Array:
        """The cost of each slot of some states with so many hops left, whose channels have these loads."""
        behind = which[:, None] * self._left.shape[1] + self._steps.behind[states]
        nearer = self._left.take(behind) == hops - 1
        return numpy.where(nearer, loads * loads + self._costs.take(behind), self._never)

    def _turns(self, which: Array, states: Array, flows: Array) -> list[tuple[Array, Array]]:
        """The states in which packets come by, in groups, of which each has a node once; the heaviest of a node is first."""
        place = which * self._steps.nodes + states % self._steps.nodes
        if not len(place):
            return []
        if numpy.bincount(place).max() == 1:
            return [(which, states)]
        # Flows are at most the square of the number of processors; only costs need larger integers than these.
        flow = flows[which, states].astype(numpy.int64)
        order = numpy.lexsort((states, -flow, place))
        place = place[order]
        turn = numpy.arange(len(order)) - numpy.searchsorted(place, place)
        groups = [order[turn == number] for number in range(turn.max() + 1)]
        return [(which[group], states[group]) for group in groups]

    def _choose(self, which: Array, states: Array, hops: int, flows: Array) -> Array:
        """The slots of some states, each of another node; their flows go on from there."""
        node, channels = states % self._steps.nodes, self._steps.channel[states]
        loads = self._loads[node[:, None], channels] + self._added[which[:, None], node[:, None], channels]
        slots = self._costs_of(which, states, hops, loads).argmin(axis=1)
        flow, all_of_them = flows[which, states], numpy.arange(len(states))
        self._added[which, node, channels[all_of_them, slots]] += flow
        numpy.add.at(flows, (which, self._steps.behind[states, slots]), flow)
        return slots
