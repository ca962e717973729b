# amaranth: UnusedElaboratable=no
"""Half-duplex lanes proved without bound: one direction at a time, whole packets, idle cycles, no starvation."""

import pytest

from fatcube.rtl.lanes.half_duplex import HalfDuplexLane
from tests.support.half_duplex_harness import HeaderHarness, PermissionHarness
from tests.support.planted import plant
from tests.support.prove import Outcome, prove

LONGEST = 3


def checked(harness, *, depth=None):
    return prove(harness, ports=harness.ports, depth=depth)


@pytest.mark.parametrize(
    "harness",
    [
        HeaderHarness(goal=3),
        HeaderHarness(whole=True, goal=3),
        PermissionHarness(goal=3),
        PermissionHarness(stages=1, goal=2),
    ],
    ids=["header", "whole packets", "permission", "registers"],
)
def test_both_ends_can_send(harness):
    """The assumptions leave room for packets of both ends."""
    assert checked(harness, depth=30).frame is not None


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("turn_round", [0, 1, 3])
def test_the_rules_of_a_lane(turn_round, whole):
    assert checked(HeaderHarness(turn_round=turn_round, whole=whole)) == Outcome(True)


@pytest.mark.parametrize("stages", [0, 1, pytest.param(2, marks=pytest.mark.prove)])
@pytest.mark.parametrize("turn_round", [0, 1, pytest.param(3, marks=pytest.mark.prove)])
def test_the_rules_of_a_lane_with_channels(turn_round, stages):
    assert checked(PermissionHarness(turn_round=turn_round, stages=stages)) == Outcome(True)


@pytest.mark.parametrize("turn_round", [0, 2])
def test_a_packet_waits_for_one_of_the_other_end(turn_round):
    """It waits for one packet and for two turns, and no bound is lower."""
    bound = LONGEST + 2 * turn_round
    assert checked(HeaderHarness(turn_round=turn_round, longest=LONGEST, patience=bound)) == Outcome(True)
    assert checked(HeaderHarness(turn_round=turn_round, longest=LONGEST, patience=bound - 1)).frame is not None


@pytest.mark.parametrize(("stages", "bound"), [(0, 16), pytest.param(1, 22, marks=pytest.mark.prove)])
def test_a_packet_with_channels_waits_for_one_of_the_other_end(stages, bound):
    """For a packet of its own end, one of the other, and the signals that ask for permission and give it."""
    assert checked(PermissionHarness(stages=stages, longest=LONGEST, patience=bound)) == Outcome(True)
    assert checked(PermissionHarness(stages=stages, longest=LONGEST, patience=bound - 1)).frame is not None


FAULTS = {
    "both directions": (HalfDuplexLane, "into[there].valid.eq(offered & (facing == here))", "into[there].valid.eq(offered)", HeaderHarness),
    "a packet split": (HalfDuplexLane, "Mux(within | own, crossing & last, 1)", "Mux(within | own, crossing, 1)", HeaderHarness),
    "an idle cycle too few": (HalfDuplexLane, "(idle == self.turn_round)", "(idle + 1 >= self.turn_round)", HeaderHarness),
    "a turn without rest": (HalfDuplexLane, "rested.eq(~fresh | (idle == self.turn_round))", "rested.eq(1)", HeaderHarness),
    "taken and not passed on": (HalfDuplexLane, "crossing.eq(offered & ready)", "crossing.eq(offered)", HeaderHarness),
    "permission that is taken back late": (HalfDuplexLane, "delay = 2 * self.options.link_stages + 1", "delay = 2 * self.options.link_stages", PermissionHarness),
    "a turn below a packet": (HalfDuplexLane, "m.Elif(~holds)", "m.Elif(Const(1))", PermissionHarness),
    "permission without rest": (HalfDuplexLane, "permits & rested & (facing == here)", "permits & (facing == here)", PermissionHarness),
    "permission for both": (HalfDuplexLane, "permits & rested & (facing == here)", "permits & rested", PermissionHarness),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_a_lane_is_found(monkeypatch, fault):
    part, line, instead, harness = FAULTS[fault]
    plant(monkeypatch, part, line, instead)
    assert checked(harness(turn_round=4), depth=16).frame is not None
