"""The star: one node, the hub, is linked to all other nodes."""

import dataclasses
from functools import cached_property

from fatcube.noc.topology import MOST_NODES, Topology, parameter

__all__ = ["Star"]


@dataclasses.dataclass(frozen=True)
class Star(Topology, kind="star", proved=True):
    """A star of n leaves around node 0, the hub.

    Channel i of the hub leads to node i + 1, and channel 0 of a leaf leads to the hub. The hub has processors like every
    other node, because in one step a message crosses one link, from processor to processor: a message from leaf to leaf is
    forwarded by a processor of the hub. (A topology file can describe a hub that only routes.)

    Parameters
    ----------
    n : :class:`int`
        Leaves, at least 2, at most 65,535.
    m, f : :class:`int`
        Processors on each node and lanes of each link; see :class:`Topology`.
    """

    n: int = parameter("Leaves, which are joined to one hub.", minimum=2, maximum=MOST_NODES - 1)
    m: int = 1
    f: int = 1

    @property
    def shape(self) -> str:
        return f"star of {self.n:,} leaves"

    @property
    def nodes(self) -> int:
        return self.n + 1

    @property
    def degree(self) -> int:
        return self.n

    @cached_property
    def channels(self) -> int:
        return 2 * self.n

    def neighbour(self, node: int, channel: int) -> tuple[int, int] | None:
        if node == 0:
            return channel + 1, 0
        return (0, node - 1) if channel == 0 else None
