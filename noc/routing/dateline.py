"""Dimension order with datelines: the routing of rings, tori and sparse generalized hypercubes.

Around a ring, packets can each wait for the next. Therefore every ring has a dateline, the one channel that wraps: a
packet is in class 0 until it has crossed the dateline, in class 1 from then on, and in class 0 again in the next
dimension. No packet crosses it twice, so the channels of a ring are ordered: class 0 from behind the dateline up to it,
then class 1 (Dally and Seitz, 1987).
"""

import dataclasses
from functools import cached_property

from noc.routing.dimension_order import DimensionOrder
from noc.routing.routing import Hop, Way

__all__ = ["Dateline"]


@dataclasses.dataclass(frozen=True)
class Dateline(DimensionOrder, name="dateline"):
    """Dimension order in two classes, or in one if no route continues behind a dateline, as in rings of two nodes.

    Parameters
    ----------
    topology : :class:`Topology`
        As for every :class:`Routing`; its nodes must have :class:`~noc.coordinates.Coordinates`.
    """

    @cached_property
    def classes(self) -> int:
        """One class if no route continues behind a dateline, else two; routes of two hops on node 0's lines show it."""
        for dimension in range(self._coordinates.dimensions):
            line, known = [0], {0}
            for node in line:
                neighbours = self._along(node, dimension)
                found = set(neighbours.values()) - known
                known |= found
                line += found
                for channel, other in neighbours.items():
                    if self._coordinates.wraps(node, channel):
                        behind = self._along(other, dimension).values()
                        if any(self._coordinates.correction(node, target, dimension) == channel for target in behind):
                            return 2
        return 1

    def _along(self, node: int, dimension: int) -> dict[int, int]:
        """The channels of ``node`` in a dimension, each with the neighbour that it leads to."""
        return {
            channel: other
            for channel, (other, _) in self.ends[node].items()
            if self._coordinates.correction(node, other, dimension) == channel
        }

    def _way(self, source: int, target: int) -> Way:
        hops, current, crossed = [], None, False
        for node, channel, dimension in self._corrections(source, target):
            if dimension != current:
                current, crossed = dimension, False
            hops.append(Hop(channel, int(crossed)))
            crossed |= self._coordinates.wraps(node, channel)
        return tuple(hops)
