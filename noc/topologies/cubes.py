"""The hypercube and the fat cube (fat-cube paper, section 2)."""

from collections.abc import Sequence
import dataclasses
from functools import cached_property

from fatcube.noc.computed import Computed
from fatcube.noc.topology import Topology, parameter

__all__ = ["FatCube", "Hypercube"]


class _Cube(Topology, kind=None):
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

    @property
    def dimensions(self) -> int:
        """Number of coordinates of a node, which are the bits of its number."""
        return self.d

    def coordinate(self, node: int, dimension: int) -> int:
        """Bit ``dimension`` of the number of ``node``."""
        return node >> dimension & 1

    def correction(self, node: int, target: int, dimension: int) -> int | None:
        return dimension if (node ^ target) >> dimension & 1 else None

    def wraps(self, node: int, channel: int) -> bool:
        return False

    @cached_property
    def translations(self) -> Sequence[Sequence[int]]:
        """Every XOR of the node numbers."""
        return Computed(self.nodes, lambda offset: Computed(self.nodes, offset.__xor__))

    def _home(self, node: int) -> Sequence[int]:
        return self.translations[node]


@dataclasses.dataclass(frozen=True)
class FatCube(_Cube, kind="fat-cube", proved=True):
    """A d-dimensional cube of fat nodes.

    Parameters
    ----------
    d : :class:`int`
        Dimensions, 1 to 16.
    m, f : :class:`int`
        Processors on each node and lanes of each link; see :class:`Topology`.
    """

    d: int = parameter("Dimensions.", minimum=1, maximum=16)
    m: int = 1
    f: int = 1


@dataclasses.dataclass(frozen=True)
class Hypercube(_Cube, kind="hypercube", proved=True):
    """A d-dimensional hypercube: a fat cube with one processor per node and one lane per link.

    Parameters
    ----------
    d : :class:`int`
        Dimensions, 1 to 16.
    """

    d: int = parameter("Dimensions.", minimum=1, maximum=16)
    m = 1
    f = 1

    @property
    def shape(self) -> str:
        return f"hypercube of {self.nodes:,} nodes"
