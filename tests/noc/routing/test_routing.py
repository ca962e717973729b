"""Properties of every routing: routes that reach their targets, with the stated lengths, and refusals of the base."""

import itertools
import pickle

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.routing import default_routing, make_routing
from fatcube.noc.routing.a1 import A1
from fatcube.noc.routing.dateline import Dateline
from fatcube.noc.routing.dimension_order import DimensionOrder
from fatcube.noc.routing.routing import Hop, Routing, routings
from fatcube.noc.routing.shortest_path import ShortestPath
from fatcube.noc.routing.up_down import UpDown
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.noc.topologies.star import Star
from tests.support.grids import Grid
from tests.support.networks import KITE, TREE
from tests.support.ways import EVERY, NAMES, TOPOLOGIES, all_routings, hops_between, made, walk


@pytest.mark.parametrize(
    "topology",
    [*TOPOLOGIES, *(pytest.param(one, marks=pytest.mark.grid) for one in EVERY if one not in TOPOLOGIES)],
    ids=str,
)
def test_ways(topology):
    """Catches a hop over an absent channel, a route that ends elsewhere or is too long, and a class out of range."""
    hops = hops_between(topology)
    for routing in all_routings([topology]):
        pairs = set()
        for source, target, way in routing.ways():
            assert walk(topology, source, way)[-1] == target
            assert all(0 <= hop.channel_class < routing.classes for hop in way)
            assert len(way) >= hops[source][target]
            if not isinstance(routing, UpDown):
                assert len(way) == hops[source][target]
            pairs.add((source, target))
        homes = [node for node in range(topology.nodes) if len(topology.processors_of(node))]
        assert pairs == set(itertools.permutations(homes, 2))


def test_next_hop_follows_from_input_class_and_destination():
    """The channel and the class of arrival and the target determine the next hop, as lookup tables require."""
    for routing in all_routings():
        following = {}
        for source, target, way in routing.ways():
            arrival = None
            for node, hop in zip(walk(routing.topology, source, way), way):
                assert following.setdefault((node, arrival, target), hop) == hop
                arrival = (routing.topology.neighbour(node, hop.channel)[1], hop.channel_class)


def test_hops_counted_here_are_the_distances_of_topologies():
    for topology in (Hypercube(3), CubeConnectedCycles(3), DenseGHC(3, 2), SparseGHC(3, 2)):
        assert hops_between(topology) == [list(topology.distances[node]) for node in range(topology.nodes)]


def test_number_of_classes():
    """Catches a routing with more classes than its routes use, where a formula gives their number."""
    for routing in all_routings():
        if not isinstance(routing, (ShortestPath, UpDown)):
            taken = {hop.channel_class for _, _, way in routing.ways() for hop in way}
            assert taken == set(range(routing.classes)), routing


def test_all_are_known_by_name():
    assert set(routings()) == {*NAMES, "disjoint", "table"}
    for name in NAMES:
        topology = CubeConnectedCycles(2) if name == A1.name else Hypercube(2)
        routing = make_routing(name, topology)
        assert routing.name == name and str(routing) == f"{name} routing on the {topology.name}"


@pytest.mark.parametrize(
    ("topology", "default"),
    [
        (Hypercube(4), DimensionOrder),
        (FatCube(2, 2, 2), DimensionOrder),
        (DenseGHC(4, 2), DimensionOrder),
        (SparseGHC(2, 3), DimensionOrder),
        (SparseGHC(3, 1), Dateline),
        (SparseGHC(4, 2), Dateline),
        (Mesh(w=4, d=2), DimensionOrder),
        (Torus(w=3, d=2), DimensionOrder),
        (Torus(w=4, d=2), Dateline),
        (Ring(5), Dateline),
        (Star(4), ShortestPath),
        (Grid((3, 4)), DimensionOrder),
        (Grid((3, 3), rings=True), DimensionOrder),
        (Grid((3, 4), rings=True), Dateline),
        (CubeConnectedCycles(3), ShortestPath),
        (CubeConnectedCycles(4), ShortestPath),
        (CubeConnectedCycles(5), UpDown),
        (TREE, ShortestPath),
        (KITE, ShortestPath),
    ],
    ids=str,
)
def test_default(topology, default):
    assert type(default_routing(topology)) is default


