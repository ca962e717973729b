"""Dimension order: coordinates are corrected one after the other, the lowest first.

One class is enough where no route goes around a ring: on cubes, fat cubes, dense generalized hypercubes and meshes.
There a packet waits only for channels of its dimension that lie farther in its direction, and for channels of higher
dimensions (Dally and Seitz, "Deadlock-free message routing in multiprocessor interconnection networks", 1987). For
routes around rings, see :class:`fatcube.noc.routing.dateline.Dateline`.
"""

from collections.abc import Iterator, Sequence
import dataclasses
from functools import cached_property
from typing import NamedTuple

import numpy

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.coordinates import Coordinates
from fatcube.noc.routing.routing import Hop, Routing, Way
from fatcube.noc.routing.trees import Array, Trees
from fatcube.noc.topology import Topology

__all__ = ["DimensionOrder"]


@dataclasses.dataclass(frozen=True)
class DimensionOrder(Routing, name="dimension-order"):
    """Dimension order in one class, for every topology that has :class:`Coordinates`.

    Parameters
    ----------
    topology : :class:`Topology`
        The nodes and channels of the routes.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self._coordinates  # This refuses a topology without coordinates.

    @cached_property
    def classes(self) -> int:
        """One class."""
        return 1

    def _way(self, source: int, target: int) -> Way:
        return tuple(Hop(channel) for _, channel, _ in self._corrections(source, target))

    def _trees(self, targets: Sequence[int]) -> Trees:
        everybody, wanted = numpy.arange(self.topology.nodes), numpy.array(targets)
        channel = numpy.full((len(targets), self.topology.nodes), -1, dtype=numpy.int32)
        dimension = channel.copy()
        for number, lines in reversed([*enumerate(self._lines)]):
            corrections = lines.corrections[:, lines.coordinate[wanted]].T
            channel = numpy.where(corrections < 0, channel, corrections)
            dimension[corrections >= 0] = number
        other = self.neighbours[everybody, channel]
        there = other == wanted[:, None]
        arrived = everybody == wanted[:, None]
        trees = None
        if ((channel < 0) == arrived).all() and (arrived | (other >= 0)).all():
            trees = self._trees_of(channel, dimension, numpy.where(there | arrived, -1, other), arrived)
        return super()._trees(targets) if trees is None else trees  # The base class reports the error.

    def _trees_of(self, channel: Array, dimension: Array, other: Array, arrived: Array) -> Trees | None:
        """The trees for the channel and the next node that packets to each target, a row, take at each node, a column."""
        row, node = numpy.indices(channel.shape, dtype=numpy.int32)
        state = row * numpy.int32(channel.shape[1]) + node
        behind = numpy.where(other < 0, -1, state[:, :1] + other)
        starts = numpy.where(arrived, -1, state)[:, self.homes].T
        zeros = numpy.zeros(state.size, dtype=numpy.int32)
        return Trees.of(node.ravel(), channel.ravel(), zeros, behind.ravel(), row.ravel(), starts)

    @cached_property
    def _lines(self) -> list["_Lines"]:
        """The :class:`_Lines` of each dimension."""
        return [self._lines_of(dimension) for dimension in range(self._coordinates.dimensions)]

    def _lines_of(self, dimension: int) -> "_Lines":
        """The coordinates found by comparison: two nodes have the same coordinate if nothing between them is to be corrected."""
        taken: dict[int, int] = {}  # one node for each coordinate, with the coordinate's number
        coordinate = []
        for node in range(self.topology.nodes):
            alike = (other for other in taken if self._coordinates.correction(node, other, dimension) is None)
            first = next(alike, node)
            coordinate.append(taken.setdefault(first, len(taken)))
        found = [
            [self._coordinates.correction(node, other, dimension) for other in taken]
            for node in range(self.topology.nodes)
        ]
        corrections = [[-1 if channel is None else channel for channel in row] for row in found]
        return _Lines(numpy.array(coordinate), numpy.array(corrections, dtype=numpy.int32))

    @cached_property
    def _coordinates(self) -> Coordinates:
        topology: Topology = self.topology
        if isinstance(topology, Coordinates):
            return topology
        raise ParameterError(
            f"topology of {self.name} routing must be one whose nodes have coordinates, not the {topology.name}"
        )

    def _corrections(self, source: int, target: int) -> Iterator[tuple[int, int, int]]:
        """The hops of the route, as ``(node, channel, dimension)``."""
        node, coordinates = source, self._coordinates
        for dimension in range(coordinates.dimensions):
            hops = 0
            while (channel := coordinates.correction(node, target, dimension)) is not None:
                yield node, channel, dimension
                node, _ = self.ends[node][channel]
                hops += 1
                if hops > self.topology.nodes:
                    raise ParameterError(
                        f"corrections of dimension {dimension} of the {self.topology.name} must come to an end"
                    )
        if node != target:
            raise ParameterError(
                f"corrections of the {self.topology.name} must lead from node {source} to {target}, not to {node}"
            )


class _Lines(NamedTuple):
    """The coordinates of nodes in a dimension, numbered in any order, and the channels that correct them.

    Members
    -------
    coordinate : array of integers
        The coordinate of each node.
    corrections : array of integers
        For each node, a row, the channel towards each coordinate, a column; -1 at the node's own coordinate.
    """

    coordinate: Array
    corrections: Array
