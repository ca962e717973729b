"""Balanced generalized hypercubes, dense and sparse (Antonio, Lin and Metzger, section 2, definition 4)."""

from collections.abc import Sequence
import dataclasses
from functools import cached_property

from noc.computed import Computed
from noc.topologies.digits import Cyclic
from noc.topology import MOST_NODES, parameter

__all__ = ["DenseGHC", "SparseGHC"]


@dataclasses.dataclass(frozen=True)
class DenseGHC(Cyclic, kind="dense-ghc", proved=True):
    """A generalized hypercube in which every w nodes that differ in one coordinate are joined pairwise.

    Channel i (w - 1) + s - 1 leads to the node whose coordinate i is s higher, modulo w, for s from 1 to w - 1.

    Parameters
    ----------
    w : :class:`int`
        Nodes along each dimension, at least 2; w = 2 is the hypercube.
    d : :class:`int`
        Dimensions, at least 1; w^d is at most 65,536.
    m, f : :class:`int`
        As for every :class:`Topology`.
    """

    w: int = parameter("Nodes along each dimension.", minimum=2, maximum=MOST_NODES)
    d: int = parameter("Dimensions.")
    m: int = 1
    f: int = 1

    @property
    def degree(self) -> int:
        return (self.w - 1) * self.d

    def neighbour(self, node: int, channel: int) -> tuple[int, int]:
        coordinate, less = divmod(channel, self.w - 1)
        return self._moved(node, coordinate, less + 1), coordinate * (self.w - 1) + self.w - 2 - less

    def correction(self, node: int, target: int, dimension: int) -> int | None:
        steps = self._steps(node, target, dimension)
        return dimension * (self.w - 1) + steps - 1 if steps else None

    def wraps(self, node: int, channel: int) -> bool:
        return False


@dataclasses.dataclass(frozen=True)
class SparseGHC(Cyclic, kind="sparse-ghc", proved=True):
    """A generalized hypercube in which every w nodes that differ in one coordinate are a ring of one-way links.

    Channel i leads to the node whose coordinate i is 1 higher, modulo w, and is entered from the one whose
    coordinate i is 1 lower: d links leave a node, and d enter it. For w = 2 these are the two directions of the
    same links, and the topology is the hypercube.

    Parameters
    ----------
    w : :class:`int`
        Nodes along each dimension, at least 2.
    d : :class:`int`
        Dimensions, at least 1; w^d is at most 65,536.
    m, f : :class:`int`
        As for every :class:`Topology`.
    """

    w: int = parameter("Nodes along each dimension.", minimum=2, maximum=MOST_NODES)
    d: int = parameter("Dimensions.")
    m: int = 1
    f: int = 1

    @property
    def degree(self) -> int:
        return self.d

    def neighbour(self, node: int, channel: int) -> tuple[int, int]:
        return self._moved(node, channel, 1), channel

    def correction(self, node: int, target: int, dimension: int) -> int | None:
        return dimension if self._steps(node, target, dimension) else None

    def wraps(self, node: int, channel: int) -> bool:
        return self._digit(node, channel) == self.w - 1

    @cached_property
    def mirror(self) -> Sequence[int]:
        """The negative of every coordinate, modulo w: a neighbour that was one higher is one lower."""
        return Computed(self.nodes, self._negative)
