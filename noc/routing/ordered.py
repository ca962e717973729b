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


MOST_NODES = 4096  # whose ways are chosen for even loads
MOST_NODES_ONE_WAY = 512  # the same where links go one way, and many classes may be tried
ROUNDS = 4  # of evening out; further ones change little
EFFORT = 1 << 16  # pairs of nodes that are gone through in all rounds, if two rounds are fewer
_ONE_ROUND = 1024  # nodes with more than which one round has to do
_ONE_BY_ONE = 512  # nodes up to which ways to one target are chosen at a time
_STEPS = 256  # in which the ways to all targets are chosen, in a round, where there are more


@dataclasses.dataclass(frozen=True)
class Ordered(Routing, name=None):
    """Routes up and down an order of the nodes: the shortest that are possible in the classes that they may use.

    The next hop depends only on the target, the node and the phase (:mod:`fatcube.noc.routing.node_order`), and the phase
    follows from the channel and the class by which a packet arrives. So it can be looked up in each router by input,
    class and destination.

    Of equally long ways those are taken that make the loads of the channels even if every processor sends as much to every
    other. Target by target, on more than 512 nodes some targets at a time, the ways there are chosen anew while all others
    stay, each such that the squares of the loads along it add up to the least. This is done in rounds, of which the one is kept whose most loaded channel has the least
    load. The result depends on nothing but the topology.
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
        """The hops between :attr:`homes` only, of those between all nodes."""
        return hops if len(self.homes) == len(hops) else hops[numpy.ix_(self.homes, self.homes)]

    @cached_property
    def _column(self) -> dict[int, int]:
        """The number of each of :attr:`homes`."""
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
        """For each target, a row, the slot of :attr:`_steps` that is taken in each state, -1 where no way comes to."""
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
