"""Meshes, tori and rings: nodes along dimensions, with bidirectional links to the previous and the next node."""

import dataclasses
from functools import cached_property

from fatcube.noc.topologies.digits import Balanced, Cyclic
from fatcube.noc.topology import MOST_NODES, parameter

__all__ = ["Mesh", "Ring", "Torus"]


@dataclasses.dataclass(frozen=True)
class Mesh(Balanced, kind="mesh", proved=True):
    """A mesh of w^d nodes: a line of w nodes along each dimension, without wrap-around links.

    Channel 2 i leads to the node whose coordinate i is lower by 1, and channel 2 i + 1 to the node whose coordinate i is
    higher by 1; a node at an edge has no channel beyond the edge. With w = 2 every node would have only one of these two
    channels, so channel i leads to the other node along dimension i, and the mesh is the hypercube.

    Parameters
    ----------
    w : :class:`int`
        Nodes along each dimension, at least 2.
    d : :class:`int`
        Dimensions, at least 1; w^d is at most 65,536.
    m, f : :class:`int`
        Processors on each node and lanes of each link; see :class:`Topology`.
    """

    w: int = parameter("Nodes along each dimension.", minimum=2, maximum=MOST_NODES)
    d: int = parameter("Dimensions.")
    m: int = 1
    f: int = 1

    @property
    def degree(self) -> int:
        return min(self.w - 1, 2) * self.d

    @cached_property
    def channels(self) -> int:
        return 2 * self.d * (self.w - 1) * self.w ** (self.d - 1)

    def neighbour(self, node: int, channel: int) -> tuple[int, int] | None:
        coordinate, up = divmod(channel, 2) if self.w > 2 else (channel, not node >> channel & 1)
        weight = self.w**coordinate
        if self._digit(node, coordinate) == (self.w - 1 if up else 0):
            return None
        return node + (weight if up else -weight), channel ^ 1 if self.w > 2 else channel

    def correction(self, node: int, target: int, dimension: int) -> int | None:
        up = self._digit(target, dimension) - self._digit(node, dimension)
        if not up:
            return None
        return 2 * dimension + (up > 0) if self.w > 2 else dimension

    def wraps(self, node: int, channel: int) -> bool:
        return False


class _Around(Balanced, Cyclic, kind=None):
    """A grid whose lines are closed into rings."""

    @property
    def degree(self) -> int:
        return 2 * self.d

    def neighbour(self, node: int, channel: int) -> tuple[int, int]:
        coordinate, up = divmod(channel, 2)
        return self._moved(node, coordinate, 1 if up else -1), channel ^ 1

    def correction(self, node: int, target: int, dimension: int) -> int | None:
        """The channel in the shorter direction around the ring; the one to the higher coordinate if both are equally long."""
        steps = self._steps(node, target, dimension)
        return 2 * dimension + (2 * steps <= self.w) if steps else None

    def wraps(self, node: int, channel: int) -> bool:
        coordinate, up = divmod(channel, 2)
        return self._digit(node, coordinate) == (self.w - 1 if up else 0)


@dataclasses.dataclass(frozen=True)
class Torus(_Around, kind="torus", proved=True):
    """A torus of w^d nodes: a ring of w nodes along each dimension, with bidirectional links.

    Channel 2 i leads to the node whose coordinate i is lower by 1, modulo w, and channel 2 i + 1 to the node whose
    coordinate i is higher by 1. (The torus with unidirectional links is the sparse generalized hypercube.)

    Parameters
    ----------
    w : :class:`int`
        Nodes along each dimension, at least 3: in a ring of two nodes both channels would join the same nodes.
    d : :class:`int`
        Dimensions, at least 1; w^d is at most 65,536.
    m, f : :class:`int`
        Processors on each node and lanes of each link; see :class:`Topology`.
    """

    w: int = parameter("Nodes along each dimension.", minimum=3, maximum=MOST_NODES)
    d: int = parameter("Dimensions.")
    m: int = 1
    f: int = 1


@dataclasses.dataclass(frozen=True)
class Ring(_Around, kind="ring", proved=True):
    """A ring of n nodes: the torus of one dimension. Channel 0 leads to the previous node, channel 1 to the next node.

    Parameters
    ----------
    n : :class:`int`
        Nodes, at least 3, at most 65,536.
    m, f : :class:`int`
        Processors on each node and lanes of each link; see :class:`Topology`.
    """

    n: int = parameter("Nodes.", minimum=3, maximum=MOST_NODES)
    m: int = 1
    f: int = 1
    d = 1

    @property
    def w(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride] (a field in other grids)
        return self.n
