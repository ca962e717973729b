"""Balanced generalized hypercubes, dense and sparse (Antonio, Lin and Metzger, section 2, definition 4)."""

from collections.abc import Sequence
import dataclasses
from functools import cached_property

from groundwork.validation import check_integer
from noc.computed import Computed
from noc.topology import MOST_NODES, Topology, parameter

__all__ = ["DenseGHC", "SparseGHC"]


class _Generalized(Topology, kind=None):
    """Nodes 0 to w^d - 1, with the d digits of their numbers to the base w as coordinates."""

    w: int
    d: int

    def __post_init__(self) -> None:
        super().__post_init__()
        most = max(d for d in range(1, 17) if self.w**d <= MOST_NODES)
        check_integer(f"{type(self).__name__} d", self.d, minimum=1, maximum=most, why=f" where w is {self.w}")

    @property
    def nodes(self) -> int:
        return self.w**self.d

    @property
    def dimensions(self) -> int:
        """Coordinates of a node: the digits of its number."""
        return self.d

    def _steps(self, node: int, target: int, coordinate: int) -> int:
        """How much higher ``coordinate`` of ``target`` is than that of ``node``, modulo w."""
        weight = self.w**coordinate
        return (target // weight - node // weight) % self.w

    def _moved(self, node: int, coordinate: int, distance: int) -> int:
        """The node that is ``distance`` farther along ``coordinate``, modulo w."""
        weight = self.w**coordinate
        digit = node // weight % self.w
        return node + ((digit + distance) % self.w - digit) * weight

    def _sum(self, node: int, offset: int) -> int:
        """The sum of two nodes, coordinate by coordinate, modulo w."""
        for coordinate in range(self.d):
            node = self._moved(node, coordinate, offset // self.w**coordinate % self.w)
        return node

    @cached_property
    def translations(self) -> Sequence[Sequence[int]]:
        """Every addition of a node, coordinate by coordinate, modulo w."""
        return Computed(self.nodes, lambda offset: Computed(self.nodes, lambda node: self._sum(node, offset)))

    def _home(self, node: int) -> Sequence[int]:
        return self.translations[self._negative(node)]

    def _negative(self, node: int) -> int:
        """The negative of every coordinate, modulo w."""
        return sum(-(node // self.w**coordinate) % self.w * self.w**coordinate for coordinate in range(self.d))


@dataclasses.dataclass(frozen=True)
class DenseGHC(_Generalized, kind="dense-ghc", proved=True):
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

    w: int = parameter("Nodes along each dimension of a generalized hypercube.", minimum=2, maximum=MOST_NODES)
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
class SparseGHC(_Generalized, kind="sparse-ghc", proved=True):
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

    w: int = parameter("Nodes along each dimension of a generalized hypercube.", minimum=2, maximum=MOST_NODES)
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
        return node // self.w**channel % self.w == self.w - 1

    @cached_property
    def mirror(self) -> Sequence[int]:
        """The negative of every coordinate, modulo w: a neighbour that was one higher is one lower."""
        return Computed(self.nodes, self._negative)
