"""Nodes whose coordinates are the digits of their numbers: the base of generalized hypercubes, meshes, tori and rings."""

from abc import abstractmethod
from collections.abc import Sequence
import dataclasses
from functools import cached_property
import itertools
import math

from fatcube.groundwork.validation import ParameterError, check_integer, shown
from fatcube.noc.computed import Computed
from fatcube.noc.topology import MOST_NODES, Topology, parameter

__all__ = ["Cyclic", "Digits", "MixedRadix"]


_MOST_DIMENSIONS = 16  # of two nodes each
_WRITTEN_OUT = 4  # dimensions of equal width that a name lists


class Digits(Topology, kind=None):
    """Nodes whose coordinates are the digits of their numbers; digit i has the base w_i."""

    @cached_property
    @abstractmethod
    def widths(self) -> tuple[int, ...]:
        """The number of values w_i of each coordinate, the lowest digit first."""

    @property
    def nodes(self) -> int:
        return self._nodes

    @cached_property
    def _nodes(self) -> int:
        return math.prod(self.widths)

    @property
    def shape(self) -> str:
        widths, kind = self.widths, self.kind.replace("-ghc", " GHC")
        if len(widths) == 1:
            return f"{kind} of {self.nodes:,} nodes"
        if len(widths) > _WRITTEN_OUT and len(set(widths)) == 1:
            return f"{kind} w = {widths[0]}, d = {len(widths)}"
        return f"{' × '.join(map(str, widths))} {kind}"

    @property
    def dimensions(self) -> int:
        """Number of coordinates of a node, which are the digits of its number."""
        return len(self.widths)

    def coordinate(self, node: int, dimension: int) -> int:
        """Digit ``dimension`` of the number of ``node``, counted from the lowest digit."""
        return self._digit(node, dimension)

    def _digit(self, node: int, coordinate: int) -> int:
        return node // self.weights[coordinate] % self.widths[coordinate]

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The increase of a node's number when a coordinate grows by 1, for each coordinate."""
        return tuple(itertools.accumulate(self.widths[:-1], int.__mul__, initial=1))


@dataclasses.dataclass(frozen=True)
class MixedRadix(Digits, kind=None):
    """Digits whose bases are parameters: w is the base of all d digits, or lists a base for each, the lowest digit first."""

    w: int | tuple[int, ...] = parameter(
        "Nodes along each dimension, or a number for each, the lowest dimension first, as 3,4,2.",
        minimum=2,
        maximum=MOST_NODES,
        several=True,
    )
    d: int = parameter("Dimensions.")
    m: int = 1
    f: int = 1

    def __post_init__(self) -> None:
        name = type(self).__name__
        if isinstance(self.w, list | tuple):
            if not 1 <= len(self.w) <= _MOST_DIMENSIONS:
                raise ParameterError(f"{name} w must be one number, or 1 to {_MOST_DIMENSIONS}, not {shown(self.w)}")
            object.__setattr__(self, "w", tuple(self.w))
        super().__post_init__()
        if isinstance(self.w, tuple):
            if type(self.d) is not int or self.d != len(self.w):
                listed = ",".join(map(str, self.w))
                raise ParameterError(f"{name} d must be {len(self.w)} where w is {listed}, not {shown(self.d)}")
            check_integer(f"{name} nodes", math.prod(self.w), minimum=2, maximum=MOST_NODES)
            if len(set(self.w)) == 1:
                object.__setattr__(self, "w", self.w[0])
        else:
            most = max(d for d in range(1, _MOST_DIMENSIONS + 1) if self.w**d <= MOST_NODES)
            check_integer(f"{name} d", self.d, minimum=1, maximum=most, why=f" where w is {self.w}")

    @cached_property
    def widths(self) -> tuple[int, ...]:
        return self.w if isinstance(self.w, tuple) else (self.w,) * self.d


class Cyclic(Digits, kind=None):
    """Coordinates modulo their numbers of values, so that the topology looks the same from every node."""

    def _steps(self, node: int, target: int, coordinate: int) -> int:
        """The difference of ``coordinate`` from ``node`` to ``target``, modulo its number of values."""
        return (self._digit(target, coordinate) - self._digit(node, coordinate)) % self.widths[coordinate]

    def _moved(self, node: int, coordinate: int, distance: int) -> int:
        """The node that is ``distance`` farther along ``coordinate``, modulo its number of values."""
        digit = self._digit(node, coordinate)
        return node + ((digit + distance) % self.widths[coordinate] - digit) * self.weights[coordinate]

    @cached_property
    def translations(self) -> Sequence[Sequence[int]]:
        """The additions of each node, coordinate by coordinate, modulo the numbers of values."""
        return Computed(self.nodes, lambda offset: Computed(self.nodes, lambda node: self._sum(node, offset)))

    def _home(self, node: int) -> Sequence[int]:
        return self.translations[self._negative(node)]

    def _sum(self, node: int, offset: int) -> int:
        """The sum of two nodes, coordinate by coordinate, modulo the numbers of values."""
        return sum((node // weight + offset // weight) % width * weight for weight, width in self._places)

    def _negative(self, node: int) -> int:
        """The node with every coordinate negated, modulo its number of values."""
        return sum(-(node // weight) % width * weight for weight, width in self._places)

    @cached_property
    def _places(self) -> tuple[tuple[int, int], ...]:
        return tuple(zip(self.weights, self.widths))
