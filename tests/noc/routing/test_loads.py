"""Loads against closed forms and against packets counted one by one; bounds; matrices that are none."""

from fractions import Fraction
import random

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.routing import default_routing
from fatcube.noc.routing.dateline import Dateline
from fatcube.noc.routing.dimension_order import DimensionOrder
from fatcube.noc.routing.lanes import LaneRule, processor_ways
from fatcube.noc.routing.loads import Lane, Shares, lane_loads, load_bound, uniform
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.grids import Torus
from tests.support.grids import Grid
from tests.support.networks import TREE


def drawn(topology, seed):
    """A matrix of random shares, of which some processors send less than they could."""
    dice = random.Random(seed)
    matrix = []
    for _ in range(topology.processors):
        row = [dice.randrange(5) for _ in range(topology.processors)]
        matrix.append([Fraction(share, max(1, sum(row)) + dice.randrange(3)) for share in row])
    return matrix


@pytest.mark.parametrize("rule", LaneRule)
@pytest.mark.parametrize(
    "topology", [FatCube(2, 2, 2), CubeConnectedCycles(2, 2, 3), SparseGHC(3, 2), Grid((2, 3), f=2), TREE], ids=str
)
def test_packet_by_packet(topology, rule):
    """The share of every pair, on every lane of its way, lanes in turn for equal parts of it."""
    routing = default_routing(topology)
    for matrix in (uniform(topology), uniform(topology, to_itself=False), drawn(topology, 1)):
        counted = {}
        for source in range(topology.processors):
            for target in range(topology.processors):
                ways = processor_ways(routing, source, target, rule)
                for way in ways:
                    node = topology.node_of(source)
                    for hop in way:
                        lane = Lane(node, hop.channel, hop.lane)
                        counted[lane] = counted.get(lane, 0) + matrix[source][target] / len(ways)
                        node, _ = topology.neighbour(node, hop.channel)
        found = lane_loads(routing, matrix, rule)
        assert {lane: load for lane, load in found.items() if load} == {lane: n for lane, n in counted.items() if n}
        lanes = sum(topology.neighbour(n, c) is not None for n in range(topology.nodes) for c in range(topology.degree))
        assert len(found) == lanes * topology.f
        ends = [max(map(sum, zip(*matrix))), max(map(sum, matrix))]
        assert load_bound(routing, matrix, rule) == 1 / max(*found.values(), *ends)
        assert load_bound(routing, matrix, rule, ports=3) == 1 / max(*found.values(), *(end / 3 for end in ends))


@pytest.mark.parametrize(
    ("topology", "load"),
    [
        # Half of all packets cross each dimension, one node's worth at each node.
        *((Hypercube(d), Fraction(1, 2)) for d in range(1, 6)),
        (FatCube(3, 3), Fraction(3, 2)),
        # One in w has the difference s in a coordinate.
        (DenseGHC(4, 2), Fraction(1, 4)),
        (DenseGHC(5, 1), Fraction(1, 5)),
        # Round a one-way ring, (w - 1) / 2 hops on average.
        (SparseGHC(2, 3), Fraction(1, 2)),
        (SparseGHC(5, 1), Fraction(2)),
        (SparseGHC(4, 2), Fraction(3, 2)),
        # Round a ring of five, both ways, 1 and 2 hops, each to one in five.
        (Grid((5, 5), rings=True), Fraction(3, 5)),
        (Torus(w=5, d=2), Fraction(3, 5)),
    ],
    ids=str,
)
def test_closed_forms(topology, load):
    """With these every lane has the same load, which bounds what is accepted where it is above what a processor sends."""
    routing = default_routing(topology)
    assert set(lane_loads(routing).values()) == {load}
    assert load_bound(routing) == min(1, 1 / load)


def test_even_shares():
    """By hand: of six parts half to each of two, a destination that stands there twice has twice as much, and one sends none."""
    even = Shares.even([[0, 2], [0, 0, 1], []])
    assert (even.whole, even.parts.tolist()) == (6, [[3, 0, 3], [4, 2, 0], [0, 0, 0]])


