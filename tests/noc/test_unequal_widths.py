"""Generalized hypercubes with a width for each dimension: links, distances, values in files, bounds and steps."""

import itertools
import math

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.measures import measure
from fatcube.noc.topologies import make_topology, topology_from_json
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.construct import best, construct
from fatcube.schedules.problem import Problem
from fatcube.sim.traffic.patterns import PATTERNS
from tests.support.graphs import check_channels, check_distances, check_translations

WIDTHS = [(2, 3), (3, 2), (3, 4, 2), (2, 5), (2, 2, 3)]
KINDS = pytest.mark.parametrize("kind", [DenseGHC, SparseGHC])


@pytest.mark.parametrize("widths", WIDTHS, ids=str)
@KINDS
def test_links_and_distances(kind, widths):
    """Nodes that differ in one coordinate: all pairs of a dense one, and those that are 1 higher of a sparse one."""
    topology = kind(widths, len(widths))
    everybody = [tuple(reversed(digits)) for digits in itertools.product(*map(range, reversed(widths)))]
    arcs = sorted((node, other) for node in range(topology.nodes) for _, other, _ in topology.ends(node))
    expected = []
    for (u, x), (v, y) in itertools.product(enumerate(everybody), repeat=2):
        steps = [(b - a) % w for a, b, w in zip(x, y, widths)]
        away = [step for step in steps if step]
        if len(away) == 1 and (kind is DenseGHC or away == [1]):
            expected.append((u, v))
        assert topology.distances[u][v] == (len(away) if kind is DenseGHC else sum(steps))
        assert [topology.coordinate(u, dimension) for dimension in range(topology.dimensions)] == list(x)
    assert arcs == expected
    assert topology.directed == (kind is SparseGHC)  # with two nodes in some dimension too
    check_channels(topology)
    check_translations(topology)
    check_distances(topology)
    assert len(topology.translations) == topology.nodes == math.prod(widths)
    found = measure(topology, effort=0)
    assert found.diameter == (len(widths) if kind is DenseGHC else sum(widths) - len(widths))


@KINDS
def test_equal_widths_are_one(kind):
    topology = kind((3, 3), 2, 2)
    assert topology == kind(3, 2, 2) and topology.w == 3
    assert topology.to_json() == {"type": kind.kind, "w": 3, "d": 2, "m": 2, "f": 1}
    assert make_topology(kind.kind, w="3,3") == make_topology(kind.kind, w="3", d=2) == kind(3, 2)
    assert kind((4,), 1) == kind(4, 1)
    unequal = kind((3, 4, 2), 3, f=2)
    assert topology_from_json(unequal.to_json()) == make_topology(kind.kind, w="3,4,2", f=2) == unequal
    assert topology_from_json({"type": kind.kind, "w": [3, 3], "d": 2, "m": 2}) == topology


@pytest.mark.parametrize("widths", WIDTHS, ids=str)
@KINDS
def test_total_exchange(kind, widths):
    """A message crosses dimension i w_i - 1 times in w_i, or (w_i - 1) / 2 times on average; no dimension helps another."""
    topology = kind(widths, len(widths))
    nodes = topology.nodes
    wanted = max(nodes // w if kind is DenseGHC else math.ceil(nodes * (w - 1) / 2) for w in widths)
    found = construct(Problem(topology, "d", "AAS"))
    assert check(found.schedule).steps == found.bound.steps == wanted
    degree, diameter = topology.degree, max(topology.distances[0])
    for collective in ("AAB", "OAS"):
        assert lower_bound(Problem(topology, "d", collective)).steps >= max(diameter, -(-(nodes - 1) // degree))


def test_per_dimension_beyond_the_average():
    """Of 5 by 20 nodes: 20 in the first dimension, where all hops on all links come to 8; a channel alone can be avoided."""
    assert lower_bound(Problem(DenseGHC((5, 20), 2), "d", "AAS")).steps == 20


@KINDS
def test_searched(kind):
    """The search for fewer steps, which knows nothing of the bound of a dimension's channels, finds none."""
    found = best(Problem(kind((3, 2), 2), "d", "AAS"), optimal=True, time_limit=3600)
    assert found.proved and found.steps == 3 * (1 if kind is DenseGHC else 2)


def test_patterns():
    """On 3 by 4 nodes the tornado goes 1 further in both: ceil(3/2) - 1 and ceil(4/2) - 1."""
    topology = SparseGHC((3, 4), 2)
    for pattern in ("tornado", "neighbour"):
        assert [PATTERNS[pattern](topology, node) for node in (0, 2, 11)] == [[4], [3], [0]]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: DenseGHC((3, 4), 3), "DenseGHC d must be 2 where w is 3,4, not 3"),
        (lambda: DenseGHC((3, 1), 2), "DenseGHC w must be an integer from 2 to 65536, not 1"),
        (lambda: SparseGHC((), 2), "SparseGHC w must be one number, or 1 to 16, not ()"),
        (lambda: SparseGHC((300, 301), 2), "SparseGHC nodes must be an integer from 2 to 65536, not 90300"),
        (lambda: make_topology("mesh", w="3", d="2"), "Mesh d must be an integer from 1 to 10 where w is 3, not '2'"),
        (lambda: make_topology("dense-ghc", w="3,"), "w must be comma-separated integers, not '3,'"),
        (lambda: topology_from_json({"type": "dense-ghc", "w": ["3", 4], "d": 2}), "DenseGHC w must be an integer "),
    ],
)
def test_refusals(make, message):
    with pytest.raises(ParameterError) as caught:
        make()
    assert str(caught.value).startswith(message)
