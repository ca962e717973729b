"""Bounds for direct transfers: held against search, and against what is worked out by hand."""

import pytest

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Ring
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounding.direct import odd_lanes, reached_nodes
from fatcube.schedules.problem import Problem
from fatcube.schedules.search import Outcome, search
from fatcube.schedules.step_model import StepModel
from tests.support.children import HANG

DIRECT = StepModel(transfers="direct")
SHARED = StepModel(transfers="direct", links="half-duplex")


def steps(bounds):
    return max((bound.steps for bound in bounds), default=0)


@pytest.mark.parametrize("topology", [FatCube(2, 2, 1), FatCube(2, 3, 1), Hypercube(3), Ring(5)], ids=str)
def test_no_broadcast_has_fewer_steps(topology):
    """Where two steps fewer were possible, the search for one step less would find them."""
    least = steps(reached_nodes(topology, DIRECT))
    if least > 1:
        found = search(Problem(topology, "*", "OAB", 0, model=DIRECT), steps=least - 1, time_limit=HANG)
        assert found.outcome is Outcome.IMPOSSIBLE


def test_nodes_reached_by_hand():
    """Four nodes of three processors on a ring: two others are reached in step 1, and in step 2 two lanes cannot fill the fourth."""
    assert steps(reached_nodes(FatCube(2, 3, 1), DIRECT)) == 3
    # Four of the eight nodes of the 3-cube are reached in step 1, and the 12 lanes of these fill the other four.
    assert steps(reached_nodes(FatCube(3, 3, 1), DIRECT)) == 2
    assert steps(reached_nodes(FatCube(3, 4, 1), DIRECT)) == 3


def test_odd_lanes_by_hand():
    """On the 3-cube 48 lanes each way, twice 96 ends of hops, and twice 56 messages; a node has 3 lanes, and 2 ends of its port."""
    assert steps(odd_lanes(Hypercube(3), PortModel.ONE, SHARED)) == -(-(2 * 96 + 2 * 56) // (8 * (3 + 2 - 1))) == 10
    assert steps(odd_lanes(Hypercube(2), PortModel.ONE, SHARED)) == 0


def test_odd_lanes_of_a_pair():
    """Two nodes with one lane between them send to each other in two steps, and no bound says more."""
    assert steps(odd_lanes(Hypercube(1), PortModel.ONE, SHARED)) == 2
    found = search(Problem(Hypercube(1), "1", "AAS", None, model=SHARED), steps=2, time_limit=HANG)
    assert found.outcome is Outcome.FOUND
