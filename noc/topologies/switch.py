"""The switch: all processors on one node, whose router joins each of them to every other one."""

import dataclasses

from fatcube.noc.topology import Topology, parameter

__all__ = ["Switch"]


@dataclasses.dataclass(frozen=True)
class Switch(Topology, kind="switch", proved=True):
    """One node with n processors, and no links: the network is a single router.

    It is the crossbar switch that any larger network is compared with. Model d, in which a processor has a port for each
    link of its node, has no ports here.

    Parameters
    ----------
    n : :class:`int`
        Processors, at least 2.
    """

    f = 1

    n: int = parameter("Processors of a switch.", minimum=2, maximum=1 << 32)

    @property
    def m(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]  (of most topologies it is given)
        return self.n

    @property
    def shape(self) -> str:
        return f"switch of {self.n:,} processors"

    @property
    def nodes(self) -> int:
        return 1

    @property
    def degree(self) -> int:
        return 0

    def neighbour(self, node: int, channel: int) -> tuple[int, int] | None:
        return None
