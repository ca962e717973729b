"""Butterflies, wrapped butterflies and cube-connected cycles with longer cycles: links, symmetry, measures, routings."""

import pickle

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.measures import bisection, measure
from fatcube.noc.routing import default_routing, make_routing
from fatcube.noc.routing.dependencies import deadlock
from fatcube.noc.topologies import make_topology, topology_from_json
from fatcube.noc.topologies.butterflies import Butterfly, WrappedButterfly
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from tests.support.graphs import check_distances, check_translations


def butterfly(n, levels):
    """Pairs of nodes (row, level), straight and cross, by the textbook's definition; ``levels`` is n if it is wrapped."""
    ends = [
        ((row, l), (row ^ cross << l, (l + 1) % levels)) for row in range(1 << n) for l in range(n) for cross in (0, 1)
    ]
    return sorted(tuple(sorted(row * levels + l for row, l in pair)) for pair in ends)


def cycles(n, k):
    around = [(c * k + p, c * k + (p + 1) % k) for c in range(1 << n) for p in range(k)]
    across = [(c * k + p, (c ^ 1 << p) * k + p) for c in range(1 << n) for p in range(n) if not c >> p & 1]
    return sorted(tuple(sorted(pair)) for pair in around + across)


EXAMPLES = [
    *((Butterfly(n), butterfly(n, n + 1), 1) for n in (2, 3, 4)),
    *((WrappedButterfly(n), butterfly(n, n), n) for n in (2, 3, 4)),
    *((CubeConnectedCycles(n, k=k), cycles(n, k), 1) for n, k in ((2, 3), (2, 4), (3, 4), (3, 6))),
    (CubeConnectedCycles(3), cycles(3, 3), 3),
]


@pytest.mark.parametrize(("topology", "edges", "rotations"), EXAMPLES, ids=lambda value: str(value)[:30])
def test_links(topology, edges, rotations):
    """Catches a bit that is taken of the wrong level, a channel that is missing, and a symmetry that there is not."""
    assert sorted(tuple(sorted(edge)) for edge in topology.graph.edges()) == edges
    assert topology.channels == 2 * len(edges)
    degrees = {degree for _, degree in topology.graph.degree()}
    assert topology.degree == max(degrees) and topology.complete == (len(degrees) == 1)
    assert len(topology.translations) == rotations << topology.n
    for node in range(topology.nodes):
        for _, other, back in topology.ends(node):
            assert node in {end[0] for end in [topology.neighbour(other, back)]}
    check_translations(topology)
    check_distances(topology)
    assert all(topology.homeward[node][node] in topology.bases for node in range(topology.nodes))
    assert topology_from_json(topology.to_json()) == topology == pickle.loads(pickle.dumps(topology))


