"""Meshes and tori with a width for each dimension: links, measures, routes and patterns, against networkx's products."""

import functools
import itertools
import random

import networkx
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.cost import price
from fatcube.noc.fabric import Fabric
from fatcube.noc.measures import measure
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing import default_routing
from fatcube.noc.topologies import make_topology, topology_from_json
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.noc.topology_check import check_links
from fatcube.noc.verilog import to_verilog
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.traffic.patterns import destinations_of
from tests.support.graphs import check_channels, check_distances, check_translations

WIDTHS = [(2,), (2, 2), (2, 3), (3, 2), (4, 2), (2, 5), (5, 4), (2, 2, 3), (3, 4, 2), (2, 3, 2, 2)]
KINDS = pytest.mark.parametrize("kind", [Mesh, Torus])
EACH = pytest.mark.parametrize("widths", WIDTHS, ids=str)


def product(kind, widths):
    """The product of paths, or of cycles, that of two nodes with two edges; its nodes are coordinates, the lowest first."""
    line = networkx.cycle_graph if kind is Torus else networkx.path_graph
    graph = networkx.MultiGraph()
    graph.add_node(())
    for width in widths:
        more = networkx.cartesian_product(graph, line(width, create_using=networkx.MultiGraph))
        graph = networkx.relabel_nodes(more, {node: (*node[0], node[1]) for node in more})
    return graph


def numbers(widths):
    """The number of each node by its coordinates: those of dimension 0 follow each other."""
    everybody = itertools.product(*map(range, reversed(widths)))
    return {coordinates[::-1]: number for number, coordinates in enumerate(everybody)}


def sorted_edges(graph):
    """The edges of a graph, each as often as it stands there."""
    return sorted(tuple(sorted(edge[:2])) for edge in graph.edges)


@EACH
@KINDS
def test_links(kind, widths):
    """Catches a width taken for another, a lost or doubled link, and a second link where a mesh has one."""
    topology, number = kind(w=widths), numbers(widths)
    expected = networkx.relabel_nodes(product(kind, widths), number)
    assert sorted_edges(topology.graph) == sorted_edges(expected)
    assert topology.channels == 2 * expected.number_of_edges() and price(topology, "1").links == topology.channels // 2
    assert topology.degree == max(degree for _, degree in expected.degree())
    assert topology.complete == (len({degree for _, degree in expected.degree()}) == 1)
    for coordinates, node in number.items():
        assert tuple(topology.coordinate(node, dimension) for dimension in range(topology.dimensions)) == coordinates
    assert not topology.directed
    check_links(topology, directed=False)
    check_distances(topology)
    if kind is Torus:
        check_channels(topology)
        check_translations(topology)
        assert len(topology.translations) == topology.nodes


