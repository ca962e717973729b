"""Destinations without tables: where routers can compute routes, and that these are the routing's."""

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing import default_routing, make_routing
from fatcube.noc.routing.computation import addresses_of, check_addresses, route_computation_of
from fatcube.noc.routing.lanes import LaneRule
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.rtl.route_computation import Dimension
from fatcube.rtl.router_options import RouterOptions
from tests.support.networks import IRREGULAR


@pytest.mark.parametrize(
    "topology",
    [Hypercube(4), FatCube(3, 2), Mesh(w=3, d=3), Mesh(w=5, d=2), Mesh(w=2, d=3), Mesh(w=(5, 2, 3)), Mesh(w=(2, 7))],
    ids=str,
)
def test_every_way_is_found(topology):
    routing = default_routing(topology)
    route_computation = route_computation_of(routing, topology.m, LaneRule.BY_SOURCE)
    addresses = addresses_of(routing, route_computation)
    assert len(set(addresses)) == topology.nodes
    check_addresses(routing, route_computation, addresses)
    for wrong in (
        [addresses[1], addresses[0], *addresses[2:]],
        [address ^ 1 for address in addresses[:1]] + addresses[1:],
    ):
        with pytest.raises(
            ParameterError, match="^addresses must lead from node [0-9]+ to [0-9]+ by channel .* of node"
        ):
            check_addresses(routing, route_computation, wrong)


@pytest.mark.parametrize(
    "topology",
    [DenseGHC(3, 2), SparseGHC(4, 1), Ring(5), Torus(w=3, d=2), Torus(w=(2, 4)), Torus(w=2, d=2), IRREGULAR],
    ids=lambda topology: topology.kind,
)
def test_where_there_must_be_tables(topology):
    assert route_computation_of(default_routing(topology), topology.m, LaneRule.FIXED) is None


def test_other_ways_than_dimension_order():
    assert route_computation_of(make_routing("up-down", Hypercube(3)), 1, LaneRule.FIXED) is None


@pytest.mark.parametrize(
    ("m", "f", "rule", "found"),
    [
        (2, 2, LaneRule.BY_SOURCE, True),
        (3, 2, LaneRule.BY_SOURCE, False),
        (3, 2, LaneRule.FIXED, True),
        (2, 2, LaneRule.IN_TURN, False),
        (3, 1, LaneRule.IN_TURN, True),
    ],
)
def test_lanes_follow_from_the_number_on_the_node(m, f, rule, found):
    assert (route_computation_of(default_routing(FatCube(2, m, f)), m, rule) is not None) == found


def test_a_network_by_hand():
    """A mesh of 3 x 3, two ports a processor: the port in bit 0, two bits of a coordinate, two bits of the other."""
    network = RoutedNetwork(
        Mesh(w=3, d=2), RouterOptions(virtual_channels=2, buffer_depth=3), addressing="destination", message_classes=2
    )
    assert network.route_computation.dimensions == (Dimension(2, 0, 1), Dimension(2, 2, 3))
    assert network.tables[7] == 0b10_01
    assert network.routes(1, 15) == [0b10_01_1]
    assert network.routes(0, 15) == []  # of the other message class


def test_more_destinations_than_tables_take():
    network = RoutedNetwork(Hypercube(8), RouterOptions(width=32), addressing="destination")
    assert network.router().header.route_bits == 8
