"""The complete tree, in which all nodes except the leaves have the same number of children."""

import dataclasses
from functools import cached_property

from fatcube.groundwork.validation import check_integer
from fatcube.noc.topology import MOST_NODES, Topology, parameter

__all__ = ["Tree"]


@dataclasses.dataclass(frozen=True)
class Tree(Topology, kind="tree", proved=True):
    """A complete tree of d levels below its root, node 0; the children of node v are w v + 1 to w v + w.

    The channels of the root lead to its children, in order. Channel 0 of every other node leads to its parent, and the
    higher channels lead to its children. All nodes have processors, including the nodes between root and leaves.

    Parameters
    ----------
    w : :class:`int`
        Children of a node, at least 2.
    d : :class:`int`
        Levels below the root, at least 1; there are at most 65,536 nodes.
    m, f : :class:`int`
        Processors on each node and lanes of each link; see :class:`Topology`.
    """

    w: int = parameter("Children of each node above the leaves.", minimum=2, maximum=MOST_NODES - 1)
    d: int = parameter("Levels below the root.")
    m: int = 1
    f: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        most = max(d for d in range(1, 16) if self._nodes(d) <= MOST_NODES)
        check_integer("Tree d", self.d, minimum=1, maximum=most, why=f" where w is {self.w}")

    def _nodes(self, levels: int) -> int:
        return (self.w ** (levels + 1) - 1) // (self.w - 1)

    @property
    def shape(self) -> str:
        return f"{'binary' if self.w == 2 else f'{self.w}-ary'} tree of depth {self.d}"

    @property
    def nodes(self) -> int:
        return self._nodes(self.d)

    @property
    def degree(self) -> int:
        return self.w if self.d == 1 else self.w + 1

    @cached_property
    def channels(self) -> int:
        return 2 * (self.nodes - 1)

    def neighbour(self, node: int, channel: int) -> tuple[int, int] | None:
        if node and channel == 0:
            parent = (node - 1) // self.w
            return parent, (node - 1) % self.w + (parent > 0)
        child = self.w * node + channel + (node == 0)
        if channel - (node > 0) >= self.w or child >= self.nodes:
            return None
        return child, 0