@pytest.mark.parametrize("widths", [(2, 3), (3, 2), (4, 2), (2, 5), (4, 3), (2, 2, 3)], ids=str)
@KINDS
def test_measures(kind, widths):
    """The diameter by networkx, and the bisection by every division into halves."""
    graph, found = product(kind, widths), measure(kind(w=widths))
    hops = dict(networkx.all_pairs_shortest_path_length(graph))
    assert found.diameter == networkx.diameter(graph)
    assert found.average_distance * (found.nodes - 1) * found.nodes == sum(sum(row.values()) for row in hops.values())
    halves = map(set, itertools.combinations(graph, found.nodes // 2))
    cuts = (sum((u in half) != (v in half) for u, v, _ in graph.edges) for half in halves)
    assert found.bisection.exact and found.bisection.width == min(cuts)
    assert found.connectivity == networkx.node_connectivity(networkx.Graph(graph))


def test_two_rings_side_by_side():
    """A torus of 4 x 2 as it stands in files of others: two rings of four, with two links between opposite nodes."""
    around = [(node, node // 4 * 4 + (node + 1) % 4) for node in range(8)]
    beside = [(node, node + 4) for node in range(4)]
    names = tuple(f"r{node}" for node in range(8))
    graph = Graph(names, (1,) * 8, (*around, *beside, *beside), False)
    alike = functools.partial(networkx.is_isomorphic, edge_match=lambda one, other: len(one) == len(other))
    assert alike(Torus(w=(4, 2)).graph, graph.graph) and alike(Torus(w=(2, 4)).graph, graph.graph)
    assert sorted_edges(Torus(w=(4, 2)).graph) == sorted_edges(graph.graph)
    assert not alike(Mesh(w=(4, 2)).graph, graph.graph)
    assert measure(Torus(w=(2, 4))).bisection.width == measure(graph).bisection.width == 4


def test_channels_by_hand():
    """On 3 x 2 nodes, dimension by dimension, minus then plus; a mesh has one channel where it has two nodes."""
    mesh, torus = Mesh(w=(3, 2)), Torus(w=(3, 2))
    assert [mesh.neighbour(1, channel) for channel in range(mesh.degree)] == [(0, 1), (2, 0), (4, 2)]
    assert [mesh.neighbour(5, channel) for channel in range(mesh.degree)] == [(4, 1), None, (2, 2)]
    assert [torus.neighbour(5, channel) for channel in range(torus.degree)] == [(4, 1), (3, 0), (2, 3), (2, 2)]
    assert [Mesh(w=(2, 3)).neighbour(3, channel) for channel in range(3)] == [(2, 0), (1, 2), (5, 1)]
    assert torus.channels_between(5, 2) == (2, 3) and [torus.other_end(5, 2, lane) for lane in range(2)] == [1, 0]


@EACH
def test_links_around(widths):
    """The wrapping links between the two ends of a line, in both directions; none of a mesh."""
    torus, mesh, number = Torus(w=widths), Mesh(w=widths), numbers(widths)
    around = {
        (node, 2 * dimension + up)
        for coordinates, node in number.items()
        for dimension, width in enumerate(widths)
        for up, end in enumerate((0, width - 1))
        if coordinates[dimension] == end
    }
    ends = [(node, channel) for node in range(torus.nodes) for channel in range(torus.degree)]
    assert {end for end in ends if torus.wraps(*end)} == around
    assert not any(mesh.wraps(node, channel) for node in range(mesh.nodes) for channel, _, _ in mesh.ends(node))


@pytest.mark.parametrize("kind", ["mesh", "torus"])
def test_equal_widths_are_one(kind):
    """Equal values, so equal names, files, keys and digests."""
    equal = make_topology(kind, w="4,4", m=2)
    assert equal == make_topology(kind, w="4", d=2, m=2) == make_topology(kind, w="4,4", d=2, m=2)
    assert str(equal) == f"{kind}(w=4, d=2, m=2, f=1)" and hash(equal) == hash(make_topology(kind, w=4, d=2, m=2))
    assert equal.to_json() == {"type": kind, "w": 4, "d": 2, "m": 2, "f": 1}
    assert topology_from_json({"type": kind, "w": [4, 4], "d": 2, "m": 2}) == equal
    unequal = make_topology(kind, w="4,3,2", f=2)
    assert unequal == type(unequal)(w=[4, 3, 2], f=2) == topology_from_json(unequal.to_json())
    assert str(unequal) == f"{kind}(w=(4, 3, 2), d=3, m=1, f=2)"
    assert unequal != make_topology(kind, w="2,3,4", f=2)


@EACH
@KINDS
def test_dimension_order(kind, widths):
    """The lowest dimension first, each route as short as it can be, and no cycle of channels that wait for each other."""
    topology = kind(w=widths)
    routing = default_routing(topology)
    assert routing.classes == (2 if kind is Torus and max(widths) > 3 else 1)
    waiting = networkx.DiGraph()
    for source, target in itertools.permutations(range(topology.nodes), 2):
        node, dimensions, held = source, [], []
        for hop in routing.way(source, target):
            other, _ = topology.neighbour(node, hop.channel)
            [changed] = [
                one for one in range(len(widths)) if topology.coordinate(node, one) != topology.coordinate(other, one)
            ]
            dimensions.append(changed)
            held.append((node, hop.channel, hop.channel_class))
            node = other
        networkx.add_path(waiting, held)
        assert node == target and dimensions == sorted(dimensions)
        assert len(dimensions) == topology.distances[source][target]
    assert networkx.is_directed_acyclic_graph(waiting)


def test_routers_of_a_mesh_compute_routes():
    """They have no tables, whatever the widths, and no more bits of an address than the coordinates take."""
    network = RoutedNetwork(Mesh(w=(5, 2, 3)), RouterOptions(width=64), addressing="destination")
    assert network.route_computation is not None
    assert [dimension.bits for dimension in network.route_computation.dimensions] == [3, 1, 2]
    assert RoutedNetwork(Torus(w=(5, 2)), RouterOptions(width=64, virtual_channels=2, buffer_depth=4),
                         addressing="destination").route_computation is None  # fmt: skip


@pytest.mark.parametrize("addressing", ["route", "destination"])
@pytest.mark.parametrize("widths", [(2,), (2, 2), (3, 2)], ids=str)
@KINDS
def test_verilog(kind, widths, addressing):
    """Where routes take one of two parallel links there and the other one back, some channels are taken by none."""
    network = RoutedNetwork(kind(w=widths), RouterOptions(width=32), addressing=addressing)
    assert "\nendmodule" in to_verilog(Fabric(network).shared())


def test_patterns_by_coordinates():
    """Each coordinate by its own width: on 5 by 4 nodes, tornado goes 2 and 1 further, and neighbour 1 in both."""
    torus = Torus(w=(5, 4), m=2)
    number = numbers((5, 4))
    for (x, y), node in number.items():
        tornado, neighbour = (destinations_of(pattern, torus)[2 * node + 1] for pattern in ("tornado", "neighbour"))
        assert list(tornado) == [2 * number[(x + 2) % 5, (y + 1) % 4] + 1]
        assert list(neighbour) == [2 * number[(x + 1) % 5, (y + 1) % 4] + 1]
    assert destinations_of("bit-complement", Mesh(w=(4, 2))) == [[7 - node] for node in range(8)]


@pytest.mark.parametrize("seed", range(5))
def test_random_rectangles(seed):
    """The product is the same whatever the widths: the number of shortest paths too, which no width alone says."""
    draw = random.Random(seed)
    widths = tuple(draw.randint(2, 5) for _ in range(draw.randint(1, 3)))
    kind = draw.choice([Mesh, Torus])
    ours, expected = kind(w=widths).graph, product(kind, widths)
    number = numbers(widths)
    for source, target in itertools.product([(0,) * len(widths), draw.choice([*expected])], [*expected]):
        if source != target:
            paths = len([*networkx.all_shortest_paths(networkx.Graph(expected), source, target)])
            assert len([*networkx.all_shortest_paths(networkx.Graph(ours), number[source], number[target])]) == paths


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: Mesh(3, 3),
            "parameters of Mesh must have names, as in Mesh(w=(3, 3)) with a width for each dimension or Mesh(w=3, d=3), not "
            "Mesh(3, 3)",
        ),
        (
            lambda: Torus(4, 2, 3),
            "parameters of Torus must have names, as in Torus(w=(4, 2, 3)) with a width for each dimension or Torus(w=4, d=2, "
            "m=3), not Torus(4, 2, 3)",
        ),
        (lambda: Mesh((3, 4), 2), "parameters of Mesh must have names, as in Mesh(w=(3, 4), d=2), not Mesh((3, 4), 2)"),
        (lambda: Mesh(w=4), "Mesh d must be an integer from 1 to 8 where w is 4, not None"),
        (lambda: Mesh(w=(3, 4), d=3), "Mesh d must be 2 where w is 3,4, not 3"),
        (lambda: make_topology("mesh", w="4,4", d=3), "Mesh d must be 2 where w is 4,4, not 3"),
        (lambda: make_topology("torus", w="4,1"), "Torus w must be an integer from 2 to 65536, not 1"),
        (lambda: make_topology("mesh", w="200,400"), "Mesh nodes must be an integer from 2 to 65536, not 80000"),
        (lambda: make_topology("mesh", w="3x4"), "w must be comma-separated integers, not '3x4'"),
        (lambda: make_topology("mesh", w=",".join("2" * 17)), "Mesh w must be one number, or 1 to 16, not (2, 2, 2, "),
        (lambda: make_topology("tree", w="3,4"), "Tree w must be an integer from 2 to 65535, not (3, 4)"),
        (lambda: topology_from_json({"type": "mesh", "w": [4, 4.0], "d": 2}), "Mesh w must be an integer from 2 to "),
        (
            lambda: topology_from_json({"type": "mesh", "w": [], "d": 2}),
            "Mesh w must be one number, or 1 to 16, not ()",
        ),
        (lambda: topology_from_json({"type": "mesh", "w": [3, 4]}), "topology mesh needs the parameter d"),
    ],
)
def test_refused(make, message):
    with pytest.raises(ParameterError) as caught:
        make()
    assert str(caught.value).startswith(message)


def test_a_ring_is_a_torus_of_one_dimension():
    ring, torus = Ring(5), Torus(w=(5,))
    assert [[*ring.ends(node)] for node in range(5)] == [[*torus.ends(node)] for node in range(5)]
    assert torus == Torus(w=5, d=1)
