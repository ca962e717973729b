"""The deadlock check: cycles that exist, none where there is none, and both against a search of all states."""

import itertools
import re

import networkx
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.routing import default_routing
from fatcube.noc.routing.dateline import Dateline
from fatcube.noc.routing.dependencies import (
    ChannelClass,
    check_deadlock,
    deadlock,
    dependencies,
    dependencies_of,
    in_words,
    shortest_cycle,
)
from fatcube.noc.routing.dimension_order import DimensionOrder
from fatcube.noc.routing.routing import Hop
from fatcube.noc.routing.shortest_path import ShortestPath
from fatcube.noc.routing.table import Table
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import SparseGHC
from tests.support.grids import Grid
from tests.support.waiting import unicast_deadlock
from tests.support.ways import EVERY, TOPOLOGIES, all_routings, made, walk


def taken(topology, source, way):
    """The channels of a route with their classes."""
    return [(node, *hop) for node, hop in zip(walk(topology, source, way), way)]


def check_cycle(topology, ways, cycle):
    """Every channel of a cycle and the next one are consecutive hops of one route."""
    assert cycle
    follow = {pair for source, way in ways for pair in itertools.pairwise(taken(topology, source, way))}
    for pair in itertools.pairwise((*cycle, cycle[0])):
        assert pair in follow


def all_shortest_ways(topology):
    """Every shortest route of every pair of nodes, as (source, way), in any order of dimensions."""
    graph = networkx.MultiDiGraph(
        (node, topology.neighbour(node, channel)[0], channel)
        for node in range(topology.nodes)
        for channel in range(topology.degree)
    )
    for source, target in itertools.permutations(range(topology.nodes), 2):
        for nodes in networkx.all_shortest_paths(networkx.DiGraph(graph), source, target):
            for channels in itertools.product(*(graph[u][v] for u, v in itertools.pairwise(nodes))):
                yield source, tuple(Hop(channel) for channel in channels)


@pytest.mark.parametrize(
    "topology",
    [*TOPOLOGIES, *(pytest.param(one, marks=pytest.mark.grid) for one in EVERY if one not in TOPOLOGIES)],
    ids=str,
)
def test_no_routing_waits_for_itself(topology):
    """No routing has a cycle, except dimension order where routes go around rings, whose cycle is a ring."""
    for routing in all_routings([topology]):
        ways = [(source, way) for source, _, way in routing.ways()]
        cycle = deadlock(routing)
        graph = networkx.DiGraph(
            pair for source, way in ways for pair in itertools.pairwise(taken(topology, source, way))
        )
        assert (cycle is None) == networkx.is_directed_acyclic_graph(graph)
        if type(routing) is DimensionOrder and Dateline(topology).classes == 2:
            check_cycle(topology, ways, cycle)
        else:
            assert cycle is None


@pytest.mark.parametrize(
    "topology", [FatCube(2, 2), Hypercube(3), CubeConnectedCycles(3), SparseGHC(4, 1)], ids=["square", *"abc"]
)
def test_networks_that_deadlocked(topology):
    """With shortest routes in any order, in one class, each has a cycle; its own routing has none."""
    ways = list(all_shortest_ways(topology))
    cycle = shortest_cycle(dependencies_of(topology, ways))
    check_cycle(topology, ways, cycle)
    assert deadlock(default_routing(topology)) is None
    check_deadlock(default_routing(topology))
    assert re.fullmatch(
        r"(channel \d of node \d+, class 0 -> ){2,4}(\(\d+ more\) -> )?channel \d of node \d+, class 0", in_words(cycle)
    )


@pytest.mark.parametrize(
    "routing",
    [ShortestPath(CubeConnectedCycles(3)), Dateline(SparseGHC(4, 1)), made("shortest-path", CubeConnectedCycles(4))],
)
def test_one_class_too_few(routing):
    """Routes in one class fewer can deadlock, and are refused with the cycle named."""
    for classes in range(1, routing.classes):
        ways = [
            (source, [Hop(hop.channel, min(hop.channel_class, classes - 1)) for hop in way])
            for source, _, way in routing.ways()
        ]
        cycle = deadlock(routing, classes)
        check_cycle(routing.topology, ways, cycle)
        with pytest.raises(ParameterError) as caught:
            check_deadlock(routing, classes)
        assert str(caught.value) == (
            f"virtual channels must be an integer of at least {routing.classes} for {routing}, not {classes}, or "
            f"channels wait for each other: {in_words(cycle, 2)}"
        )
    check_deadlock(routing, routing.classes)
    with pytest.raises(ParameterError, match="^virtual channels must be an integer of at least 1, not '1'$"):
        check_deadlock(routing, "1")


