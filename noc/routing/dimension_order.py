"""Dimension order: coordinates are corrected one after the other, the lowest first.

One class is enough where no route goes around a ring: on cubes, fat cubes, dense generalized hypercubes and meshes.
There a packet waits only for channels of its dimension that lie farther in its direction, and for those of higher
dimensions (Dally and Seitz, "Deadlock-free message routing in multiprocessor interconnection networks", 1987). For
routes around rings, see :class:`noc.routing.dateline.Dateline`.
"""

from collections.abc import Iterator
import dataclasses
from functools import cached_property

from groundwork.validation import ParameterError
from noc.coordinates import Coordinates
from noc.routing.routing import Hop, Routing, Way
from noc.topology import Topology

__all__ = ["DimensionOrder"]


@dataclasses.dataclass(frozen=True)
class DimensionOrder(Routing, name="dimension-order"):
    """Dimension order in one class, for every topology that has :class:`Coordinates`.

    Parameters
    ----------
    topology : :class:`Topology`
        As for every :class:`Routing`.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self._coordinates  # This refuses a topology without coordinates.

    @cached_property
    def classes(self) -> int:
        """One class."""
        return 1

    def _way(self, source: int, target: int) -> Way:
        return tuple(Hop(channel) for _, channel, _ in self._corrections(source, target))

    @cached_property
    def _coordinates(self) -> Coordinates:
        topology: Topology = self.topology
        if isinstance(topology, Coordinates):
            return topology
        raise ParameterError(
            f"topology of {self.name} routing must be one whose nodes have coordinates, not {topology}"
        )

    def _corrections(self, source: int, target: int) -> Iterator[tuple[int, int, int]]:
        """The hops of the route, as ``(node, channel, dimension)``."""
        node, coordinates = source, self._coordinates
        for dimension in range(coordinates.dimensions):
            hops = 0
            while (channel := coordinates.correction(node, target, dimension)) is not None:
                yield node, channel, dimension
                node, _ = self.ends[node][channel]
                hops += 1
                if hops > self.topology.nodes:
                    raise ParameterError(f"corrections of dimension {dimension} of {self.topology} must come to an end")
        if node != target:
            raise ParameterError(
                f"corrections of {self.topology} must lead from node {source} to {target}, not to {node}"
            )
