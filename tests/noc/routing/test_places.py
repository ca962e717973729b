"""Destinations without tables: where routers can find the way by themselves, and that they find the routing's."""

import pytest

from groundwork.validation import ParameterError
from noc.routed_network import RoutedNetwork
from noc.routing import default_routing, make_routing
from noc.routing.lanes import LaneRule
from noc.routing.places import check_places, compass_of, places_of
from noc.topologies.cubes import FatCube, Hypercube
from noc.topologies.generalized import DenseGHC, SparseGHC
from noc.topologies.grids import Mesh, Ring, Torus
from rtl.compass import Dimension
from rtl.router_options import RouterOptions
from tests.support.networks import IRREGULAR


@pytest.mark.parametrize("topology", [Hypercube(4), FatCube(3, 2), Mesh(3, 3), Mesh(5, 2), Mesh(2, 3)], ids=str)
def test_every_way_is_found(topology):
    routing = default_routing(topology)
    compass = compass_of(routing, topology.m, LaneRule.BY_SOURCE)
    places = places_of(routing, compass)
    assert len(set(places)) == topology.nodes
    check_places(routing, compass, places)
    for wrong in ([places[1], places[0], *places[2:]], [place ^ 1 for place in places[:1]] + places[1:]):
        with pytest.raises(ParameterError, match="^places must lead from node [0-9]+ to [0-9]+ by channel .* of node"):
            check_places(routing, compass, wrong)


@pytest.mark.parametrize(
    "topology", [DenseGHC(3, 2), SparseGHC(4, 1), Ring(5), Torus(3, 2), IRREGULAR], ids=lambda topology: topology.kind
)
def test_where_there_must_be_tables(topology):
    assert compass_of(default_routing(topology), topology.m, LaneRule.FIXED) is None


def test_other_ways_than_dimension_order():
    assert compass_of(make_routing("up-down", Hypercube(3)), 1, LaneRule.FIXED) is None


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
    assert (compass_of(default_routing(FatCube(2, m, f)), m, rule) is not None) == found


def test_a_network_by_hand():
    """A mesh of 3 x 3, two ports a processor: the port in bit 0, two bits of a coordinate, two bits of the other."""
    network = RoutedNetwork(
        Mesh(3, 2), RouterOptions(virtual_channels=2, buffer_depth=3), addressing="destination", message_classes=2
    )
    assert network.compass.dimensions == (Dimension(2, 0, 1), Dimension(2, 2, 3))
    assert network.tables[7] == 0b10_01
    assert network.routes(1, 15) == [0b10_01_1]
    assert network.routes(0, 15) == []  # of the other message class


def test_more_destinations_than_tables_take():
    network = RoutedNetwork(Hypercube(8), RouterOptions(width=32), addressing="destination")
    assert network.router().header.route_bits == 8