def test_refusal_in_words():
    """Catches a cycle cut at the wrong place; on a one-way ring of ten, four of ten channels are named."""
    with pytest.raises(ParameterError) as caught:
        check_deadlock(DimensionOrder(SparseGHC(10, 1)))
    first, *named = str(caught.value).split(", not ", 1)[1].split(" -> ")
    assert str(caught.value).startswith(
        "dimension-order routing on the sparse GHC of 10 nodes must have no channels that wait for each other in a "
        "cycle, not channel 0 of node 0, class 0 -> channel 0 of node 1, class 0 -> "
    )
    assert len(named) == 5 and named[-2] == "(6 more)" and named[-1] == first
    assert in_words("abc") == "a -> b -> c -> a" and in_words("abc", 2) == "a -> b -> (1 more) -> a"


@pytest.mark.parametrize("seed", range(40))
def test_shortest_cycle_of_random_graphs(seed):
    """As long as the shortest of all cycles that networkx lists, one after the other."""
    graph = networkx.gnp_random_graph(9, 0.16, seed=seed, directed=True)
    found = shortest_cycle(graph)
    lengths = [len(cycle) for cycle in networkx.simple_cycles(graph)]
    assert (len(found) if found else None) == min(lengths, default=None)
    assert all(graph.has_edge(u, v) for u, v in itertools.pairwise((*(found or ()), *(found or ())[:1])))


def test_packet_that_waits_for_itself():
    """A route that takes a channel twice is a cycle of its own."""
    assert shortest_cycle(networkx.DiGraph([(1, 2), (2, 2)])) == (2,)
    topology = Grid((3,), rings=True)
    there = Table.of(DimensionOrder(topology)).entries
    table = Table(topology, 1, ((0, 1, (Hop(0), Hop(0), Hop(0), Hop(0))), *(one for one in there if one[:2] != (0, 1))))
    assert len(deadlock(table)) == 3


def search(routing):
    """A deadlocked state of packets along the routes of a routing; ``None`` if there is none."""
    return unicast_deadlock([taken(routing.topology, source, way) for source, _, way in routing.ways()])


def test_states_of_a_one_way_ring():
    """Ring of three, all choices of classes for the second hops: a reachable deadlock exactly where there is a cycle."""
    topology = SparseGHC(3, 1)
    found = set()
    for classes in itertools.product((0, 1), repeat=6):
        entries = [
            (node, (node + 2) % 3, tuple(Hop(0, one) for one in classes[2 * node : 2 * node + 2])) for node in range(3)
        ]
        ones = [(node, (node + 1) % 3, (Hop(0, 0),)) for node in range(3)]
        routing = Table(topology, 2, (*entries, *ones))
        assert (search(routing) is None) == (deadlock(routing) is None)
        found.add(deadlock(routing) is None)
    assert found == {False, True}
    assert search(Dateline(topology)) is None and search(DimensionOrder(topology)) is not None


def test_states_of_a_square():
    """All choices of a route for each diagonal pair: the two of sixteen that go around in one direction deadlock."""
    stuck = 0
    for choice in itertools.product((0, 1), repeat=4):
        ways = [(node, (Hop(first), Hop(1 - first))) for node, first in enumerate(choice)]
        state = unicast_deadlock([taken(FatCube(2), source, way) for source, way in ways])
        cycle = shortest_cycle(dependencies_of(FatCube(2), ways))
        assert (state is None) == (cycle is None)
        stuck += state is not None
    assert stuck == 2
    everything = [taken(FatCube(2), source, way) for source, way in all_shortest_ways(FatCube(2)) if len(way) == 2]
    assert unicast_deadlock(everything) is not None


def test_graph_by_hand():
    """The hypercube of two dimensions: each channel of dimension 0 waits for one of dimension 1 at its end."""
    graph = dependencies(DimensionOrder(Hypercube(2)))
    assert set(graph) == {ChannelClass(node, channel, 0) for node in range(4) for channel in range(2)}
    assert set(graph.edges) == {((node, 0, 0), (node ^ 1, 1, 0)) for node in range(4)}
