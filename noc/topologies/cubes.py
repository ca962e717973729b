"""The hypercube and the fat cube (fat-cube paper, section 2)."""

from collections.abc import Sequence
import dataclasses
from functools import cached_property

from groundwork.validation import check_integer
from noc.topology import Computed, Topology, check_many, parameter

__all__ = ["FatCube", "Hypercube"]


class _Cube:
    """Nodes 0 to 2^d - 1; channel i leads to the node whose number differs in bit i."""

    d: int

    @property
    def nodes(self) -> int:
        return 1 << self.d

    @property
    def degree(self) -> int:
        return self.d

    def neighbour(self, node: int, channel: int) -> tuple[int, int]:
        return node ^ (1 << channel), channel

    @cached_property
    def translations(self) -> Sequence[Sequence[int]]:
        """Every XOR of the node numbers."""
        return Computed(self.nodes, lambda offset: Computed(self.nodes, offset.__xor__))

    def _home(self, node: int) -> Sequence[int]:
        return self.translations[node]


@dataclasses.dataclass(frozen=True)
class FatCube(_Cube, Topology, kind="fat-cube", proved=True):
    """A d-dimensional cube of fat nodes.

    Parameters
    ----------
    d : :class:`int`
        Dimensions, 1 to 16.
    m : :class:`int`
        Processors on each node, at least 1.
    f : :class:`int`
        Lanes of each link, at least 1.

    Raises
    ------
    ParameterError
        If one of them is out of range.
    """

    d: int = parameter("Dimensions of a cube, 2 if not given.")
    m: int = 1
    f: int = 1

    def __post_init__(self) -> None:
        check_integer("FatCube d", self.d, minimum=1, maximum=16)
        check_many("FatCube m", self.m)
        check_many("FatCube f", self.f)


@dataclasses.dataclass(frozen=True)
class Hypercube(_Cube, Topology, kind="hypercube", proved=True):
    """A d-dimensional hypercube: a fat cube with one processor a node and one lane a link."""

    d: int = parameter("Dimensions.")
    m = 1
    f = 1

    def __post_init__(self) -> None:
        check_integer("Hypercube d", self.d, minimum=1, maximum=16)
