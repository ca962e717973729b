"""Routings: the route of every packet, a file per routing, and what follows from routes: deadlocks, turns, loads.

Never here: a router, or its cost. A routing is a subclass of :class:`fatcube.noc.routing.routing.Routing`.
"""

import importlib
import pkgutil

from fatcube.groundwork.validation import ParameterError, check_choice
from fatcube.noc.coordinates import Coordinates
from fatcube.noc.routing.dateline import Dateline
from fatcube.noc.routing.dimension_order import DimensionOrder
from fatcube.noc.routing.routing import Routing, routings
from fatcube.noc.routing.shortest_path import ShortestPath
from fatcube.noc.routing.table import Table
from fatcube.noc.routing.up_down import UpDown
from fatcube.noc.topology import Topology

__all__ = ["MOST_DEFAULT_CLASSES", "default_routing", "make_routing"]


MOST_DEFAULT_CLASSES = 3  # enough for cube-connected cycles of up to four dimensions

# Importing a file registers its routing.
for _, _name, _ in sorted(pkgutil.iter_modules(__path__), key=lambda found: found.name):
    importlib.import_module(f"{__name__}.{_name}")


def make_routing(name: str, topology: Topology) -> Routing:
    """The routing of ``topology`` named ``name``.

    Raises
    ------
    ParameterError
        If no routing has this name, if it does not support this topology, or if it is a table, which is read from a
        file (:meth:`fatcube.noc.routing.table.Table.from_json`).
    """
    cls = routings()[check_choice("routing", name, routings())]
    if issubclass(cls, Table):
        raise ParameterError(f"routing {name} must be read from a file")
    return cls(topology)


def default_routing(topology: Topology, *, known: Routing | None = None) -> Routing:
    """The routing of a topology for which no routing is chosen; it is ``known``, whose routes may have been followed, if it equals that.

    If nodes have coordinates, it is dimension order, with datelines where rings need them. Otherwise it is
    shortest-path routing if :data:`MOST_DEFAULT_CLASSES` classes are enough, and up*/down* if they are not. If links go
    one way, which up*/down* does not support, it is shortest-path routing with all the classes that it needs.

    Raises
    ------
    ParameterError
        If the topology has too many nodes for the routing that it needs.
    """

    def made(kind: type[Routing]) -> Routing:
        routing = kind(topology)
        return known if known is not None and routing == known else routing

    if isinstance(topology, Coordinates):
        routing = made(Dateline)
        return routing if routing.classes > 1 else made(DimensionOrder)
    shortest = made(ShortestPath)
    if shortest.classes <= MOST_DEFAULT_CLASSES or topology.directed:
        return shortest
    return made(UpDown)