def test_mesh():
    """The middle channels of a line of k, k even: half of the nodes send half of their packets across: k / 4."""
    for k in (2, 4, 8):
        loads = lane_loads(DimensionOrder(Grid((k,))))
        assert max(loads.values()) == Fraction(k, 4) == loads[Lane(k // 2 - 1, 0, 0)]
    assert max(lane_loads(DimensionOrder(Grid((4, 4)))).values()) == 1


def test_lanes_share():
    """Six processors on a node: lane 0 has all of it, or three lanes have a third each."""
    routing = DimensionOrder(FatCube(2, 6, 3))
    loads = {rule: sorted(set(lane_loads(routing, rule=rule).values())) for rule in LaneRule}
    assert loads == {LaneRule.FIXED: [0, 3], LaneRule.BY_SOURCE: [1], LaneRule.IN_TURN: [1]}
    assert {rule: load_bound(routing, rule=rule) for rule in LaneRule} == {
        LaneRule.FIXED: Fraction(1, 3),
        LaneRule.BY_SOURCE: 1,
        LaneRule.IN_TURN: 1,
    }


def test_bounds_of_other_traffic():
    """A hot spot is bound by what it receives; the nearest neighbour and a processor itself by what is sent."""
    ring = Dateline(SparseGHC(4, 1))

    def to(target):
        return [[int(target(source) == other) for other in range(4)] for source in range(4)]

    assert load_bound(ring, to(lambda source: 2)) == Fraction(1, 4)
    assert load_bound(ring, to(lambda source: 2), ports=2) == Fraction(1, 3)  # The lane into node 2 has three flows.
    assert load_bound(ring, to(lambda source: (source + 1) % 4)) == 1
    assert load_bound(ring, to(lambda source: (source + 3) % 4)) == Fraction(1, 3)
    assert load_bound(ring, to(lambda source: source), ports=2) == 2
    # Nobody but processor 0 sends, a quarter to each: three quarters leave its node, and it can send no more than all.
    alone = [[Fraction(1, 4)] * 4, *([[0] * 4] * 3)]
    assert load_bound(ring, alone) == 1 and load_bound(ring, alone, ports=2) == Fraction(4, 3)


def test_bounds_with_replies():
    """By hand, on a one-way ring of four: to the next takes its lane, and the reply the three others, so all are alike."""
    ring = Dateline(SparseGHC(4, 1))
    following = [[int((source + 1) % 4 == other) for other in range(4)] for source in range(4)]
    assert set(lane_loads(ring, following, replies=Fraction(1, 2)).values()) == {Fraction(5, 2)}
    assert load_bound(ring, following, replies=Fraction(1, 2)) == Fraction(2, 5)
    # With all to processor 0 its port has four flits per cycle, and its replies twice as many.
    gathered = [[1, 0, 0, 0]] * 4
    assert load_bound(Dateline(SparseGHC(4, 1)), gathered, replies=2) == Fraction(1, 8)
    assert load_bound(DimensionOrder(Hypercube(2)), gathered, replies=2, ports=2) == Fraction(1, 4)


@pytest.mark.parametrize(
    ("traffic", "message"),
    [
        ([[1, 0]], "traffic must have a row and a column for each of 2 processors"),
        ([[1], [1]], "traffic must have a row and a column for each of 2 processors"),
        ([[1, 0], [1, Fraction(1, 2)]], "traffic of processor 1 must add up to at most 1, not to 3/2"),
        ([[2, -1], [0, 1]], "traffic of processor 0 must be shares of at least 0, not -1"),
        ([[0, 0], [0, 0]], "traffic must have a share above 0, not none"),
    ],
)
def test_refusals(traffic, message):
    with pytest.raises(ParameterError) as caught:
        load_bound(DimensionOrder(Hypercube(1)), traffic)
    assert str(caught.value) == message


def test_too_many_processors():
    topology = FatCube(1, 1 << 20)
    message = "processors must be an integer from 1 to 4096, not 2097152"
    with pytest.raises(ParameterError, match=f"^{message}$"):
        load_bound(DimensionOrder(topology))
    with pytest.raises(ParameterError, match="^processors must be at most 4,096 for a traffic matrix, not 2,097,152$"):
        load_bound(DimensionOrder(topology), [])
