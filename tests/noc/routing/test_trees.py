"""All ways at once against way by way: trees, loads and choices are what they were when they were computed slowly."""

from fractions import Fraction
import itertools
import random

import networkx
import numpy
import pytest

from fatcube.noc.routing import default_routing
from fatcube.noc.routing.lanes import LaneRule
from fatcube.noc.routing.loads import Shares, lane_loads
from fatcube.noc.routing.ordered import Ordered
from fatcube.noc.routing.trees import Trees, _hops_left, distinct
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.graph import Link, make_graph
from fatcube.noc.topologies.grids import Mesh, Ring, Torus
from fatcube.noc.topologies.star import Star
from fatcube.noc.topologies.tree import Tree
from tests.support.grids import Grid
from tests.support.networks import IRREGULAR, KITE, TREE
from tests.support.slow_choice import ChosenStateByState
from tests.support.slow_loads import loads_way_by_way
from tests.support.ways import all_routings


def irregular(nodes, seed):
    """A random graph of degree 4 on average, with no processor to three on each node."""
    dice = random.Random(seed)
    edges = networkx.connected_watts_strogatz_graph(nodes, 4, 0.5, seed=seed).edges
    counts = [dice.randrange(4) + (node < 2) for node in range(nodes)]
    return make_graph(
        [(f"n{node}", count) for node, count in enumerate(counts)], [Link(f"n{a}", f"n{b}", False, 1) for a, b in edges]
    )


QUICK = [
    *(Hypercube(3), FatCube(2, 2, 2), FatCube(2, 3, 2), CubeConnectedCycles(3), DenseGHC(3, 2), SparseGHC(3, 2)),
    *(
        Mesh(w=3, d=2, m=2),
        Torus(w=3, d=2),
        Ring(5, 2, 3),
        Grid((2, 3), f=2),
        Star(4),
        TREE,
        KITE,
        IRREGULAR,
        irregular(12, 1),
    ),
]
LONG = [
    *(
        Hypercube(5),
        FatCube(3, 4, 2),
        CubeConnectedCycles(4),
        DenseGHC(4, 2, 2),
        SparseGHC(4, 2),
        SparseGHC(5, 1, 3, 2),
    ),
    *(
        Mesh(w=6, d=2),
        Mesh(w=4, d=2, m=2, f=2),
        Torus(w=5, d=2),
        Torus(w=4, d=2, m=2),
        Ring(11),
        Tree(3, 2),
        Grid((3, 5), rings=True, f=2),
    ),
    *(irregular(24, 2), irregular(40, 3)),
]
NETWORKS = [*QUICK, *(pytest.param(topology, marks=pytest.mark.long) for topology in LONG)]


def test_thirty_networks():
    assert len({*QUICK, *LONG}) == 30


@pytest.mark.parametrize("topology", NETWORKS, ids=str)
def test_every_way_is_in_the_trees(topology):
    for routing in all_routings([topology]):
        begin = 0
        for trees in routing.trees():
            targets = routing.homes[begin : begin + trees.starts.shape[1]]
            begin += len(targets)
            for (row, source), (column, target) in itertools.product(enumerate(routing.homes), enumerate(targets)):
                state, way = trees.starts[row, column], []
                while state >= 0:
                    assert targets[trees.target[state]] == target
                    way.append((trees.channel[state], trees.channel_class[state]))
                    state = trees.behind[state]
                assert tuple(way) == routing.way(source, target)
                assert trees.hops[row, column] == routing.lengths[row, begin - len(targets) + column] == len(way)
        assert begin == len(routing.homes)


@pytest.mark.parametrize("topology", NETWORKS, ids=str)
def test_loads_are_those_way_by_way(topology):
    """Of uneven shares, with fractions of large denominators, and with replies."""
    routing, dice, everybody = default_routing(topology), random.Random(7), range(topology.processors)
    matrix = [[Fraction(dice.randrange(9), 9 * len(everybody) + 2 * row) for _ in everybody] for row in everybody]
    for rule, replies in itertools.product(LaneRule, (0, Fraction(5, 7))):
        assert lane_loads(routing, matrix, rule, replies=replies) == loads_way_by_way(routing, matrix, rule, replies)


@pytest.mark.parametrize("topology", NETWORKS, ids=str)
def test_choices_are_those_state_by_state(topology):
    for routing in all_routings([topology]):
        if isinstance(routing, Ordered):
            slow = ChosenStateByState(routing)
            for source, target in itertools.permutations(routing.homes, 2):
                assert routing.way(source, target) == slow.way(source, target)


def test_numbers_beyond_those_of_the_machine():
    """Shares whose common denominator has more than 64 bits, and so many processors that squared loads have: still exact."""
    topology = Ring(4)
    primes = (2**61 - 1, 2**31 - 1, 2**19 - 1, 2**17 - 1)
    matrix = [[Fraction(1, 5 * prime)] * 4 for prime in primes]
    assert lane_loads(default_routing(topology), matrix) == loads_way_by_way(
        default_routing(topology), matrix, LaneRule.FIXED
    )
    many = make_graph(
        [("a", 65535), ("b", 1), ("c", 65536), ("d", 7)],
        [Link(a, b, False, 1) for a, b in ("ab", "bc", "cd", "da")],
    )
    routing = default_routing(many)
    slow = ChosenStateByState(routing)
    assert all(routing.way(*ends) == slow.way(*ends) for ends in itertools.permutations(range(4), 2))


def test_shares_of_lists_and_of_destinations():
    shares = Shares.even([[0, 0, 1], [1], [2, 0]])
    assert (shares.whole, shares.parts.tolist()) == (6, [[4, 2, 0], [0, 6, 0], [3, 0, 3]])
    given = Shares.of([[Fraction(share, 6) for share in row] for row in shares.parts.tolist()])
    assert given.whole * shares.parts.tolist()[0][0] == 6 * given.parts.tolist()[0][0]


def test_a_way_without_an_end():
    """Two states that follow each other are no tree."""
    two, none = numpy.array([0, 1]), numpy.zeros(2, dtype=int)
    assert Trees.of(two, none, none, numpy.array([1, 0]), none, numpy.array([[-1, 0]])) is None


def test_the_order_of_states_by_hand():
    """Of two states, all of which are taken, the second is the one with fewer hops left, and comes first; behind it is none."""
    zeros = numpy.zeros(2, dtype=int)
    trees = Trees.of(
        numpy.array([5, 6]), numpy.array([2, 3]), zeros, numpy.array([1, -1]), zeros, numpy.array([[-1, 0]])
    )
    assert (trees.node.tolist(), trees.channel.tolist(), trees.behind.tolist()) == ([6, 5], [3, 2], [-1, 0])
    assert (trees.starts.tolist(), trees.ends, trees.hops.tolist()) == ([[-1, 1]], [0, 1, 2], [[0, 2]])


@pytest.mark.parametrize("limit", [8, 1 << 40])
def test_distinct(limit):
    assert distinct(numpy.array([5, 1, 5, 7, 1]), limit).tolist() == [1, 5, 7]


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 8, 9])
def test_hops_that_are_left(length):
    """On a line every state is followed by the next; in a ring there is no end."""
    ahead = numpy.arange(1, length + 1)
    channel = numpy.array([0] * (length - 1) + [-1])
    assert _hops_left(channel, ahead).tolist() == [*range(length - 1, -1, -1)]
    assert _hops_left(numpy.zeros(length, dtype=int), ahead % length) is None
