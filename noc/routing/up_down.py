"""Up*/down* routing: any graph with bidirectional links, in one class.

The order of the nodes is a traversal of a spanning tree (:mod:`fatcube.noc.routing.node_order`). A route goes up, towards
the root, then down, and never up again, so one class is enough. Such a route always exists, as one leads through the root
(Schroeder et al., "Autonet", 1991). The routing takes the shortest of these routes; of the trees tried, it uses the one
with the shortest routes on average.
"""

import dataclasses
from functools import cached_property
import itertools

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.routing.node_order import hops_left, node_orders, shortest
from fatcube.noc.routing.ordered import Ordered

__all__ = ["UpDown"]


@dataclasses.dataclass(frozen=True)
class UpDown(Ordered, name="up-down"):
    """The shortest routes that never go up after they have gone down, with balanced loads.

    Parameters
    ----------
    topology : :class:`Topology`
        The nodes and channels of the routes; it has at most 4,096 nodes, and its links are bidirectional.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.topology.directed:
            raise ParameterError(
                f"topology of {self.name} routing must have bidirectional links, not the {self.topology.name}"
            )

    @cached_property
    def classes(self) -> int:
        """One class."""
        return 1

    @cached_property
    def order(self) -> list[int]:
        def hops(order: list[int]) -> int:
            _, found = itertools.islice(hops_left(self.links, order), 2)
            return int(self._of_homes(found).sum(dtype=int))

        return min(node_orders(self.topology, self.links, shortest(self.links)), key=hops)
