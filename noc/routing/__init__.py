"""Routings: the way of every packet, one file a routing, and what follows from the ways: deadlocks, turns, loads.

Never here: a router, or what it costs. A routing is a subclass of :class:`noc.routing.routing.Routing`.
"""

import importlib
import pkgutil

from groundwork.validation import ParameterError, check_choice
from noc.coordinates import Coordinates
from noc.routing.dateline import Dateline
from noc.routing.dimension_order import DimensionOrder
from noc.routing.routing import Routing, routings
from noc.routing.shortest_path import ShortestPath
from noc.routing.table import Table
from noc.routing.up_down import UpDown
from noc.topology import Topology

__all__ = ["MOST_DEFAULT_CLASSES", "default_routing", "make_routing"]


MOST_DEFAULT_CLASSES = 3  # what cube-connected cycles of up to four dimensions need

# Importing a file registers its routing.
for _, _name, _ in sorted(pkgutil.iter_modules(__path__), key=lambda found: found.name):
    importlib.import_module(f"{__name__}.{_name}")


def make_routing(name: str, topology: Topology) -> Routing:
    """The routing of ``topology`` that is called ``name``.

    Raises
    ------
    ParameterError
        If there is none of this name, if it is not for this topology, or if it is a table, which is read from a file
        (:meth:`noc.routing.table.Table.from_json`).
    """
    cls = routings()[check_choice("routing", name, routings())]
    if issubclass(cls, Table):
        raise ParameterError(f"routing {name} must be read from a file")
    return cls(topology)


def default_routing(topology: Topology) -> Routing:
    """The routing of a topology for which none is chosen.

    Where nodes have coordinates, it is dimension order, with datelines where there are rings to need them. Elsewhere
    ways are shortest if :data:`MOST_DEFAULT_CLASSES` classes are enough for that, and up*/down* if they are not. Where
    links go one way, which up*/down* cannot use, they are shortest whatever it takes.

    Raises
    ------
    ParameterError
        If the topology has too many nodes for the routing that it needs.
    """
    if isinstance(topology, Coordinates):
        routing = Dateline(topology)
        return routing if routing.classes > 1 else DimensionOrder(topology)
    shortest = ShortestPath(topology)
    if shortest.classes <= MOST_DEFAULT_CLASSES or topology.directed:
        return shortest
    return UpDown(topology)
