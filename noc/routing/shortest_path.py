"""Shortest paths on any graph, in as few classes as an order of the nodes allows.

A packet changes to the next class when it goes up after it has gone down (:mod:`fatcube.noc.routing.node_order`). Of the
orders tried, one in which the shortest routes of all pairs need the fewest classes is used: 2, 2, 3, 4 and 5 classes on
cube-connected cycles with n from 2 to 6.
"""

import dataclasses
from functools import cached_property
import itertools

import numpy

from fatcube.groundwork.validation import check_integer
from fatcube.noc.routing.node_order import FAR, Hops, hops_left, node_orders, shortest
from fatcube.noc.routing.ordered import Ordered

__all__ = ["ShortestPath"]


@dataclasses.dataclass(frozen=True)
class ShortestPath(Ordered, name="shortest-path"):
    """Shortest routes with balanced loads.

    Parameters
    ----------
    topology : :class:`Topology`
        The nodes and channels of the routes; it has at most 4,096 nodes, or 512 where links go one way.
    least_classes : :class:`int`
        Classes that routes may use even if fewer are enough: with more, there are more shortest routes to choose from,
        and loads are better balanced.
    least_hops : :class:`int`
        Hops that headers provide for even if all routes are shorter, so that networks with other links can use the same
        routers; without links, headers provide for none.
    """

    least_classes: int = 1
    least_hops: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_integer("least classes", self.least_classes, minimum=1, maximum=64)
        check_integer("least hops", self.least_hops, minimum=0, maximum=64)

    @property
    def longest(self) -> int:
        return max(super().longest, self.least_hops) if self.topology.channels else 0

    @cached_property
    def order(self) -> list[int]:
        return self._choice[2]

    @cached_property
    def classes(self) -> int:
        """The classes that routes may use: the number that shortest routes need, but at least ``least_classes``."""
        return max(self._choice[0], self.least_classes)

    @cached_property
    def _choice(self) -> tuple[int, int, list[int]]:
        """The number of classes that shortest routes need, the number of pairs that need the last class, and the node order."""
        hops = shortest(self.links)
        best: tuple[int, int, list[int]] = (FAR, 0, [])
        for order in node_orders(self.topology, self.links, hops):
            best = min(best, (*self._needed(order, hops, best[:2]), order), key=lambda choice: choice[:2])
        assert best[0] < FAR, "every hop may be in a class of its own"
        return best

    def _needed(self, order: list[int], hops: Hops, best: tuple[int, int]) -> tuple[int, int]:
        """The number of classes that shortest routes need in ``order``, and the number of pairs that need the last class.

        ``best`` is this pair of numbers for another order. The search stops as soon as the result cannot be lower than
        ``best``; the numbers returned are then not lower than ``best``, but not exact.
        """
        beyond = len(self.homes) ** 2
        shortest_hops = self._of_homes(hops)
        for classes, found in enumerate(itertools.islice(hops_left(self.links, order), 1, None, 2), 1):
            longer = int(numpy.count_nonzero(self._of_homes(found) > shortest_hops))
            if not longer:
                return classes, beyond
            beyond = longer
            if (classes + 1, beyond) >= best:
                return classes + 1, beyond
        raise AssertionError("phases have no end")
