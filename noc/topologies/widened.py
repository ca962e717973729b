"""Networks of a family whose dimensions have different numbers of lanes: graphs with parallel links."""

from collections.abc import Mapping

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.coordinates import NumberedCoordinates
from fatcube.noc.topologies.graph import MOST_LANES, Graph
from fatcube.noc.topology import Topology
from fatcube.noc.topology_check import MOST_CHANNELS

__all__ = ["lanes_by_dimension", "widened"]


def lanes_by_dimension(text: str) -> dict[int, int]:
    """The lanes of the links of each dimension that a text names, as in ``0=4,1=2``.

    Raises
    ------
    ParameterError
        If ``text`` has another form, or names a dimension twice.
    """
    found: dict[int, int] = {}
    for item in text.split(","):
        dimension, equals, lanes = item.partition("=")
        digits = all(part.isascii() and part.isdigit() and len(part) < 10 for part in (dimension, lanes))
        if not (equals and digits) or int(dimension) in found:
            raise ParameterError(f"lanes-of must be comma-separated DIMENSION=LANES, each dimension once, not {text!r}")
        found[int(dimension)] = check_integer(
            f"lanes of dimension {dimension}", int(lanes), minimum=1, maximum=MOST_LANES
        )
    return found


def widened(topology: Topology, lanes: Mapping[int, int]) -> Graph:
    """The graph of a topology with coordinates in which the links of some dimensions have other numbers of ``lanes``.

    Every lane is a separate link, so that each router has a channel for each lane, and each processor of model d a port for
    each lane. Nodes and processors keep their numbers; the graph does not record the dimensions.

    Raises
    ------
    ParameterError
        If nodes have no coordinates, there is no such dimension, or there are too many channels.
    """
    if not isinstance(topology, NumberedCoordinates):
        raise ParameterError(f"lanes-of must be left out for the {topology.name}, whose nodes have no coordinates")
    for dimension in lanes:
        check_integer("dimension of lanes-of", dimension, minimum=0, maximum=topology.dimensions - 1)
    widest = max([topology.f, *lanes.values()])
    check_integer("channels of all nodes", topology.nodes * topology.degree * widest, minimum=1, maximum=MOST_CHANNELS)
    links: list[tuple[int, int]] = []
    for node in range(topology.nodes):
        for channel, other, back in topology.ends(node):
            if topology.directed or (node, channel) < (other, back):
                [dimension] = [
                    one
                    for one in range(topology.dimensions)
                    if topology.coordinate(node, one) != topology.coordinate(other, one)
                ]
                links += [(node, other)] * lanes.get(dimension, topology.f)
    names = tuple(map(str, range(topology.nodes)))
    return Graph(names, (topology.m,) * topology.nodes, tuple(links), topology.directed)
