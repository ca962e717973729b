"""The rules by which packets share lanes, and the routes of processors."""

from collections import Counter
import itertools

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.routing.dateline import Dateline
from fatcube.noc.routing.dimension_order import DimensionOrder
from fatcube.noc.routing.lanes import LaneHop, LaneRule, processor_ways
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.topologies.generalized import SparseGHC


def test_rules():
    assert [list(LaneRule.FIXED.lanes(source, 3)) for source in range(4)] == [[0], [0], [0], [0]]
    assert [list(LaneRule.BY_SOURCE.lanes(source, 3)) for source in range(4)] == [[0], [1], [2], [0]]
    assert [list(LaneRule.IN_TURN.lanes(source, 3)) for source in range(2)] == [[0, 1, 2], [0, 1, 2]]
    assert [rule for rule in LaneRule if not rule.keeps_order] == [LaneRule.IN_TURN]
    for rule in LaneRule:
        assert LaneRule.parse(rule.value) is LaneRule.parse(rule) is rule
        assert list(rule.lanes(5, 1)) == [0]


def test_ways_by_hand():
    """From processor 3, on node 1, to processor 4, on node 2 of a square with two of both: dimension 0, then 1."""
    routing = DimensionOrder(FatCube(2, 2, 2))
    assert processor_ways(routing, 3, 4) == ((LaneHop(0, 0, 0), LaneHop(1, 0, 0)),)
    assert processor_ways(routing, 3, 4, LaneRule.BY_SOURCE) == ((LaneHop(0, 1, 0), LaneHop(1, 1, 0)),)
    assert processor_ways(routing, 3, 4, LaneRule.IN_TURN) == tuple(
        (LaneHop(0, lane, 0), LaneHop(1, lane, 0)) for lane in (0, 1)
    )
    assert processor_ways(routing, 3, 2) == processor_ways(routing, 3, 3) == ((),)


def test_classes_are_kept():
    routing = Dateline(SparseGHC(4, 1, 2, 3))
    assert processor_ways(routing, 7, 3, LaneRule.BY_SOURCE) == ((LaneHop(0, 1, 0), LaneHop(0, 1, 1)),)


def test_sources_share_evenly():
    """Each lane has equally many processors of a node, if their number is a multiple of the lanes."""
    topology = FatCube(2, 6, 3)
    taken = Counter(
        way[0].lane
        for source, target in itertools.product(range(6), range(6, 24))
        for way in processor_ways(DimensionOrder(topology), source, target, LaneRule.BY_SOURCE)
    )
    assert taken == {0: 36, 1: 36, 2: 36}


def test_refusals():
    with pytest.raises(ParameterError, match="^lanes must be one of fixed, by-source, in-turn, not 'any'$"):
        LaneRule.parse("any")
    with pytest.raises(ParameterError, match="^target processor must be an integer from 0 to 3, not 4$"):
        processor_ways(DimensionOrder(FatCube(1, 2)), 0, 4)
    with pytest.raises(ParameterError, match="^source processor must be an integer from 0 to 3, not -1$"):
        processor_ways(DimensionOrder(FatCube(1, 2)), -1, 0)