def test_default_of_large_topologies():
    """The default routing of 65,536 nodes is made without enumerating routes."""
    assert default_routing(Hypercube(16)).classes == 1
    assert default_routing(SparseGHC(2, 16)).classes == 1
    routing = default_routing(SparseGHC(65536, 1))
    assert routing.classes == 2 and len(routing.way(1, 0)) == 65535
    assert default_routing(Hypercube(16)).way(0, 5) == (Hop(0), Hop(2))


def test_way_to_itself():
    assert DimensionOrder(Hypercube(2)).way(1, 1) == ()


def test_processors_of_nodes():
    assert [list(TREE.processors_of(node)) for node in range(7)] == [[], [], [], [0], [1], [2], [3, 4]]
    assert FatCube(16, 1 << 30).processors_of(65535) == range(65535 << 30, 65536 << 30)


def test_what_another_process_is_sent():
    """Catches a pickle with all routes in it."""
    routing = ShortestPath(Hypercube(6))
    assert len(list(routing.ways())) == 4032
    assert len(pickle.dumps(routing)) < 500
    assert pickle.loads(pickle.dumps(routing)) == routing


def test_channels():
    routing = ShortestPath(CubeConnectedCycles(4))
    for enough in (3, 4, 100):
        routing.check_channels(enough)
    for few in (2, 1, 0, "3", True):
        with pytest.raises(ParameterError) as caught:
            routing.check_channels(few)
        assert str(caught.value) == (
            "virtual channels must be an integer of at least 3 for shortest-path routing on the CCC of order 4, "
            f"not {few!r}"
        )


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: make_routing("xy", Hypercube(2)), "routing must be one of "),
        (lambda: make_routing("table", Hypercube(2)), "routing table must be read from a file"),
        (lambda: UpDown(3), "topology must be a Topology, not 3"),
        (lambda: DimensionOrder(Hypercube(2)).way(4, 0), "source node must be an integer from 0 to 3, not 4"),
        (lambda: DimensionOrder(Hypercube(2)).way(0, -1), "target node must be an integer from 0 to 3, not -1"),
        (
            lambda: DimensionOrder(CubeConnectedCycles(3)),
            "topology of dimension-order routing must be one whose nodes have coordinates, not the CCC of order 3",
        ),
        (
            lambda: Dateline(KITE),
            "topology of dateline routing must be one whose nodes have coordinates, not the graph of ",
        ),
        (
            lambda: UpDown(SparseGHC(3, 1)),
            "topology of up-down routing must have bidirectional links, not the sparse GHC of 3 nodes",
        ),
        (
            lambda: make_routing("a1", Hypercube(3)),
            "topology of a1 routing must be cube-connected cycles (ccc), not the hypercube of 8 nodes",
        ),
        (
            lambda: A1(CubeConnectedCycles(9)),
            "nodes must be at most 4,096 for a1 routing on the CCC of order 9, not 4,608",
        ),
        (
            lambda: ShortestPath(CubeConnectedCycles(9)),
            "nodes must be at most 4,096 for shortest-path routing on the CCC of order 9, not 4,608",
        ),
        (
            lambda: UpDown(CubeConnectedCycles(9)),
            "nodes must be at most 4,096 for up-down routing on the CCC of order 9, not 4,608",
        ),
        (
            lambda: ShortestPath(SparseGHC(23, 2)),
            "nodes must be at most 512 for shortest-path routing on the 23 × 23 sparse GHC, not 529",
        ),
        (
            lambda: list(DimensionOrder(Hypercube(13)).ways()),
            "nodes must be at most 4,096 to follow all routes of dimension-order routing on the hypercube of 8,192 nodes, not 8,192",
        ),
        (
            lambda: DimensionOrder(DenseGHC(65536, 1)),
            "channels of all nodes must be at most 1,100,000 for dimension-order routing on the "
            "dense GHC of 65,536 nodes, not 4,294,901,760",
        ),
        (lambda: ShortestPath(Hypercube(2), 0), "least classes must be an integer from 1 to 64, not 0"),
    ],
)
def test_refusals(made, message):
    with pytest.raises(ParameterError) as caught:
        made()
    assert str(caught.value).startswith(message) and "\n" not in str(caught.value)


def test_base_has_no_ways():
    with pytest.raises(TypeError):
        Routing(Hypercube(2))  # pyright: ignore[reportAbstractUsage]


def test_each_is_made_once_for_all_tests():
    assert made("up-down", KITE) is made("up-down", KITE) and made("dateline", KITE) is None
