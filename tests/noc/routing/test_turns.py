"""Turns against those of all packets, one by one, and the groups of nodes that share a module."""

import itertools

import pytest

from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing import default_routing
from fatcube.noc.routing.dimension_order import DimensionOrder
from fatcube.noc.routing.lanes import LaneRule, processor_ways
from fatcube.noc.routing.turns import class_turns, group, of_messages, without_classes
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.grids import Torus
from fatcube.noc.topologies.star import Star
from fatcube.rtl.router_options import RouterOptions
from fatcube.rtl.router_parameters import RouterParameters
from tests.support.grids import Grid
from tests.support.networks import TREE


def router_of(topology, ports="1"):
    return Network(topology, RouterOptions(ports=ports, width=512)).router()


def by_packet(routing, router, rule, to_itself):
    """The turns of each node with their classes, packet by packet: every pair of processors, every port, every lane."""
    topology, found = routing.topology, [set() for _ in range(routing.topology.nodes)]
    home = [topology.node_of(processor) for processor in range(topology.processors)]
    local = [processor - home.index(node) for processor, node in enumerate(home)]
    for source, target in itertools.product(range(topology.processors), repeat=2):
        if source == target and not to_itself:
            continue
        for way in processor_ways(routing, source, target, rule):
            for sent, received in itertools.product(range(router.ports), repeat=2):
                node, entry = home[source], (router.processor_port(local[source], sent), 0)
                for hop in way:
                    found[node].add((*entry, router.lane_port(hop.channel, hop.lane), hop.channel_class))
                    node, back = topology.neighbour(node, hop.channel)
                    entry = router.lane_port(back, hop.lane), hop.channel_class
                found[node].add((*entry, router.processor_port(local[target], received), 0))
    return found


def turns(*args, **options):
    """The turns of each node, whatever their classes."""
    return [without_classes(some) for some in class_turns(*args, **options)]


def plain(found):
    return [{(number, output) for number, _, output, _ in some} for some in found]


@pytest.mark.parametrize("to_itself", [False, True])
@pytest.mark.parametrize("rule", LaneRule)
@pytest.mark.parametrize(
    ("topology", "ports"),
    [
        (FatCube(2, 2, 2), "1"),
        (FatCube(2, 3, 2), "d"),
        (FatCube(2, 2), "*"),
        (CubeConnectedCycles(3), "1"),
        (SparseGHC(3, 2, 2, 2), "1"),
        (DenseGHC(3, 2, 1, 3), "1"),
        (Torus(w=5, d=2), "1"),
    ],
    ids=str,
)
def test_against_every_packet(topology, ports, rule, to_itself):
    routing, router = default_routing(topology), router_of(topology, ports)
    found = by_packet(routing, router, rule, to_itself)
    assert class_turns(routing, router, rule, to_itself=to_itself) == found
    assert turns(routing, router, rule, to_itself=to_itself) == plain(found)


@pytest.mark.parametrize("topology", [TREE, Grid((3, 4), m=2)], ids=str)
def test_nodes_of_different_degree(topology):
    """Absent processors and channels have no turns; a switch without processors has turns between lanes only."""
    most = 2
    router = RouterParameters(
        processors=most, channels=topology.degree, options=RouterOptions(width=512, hops=8), message_bits=1
    )
    routing = default_routing(topology)
    found = turns(routing, router)
    assert found == plain(by_packet(routing, router, LaneRule.FIXED, True))
    if topology is TREE:
        # Through the root to the other half: from each child to the other. No route ends at a switch.
        assert found[0] == {(2, 3), (3, 2)}
        # A leaf with one processor: to itself, out, in.
        assert found[3] == {(0, 0), (0, 2), (2, 0)}


def test_turns_of_a_hypercube():
    """Lanes turn to lanes of higher dimensions only, and to the processor, which turns to itself and to all lanes."""
    d = 4
    for found in turns(DimensionOrder(Hypercube(d)), router_of(Hypercube(d))):
        assert {turn for turn in found if 0 not in turn} == set(itertools.combinations(range(1, d + 1), 2))
        assert {turn for turn in found if 0 in turn} == {(0, 0), *((0, i) for i in range(1, d + 1))} | {
            (i, 0) for i in range(1, d + 1)
        }


@pytest.mark.parametrize(
    ("topology", "kinds"),
    [(Star(5), 2), (Grid((5,), m=2), 2), (TREE, 4), (Grid((3, 3)), 1), (FatCube(2, 2, 2), 1)],
    ids=str,
)
def test_the_router_of_a_node_has_what_is_taken_there(topology, kinds):
    """A router has no turn between lanes that its group does not take; with more than four kinds, all are alike."""
    network = RoutedNetwork(topology, RouterOptions(width=64))
    taken = plain(by_packet(network.ways, network.router(), network.lanes, True))
    assert len(network.routers) == kinds
    assert sorted(node for _, nodes in network.routers for node in nodes) == list(range(topology.nodes))
    for router, nodes in network.routers:
        built = {(i, o) for i in range(router.crossbar_ports) for o in router.reach(i)}
        together = set().union(*(taken[node] for node in nodes))
        assert together <= built
        lanes = range(router.processor_ports, router.crossbar_ports)
        assert {(i, o) for i, o in built if i in lanes and o in lanes} == {
            (i, o) for i, o in together if i in lanes and o in lanes
        }
    [(router, nodes)] = RoutedNetwork(topology, RouterOptions(width=64, turns="all")).routers
    assert (router.turns, len(nodes)) == (None, topology.nodes)


def test_groups():
    """All routers of a cube are alike. The nodes of a mesh of one dimension are of three kinds, of two of nine."""
    cube = group(turns(DimensionOrder(FatCube(3, 2, 2)), router_of(FatCube(3, 2, 2))))
    assert [one.nodes for one in cube] == [tuple(range(8))]

    def groups(sides, most=4):
        topology = Grid(sides)
        router = RouterParameters(processors=1, channels=topology.degree, options=RouterOptions(width=64, hops=8))
        found = turns(DimensionOrder(topology), router)
        return found, group(found, most)

    found, line = groups((5,))
    assert [one.nodes for one in line] == [(0,), (1, 2, 3), (4,)]
    assert [one.turns for one in line] == [found[0], found[1], found[4]]
    found, mesh = groups((3, 3))
    assert [one.nodes for one in mesh] == [tuple(range(9))] and mesh[0].turns == frozenset().union(*found)
    found, mesh = groups((3, 3), 9)
    assert len(mesh) == 9 and [one.turns for one in mesh] == found


def test_turns_of_message_classes_by_hand():
    """A processor with a port for each of two classes of messages, and two lanes, whose four channels are two for each."""
    router = RouterParameters(processors=1, channels=2, message_classes=2, options=RouterOptions(width=64))
    found = of_messages(frozenset({(0, 0, 2, 1), (2, 1, 3, 0), (3, 1, 1, 0)}), router, 2)
    assert found == {(0, 0, 2, 1), (2, 1, 3, 0), (2, 3, 3, 2), (3, 3, 1, 0)}
