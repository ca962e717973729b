"""Bounds from maximum flows, beside all sets of nodes, one after the other, and flows in time by another library."""

import pytest

from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topologies.generalized import SparseGHC
from fatcube.noc.topologies.grids import Mesh, Ring
from fatcube.noc.topologies.star import Star
from fatcube.schedules.bounding import cuts
from fatcube.schedules.bounding.cuts import cut_of_all_gather, cut_of_broadcast, cut_of_sums, flow_over_time
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import STANDARD, StepModel
from tests.support.large import (
    DUMBBELL,
    ONE_WAY,
    sets,
    steps_of_all_gather,
    steps_of_broadcast_in_parts,
    steps_of_sums,
)

GRAPHS = [DUMBBELL, ONE_WAY, Mesh(w=3, d=2), Ring(5, m=2, f=2), Star(4), SparseGHC(3, 2)]


@pytest.mark.parametrize("topology", GRAPHS, ids=str)
@pytest.mark.parametrize("parts", [1, 2, 7])
def test_cuts_are_the_worst_of_all(topology, parts):
    """Catches a cut that is not the worst, a lane or its direction miscounted, and rounding."""
    assert cut_of_all_gather(topology, STANDARD, parts).steps == steps_of_all_gather(topology, parts)
    assert cut_of_sums(topology, STANDARD, parts).steps == steps_of_sums(topology, parts)
    least = min(lanes for inside, lanes in sets(topology) if 0 in inside)
    assert cut_of_broadcast(topology, 0, STANDARD, parts).steps == -(-parts // least)


@pytest.mark.parametrize("topology", [*GRAPHS, CubeConnectedCycles(3)], ids=str)
def test_flows_in_time(topology):
    """Catches a way that comes sooner than it can, and lanes that carry more in a step than they have."""
    [bound] = flow_over_time(topology, 0, STANDARD, 7)
    assert bound.steps == steps_of_broadcast_in_parts(topology, 0, 7)


def test_the_cut_of_a_dumbbell_is_the_link_between_its_halves():
    """Worked by hand: six messages to and fro over one lane, three each way, which is more than the two lanes into a corner take."""
    bound = cut_of_all_gather(DUMBBELL, STANDARD, 4)
    assert (bound.steps, bound.reason) == (12, "12 messages leave 3 of the nodes on ways to node 0, at most 1 a step")


def test_where_flows_say_nothing():
    """Direct transfers cross several links in a step, and without a limit of packets no number of messages counts."""
    for model in (StepModel(transfers="direct"), StepModel(per_packet="unlimited")):
        assert [*flow_over_time(DUMBBELL, 0, model, 4)] == []


def test_packets_of_several_messages_count():
    assert cut_of_all_gather(DUMBBELL, StepModel(per_packet=3), 4).steps == 4


def test_failures_raise_bounds():
    """A 4 x 4 mesh whose corner has lost one of its two links: all enters it over the other one."""
    whole, failed = Mesh(w=4, d=2), damaged(Mesh(w=4, d=2), ["link:0-1"])
    assert lower_bound(Problem(whole, "d", "AAB", parts=4)).steps == 30
    found = lower_bound(Problem(failed, "d", "AAB", parts=4))
    assert (found.steps, "node 0" in found.reason) == (60, True)
    assert lower_bound(Problem(failed, "d", "all-reduce", parts=4)).steps == 64


def test_flows_over_time_are_left_out_where_they_take_long(monkeypatch):
    """By hand, on a cube: 24 links in a direction, in 4 steps as the farthest of 4 parts needs, for each of 7 nodes."""
    asked = []
    carried = cuts._Lanes.carried
    monkeypatch.setattr(cuts._Lanes, "carried", lambda *given: asked.append(given) or carried(*given))
    for most in (24 * 4 * 7 - 1, 24 * 4 * 7):
        monkeypatch.setattr(cuts, "MOST_ARCS", most)
        assert not asked
        assert next(flow_over_time(Hypercube(3), 0, STANDARD, 4)).steps == 4
    assert asked
