"""Dimension order with datelines: the routing of rings, tori and sparse generalized hypercubes.

In a ring, packets can wait for each other in a cycle. Therefore every ring has a dateline, its wrap-around channel: a
packet is in class 0 until it has crossed the dateline, in class 1 from then on, and in class 0 again in the next
dimension. No packet crosses a dateline twice, so the virtual channels of a ring are ordered: class 0 from the channel
after the dateline up to the dateline itself, then class 1 (Dally and Seitz, 1987).
"""

import dataclasses
from functools import cached_property

import numpy

from fatcube.noc.routing.dimension_order import DimensionOrder
from fatcube.noc.routing.routing import Hop, Way
from fatcube.noc.routing.trees import Array, Trees

__all__ = ["Dateline"]


@dataclasses.dataclass(frozen=True)
class Dateline(DimensionOrder, name="dateline"):
    """Dimension order in two classes, or in one if no route continues after a dateline, as in rings of two nodes.

    Parameters
    ----------
    topology : :class:`Topology`
        The nodes and channels of the routes; its nodes must have :class:`~fatcube.noc.coordinates.Coordinates`.
    """

    @cached_property
    def classes(self) -> int:
        """One class if no route continues after a dateline, else two; two-hop routes on the lines through node 0 decide it."""
        for dimension in range(self._coordinates.dimensions):
            line, known = [0], {0}
            for node in line:
                neighbours = self._along(node, dimension)
                found = set(neighbours.values()) - known
                known |= found
                line += found
                for channel, other in neighbours.items():
                    if self._coordinates.wraps(node, channel):
                        behind = self._along(other, dimension).values()
                        if any(self._coordinates.correction(node, target, dimension) == channel for target in behind):
                            return 2
        return 1

    def _along(self, node: int, dimension: int) -> dict[int, int]:
        """The channels of ``node`` in a dimension, each with its adjacent node."""
        return {
            channel: other
            for channel, (other, _) in self.ends[node].items()
            if self._coordinates.correction(node, other, dimension) == channel
        }

    def _way(self, source: int, target: int) -> Way:
        hops, current, crossed = [], None, False
        for node, channel, dimension in self._corrections(source, target):
            if dimension != current:
                current, crossed = dimension, False
            hops.append(Hop(channel, int(crossed)))
            crossed |= self._coordinates.wraps(node, channel)
        return tuple(hops)

    @property
    def _states_at_a_node(self) -> int:
        return self.classes

    def _trees_of(self, channel: Array, dimension: Array, other: Array, arrived: Array) -> Trees | None:
        if self.classes == 1:
            return super()._trees_of(channel, dimension, other, arrived)
        # A state for each class: whether the packet has crossed the dateline of this dimension.
        row, node, crossed = numpy.indices((*channel.shape, 2), dtype=numpy.int32)
        state = (row * numpy.int32(channel.shape[1]) + node) * 2 + crossed
        same = numpy.take_along_axis(dimension, numpy.where(other < 0, 0, other), axis=1) == dimension
        after = numpy.where(same[..., None], crossed | self._wraps[node[..., 0], channel][..., None], 0)
        behind = numpy.where(other[..., None] < 0, -1, state[:, :1, :1] + 2 * other[..., None] + after)
        starts = numpy.where(arrived, -1, state[..., 0])[:, self.homes].T
        channels = numpy.broadcast_to(channel[..., None], state.shape)
        return Trees.of(node.ravel(), channels.ravel(), crossed.ravel(), behind.ravel(), row.ravel(), starts)

    @cached_property
    def _wraps(self) -> Array:
        """The value 1 for each channel, a column, of each node, a row, that crosses a dateline; 0 for all others."""
        wraps = numpy.zeros((self.topology.nodes, self.topology.degree), dtype=numpy.int32)
        for node, channels in enumerate(self.links):
            for channel, _ in channels:
                wraps[node, channel] = self._coordinates.wraps(node, channel)
        return wraps