@pytest.mark.parametrize(
    ("topology", "nodes", "diameter", "connectivity"),
    [
        *((Butterfly(n), (n + 1) << n, 2 * n, 2) for n in (2, 3, 4)),
        *((WrappedButterfly(n), n << n, 3 * n // 2, 4 if n > 2 else 3) for n in (2, 3, 4, 5)),
        *((CubeConnectedCycles(n, k=k), k << n, d, 2) for n, k, d in ((2, 3, 5), (2, 4, 6), (3, 4, 7), (3, 5, 8))),
        *((CubeConnectedCycles(n, k=k), k << n, d, 2) for n, k, d in ((3, 6, 9), (4, 5, 9), (4, 6, 10))),
    ],
    ids=str,
)
def test_measures(topology, nodes, diameter, connectivity):
    found = measure(topology, effort=0)
    assert (found.nodes, found.diameter, found.connectivity) == (nodes, diameter, connectivity)


def test_bisections():
    """2^n of a wrapped butterfly, half of it of cube-connected cycles, and 2^n of the small butterflies."""
    found = {
        topology: bisection(topology) for topology in (WrappedButterfly(3), CubeConnectedCycles(3, k=5), Butterfly(2))
    }
    assert all(one.exact for one in found.values())
    assert [one.width for one in found.values()] == [8, 4, 4]


@pytest.mark.parametrize(
    "topology", [Butterfly(3), WrappedButterfly(3), CubeConnectedCycles(2, k=4), CubeConnectedCycles(3, k=5)], ids=str
)
def test_routings(topology):
    """The default takes shortest ways in two or three classes, and no channels wait for each other in a cycle."""
    routing = default_routing(topology)
    assert routing.name == "shortest-path" and routing.classes in (2, 3)
    assert routing.lengths.sum() == topology.all_hops
    names = ["shortest-path", "up-down"] + ["a1"] * (topology.kind == "ccc")
    for one in (make_routing(name, topology) for name in names):
        assert deadlock(one) is None
        assert one.classes == 1 or deadlock(one, 1) is not None  # in one class some wait in a cycle


def test_a1_in_longer_cycles():
    """By hand, in 2 dimensions with cycles of 4, to cycle 3 at position 2: across at 0, on to 1, across, and on to 2."""
    routing = make_routing("a1", CubeConnectedCycles(2, k=4))
    assert [channel for channel, _ in routing.way(0, 14)] == [0, 1, 0, 1]
    assert [channel for channel, _ in routing.way(3, 0)] == [1]  # from position 3 the shorter way is on to 0
    assert routing.classes == 3 and routing.lengths.max() == 6


def test_total_exchange_over_lateral_links():
    """k N / 2 steps, for the messages that cross from cycle to cycle in each bit: half of N^2 over 2^n links each way."""
    assert [
        lower_bound(Problem(CubeConnectedCycles(n, k=k), "d", "AAS")).steps for n, k in ((2, 3), (2, 4), (3, 4))
    ] == [
        18,
        32,
        64,
    ]


@pytest.mark.parametrize("topology", [Butterfly(2), WrappedButterfly(2, 2, 2), CubeConnectedCycles(2, k=3)], ids=str)
@pytest.mark.parametrize("ports", ["d", *(pytest.param(ports, marks=pytest.mark.long) for ports in "1b*")])
def test_schedules(topology, ports):
    """From the last processor, which stands where a cycle has no link to another one and a butterfly ends."""
    for collective in ("OAB", "OAS", "AOR", "AAB", "AAS"):
        found = construct(Problem(topology, ports, collective, topology.processors - 1))
        assert check(found.schedule).steps >= found.bound.steps


def test_scatter_where_branches_cannot_be_balanced():
    """From node 0 two of three branches end where the third goes on, and no node of that can change to them."""
    found = construct(Problem(CubeConnectedCycles(2, k=3), "d", "OAS", 0))
    assert check(found.schedule).steps == 5 >= found.bound.steps


def test_sums_of_distances():
    """Of all pairs of nodes of cubes; and 952 from each of the 160 nodes of cube-connected cycles of 5 dimensions."""
    found = [Hypercube(3).all_hops, Hypercube(4).all_hops, CubeConnectedCycles(5).all_hops]
    assert found == [96, 512, 160 * 952]


def test_k_of_n_is_none():
    assert CubeConnectedCycles(3, k=3) == CubeConnectedCycles(3) == make_topology("ccc", n=3, k=3)
    assert CubeConnectedCycles(3, k=3).to_json() == {"type": "ccc", "n": 3, "m": 1, "f": 1}
    assert CubeConnectedCycles(3, k=4).to_json() == {"type": "ccc", "n": 3, "m": 1, "f": 1, "k": 4}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"topology": "ccc", "n": 3, "k": 2},
            "CubeConnectedCycles k must be an integer from 3 to 8192 where n is 3, not 2",
        ),
        (
            {"topology": "ccc", "n": 3, "k": 0},
            "CubeConnectedCycles k must be an integer from 3 to 8192 where n is 3, not 0",
        ),
        ({"topology": "butterfly", "n": 1}, "Butterfly n must be an integer from 2 to 12, not 1"),
        ({"topology": "wrapped-butterfly", "n": 13}, "WrappedButterfly n must be an integer from 2 to 12, not 13"),
        ({"topology": "ring", "n": 4, "w": "4,4"}, "topology ring has parameters n, m, f, not w (-w)"),
        ({"topology": "ring", "n": 3, "k": 4}, "topology ring has parameters n, m, f, not k (-k)"),
    ],
)
def test_refused(parameters, message):
    with pytest.raises(ParameterError) as caught:
        make_topology(**parameters)
    assert str(caught.value) == message
