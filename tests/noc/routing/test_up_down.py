"""Up*/down*: on random graphs, against a search of all legal routes that knows only the order of the nodes."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st
import networkx

from fatcube.noc.routing.dependencies import deadlock
from fatcube.noc.routing.shortest_path import ShortestPath
from fatcube.noc.routing.up_down import UpDown
from fatcube.noc.topologies.cubes import Hypercube
from tests.support.grids import Grid
from tests.support.networks import TREE, drawn
from tests.support.ways import hops_between, walk


@st.composite
def graphs(draw):
    """Connected graphs of 2 to 10 nodes, with parallel links, and some nodes without processors."""
    nodes = draw(st.integers(2, 10))
    tree = [(draw(st.integers(0, node - 1)), node) for node in range(1, nodes)]
    more = draw(st.lists(st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1)), max_size=12))
    edges = (*tree, *((u, v) for u, v in more if u != v))
    counts = draw(st.lists(st.integers(0, 2), min_size=nodes, max_size=nodes).filter(lambda counts: sum(counts) > 1))
    return drawn(edges, tuple(counts))


def legal_hops(routing, source, target):
    """The fewest hops of a route that goes up, then down: a shortest path between pairs of a node and a direction."""
    topology = routing.topology
    place = {node: index for index, node in enumerate(routing.order)}
    graph = networkx.DiGraph()
    for node, channel in itertools.product(range(topology.nodes), range(topology.degree)):
        if (end := topology.neighbour(node, channel)) is not None:
            down = place[end[0]] > place[node]
            graph.add_edge((node, True), (end[0], True)) if down else graph.add_edge((node, False), (end[0], False))
    graph.add_edges_from(((node, False), (node, True), {"weight": 0}) for node in range(topology.nodes))
    return networkx.dijkstra_path_length(graph, (source, False), (target, True))


def never_up_after_down(routing, source, way):
    place = {node: index for index, node in enumerate(routing.order)}
    places = [place[node] for node in walk(routing.topology, source, way)]
    down = [later > earlier for earlier, later in itertools.pairwise(places)]
    return down == sorted(down)


@settings(max_examples=60)
@given(topology=graphs())
def test_random_graphs(topology):
    """Up*/down* routes are the shortest legal ones, shortest-path routes are shortest of all; neither can deadlock."""
    routing = UpDown(topology)
    homes = [node for node in range(topology.nodes) if topology.counts[node]]
    ways = {(source, target): way for source, target, way in routing.ways()}
    assert set(ways) == set(itertools.permutations(homes, 2))
    for (source, target), way in ways.items():
        assert walk(topology, source, way)[-1] == target and {hop.channel_class for hop in way} == {0}
        assert never_up_after_down(routing, source, way)
        assert len(way) == legal_hops(routing, source, target)
    assert deadlock(routing) is None
    shortest, hops = ShortestPath(topology), hops_between(topology)
    assert deadlock(shortest) is None
    for source, target, way in shortest.ways():
        assert walk(topology, source, way)[-1] == target and len(way) == hops[source][target]


def test_root_is_chosen():
    """In a star with a long tail, whose order may begin anywhere, routes are shortest paths, as they are in a tree."""
    for topology in (TREE, drawn(((0, 1), (0, 2), (0, 3), (3, 4), (4, 5)))):
        hops = hops_between(topology)
        assert all(len(way) == hops[source][target] for source, target, way in UpDown(topology).ways())


def hops_in(topology, order=None):
    """The sum of the hops of all routes, in the order of the routing, or in another one."""
    routing = UpDown(topology)
    if order is not None:
        vars(routing)["order"] = list(order)
    return sum(len(way) for _, _, way in routing.ways())


def breadth_first(topology, root):
    links = UpDown(topology).links
    graph = networkx.Graph((node, other) for node, channels in enumerate(links) for _, other in channels)
    return [root, *(node for _, node in networkx.bfs_edges(graph, root))]


def test_no_other_root_is_better():
    """No breadth-first order from any node of a random graph has shorter routes, and some have longer ones."""
    topology = drawn(tuple(networkx.connected_watts_strogatz_graph(12, 4, 0.5, seed=1).edges))
    totals = {hops_in(topology, breadth_first(topology, root)) for root in range(topology.nodes)}
    assert hops_in(topology) <= min(totals) < max(totals)


def test_depth_first_is_tried_too():
    """On a 5 x 5 torus, whose nodes all look alike, routes are shorter than with a breadth-first order."""
    torus = Grid((5, 5), rings=True)
    assert hops_in(torus) < hops_in(torus, breadth_first(torus, 0))


def test_on_a_hypercube_ways_are_shortest():
    """A shortest route whose number of ones first falls, then rises, always exists."""
    assert all(len(way) == (source ^ target).bit_count() for source, target, way in UpDown(Hypercube(4)).ways())
