"""Nodes whose coordinates are the digits of their numbers: the base of generalized hypercubes, meshes, tori and rings."""

from collections.abc import Sequence
from functools import cached_property

from groundwork.validation import check_integer
from noc.computed import Computed
from noc.topology import MOST_NODES, Topology

__all__ = ["Cyclic", "Digits"]


class Digits(Topology, kind=None):
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

    def coordinate(self, node: int, dimension: int) -> int:
        """Digit ``dimension`` of the number of ``node``, the lowest first."""
        return self._digit(node, dimension)

    def _digit(self, node: int, coordinate: int) -> int:
        return node // self.w**coordinate % self.w


class Cyclic(Digits, kind=None):
    """Coordinates modulo w, so that the topology looks the same from every node."""

    def _steps(self, node: int, target: int, coordinate: int) -> int:
        """How much higher ``coordinate`` of ``target`` is than that of ``node``, modulo w."""
        return (self._digit(target, coordinate) - self._digit(node, coordinate)) % self.w

    def _moved(self, node: int, coordinate: int, distance: int) -> int:
        """The node that is ``distance`` farther along ``coordinate``, modulo w."""
        digit = self._digit(node, coordinate)
        return node + ((digit + distance) % self.w - digit) * self.w**coordinate

    @cached_property
    def translations(self) -> Sequence[Sequence[int]]:
        """Every addition of a node, coordinate by coordinate, modulo w."""
        return Computed(self.nodes, lambda offset: Computed(self.nodes, lambda node: self._sum(node, offset)))

    def _home(self, node: int) -> Sequence[int]:
        return self.translations[self._negative(node)]

    def _sum(self, node: int, offset: int) -> int:
        """The sum of two nodes, coordinate by coordinate, modulo w."""
        weights = [self.w**coordinate for coordinate in range(self.d)]
        return sum((node // weight + offset // weight) % self.w * weight for weight in weights)

    def _negative(self, node: int) -> int:
        """The negative of every coordinate, modulo w."""
        weights = [self.w**coordinate for coordinate in range(self.d)]
        return sum(-(node // weight) % self.w * weight for weight in weights)
