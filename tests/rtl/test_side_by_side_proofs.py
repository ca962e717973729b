# amaranth: UnusedElaboratable=no
"""Packets of a processor's port that wait, and arrive, side by side: proved."""

import pytest

from fatcube.rtl.arbiters.least_recent import longest_ago
from fatcube.rtl.inputs.injection import Injection
from fatcube.rtl.outputs.channel_room import ChannelRoom
from fatcube.rtl.outputs.ejection import Ejection
from tests.support.planted import plant, some_of
from tests.support.prove import Outcome, prove
from tests.support.side_by_side_harness import EjectionHarness, InjectionHarness

LONGEST_PACKET = 3


def longest_wait(channels):
    """A strict bound on the flits that are delivered before one in front of a channel: a packet of each other one goes first."""
    return (channels - 1) * LONGEST_PACKET + 1


def checked(harness, *, depth=None):
    return prove(harness, ports=harness.ports, depth=depth)


@pytest.mark.parametrize("harness", [InjectionHarness(goal=2), EjectionHarness(goal=2)], ids=["injection", "ejection"])
def test_every_input_and_channel_has_packets(harness):
    """The assumptions leave room for two packets of each."""
    assert checked(harness, depth=20).frame is not None


@pytest.mark.parametrize("inputs", [2, pytest.param(4, marks=pytest.mark.prove)])
def test_no_packet_goes_wrong_on_its_way_in(inputs):
    assert checked(InjectionHarness(inputs)) == Outcome(True)


@pytest.mark.parametrize(
    "size",
    [{}, pytest.param({"channels": 3}, marks=pytest.mark.prove), pytest.param({"depth": 3}, marks=pytest.mark.prove)],
    ids=str,
)
def test_no_flit_goes_wrong_on_its_way_out(size):
    assert checked(EjectionHarness(**size)) == Outcome(True)


@pytest.mark.parametrize("channels", [2, pytest.param(3, marks=pytest.mark.prove)])
def test_no_flit_waits_for_long_on_its_way_out(channels):
    bounded = {"longest": LONGEST_PACKET}
    assert checked(EjectionHarness(channels, patience=longest_wait(channels), **bounded)) == Outcome(True)
    assert (
        checked(EjectionHarness(channels, patience=longest_wait(channels) - 1, **bounded), depth=20).frame is not None
    )
    assert checked(EjectionHarness(channels, patience=1, goal=2, **bounded), depth=24).frame is not None


FAULTS = {
    "an input that is not idle": (Injection, "self.idle[number] & ~self.idle", "~self.idle"),
    "two inputs": (Injection, "& ~self.idle[:number].any()", ""),
    "the rest of a packet elsewhere": (Injection, "Mux(within, taking, first)", "first"),
    "a header that moves": (Injection, "with m.If(self.i.valid & chosen.any()):", "with m.If(self.i.valid & self.i.ready):"),
    "a packet that never ends": (Injection, "~(self.i.ready & self.i.payload.last)", "1"),
    "a flit taken by another input": (Injection, "chosen[number] & out.ready", "out.ready"),
    "two packets mixed": (Ejection, "Mux(within, taking, begins)", "begins"),
    "a packet that goes on after its end": (Ejection, "within.eq(~(self.o.ready & self.o.payload.last))", "within.eq(1)"),
    "an offer that changes": (Ejection, "with m.If(self.o.valid):", "with m.If(self.o.valid & self.o.ready):"),
    "a flit on another channel": (Ejection, "(self.allocator.channel == number)", "(self.allocator.channel != number)"),
    "a flit taken from all": (Ejection, "self.o.ready & chosen[number]", "self.o.ready"),
    "room that is not there": (ChannelRoom, "self.room.eq(Mux(before,", "self.room.eq(Mux(0,"),
}  # fmt: skip
QUICK = {"the rest of a packet elsewhere", "a header that moves", "two packets mixed", "an offer that changes"}


@pytest.mark.parametrize("fault", some_of(FAULTS, QUICK))
def test_a_fault_is_found(monkeypatch, fault):
    part, line, instead = FAULTS[fault]
    plant(monkeypatch, part, line, instead)
    assert checked(InjectionHarness() if part is Injection else EjectionHarness(), depth=10).frame is not None


def test_a_channel_that_waits_for_ever_is_found(monkeypatch):
    plant(monkeypatch, longest_ago, "~taken[i] & (taken[j] | is_longer)", "is_longer")
    assert checked(EjectionHarness(), depth=10) == Outcome(False, depth=10)
    assert checked(EjectionHarness(longest=LONGEST_PACKET, patience=longest_wait(2)), depth=16).frame is not None
