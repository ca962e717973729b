"""Disjoint paths: their number by maximum flow, their lengths on cubes, classes without cycles, and shares of the load."""

from fractions import Fraction
import itertools

import networkx
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing.disjoint import MOST_CLASSES, Disjoint
from fatcube.noc.routing.loads import lane_loads
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.rtl.router_options import RouterOptions
from tests.support.ways import walk


def _paths(routing):
    """The nodes of every path by pair."""
    return {
        pair: [walk(routing.topology, pair[0], way) for way in routing.paths(*pair)]
        for pair in itertools.permutations(routing.homes, 2)
    }


@pytest.mark.parametrize(
    "topology",
    [
        Hypercube(3),
        CubeConnectedCycles(3),
        Mesh(w=3, d=2),
        Ring(5),
        FatCube(2, 2, 2),
        damaged(Hypercube(3), ["link:0-1:out", "node:6"]),
        damaged(Torus(w=3, d=2), ["link:0-1", "link:4-5"]),
    ],
    ids=str,
)
def test_as_many_as_the_maximum_flow(topology):
    """Every path goes over links to its target, no two share a node between, no further one is possible, none is shorter.

    The fewest hops in all are those of a flow of the least cost, for some of the pairs.
    """
    routing = Disjoint(topology)
    split = networkx.DiGraph()
    for node in topology.adjacent:
        split.add_edge((node, 0), (node, 1), capacity=1, weight=0)
        for _, other, _ in topology.ends(node):
            split.add_edge((node, 1), (other, 0), capacity=1, weight=1)
    for number, ((source, target), paths) in enumerate(_paths(routing).items()):
        assert all(path[0] == source and path[-1] == target for path in paths)
        between = [node for path in paths for node in path[1:-1]]
        assert len(set(between)) == len(between)
        assert len({tuple(path) for path in paths}) == len(paths)
        if number % 3 == 0:
            assert len(paths) == networkx.maximum_flow_value(split, (source, 1), (target, 0))
        assert sorted(map(len, paths)) == [len(path) for path in paths]
        if number % 10 == 0:
            flow = networkx.max_flow_min_cost(split, (source, 1), (target, 0))
            assert sum(len(path) - 1 for path in paths) == networkx.cost_of_flow(split, flow)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_paths_of_cubes(n):
    """Between nodes h apart, h paths of h hops and n - h of h + 2 (models.md, section 8)."""
    for (source, target), paths in _paths(Disjoint(Hypercube(n))).items():
        h = (source ^ target).bit_count()
        assert [len(path) - 1 for path in paths] == [h] * h + [h + 2] * (n - h)


def test_channels_never_wait_in_a_cycle():
    """Over all paths of all pairs together, as packets take any; in one class there are cycles, which shows that classes count."""
    for topology in (Hypercube(3), Torus(w=4, d=2), damaged(CubeConnectedCycles(3), ["node:0"])):
        routing = Disjoint(topology)
        for classes, acyclic in ((routing.classes, True), (1, False)):
            graph = networkx.DiGraph()
            for source, _, way in routing.ways():
                nodes = walk(topology, source, way)
                hops = [(node, hop.channel, min(hop.channel_class, classes - 1)) for node, hop in zip(nodes, way)]
                graph.add_edges_from(zip(hops, hops[1:]))
            assert networkx.is_directed_acyclic_graph(graph) == acyclic
        network = RoutedNetwork(topology, RouterOptions(width=64), routing=routing)
        assert network.options.virtual_channels == routing.classes and not network.keeps_order
        first, second = routing.homes[0], routing.homes[-1]
        assert len(network.routes(first, second)) == len(routing.paths(first, second))


@pytest.mark.parametrize("topology", [Mesh(w=3, d=2), damaged(Mesh(w=3, d=2), ["link:1-4"])], ids=str)
def test_the_fewest_classes_of_several_orders(topology):
    """Two, though the first order needs more, and in one case the last one, too.

    One is not enough in any order: a path through the last node of the order goes down and then up.
    """
    ways = [way for _, _, way in Disjoint(topology).ways()]
    assert {hop.channel_class for way in ways for hop in way} == {0, 1}
    assert Disjoint(topology).classes == 2


def test_every_path_has_its_share():
    """The loads of all channels, added up path by path."""
    for topology in (Hypercube(3), damaged(Mesh(w=3, d=2), ["link:0-1"])):
        routing = Disjoint(topology)
        loads = dict.fromkeys(lane_loads(routing), Fraction(0))
        for source, target in itertools.permutations(routing.homes, 2):
            paths = routing.paths(source, target)
            for number in range(routing.most):
                way = paths[number % len(paths)]
                for node, hop in zip(walk(topology, source, way), way):
                    loads[node, hop.channel, 0] += Fraction(1, topology.processors * routing.most)
        assert lane_loads(routing) == loads


def test_refused():
    """Too many nodes or classes, and headers that carry destinations."""
    with pytest.raises(ParameterError, match="nodes must be at most 128 for disjoint routing on .*, not 256"):
        Disjoint(Hypercube(8))
    with pytest.raises(ParameterError, match="a header has 30 bits of route"):
        RoutedNetwork(Torus(w=4, d=2), RouterOptions(width=16), routing=Disjoint(Torus(w=4, d=2)))
    with pytest.raises(ParameterError, match="addressing must be route with several routes for each pair"):
        RoutedNetwork(Hypercube(3), RouterOptions(), routing=Disjoint(Hypercube(3)), addressing="destination")


def test_too_many_classes(monkeypatch):
    monkeypatch.setattr("fatcube.noc.routing.disjoint.MOST_CLASSES", 2)
    with pytest.raises(ParameterError, match="must need at most 2 classes of virtual channels, not 3 as the hypercube"):
        Disjoint(Hypercube(3))
    assert MOST_CLASSES == 8
