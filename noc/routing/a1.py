"""Algorithm A1: the routing of cube-connected cycles (Kambhatla, section 2).

If the bit of a packet's position differs between its cycle and that of the target, the packet crosses to the other cycle.
Otherwise it goes the shorter way round its cycle to the nearest position whose bit differs; of two that are equally near, to
the one from which fewer hops are left, and to the next rather than the previous where these are equal too. In the cycle of
the target it goes the shorter way round, which A1 does not say. The longest ways have 4, 6, 8 and 10 hops for n from 2 to 5;
up to n = 4 all are shortest. In longer cycles they need not be: 3 dimensions with cycles of 5 come to 6,720 hops in all, where
6,688 are possible.

In one class channels wait for each other in a cycle, whatever n is. Classes follow from an order of the channels by the
nodes that they leave, at each node first the channel to the other cycle, then the two within the cycle. The order of nodes is
that of three ranks, and within these that of the position p. With b for bit 0 of the cycle, rank 0 has the nodes with p + b
odd, rank 1 those with p = 0, rank 2 those with p + b even; as far as b is concerned, nodes with p = 0 do not differ. Whenever
a hop is not higher in this order than the one before, the packet changes to the next lower class, so that its last hops are
in class 0.

No packet returns to a higher class, and within a class the channels on its way rise in the order. So no channels wait for
each other in a cycle. This holds for any ways and any order, which determine only how many classes are needed: with this
order 2, 2, 3, 4, 5, 5 and 6 for n from 2 to 8, where cycles have n nodes. An order by position and direction alone needs 3 for n = 3.
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
    """What is left of a way: its hops, the first channel, and how often the class changes."""

    hops: int
    channel: int
    changes: int


@dataclasses.dataclass(frozen=True)
class A1(Routing, name="a1"):
    """The ways of algorithm A1. The channel and the class of a hop follow from its node and the target.

    Parameters
    ----------
    topology : :class:`Topology`
        As for every :class:`Routing`; it must be :class:`CubeConnectedCycles`, with at most 4,096 nodes.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self._cycles  # This refuses another topology.
        check_count("nodes", self.topology.nodes, maximum=MOST_NODES, what=f"for {self}")

    @cached_property
    def classes(self) -> int:
        """One more than the class changes on any way."""
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
        raise ParameterError(f"topology of {self.name} routing must be cube-connected cycles (ccc), not {topology}")

    def _alike(self, node: Array | int, target: Array | int) -> tuple[Array | int, Array | int]:
        """The target in cycle 0 or 1, and the node, to which all bits but bit 0 of the cycles can be translated."""
        length = self._length
        return target % (2 * length), (node // length ^ target // length & ~1) * length + node % length

    @property
    def _channels(self) -> Array:
        """The channel by which a packet leaves each node, a column, to each node of cycles 0 and 1, a row; -1 at the target."""
        return self._rests[..., 0]

    @property
    def _changes(self) -> Array:
        """The class of that hop, which is the number of changes from there on, in the same places."""
        return self._rests[..., 1]

    @cached_property
    def _rests(self) -> Array:
        ways = [self._rests_to(target) for target in range(2 * self._length)]
        return numpy.array([[(rest.channel, rest.changes) for rest in row] for row in ways], dtype=numpy.int32)

    def _rests_to(self, target: int) -> list[_Rest]:
        """What is left of the way from each node."""

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
        """The channel that A1 takes, or the two between which it leaves the choice."""
        length = self._length
        differ, position = node // length ^ target // length, node % length
        if differ >> position & 1:
            return [_LATERAL]
        wanted = [other for other in range(self._n) if differ >> other & 1] or [target % length]
        ahead = min((other - position) % length for other in wanted)
        back = min((position - other) % length for other in wanted)
        return [channel for channel, hops in ((_NEXT, ahead), (_PREVIOUS, back)) if hops == min(ahead, back)]

    def _place(self, node: int, channel: int) -> tuple[int, int, bool]:
        """What orders the channels: rank and position of the node, and whether the channel stays in the cycle."""
        cycle, position = divmod(node, self._length)
        rank = 1 if position == 0 else 0 if (position + cycle) % 2 else 2
        return rank, position, channel != _LATERAL
