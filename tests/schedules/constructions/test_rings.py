"""Around a ring with direct transfers: as many steps as there are other processors, on any connected network."""

from collections import Counter
import itertools

import networkx
import pytest

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topologies.grids import Mesh
from fatcube.noc.topologies.star import Star
from fatcube.noc.topologies.tree import Tree
from fatcube.schedules.checker import check
from fatcube.schedules.construct import construct
from fatcube.schedules.constructions import rings
from fatcube.schedules.constructions.rings import tour
from fatcube.schedules.problem import Problem
from fatcube.schedules.search import fewest
from fatcube.schedules.step_model import StepModel
from tests.support.children import HANG

DIRECT = {"transfers": "direct"}
EIGHT = (*itertools.pairwise([0, 1, 2, 0]), *itertools.pairwise([0, 3, 4, 5, 0]))  # two cycles with node 0 in both


def graph(links, counts=None, *, one_way=False):
    nodes = 1 + max(map(max, links))
    return Graph(tuple(map(str, range(nodes))), counts or (1,) * nodes, tuple(links), one_way)


def steps(topology, ports="1", collective="AAB", **model):
    """The steps that are constructed, of a schedule that passes the checker, and whether there can be no fewer."""
    finding = construct(Problem(topology, ports, collective, None, StepModel(**DIRECT, **model)))
    assert check(finding.found).steps == finding.steps
    return finding.steps, finding.proved


@pytest.mark.parametrize(
    ("topology", "adjacent", "direct"),
    [(Star(16), 256, 16), (Star(5), 25, 5), (Tree(w=2, d=3), 35, 14), (Mesh(w=3, d=2), 10, 8)],
    ids=str,
)
def test_known_values(topology, adjacent, direct):
    """The center of a star sends every message to all leaves but one: 15 times 16, and its own 16 times. See issue 67."""
    assert construct(Problem(topology, "1", "AAB")).steps == adjacent
    for collective in ("AAB", "AAR"):
        assert steps(topology, collective=collective) == (direct, True)
    assert steps(topology, collective="all-reduce")[0] == 2 * direct


def random_links(seed, nodes, more):
    """The links of a random tree and some others."""
    tree = networkx.random_labeled_tree(nodes, seed=seed)
    others = networkx.gnm_random_graph(nodes, more, seed=seed)
    return [*networkx.compose(tree, others).edges]


@pytest.mark.parametrize("seed", range(12))
def test_any_connected_graph(seed):
    """Nodes have one processor to three; ways have three links at most, and no two of them take a lane in the same direction."""
    topology = graph(random_links(seed, 4 + seed, seed), tuple(1 + (seed + node) % 3 for node in range(4 + seed)))
    ring = tour(topology)
    assert sorted(ring.processors) == list(range(topology.processors))
    crossed = Counter()
    for src, dst, way in zip(ring.processors, [*ring.processors[1:], ring.processors[0]], ring.ways):
        here, there = topology.node_of(src), topology.node_of(dst)
        nodes = [here, *(way or (there,))] if here != there else []
        assert len(nodes) <= 4 and len(set(nodes)) == len(nodes) and len(way) != 1
        assert not nodes or nodes[-1] == there
        crossed.update(itertools.pairwise(nodes))
    assert max(crossed.values()) == 1 and all(topology.channels_between(*link) for link in crossed)
    assert steps(topology)[0] == topology.processors - 1


def test_a_search_finds_no_fewer():
    """An integer program, which knows no ring."""
    topology = Star(3)
    finding = fewest(Problem(topology, "1", "AAB", None, StepModel(**DIRECT)), time_limit=HANG)
    assert (finding.steps, finding.proved) == steps(topology) == (3, True)


@pytest.mark.parametrize("ports", ["1", "b", "*"])
def test_several_processors_on_a_node(ports):
    """Ten on five nodes; with more ports than one it still is a schedule, and here none shorter is constructed."""
    assert steps(Star(n=4, m=2), ports)[0] == 9


@pytest.mark.parametrize("ports", ["d", "*"])
@pytest.mark.parametrize(
    ("topology", "least"), [(Tree(w=2, d=3, f=2), 7), (Star(n=4, f=2), 2), (Mesh(w=5, d=1, f=2), 2)], ids=str
)
def test_both_ways_at_once(topology, ports, least):
    """With two lanes in each direction half of the processors are served from either side: half of 14, and of 4."""
    assert steps(topology, ports) == (least, True)


def test_dedicated_ports_do_not_send_both_ways():
    """Both ways from a leaf would take its one port at once."""
    found = steps(Tree(w=2, d=3, f=2), "*", dedicated_ports=True)
    assert found == (14, False)


@pytest.mark.parametrize("topology", [Star(n=5, f=2), Tree(w=2, d=2, f=2)], ids=str)
def test_half_duplex_links_of_two_lanes(topology):
    """One lane for each direction; with a single lane there is no tour."""
    assert steps(topology, links="half-duplex") == (topology.processors - 1, True)
    assert tour(topology, 2) is not None and tour(Star(5), 2) is None


def test_one_way_links():
    """Two cycles that meet in a node: as many links enter each node as leave it, and ways go through the node."""
    assert steps(graph(EIGHT, one_way=True)) == (5, True)
    assert tour(graph([*EIGHT, (1, 3)], one_way=True)) is None  # one more leaves node 1


@pytest.mark.parametrize("failed", ["link:1-3", "node:3", "processor:0", "link:0-1:out"])
def test_failures(failed):
    """The remaining network is connected; of one link only one direction has failed, and the others join all nodes both ways."""
    for whole in (FatCube(2, 2), Mesh(w=(2, 3))):
        topology = damaged(whole, failed.split(","))
        assert steps(topology, "1")[0] == len(topology.working) - 1


def test_a_ring_with_a_lane_twice_is_not_taken(monkeypatch):
    """Planted: ways that a step cannot take together, so the schedule for single links is left."""
    monkeypatch.setattr("fatcube.schedules.construct.larger", lambda _: [])
    monkeypatch.setattr(rings, "tour", lambda topology, lanes=1: tour(topology)._replace(ways=[(0, 2)] * 6))
    assert steps(Star(5)) == (25, False)


@pytest.mark.parametrize("topology", [Hypercube(3), Mesh(w=(3, 4))], ids=str)
def test_no_steps_are_added(topology):
    """An all-gather with P - 1 steps over single links keeps them, and its schedule crosses no second link."""
    finding = construct(Problem(topology, "1", "AAB", None, StepModel(**DIRECT)))
    assert finding.steps == topology.processors - 1
    assert not any(transfer.path for transfer in finding.found.transfers)
