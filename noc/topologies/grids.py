"""Meshes, tori and rings: nodes along dimensions, joined to those before and after them by links that go both ways."""

from collections.abc import Sequence
import dataclasses
from functools import cached_property

from groundwork.validation import check_integer
from noc.computed import Computed
from noc.topology import MOST_NODES, Topology, parameter

__all__ = ["Mesh", "Ring", "Torus"]


class _Grid(Topology, kind=None):
    """Nodes 0 to w^d - 1, with the d digits of their numbers to the base w as coordinates.

    Channel 2 i leads to the node whose coordinate i is 1 lower, channel 2 i + 1 to the one where it is 1 higher.
    """

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
    def degree(self) -> int:
        return 2 * self.d


@dataclasses.dataclass(frozen=True)
class Mesh(_Grid, kind="mesh", proved=True):
    """A mesh of w^d nodes: a line of w nodes along each dimension, with no links around.

    Channel 2 i leads to the node whose coordinate i is 1 lower, channel 2 i + 1 to the one where it is 1 higher; a node
    at an edge has no channel beyond it. With w = 2 every node would have one channel of the two, so there channel i
    leads to the other node along dimension i, and the mesh is the hypercube.

    Parameters
    ----------
    w : :class:`int`
        Nodes along each dimension, at least 2.
    d : :class:`int`
        Dimensions, at least 1; w^d is at most 65,536.
    m, f : :class:`int`
        As for every :class:`Topology`.
    """

    w: int = parameter("Nodes along each dimension of a mesh.", minimum=2, maximum=MOST_NODES)
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
        if node // weight % self.w == (self.w - 1 if up else 0):
            return None
        return node + (weight if up else -weight), channel ^ 1 if self.w > 2 else channel


class _Around(_Grid, kind=None):
    """A grid whose lines are closed to rings, so that it looks the same from every node."""

    def neighbour(self, node: int, channel: int) -> tuple[int, int]:
        coordinate, up = divmod(channel, 2)
        weight = self.w**coordinate
        digit = node // weight % self.w
        return node + ((digit + (1 if up else -1)) % self.w - digit) * weight, channel ^ 1

    @cached_property
    def translations(self) -> Sequence[Sequence[int]]:
        """Every addition of a node, coordinate by coordinate, modulo w."""
        return Computed(self.nodes, lambda offset: Computed(self.nodes, lambda node: self._sum(node, offset)))

    def _home(self, node: int) -> Sequence[int]:
        weights = [self.w**coordinate for coordinate in range(self.d)]
        return self.translations[sum(-(node // weight) % self.w * weight for weight in weights)]

    def _sum(self, node: int, offset: int) -> int:
        """The sum of two nodes, coordinate by coordinate, modulo w."""
        weights = [self.w**coordinate for coordinate in range(self.d)]
        return sum((node // weight + offset // weight) % self.w * weight for weight in weights)


@dataclasses.dataclass(frozen=True)
class Torus(_Around, kind="torus", proved=True):
    """A torus of w^d nodes: a ring of w nodes along each dimension, with links that go both ways.

    Channel 2 i leads to the node whose coordinate i is 1 lower, modulo w, channel 2 i + 1 to the one where it is 1
    higher. (One whose links go one way is the sparse generalized hypercube.)

    Parameters
    ----------
    w : :class:`int`
        Nodes along each dimension, at least 3: in a ring of two both channels would join the same nodes.
    d : :class:`int`
        Dimensions, at least 1; w^d is at most 65,536.
    m, f : :class:`int`
        As for every :class:`Topology`.
    """

    w: int = parameter("Nodes along each dimension of a torus.", minimum=3, maximum=MOST_NODES)
    d: int = parameter("Dimensions.")
    m: int = 1
    f: int = 1


@dataclasses.dataclass(frozen=True)
class Ring(_Around, kind="ring", proved=True):
    """A ring of n nodes: the torus of one dimension. Channel 0 leads to the node before, channel 1 to the one after.

    Parameters
    ----------
    n : :class:`int`
        Nodes, at least 3, at most 65,536.
    m, f : :class:`int`
        As for every :class:`Topology`.
    """

    n: int = parameter("Nodes of a ring.", minimum=3, maximum=MOST_NODES)
    m: int = 1
    f: int = 1
    d = 1

    @property
    def w(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]  (of a grid it is given)
        return self.n
