"""Shortest paths on any graph, in as few classes as an order of the nodes allows.

A packet changes to the next class when it goes up after it has gone down (:mod:`fatcube.noc.routing.node_order`). Of the orders
tried, one is used in which the shortest routes of all pairs need the fewest classes: 2, 2, 3, 4 and 5 on cube-connected
cycles with n from 2 to 6.
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
        As for every :class:`Routing`, with at most 512 nodes. Links may go one way.
    least_classes : :class:`int`
        Classes that routes may use even if fewer are enough: with more, there are more shortest routes to choose from,
        and loads are better balanced.
    least_hops : :class:`int`
        Hops that headers have room for even if all ways are shorter: so networks with other links can have the same routers.
    """

    least_classes: int = 1
    least_hops: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_integer("least classes", self.least_classes, minimum=1, maximum=64)
        check_integer("least hops", self.least_hops, minimum=1, maximum=64)

    @property
    def longest(self) -> int:
        return max(super().longest, self.least_hops)

    @cached_property
    def order(self) -> list[int]:
        return self._choice[2]

    @cached_property
    def classes(self) -> int:
        """Classes that routes may use: as many as the shortest need, but at least ``least_classes``."""
        return max(self._choice[0], self.least_classes)

    @cached_property
    def _choice(self) -> tuple[int, int, list[int]]:
        """The classes that shortest routes need, the number of pairs that need the last class, and the node order."""
        hops = shortest(self.links)
        best: tuple[int, int, list[int]] = (FAR, 0, [])
        for order in node_orders(self.topology, self.links, hops):
            best = min(best, (*self._needed(order, hops, best[:2]), order), key=lambda choice: choice[:2])
        assert best[0] < FAR, "every hop may be in a class of its own"
        return best

    def _needed(self, order: list[int], hops: Hops, best: tuple[int, int]) -> tuple[int, int]:
        """The classes that shortest routes need in ``order``, and the number of pairs that need the last of them.

        Both can be more than what is said if that is no less than ``best``, which is the same of another order.
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
