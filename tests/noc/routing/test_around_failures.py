"""Routing around failures: every pair that is left has a route over what works, with the turns, tables and loads that follow."""

from fractions import Fraction
import itertools

import networkx
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing import default_routing, make_routing
from fatcube.noc.routing.loads import lane_loads, load_bound
from fatcube.noc.routing.shortest_path import ShortestPath
from fatcube.noc.routing.up_down import UpDown
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topologies.grids import Mesh, Torus
from fatcube.rtl.router_options import RouterOptions
from tests.support.ways import walk

CASES = [
    damaged(Hypercube(3), ["link:0-1"]),
    damaged(Hypercube(3), ["node:0", "link:6-7:out"]),
    damaged(Mesh(w=3, d=2), ["node:4"]),
    damaged(Torus(w=3, d=2), ["processor:8", "link:0-1"]),
    damaged(CubeConnectedCycles(3), ["node:0"]),
    damaged(FatCube(2, 4, 2), ["lane:0-1:1", "lane:2-0:0:out", "processor:5", "node:3"]),
]


@pytest.mark.parametrize("topology", CASES, ids=str)
def test_headers_lead_over_what_works(topology):
    """Every header, followed output by output through the turns of the routers to its destination; none for what has failed.

    The dependencies of all lanes and classes, added up here, have no cycle.
    """
    network = RoutedNetwork(topology, RouterOptions(width=64))
    header, routers = network.router().header, {node: kind for kind, nodes in network.routers for node in nodes}
    waits = networkx.DiGraph()
    for source, target in itertools.product(range(topology.processors), repeat=2):
        routes = network.routes(source, target)
        if not (topology.works(source) and topology.works(target)):
            assert routes == []
            continue
        [route] = routes
        node, into, before = (
            topology.node_of(source),
            routers[0 if 0 in routers else 1].processor_port(topology.local_of(source), 0),
            None,
        )
        while True:
            selector = route & (1 << header.selector_bits) - 1
            route >>= header.selector_bits
            output, channel_class = selector, 0
            if header.class_bits:
                output, channel_class = (
                    selector & (1 << header.selector_bits - header.class_bits) - 1,
                    selector >> header.selector_bits - header.class_bits,
                )
            assert output in routers[node].reach(into)
            if output < network.router().processor_ports:
                assert topology.processors_of(node)[output] == target
                break
            channel, lane = divmod(output - network.router().processor_ports, topology.f)
            assert lane in topology.lanes_of(node, channel)
            here = node, channel, lane, channel_class
            if before is not None:
                waits.add_edge(before, here)
            node, back = topology.neighbour(node, channel)
            into, before = network.router().lane_port(back, lane), here
    assert networkx.is_directed_acyclic_graph(waits)


@pytest.mark.parametrize("topology", CASES, ids=str)
def test_loads_of_lanes(topology):
    """The flits of every lane under uniform traffic, added up packet by packet; what has failed has none."""
    routing, loads = default_routing(topology), {}
    network = RoutedNetwork(topology, RouterOptions(width=64), routing=routing)
    for source, target in itertools.product(topology.working, repeat=2):
        way = routing.way(topology.node_of(source), topology.node_of(target))
        for node, hop in zip(walk(topology, topology.node_of(source), way), way):
            left = topology.lanes_of(node, hop.channel)
            own = source % topology.f
            lane = own if own in left else left[own % len(left)]
            key = node, hop.channel, lane
            loads[key] = loads.get(key, 0) + Fraction(1, len(topology.working))
    found = lane_loads(routing, rule=network.lanes)
    assert {tuple(lane): load for lane, load in found.items() if load} == loads
    assert load_bound(routing, rule=network.lanes) == min(1, 1 / max(loads.values()))


def test_tables():
    """Headers that carry destinations, with a check of every packet; where lanes are shared, tables cannot tell them apart."""
    for topology in CASES[:5]:
        assert RoutedNetwork(topology, RouterOptions(), addressing="destination").tables
    assert RoutedNetwork(CASES[5], RouterOptions(), addressing="destination", lanes="fixed").tables
    with pytest.raises(ParameterError, match="lanes must be fixed where headers carry destinations and single lanes"):
        RoutedNetwork(CASES[5], RouterOptions(), addressing="destination")


def test_which_routing():
    """Shortest paths, or up*/down* where these need many classes; what is for whole networks only is refused."""
    assert isinstance(default_routing(CASES[0]), ShortestPath)
    assert isinstance(default_routing(damaged(CubeConnectedCycles(5), ["link:0-1"])), UpDown)
    for name in ("dimension-order", "dateline", "a1"):
        with pytest.raises(ParameterError):
            make_routing(name, CASES[0])
    with pytest.raises(ParameterError, match="must have bidirectional links"):
        make_routing("up-down", CASES[1])
    assert UpDown(CASES[4]).classes == 1 and len(UpDown(CASES[4]).homes) == 23
