"""Cube-connected cycles (Kambhatla, section 2; Preparata and Vuillemin)."""

import dataclasses
from functools import cached_property
from typing import Any

from fatcube.groundwork.validation import check_integer
from fatcube.noc.topologies.rotations import Rows
from fatcube.noc.topology import MOST_NODES, parameter

__all__ = ["CubeConnectedCycles"]


@dataclasses.dataclass(frozen=True)
class CubeConnectedCycles(Rows, kind="ccc", proved=True):
    """An n-dimensional hypercube with a cycle of k nodes for each of its nodes.

    Node c k + p is in cycle c at position p. Channel 0 leads to the same position of the cycle whose number differs in bit
    p; positions from n on have no channel 0. Channels 1 and 2 lead to the next and to the previous position of the same
    cycle.

    Parameters
    ----------
    n : :class:`int`
        Dimensions of the cube, 2 to 12. In a cycle of two nodes both channels lead to the same node, so that every node
        has three links, as in the paper. In a cycle of one node they would join the node to itself; without these links
        the network would be the hypercube of one dimension.
    m, f : :class:`int`
        Processors on each node and lanes of each link; see :class:`Topology`.
    k : :class:`int` or ``None``
        Nodes of each cycle, at least n; a value equal to n is stored as ``None``. There are at most 65,536 nodes in all.
        If k is larger than n, nodes at positions from n on have no link to another cycle and therefore only two links,
        an exception to the paper's "exactly three links".
    """

    n: int = parameter("Dimensions of the cube.", minimum=2, maximum=12)
    m: int = 1
    f: int = 1
    k: int | None = parameter("Nodes of each cycle, at least n; n if not given.", default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.k is not None:
            most = MOST_NODES >> self.n
            check_integer("CubeConnectedCycles k", self.k, minimum=self.n, maximum=most, why=f" where n is {self.n}")
            if self.k == self.n:
                object.__setattr__(self, "k", None)

    @property
    def length(self) -> int:
        return self.n if self.k is None else self.k

    @property
    def shape(self) -> str:
        return f"CCC of order {self.n}{'' if self.k is None else f', k = {self.k}'}"

    @property
    def degree(self) -> int:
        return 3

    @cached_property
    def channels(self) -> int:
        return (2 * self.length + self.n) << self.n

    def neighbour(self, node: int, channel: int) -> tuple[int, int] | None:
        cycle, position = divmod(node, self.length)
        if channel == 0:
            return None if position >= self.n else ((cycle ^ 1 << position) * self.length + position, 0)
        return cycle * self.length + (position + (1, -1)[channel - 1]) % self.length, 3 - channel

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters by name, without k if it is equal to n."""
        return {name: value for name, value in super().parameters.items() if value is not None}
