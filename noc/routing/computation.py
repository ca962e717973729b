"""Route computation in the routers, from the router's address and the packet's destination, and the check of it."""

from collections.abc import Sequence

from amaranth.utils import ceil_log2
import numpy

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.coordinates import NumberedCoordinates
from fatcube.noc.routing.dimension_order import DimensionOrder
from fatcube.noc.routing.lanes import LaneRule
from fatcube.noc.routing.routing import Routing
from fatcube.noc.routing.trees import Array
from fatcube.noc.topology import Topology
from fatcube.rtl.route_computation import Dimension, RouteComputation
from fatcube.rtl.router_parameters import RouterParameters

__all__ = ["check_addresses", "route_computation_of", "addresses_of", "destinations_of"]


def route_computation_of(routing: Routing, processor_outputs: int, rule: LaneRule) -> RouteComputation | None:
    """The computation of dimension-order routes, with one channel up and one down per dimension; ``None`` if not possible.

    It is possible in cubes, fat cubes and meshes. It is not possible where a node has a channel to every other value of a
    coordinate, where channels wrap around a ring, where no route takes some channel, such as one of two parallel links, or
    where the lane of a processor does not follow from its number on its node.

    Parameters
    ----------
    processor_outputs : :class:`int`
        Outputs of a router to ports of processors.
    rule : :class:`LaneRule`
        The rule by which packets share the lanes of a link.
    """
    topology = routing.topology
    if type(routing) is not DimensionOrder or not isinstance(topology, NumberedCoordinates):
        return None
    if topology.f > 1 and not (
        rule is LaneRule.FIXED or rule is LaneRule.BY_SOURCE and topology.uniform and topology.m % topology.f == 0
    ):
        return None
    found = []
    for number in range(topology.dimensions):
        nodes: dict[int, int] = {}  # one node at each coordinate
        for node in range(topology.nodes):
            nodes.setdefault(topology.coordinate(node, number), node)
        down, up = (topology.correction(nodes[a], nodes[b], number) for a, b in ((1, 0), (0, 1)))
        if down is None or up is None or not _only(routing, number, nodes, down, up):
            return None
        found.append(Dimension(ceil_log2(1 + max(nodes)), down, up))
    if {channel for dimension in found for channel in (dimension.down, dimension.up)} != set(range(topology.degree)):
        return None
    return RouteComputation(tuple(found), ceil_log2(processor_outputs))


def _only(routing: Routing, number: int, nodes: dict[int, int], down: int, up: int) -> bool:
    """True if ``down`` and ``up`` are the channels that correct coordinate ``number`` at every node."""
    topology = routing.topology
    assert isinstance(topology, NumberedCoordinates)
    return all(
        topology.correction(node, target, number) == (None if here == there else up if there > here else down)
        for node in range(topology.nodes)
        for here in [topology.coordinate(node, number)]
        for there, target in nodes.items()
    )


def addresses_of(routing: Routing, route_computation: RouteComputation) -> list[int]:
    """For each node, the address of its router."""
    topology = routing.topology
    assert isinstance(topology, NumberedCoordinates)
    return [
        route_computation.address([topology.coordinate(node, number) for number in range(topology.dimensions)])
        for node in range(topology.nodes)
    ]


def destinations_of(
    topology: Topology, router: RouterParameters, route_computation: RouteComputation, addresses: Sequence[int]
) -> list[int]:
    """For each port of each processor, the destination field in the headers of packets that are sent to it."""
    bits = route_computation.output_bits
    return [
        addresses[topology.node_of(processor)] << bits | router.processor_port(topology.local_of(processor), port)
        for processor in range(topology.processors)
        for port in range(router.ports)
    ]


def check_addresses(routing: Routing, route_computation: RouteComputation, addresses: Sequence[int]) -> None:
    """Follow every route through the stored addresses, and refuse them if a router computes another hop.

    The properties that were checked for the routing, arrival of all packets and freedom from deadlock, then hold for the
    routers.

    Raises
    ------
    ParameterError
        If a router computes no channel, or one that differs from the channel of the route.
    """
    homes, known, first = routing.homes, numpy.array(addresses, dtype=object), 0
    if route_computation.address_bits < 63:
        known = known.astype(numpy.int64)
    for trees in routing.trees():
        targets = numpy.array(homes[first : first + trees.starts.shape[1]])
        first += len(targets)
        found = _channels(route_computation, known[trees.node], known[targets[trees.target]])
        [wrong] = (found != trees.channel).nonzero()
        for state in wrong[:1].tolist():
            node, target = int(trees.node[state]), int(targets[trees.target[state]])
            raise ParameterError(
                f"addresses must lead from node {node} to {target} by channel {trees.channel[state]} of node {node}, not "
                f"{None if found[state] < 0 else found[state]}"
            )


def _channels(route_computation: RouteComputation, address: Array, target: Array) -> Array:
    """The results of :meth:`RouteComputation.channel` for arrays of node and target addresses; -1 where the two are equal."""
    found, low = numpy.full(address.shape, -1), 0
    for dimension in route_computation.dimensions:
        mask = (1 << dimension.bits) - 1
        here, there = address >> low & mask, target >> low & mask
        found = numpy.where(
            (found < 0) & (here != there), numpy.where(there > here, dimension.up, dimension.down), found
        )
        low += dimension.bits
    return found
