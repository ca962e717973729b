"""The base of the routings that follow an order of the nodes, with balanced loads: shortest paths and up*/down*."""

from abc import abstractmethod
from collections.abc import Sequence
import dataclasses
from functools import cached_property
import itertools

import numpy

from fatcube.groundwork.validation import check_count
from fatcube.noc.routing.even_choice import EvenChoice
from fatcube.noc.routing.node_order import Hops, hops_left
from fatcube.noc.routing.phase_steps import PhaseSteps
from fatcube.noc.routing.routing import Hop, Routing, Way
from fatcube.noc.routing.trees import Array, Trees

__all__ = ["Ordered"]


MOST_NODES = 4096  # nodes for whose routes loads are balanced
MOST_NODES_ONE_WAY = 512  # lower where links go one way, as many classes may be tried
ROUNDS = 4  # of load balancing; further rounds change little
EFFORT = 1 << 16  # pairs of nodes processed in all rounds together, unless two rounds are more
_ONE_ROUND = 1024  # nodes above which there is a single round
_ONE_BY_ONE = 512  # nodes up to which routes are chosen for one target at a time
_STEPS = 256  # groups of targets in a round if there are more nodes


@dataclasses.dataclass(frozen=True)
class Ordered(Routing, name=None):
    """Routes up and down an order of the nodes: the shortest that are possible with the permitted classes.

    The next hop depends only on the target, the node and the phase (:mod:`fatcube.noc.routing.node_order`), and the phase
    follows from the channel and the class by which a packet arrives. The next hop can therefore be looked up in each router
    by input, class and destination.

    Of equally long routes, the choice balances the channel loads for the case that every processor sends equally to every
    other one. The routes to one target at a time (on more than 512 nodes, to a group of targets) are chosen again while all
    other routes are fixed; each new route minimizes the sum of the squared loads along it. This is repeated in rounds, and
    the round whose most loaded channel has the least load is kept. The result depends only on the topology.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        most = MOST_NODES_ONE_WAY if self.topology.directed else MOST_NODES
        check_count("nodes", self.topology.nodes, maximum=most, what=f"for {self}")

    @cached_property
    @abstractmethod
    def order(self) -> Sequence[int]:
        """The nodes, the lowest first."""

    def _way(self, source: int, target: int) -> Way:
        hops, state, steps, slots = [], source, self._steps, self._slots[self._column[target]]
        while state % self.topology.nodes != target:
            slot = slots[state]
            channel, state = int(steps.channel[state, slot]), int(steps.behind[state, slot])
            hops.append(Hop(channel, state // self.topology.nodes // 2))
        return tuple(hops)

    @property
    def _states_at_a_node(self) -> int:
        return 2 * self.classes

    def _trees(self, targets: Sequence[int]) -> Trees:
        if len(self.homes) == 1:  # no route, and perhaps no channel
            return super()._trees(targets)
        columns, nodes = [self._column[target] for target in targets], self.topology.nodes
        slots = self._slots[columns]
        row, state = numpy.indices(slots.shape, dtype=numpy.int32)
        channel = numpy.where(slots < 0, -1, self._steps.channel[state, slots])
        after = self._steps.behind[state, slots]
        arrives = after % nodes == numpy.array(targets)[:, None]
        behind = numpy.where(arrives, -1, row * numpy.int32(slots.shape[1]) + after)
        there = numpy.array(self.homes)[:, None] == numpy.array(targets)
        starts = numpy.where(there, -1, numpy.array(self.homes)[:, None] + numpy.arange(len(targets)) * slots.shape[1])
        parts = (state % nodes, channel, after // nodes // 2, behind, row)
        trees = Trees.of(*(part.ravel() for part in parts), starts)  # pyright: ignore[reportCallIssue]
        assert trees is not None, "hops are left to every target"
        return trees

    def _of_homes(self, hops: Hops) -> Hops:
        """The rows and columns of :attr:`homes` in ``hops``, which has one of each for every node."""
        return hops if len(self.homes) == len(hops) else hops[numpy.ix_(self.homes, self.homes)]

    @cached_property
    def _column(self) -> dict[int, int]:
        """The column number of each node in :attr:`homes`."""
        return {home: column for column, home in enumerate(self.homes)}

    @cached_property
    def _steps(self) -> PhaseSteps:
        places = numpy.argsort(numpy.array(self.order))
        return PhaseSteps.of(self.neighbours, places, 2 * self.classes)

    @cached_property
    def _left(self) -> list[Hops]:
        """Fewest hops left, by phase: a row for each node, a column for each target."""
        return list(itertools.islice(hops_left(self.links, self.order), 2 * self.classes))[::-1]

    @cached_property
    def _slots(self) -> Array:
        """For each target, a row, the slot of :attr:`_steps` taken in each state; -1 for states that no route reaches."""
        choice = EvenChoice.of(self._steps, self._left, self._processors)
        nodes, homes = self.topology.nodes, self.homes
        at_once = 1 if nodes <= _ONE_BY_ONE else -(-nodes // _STEPS)
        parts = [numpy.array(homes[first : first + at_once]) for first in range(0, len(homes), at_once)]
        loads = choice.nothing
        flows = [choice.nothing] * len(parts)
        best, slots = None, None
        for _ in range(min(ROUNDS, max(2, EFFORT // nodes**2)) if nodes <= _ONE_ROUND else 1):
            chosen = []
            for number, targets in enumerate(parts):
                loads = loads - flows[number]
                some, flows[number] = choice.slots(targets, loads)
                chosen.append(some)
                loads = loads + flows[number]
            score = loads.max(), (loads * loads).sum()
            if best is None or score < best:
                best, slots = score, numpy.concatenate(chosen)
        assert slots is not None
        return slots

    @cached_property
    def _processors(self) -> list[int]:
        topology = self.topology
        return [sum(map(topology.works, topology.processors_of(node))) for node in range(topology.nodes)]
