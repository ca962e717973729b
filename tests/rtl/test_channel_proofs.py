# amaranth: UnusedElaboratable=no
"""Lanes with virtual channels proved: credits, buffers, turns."""

import pytest

from fatcube.rtl.arbiters.least_recent import longest_ago
from fatcube.rtl.endpoint.channel_turns import ChannelTurns
from fatcube.rtl.endpoint.lane_ends import LaneReceiver, LaneSender
from fatcube.rtl.outputs.credits import CreditCounter
from tests.support.lane_harness import LaneHarness, TurnsHarness
from tests.support.planted import plant, some_of
from tests.support.prove import Outcome, prove

LONGEST_PACKET = 3


def longest_wait(channels):
    """Cycles for a flit in front of a lane: those of a packet of each other channel, and its own."""
    return (channels - 1) * LONGEST_PACKET + 1


def checked(harness, *, depth=None):
    return prove(harness, ports=harness.ports, depth=depth)


@pytest.mark.parametrize("harness", [LaneHarness(goal=2), TurnsHarness(3, goal=2)], ids=["lane", "turns"])
def test_every_channel_can_deliver(harness):
    """The assumptions leave room for two packets of each channel."""
    assert checked(harness, depth=20).frame is not None


@pytest.mark.parametrize(
    "size", [{}, pytest.param({"channels": 3, "depth": 4, "width": 2}, marks=pytest.mark.prove)], ids=str
)
def test_no_flit_or_credit_goes_wrong(size):
    assert checked(LaneHarness(**size)) == Outcome(True)


def test_no_flit_waits_for_long_before_a_lane():
    bounded = {"longest": LONGEST_PACKET}
    assert checked(LaneHarness(patience=longest_wait(2), **bounded)) == Outcome(True)
    assert checked(LaneHarness(patience=longest_wait(2) - 1, **bounded)).frame is not None
    assert checked(LaneHarness(patience=longest_wait(2), goal=2, **bounded), depth=20).frame is not None


@pytest.mark.parametrize("channels", [2, pytest.param(4, marks=pytest.mark.prove)])
def test_turns(channels):
    assert checked(TurnsHarness(channels)) == Outcome(True)
    bounded = {"longest": LONGEST_PACKET}
    assert checked(TurnsHarness(channels, patience=longest_wait(channels), **bounded)) == Outcome(True)
    assert checked(TurnsHarness(channels, patience=longest_wait(channels) - 1, **bounded)).frame is not None


FAULTS = {
    "a credit given twice": (LaneReceiver, ".eq(buffer.o.valid & buffer.o.ready)", ".eq(buffer.o.ready)"),
    "a credit lost": (
        LaneReceiver,
        "buffer.o.valid & buffer.o.ready",
        "buffer.o.valid & buffer.o.ready & ~self.lane.credit[channel]",
    ),
    "a credit on another channel": (LaneReceiver, "m.d.sync += self.lane.credit[channel]", "m.d.sync += self.lane.credit[channel - 1]"),
    "a flit into another buffer": (LaneReceiver, "payload.channel == channel", "payload.channel != channel"),
    "a credit too many at first": (LaneSender, "CreditCounter(self.depth)", "CreditCounter(self.depth + 1)"),
    "a count of the cycle before": (CreditCounter, "room.eq(after != 0)", "room.eq(level != 0)"),
    "a credit that comes with a flit lost": (CreditCounter, "level + self.returned - self.sent", "level + (self.returned & ~self.sent) - self.sent"),
    "room one flit late": (CreditCounter, "room.eq(after != 0)", "room.eq(after > 1)"),
    "credits not asked for": (LaneSender, "source.valid & credits.room", "source.valid"),
    "a flit under another channel": (LaneSender, "payload.channel.eq(channel)", "payload.channel.eq(0)"),
    "a flit not taken": (LaneSender, "source.ready.eq(turns.winner[channel])", "source.ready.eq(turns.requests[channel])"),
}  # fmt: skip


QUICK = {"a credit given twice", "a credit lost", "a credit too many at first", "a count of the cycle before"}


@pytest.mark.parametrize("fault", some_of(FAULTS, QUICK))
def test_a_fault_in_a_lane_is_found(monkeypatch, fault):
    part, line, instead = FAULTS[fault]
    plant(monkeypatch, part, line, instead)
    assert checked(LaneHarness(), depth=10).frame is not None


@pytest.mark.parametrize(
    ("part", "line", "instead"),
    [
        (ChannelTurns, "Mux(goes_on.any(), goes_on, ", "Mux(0, goes_on, "),
        (ChannelTurns, "goes_on = self.requests & before", "goes_on = before"),
        (longest_ago, "else ~longer_ago[number, other]", "else longer_ago[number, other]"),
    ],
    ids=["turn not kept", "turn without a request", "two win or none"],
)
def test_a_fault_in_the_turns_is_found(monkeypatch, part, line, instead):
    plant(monkeypatch, part, line, instead)
    assert checked(TurnsHarness(3), depth=10).frame is not None


@pytest.mark.parametrize(
    ("part", "line", "instead"),
    [
        (ChannelTurns, "self.winner & ~self.last", "self.winner"),
        (longest_ago, "~taken[i] & (taken[j] | is_longer)", "is_longer"),
        (longest_ago, "taken[j] | is_longer", "is_longer"),
    ],
    ids=["turn not given up", "the first one wins", "the last one wins"],
)
def test_a_channel_that_waits_for_ever_is_found(monkeypatch, part, line, instead):
    """The winner is right in every cycle, but it is never one of those that wait."""
    plant(monkeypatch, part, line, instead)
    assert checked(TurnsHarness(3), depth=10) == Outcome(False, depth=10)
    harness = TurnsHarness(3, longest=LONGEST_PACKET, patience=longest_wait(3))
    assert checked(harness, depth=10).frame is not None
