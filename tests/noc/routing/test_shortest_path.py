"""Shortest paths: numbers of classes, balanced loads against bounds, next hops that a table can hold."""

from collections import Counter
from fractions import Fraction

import networkx
import pytest

from fatcube.noc.routing.dependencies import deadlock
from fatcube.noc.routing.loads import lane_loads
from fatcube.noc.routing.shortest_path import ShortestPath
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.generalized import SparseGHC
from fatcube.noc.topologies.grids import Mesh
from tests.support.grids import Grid
from tests.support.networks import KITE, TREE
from tests.support.ways import all_routings, walk


@pytest.mark.parametrize(("n", "classes"), [(2, 2), (3, 2), (4, 3), (5, 4)])
def test_classes_of_cube_connected_cycles(n, classes):
    assert ShortestPath(CubeConnectedCycles(n)).classes == classes


@pytest.mark.parametrize(
    ("topology", "classes"),
    [(TREE, 1), (KITE, 1), (Grid((4, 4)), 1), (Grid((5,), rings=True), 2), (SparseGHC(5, 1), 2), (SparseGHC(4, 2), 2)],
)
def test_classes_of_others(topology, classes):
    """Routes in a tree are unique. A ring of five needs two classes, as routes of two hops form a cycle."""
    assert ShortestPath(topology).classes == classes


def test_more_rounds_of_evening_out_are_never_worse(monkeypatch):
    """Lane by lane, packet by packet: on a mesh a second round takes load off the busiest lane, and no further one puts it back."""
    topology, found = Mesh(w=4, d=2), []
    for rounds in range(1, 5):
        monkeypatch.setattr("fatcube.noc.routing.ordered.ROUNDS", rounds)
        packets = Counter(
            (node, hop.channel)
            for source, _, way in ShortestPath(topology).ways()
            for node, hop in zip(walk(topology, source, way), way)
        )
        found.append((max(packets.values()), sum(count * count for count in packets.values())))
    assert found == sorted(found, reverse=True) and found[1][0] < found[0][0]


def test_class_falls_nowhere():
    for routing in all_routings():
        if isinstance(routing, ShortestPath):
            for _, _, way in routing.ways():
                taken = [hop.channel_class for hop in way]
                assert taken == sorted(taken)


@pytest.mark.parametrize(("n", "percent"), [(2, 0), (3, 5), (4, 3)])
def test_loads_are_even(n, percent):
    """The highest channel load, against that of equally used shortest routes, which is the least possible.

    A translation maps every cube channel to every other one, so with all shortest routes used equally, each has the
    same load, and all shortest routes have the same number of hops over cube channels.
    """
    topology = CubeConnectedCycles(n)
    graph = networkx.DiGraph(topology.adjacent)
    least = max(networkx.edge_betweenness_centrality(graph, normalized=False).values())
    found = max(lane_loads(ShortestPath(topology)).values()) * topology.nodes
    assert found <= Fraction(100 + percent, 100) * Fraction(round(least))


def test_more_classes_more_even():
    """On the hypercube one class is enough for shortest routes, but with two they can avoid loaded channels."""
    one, two = (ShortestPath(Hypercube(4), least_classes=classes) for classes in (1, 2))
    assert (one.classes, two.classes) == (1, 2) and deadlock(two) is None
    assert max(lane_loads(one).values()) > Fraction(1) > max(lane_loads(two).values())
    assert all(len(two.way(source, target)) == len(way) for source, target, way in one.ways())
