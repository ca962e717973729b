"""Meshes, tori and graphs drawn by hand, as somebody would add them: nodes of different degrees, some without processors."""

from bisect import bisect_right
import dataclasses
from functools import cached_property
import itertools

from noc.topology import Topology


@dataclasses.dataclass(frozen=True)
class Grid(Topology, kind=None, proved=True):
    """A mesh with ``sides`` nodes along its dimensions, or a torus if ``rings``; channel 2 i goes up dimension i."""

    sides: tuple[int, ...]
    rings: bool = False
    m: int = 1
    f: int = 1

    kind = "grid"

    @property
    def nodes(self):
        nodes = 1
        for side in self.sides:
            nodes *= side
        return nodes

    @property
    def degree(self):
        return 2 * len(self.sides)

    def neighbour(self, node, channel):
        dimension, step = channel // 2, (1, -1)[channel % 2]
        if not self.rings and self._at(node, dimension) + step not in range(self.sides[dimension]):
            return None
        other = (self._at(node, dimension) + step) % self.sides[dimension]
        return node + (other - self._at(node, dimension)) * self._weights[dimension], channel ^ 1

    @property
    def dimensions(self):
        return len(self.sides)

    def correction(self, node, target, dimension):
        up = self._at(target, dimension) - self._at(node, dimension)
        if self.rings:
            up = up % self.sides[dimension]
            return 2 * dimension + (2 * up > self.sides[dimension]) if up else None
        return 2 * dimension + (up < 0) if up else None

    def wraps(self, node, channel):
        end = (self.sides[channel // 2] - 1, 0)[channel % 2]
        return self.rings and self._at(node, channel // 2) == end

    @cached_property
    def _weights(self):
        return [1, *itertools.accumulate(self.sides, int.__mul__)][:-1]

    def _at(self, node, dimension):
        return node // self._weights[dimension] % self.sides[dimension]


@dataclasses.dataclass(frozen=True)
class Drawn(Topology, kind=None, proved=True):
    """The graph of ``edges``, two-way links between nodes; the channels of a node are its edges in order.

    ``on_nodes`` are the processors on each node, one each if not given.
    """

    edges: tuple[tuple[int, int], ...]
    on_nodes: tuple[int, ...] = ()
    m: int = 1
    f: int = 1

    kind = "drawn"

    @property
    def nodes(self):
        return 1 + max(map(max, self.edges))

    @property
    def degree(self):
        return max(map(len, self._ends))

    @property
    def processors(self):
        return self._first[-1]

    def node_of(self, processor):
        return bisect_right(self._first, processor) - 1

    def neighbour(self, node, channel):
        if channel >= len(self._ends[node]):
            return None
        edge = self._ends[node][channel]
        other = sum(self.edges[edge]) - node
        return other, self._ends[other].index(edge)

    @cached_property
    def _ends(self):
        return [[index for index, edge in enumerate(self.edges) if node in edge] for node in range(self.nodes)]

    @cached_property
    def _first(self):
        return [0, *itertools.accumulate(self.on_nodes or (1,) * self.nodes)]


#: A tree of switches: processors at the four leaves only, two at the last one.
TREE = Drawn(((0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)), (0, 0, 0, 1, 1, 1, 2))
#: A hexagon with a chord and a tail: nodes of degree 1, 2 and 3.
KITE = Drawn(((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (1, 4), (3, 6)))
