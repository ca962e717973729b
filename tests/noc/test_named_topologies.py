"""Mesh, torus, ring, star and tree: their links against networkx's own generators, and their measures."""

import networkx
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.cost import price
from fatcube.noc.measures import measure
from fatcube.noc.topologies import make_topology, topology_from_json
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.noc.topologies.star import Star
from fatcube.noc.topologies.tree import Tree
from tests.support.graphs import check_distances, check_translations


def numbered(graph, w):
    """The edges of a grid of networkx, its coordinates as the digits of a number to the base w."""

    def number(node):
        digits = node if isinstance(node, tuple) else (node,)
        return sum(digit * w**place for place, digit in enumerate(digits))

    return {frozenset(map(number, edge)) for edge in graph.edges()}


def plain(graph):
    return set(map(frozenset, graph.edges()))


EXAMPLES = [
    (Mesh(w=2, d=1), numbered(networkx.grid_graph([2]), 2)),
    (Mesh(w=2, d=3), numbered(networkx.grid_graph([2] * 3), 2)),
    (Mesh(w=5, d=1), numbered(networkx.grid_graph([5]), 5)),
    (Mesh(w=4, d=2), numbered(networkx.grid_graph([4] * 2), 4)),
    (Mesh(w=3, d=3), numbered(networkx.grid_graph([3] * 3), 3)),
    (Torus(w=3, d=1), numbered(networkx.grid_graph([3], periodic=True), 3)),
    (Torus(w=4, d=2), numbered(networkx.grid_graph([4] * 2, periodic=True), 4)),
    (Torus(w=3, d=3), numbered(networkx.grid_graph([3] * 3, periodic=True), 3)),
    (Ring(3), plain(networkx.cycle_graph(3))),
    (Ring(8), plain(networkx.cycle_graph(8))),
    (Star(2), plain(networkx.star_graph(2))),
    (Star(7), plain(networkx.star_graph(7))),
    (Tree(2, 1), plain(networkx.balanced_tree(2, 1))),
    (Tree(2, 4), plain(networkx.balanced_tree(2, 4))),
    (Tree(3, 2), plain(networkx.balanced_tree(3, 2))),
]


@pytest.mark.parametrize(("topology", "edges"), EXAMPLES, ids=lambda value: str(value) if len(str(value)) < 40 else "")
def test_links(topology, edges):
    """Catches a link too many or too few, a node that is mistaken for another, and a channel that does not exist."""
    assert {frozenset(edge) for edge in topology.graph.edges()} == edges
    assert topology.graph.number_of_edges() == len(edges) == topology.channels // 2
    assert topology.degree == max(degree for _, degree in topology.graph.degree())
    assert topology.complete == (len({degree for _, degree in topology.graph.degree()}) == 1)
    assert price(topology, "1").links == len(edges)
    check_distances(topology)
    assert topology_from_json(topology.to_json()) == topology


@pytest.mark.parametrize("topology", [Torus(w=3, d=1), Torus(w=4, d=2), Torus(w=3, d=3), Ring(3), Ring(8)], ids=str)
def test_translations(topology):
    check_translations(topology)
    assert len(topology.translations) == topology.nodes and topology.bases == (0,)


def test_channels_of_a_mesh():
    """By hand, on a mesh of 3 x 3: dimension by dimension, minus then plus, and none beyond an edge."""
    ends = {node: [Mesh(w=3, d=2).neighbour(node, channel) for channel in range(4)] for node in (0, 4, 5)}
    assert ends == {
        0: [None, (1, 0), None, (3, 2)],
        4: [(3, 1), (5, 0), (1, 3), (7, 2)],
        5: [(4, 1), None, (2, 3), (8, 2)],
    }
    assert [Torus(w=3, d=2).neighbour(0, channel) for channel in range(4)] == [(2, 1), (1, 0), (6, 3), (3, 2)]


def test_corrections_by_hand():
    """From (0, 0), (2, 0) and (2, 1) of a mesh of 3 x 3, minus then plus; of two nodes a dimension has a single channel."""
    ends = [(0, 2, 0), (0, 6, 1), (2, 0, 0), (5, 2, 1), (5, 8, 1), (2, 5, 0)]
    assert [Mesh(w=3, d=2).correction(*one) for one in ends] == [1, 3, 0, 2, 3, None]
    assert [Mesh(w=2, d=2).correction(0, 3, dimension) for dimension in range(2)] == [0, 1]
    # In a ring of four plus is as near as minus, over two links.
    assert [Torus(w=4, d=1).correction(0, target, 0) for target in range(4)] == [None, 1, 1, 0]


def test_links_around_by_hand():
    """Of a ring of four those from the last node to the first, and back."""
    around = {(node, channel) for node in range(4) for channel in range(2) if Torus(w=4, d=1).wraps(node, channel)}
    assert around == {(3, 1), (0, 0)}
    assert not any(Mesh(w=4, d=1).wraps(node, channel) for node in range(4) for channel in range(2))


def test_channels_of_a_tree():
    """By hand: of the root to its children, of others first to the parent."""
    ends = {node: [Tree(2, 2).neighbour(node, channel) for channel in range(3)] for node in (0, 2, 6)}
    assert ends == {0: [(1, 0), (2, 0), None], 2: [(0, 1), (5, 0), (6, 0)], 6: [(2, 2), None, None]}


def test_measures():
    """Textbook values: an 8 x 8 mesh and torus, a ring of 16, a tree of 15 nodes."""
    found = {
        topology: measure(topology, effort=0) for topology in (Mesh(w=8, d=2), Torus(w=8, d=2), Ring(16), Tree(2, 3))
    }
    values = [(one.links, one.diameter, one.bisection.width, one.connectivity) for one in found.values()]
    assert values[:3] == [(112, 14, 8, 2), (128, 8, 16, 4), (16, 8, 2, 2)]
    assert values[3][:2] == (14, 6) and values[3][3] == 1


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"topology": "mesh", "w": 1}, "Mesh w must be an integer from 2 to 65536, not 1"),
        ({"topology": "torus", "w": 1}, "Torus w must be an integer from 2 to 65536, not 1"),
        ({"topology": "torus", "w": 4, "d": 9}, "Torus d must be an integer from 1 to 8 where w is 4, not 9"),
        ({"topology": "ring", "n": 2}, "Ring n must be an integer from 3 to 65536, not 2"),
        ({"topology": "ring"}, "topology ring needs the parameter n (-n)"),
        ({"topology": "star", "n": 1}, "Star n must be an integer from 2 to 65535, not 1"),
        ({"topology": "tree", "w": 2, "d": 16}, "Tree d must be an integer from 1 to 15 where w is 2, not 16"),
        (
            {"topology": "ccc", "n": 4, "k": 3},
            "CubeConnectedCycles k must be an integer from 4 to 4096 where n is 4, not 3",
        ),
        ({"topology": "graph"}, "topology must be one of "),
    ],
)
def test_refused(parameters, message):
    with pytest.raises(ParameterError) as caught:
        make_topology(**parameters)
    assert str(caught.value).startswith(message)
