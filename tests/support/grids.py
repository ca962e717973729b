"""Meshes and tori whose sides differ, as somebody would add them."""

import dataclasses
from functools import cached_property
import itertools

from fatcube.noc.topology import Topology


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
