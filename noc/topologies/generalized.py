"""Generalized hypercubes, dense and sparse (Antonio, Lin and Metzger, sections 1 and 2, definition 4).

The networks of the paper are balanced: w is one number. A GHC of section 1 has a separate number for each dimension and
has the same symmetry: the addition of a node, coordinate by coordinate, preserves all links.
"""

import bisect
from collections.abc import Sequence
import dataclasses
from functools import cached_property
import itertools

from fatcube.noc.computed import Computed
from fatcube.noc.topologies.digits import Cyclic, MixedRadix

__all__ = ["DenseGHC", "SparseGHC"]


@dataclasses.dataclass(frozen=True)
class DenseGHC(MixedRadix, Cyclic, kind="dense-ghc", proved=True):
    """A generalized hypercube in which the w_i nodes that differ only in coordinate i are linked pairwise.

    Channels are numbered dimension by dimension: the s-th channel of dimension i leads to the node whose coordinate i is
    higher by s, modulo w_i, for s from 1 to w_i - 1. If all w_i are equal to w, its number is i (w - 1) + s - 1.

    Parameters
    ----------
    w : :class:`int` or tuple of :class:`int`
        Nodes along each dimension, at least 2; or one such number for each dimension, the lowest first. Equal numbers
        are equivalent to a single one. With w = 2 the topology is the hypercube.
    d : :class:`int`
        Dimensions, at least 1; there are at most 65,536 nodes.
    m, f : :class:`int`
        Processors on each node and lanes of each link; see :class:`Topology`.
    """

    @property
    def degree(self) -> int:
        return self._first[-1]

    def neighbour(self, node: int, channel: int) -> tuple[int, int]:
        coordinate = bisect.bisect_right(self._first, channel) - 1
        less = channel - self._first[coordinate]
        return self._moved(node, coordinate, less + 1), self._first[coordinate + 1] - 1 - less

    def correction(self, node: int, target: int, dimension: int) -> int | None:
        steps = self._steps(node, target, dimension)
        return self._first[dimension] + steps - 1 if steps else None

    def wraps(self, node: int, channel: int) -> bool:
        return False

    @cached_property
    def _first(self) -> tuple[int, ...]:
        """The first channel of each dimension, followed by the number of channels."""
        return tuple(itertools.accumulate((width - 1 for width in self.widths), initial=0))


@dataclasses.dataclass(frozen=True)
class SparseGHC(MixedRadix, Cyclic, kind="sparse-ghc", proved=True):
    """A generalized hypercube in which the w_i nodes that differ only in coordinate i are a ring of unidirectional links.

    Channel i leads to the node whose coordinate i is higher by 1, modulo w_i, and is entered from the node whose coordinate
    i is lower by 1: d links leave a node, and d links enter it. If every w_i is 2, the link out and the link in of each
    dimension are the two directions of one link, and the topology is the hypercube. If only some w_i are 2, the two are
    separate unidirectional links.

    Parameters
    ----------
    w : :class:`int` or tuple of :class:`int`
        Nodes along each dimension, at least 2; or one such number for each dimension, the lowest first. Equal numbers
        are equivalent to a single one.
    d : :class:`int`
        Dimensions, at least 1; there are at most 65,536 nodes.
    m, f : :class:`int`
        Processors on each node and lanes of each link; see :class:`Topology`.
    """

    @property
    def degree(self) -> int:
        return self.d

    @cached_property
    def directed(self) -> bool:
        return max(self.widths) > 2

    def neighbour(self, node: int, channel: int) -> tuple[int, int]:
        return self._moved(node, channel, 1), channel

    def correction(self, node: int, target: int, dimension: int) -> int | None:
        return dimension if self._steps(node, target, dimension) else None

    def wraps(self, node: int, channel: int) -> bool:
        return self._digit(node, channel) == self.widths[channel] - 1

    @cached_property
    def mirror(self) -> Sequence[int]:
        """The map that negates every coordinate, modulo w_i: an adjacent node that was higher by 1 becomes lower by 1."""
        return Computed(self.nodes, self._negative)
