"""Algorithm A1: the routing of cube-connected cycles (Kambhatla, section 2).

A cycle number has one bit for each position. If the bit of a packet's current position differs between its cycle and the
target's cycle, the packet crosses to the adjacent cycle. Otherwise it takes the shorter direction around its cycle to the
nearest position whose bit differs. If two such positions are equally near, it goes to the one from which fewer hops
remain; if these numbers are equal too, it goes to the next position rather than the previous one. In the target's cycle
the packet takes the shorter direction, a case that A1 does not specify. The longest routes have 4, 6, 8 and 10 hops for n
from 2 to 5, and up to n = 4 all routes are shortest paths. With longer cycles they need not be: for 3 dimensions with
cycles of 5 nodes, all routes together have 6,720 hops, and all shortest paths 6,688.

With a single virtual channel class, the channel dependency graph has a cycle for every n. The classes are assigned by a
total order of the channels. Channels are ordered by the nodes that they leave; at each node, the channel to the adjacent
cycle comes first, then the two channels within the cycle. Nodes are ordered by one of three ranks, and within a rank by
their position p. If b is bit 0 of the cycle number, rank 0 has the nodes with p + b odd, rank 1 the nodes with p = 0, and
rank 2 the nodes with p + b even; a node with p = 0 has rank 1 for both values of b. Whenever a hop is not higher in this
order than the previous hop, the packet changes to the next lower class, so that its last hops are in class 0.

No packet returns to a higher class, and within a class the channels on its route rise in the order. Therefore the channel
dependency graph has no cycle. This holds for any routes and any order, which determine only how many classes are needed:
with this order 2, 2, 3, 4, 5, 5 and 6 for n from 2 to 8, where cycles have n nodes. An order by position and direction
alone needs 3 classes for n = 3.
"""

from collections.abc import Sequence
import dataclasses
from functools import cached_property
from typing import NamedTuple

import numpy

from fatcube.groundwork.validation import ParameterError, check_count
from fatcube.noc.computed import Kept
from fatcube.noc.routing.routing import MOST_NODES, Hop, Routing, Way
from fatcube.noc.routing.trees import Array, Trees
from fatcube.noc.topologies.ccc import CubeConnectedCycles

__all__ = ["A1"]


_LATERAL, _NEXT, _PREVIOUS = range(3)  # the channels of a node


class _Rest(NamedTuple):
    """The rest of a route: its hops, its first channel, and the number of class changes on it."""

    hops: int
    channel: int
    changes: int


@dataclasses.dataclass(frozen=True)
class A1(Routing, name="a1"):
    """The routes of algorithm A1. The channel and the class of a hop follow from its node and the target.

    Parameters
    ----------
    topology : :class:`Topology`
        The nodes and channels of the routes; it must be :class:`CubeConnectedCycles`, with at most 4,096 nodes.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self._cycles  # This refuses another topology.
        check_count("nodes", self.topology.nodes, maximum=MOST_NODES, what=f"for {self}")

    @cached_property
    def classes(self) -> int:
        """The most class changes on any route, plus one."""
        return 1 + int(self._changes.max())

    def _way(self, source: int, target: int) -> Way:
        hops, node = [], source
        while node != target:
            row, column = self._alike(node, target)
            channel = int(self._channels[row, column])
            hops.append(Hop(channel, int(self._changes[row, column])))
            node, _ = self.ends[node][channel]
        return tuple(hops)

    def _trees(self, targets: Sequence[int]) -> Trees:
        wanted = numpy.array(targets)[:, None]
        row, node = numpy.indices((len(targets), self.topology.nodes))
        alike = self._alike(node, wanted)
        channel, other = self._channels[alike], self.neighbours[node, self._channels[alike]]
        state = row * self.topology.nodes + node
        behind = numpy.where(other == wanted, -1, state[:, :1] + other)
        starts = numpy.where(node == wanted, -1, state)[:, self.homes].T
        parts = (node, channel, self._changes[alike], behind, row)
        trees = Trees.of(*(part.ravel() for part in parts), starts)  # pyright: ignore[reportCallIssue]
        assert trees is not None, "every way ends"
        return trees

    @property
    def _n(self) -> int:
        """Dimensions of the cube."""
        return self._cycles.n

    @property
    def _length(self) -> int:
        """Nodes of each cycle."""
        return self._cycles.length

    @cached_property
    def _cycles(self) -> CubeConnectedCycles:
        topology = self.topology
        if isinstance(topology, CubeConnectedCycles):
            return topology
        raise ParameterError(
            f"topology of {self.name} routing must be cube-connected cycles (ccc), not the {topology.name}"
        )

    def _alike(self, node: Array | int, target: Array | int) -> tuple[Array | int, Array | int]:
        """The target and the node after the translation that clears all bits of the target's cycle except bit 0."""
        length = self._length
        return target % (2 * length), (node // length ^ target // length & ~1) * length + node % length

    @property
    def _channels(self) -> Array:
        """The first channel from each node, a column, to each target in cycles 0 and 1, a row; -1 at the target itself."""
        return self._rests[..., 0]

    @property
    def _changes(self) -> Array:
        """The class of the first hop, indexed as :attr:`_channels`: the number of class changes on the rest of the route."""
        return self._rests[..., 1]

    @cached_property
    def _rests(self) -> Array:
        ways = [self._rests_to(target) for target in range(2 * self._length)]
        return numpy.array([[(rest.channel, rest.changes) for rest in row] for row in ways], dtype=numpy.int32)

    def _rests_to(self, target: int) -> list[_Rest]:
        """The rest of the route from each node to ``target``."""

        def rest(node: int) -> _Rest:
            found = []
            for channel in self._choice(node, target):
                behind = rests[self.ends[node][channel][0]]
                falls = self._place(node, channel) >= self._place(self.ends[node][channel][0], behind.channel)
                found.append(_Rest(behind.hops + 1, channel, behind.changes + (falls and behind.hops > 0)))
            return min(found, key=lambda one: one.hops)

        rests = Kept(rest)
        rests[target] = _Rest(0, -1, 0)
        return [rests[node] for node in range(self.topology.nodes)]

    def _choice(self, node: int, target: int) -> list[int]:
        """The channel that A1 takes, or both channels if A1 permits either."""
        length = self._length
        differ, position = node // length ^ target // length, node % length
        if differ >> position & 1:
            return [_LATERAL]
        wanted = [other for other in range(self._n) if differ >> other & 1] or [target % length]
        ahead = min((other - position) % length for other in wanted)
        back = min((position - other) % length for other in wanted)
        return [channel for channel, hops in ((_NEXT, ahead), (_PREVIOUS, back)) if hops == min(ahead, back)]

    def _place(self, node: int, channel: int) -> tuple[int, int, bool]:
        """The sort key of a channel: rank and position of its node, and whether the channel stays in the cycle."""
        cycle, position = divmod(node, self._length)
        rank = 1 if position == 0 else 0 if (position + cycle) % 2 else 2
        return rank, position, channel != _LATERAL
