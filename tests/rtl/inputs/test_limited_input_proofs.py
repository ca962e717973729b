# amaranth: UnusedElaboratable=no
"""An input at which packets have limits proved: what leaves, when, and what is said of what does not."""

import pytest

from fatcube.rtl.inputs.limited_input import LimitedInput
from fatcube.rtl.inputs.packet_guard import PacketGuard, StopTimer
from fatcube.rtl.inputs.room_gate import RoomGate
from fatcube.rtl.outputs.credits import CreditCounter
from tests.support.limited_input_harness import LimitedInputHarness
from tests.support.planted import plant, some_of
from tests.support.prove import Outcome, prove

# A buffer of three flits, packets of two at most, senders that may stop for two cycles. The second is the cycles after
# which nothing waits any more, where what is offered leaves: those of the rest of a packet, of flits before a header, of
# the timer.
LIMITS = {
    "length": ({"longest": 2}, 2),
    "stop": ({"timeout": 2}, 5),
    "both": ({"longest": 2, "timeout": 2}, 5),
    "cut-through": ({"switching": "virtual-cut-through", "longest": 2}, 3),
    "cut-through with a timeout": ({"switching": "virtual-cut-through", "longest": 2, "timeout": 2}, 5),
    "store": ({"switching": "store-and-forward", "longest": 2}, 2),
    "store with a timeout": ({"switching": "store-and-forward", "longest": 2, "timeout": 2}, 5),
}
EVERY = [name if name == "store with a timeout" else pytest.param(name, marks=pytest.mark.prove) for name in LIMITS]


def checked(limits, *, depth=None, **claim):
    harness = LimitedInputHarness(**LIMITS[limits][0], **claim)
    return prove(harness, ports=harness.ports, depth=depth)


@pytest.mark.parametrize("limits", EVERY)
def test_packets_are_delivered_and_ended(limits):
    """The assumptions leave room for two packets, and for two that are ended."""
    assert checked(limits, goal=2, depth=16).frame is not None


@pytest.mark.parametrize("limits", EVERY)
def test_nothing_ever_goes_wrong(limits):
    assert checked(limits) == Outcome(True)


@pytest.mark.parametrize("limits", EVERY)
def test_nothing_waits_for_long(limits):
    """And a shorter bound fails."""
    _, patience = LIMITS[limits]
    assert checked(limits, patience=patience) == Outcome(True)
    assert checked(limits, patience=patience - 1, depth=13).frame is not None


WRONG = {
    "one flit too few": ("length", PacketGuard, "flits == self.longest - 1", "flits == self.longest - 2"),
    "one flit too many": ("length", PacketGuard, "flits == self.longest - 1", "flits == self.longest"),
    "count goes on": ("length", PacketGuard, "Mux(self.ended.last, 0, flits + 1)", "flits + 1"),
    "rest of a long packet leaks": (
        "length",
        PacketGuard,
        "with m.If(ends):",
        "with m.If(leaves & missing):",
    ),
    "rest of a stopped packet leaks": (
        "stop",
        PacketGuard,
        "with m.If(ends):",
        "with m.If(leaves & full):",
    ),
    "error for every packet": (
        "length",
        PacketGuard,
        "self.error.eq(ends)",
        "self.error.eq(leaves & self.ended.last)",
    ),
    "error until the rest has gone": (
        "length",
        PacketGuard,
        "self.error.eq(ends)",
        "self.error.eq(self.swallowing)",
    ),
    "two errors of a packet": (
        "length",
        LimitedInput,
        "guard.error & (unit.header | ~reported)",
        "guard.error",
    ),
    "no error of a packet behind one with an error": (
        "length",
        LimitedInput,
        "with m.If(unit.header):",
        "with m.If(unit.error):",
    ),
    "swallow not ended": (
        "length",
        PacketGuard,
        "with m.Elif(real_last & self.advance):",
        "with m.Elif(real_last & missing):",
    ),
    "room not given back": ("cut-through", RoomGate, "credits.returned.eq(self.left)", "credits.returned.eq(0)"),
    "end with data": ("stop", PacketGuard, "Mux(missing, 0, self.flit.data)", "self.flit.data"),
    "whole one flit early": (
        "store",
        LimitedInput,
        "(flits_next >= self.longest)",
        "(flits_next >= self.longest - 1)",
    ),
    "whole by another packet": ("store", LimitedInput, " - (leaves & unit.flit.last)", ""),
    "request while held": ("store", LimitedInput, " & ~guard.held_back.replicate(len(unit.allocator.requests))", ""),
    "held header lost": ("store", LimitedInput, "self.allocator.advance & ~guard.held_back", "self.allocator.advance"),
    "room for one flit less": (
        "cut-through",
        CreditCounter,
        "whole.eq(after >= self.longest)",
        "whole.eq(after >= self.longest - 1)",
    ),
    "room of the cycle before": ("cut-through", CreditCounter, "whole.eq(after >=", "whole.eq(level >="),
    "stop one cycle early": ("stop", StopTimer, "idle == self.timeout - 1", "idle == self.timeout - 2"),
    "flit taken after the stop": (
        "stop",
        StopTimer,
        "self.i.ready.eq(self.o.ready & ~self.stopped)",
        "self.i.ready.eq(self.o.ready)",
    ),
}


QUICK = {
    "one flit too many",
    "rest of a long packet leaks",
    "swallow not ended",
    "whole one flit early",
    "room for one flit less",
}


@pytest.mark.parametrize("fault", some_of(WRONG, QUICK))
def test_a_fault_is_found(monkeypatch, fault):
    limits, part, line, instead = WRONG[fault]
    plant(monkeypatch, part, line, instead)
    assert checked(limits, depth=10).frame is not None


@pytest.mark.parametrize(
    ("limits", "part", "line", "instead"),
    [
        ("cut-through", CreditCounter, "whole.eq(after >= self.longest)", "whole.eq(after > self.longest)"),
        ("stop", StopTimer, "with m.If(self.swallowing):", "with m.If(self.swallowing & ~within):"),
        ("store", LimitedInput, "(flits_next >= self.longest)", "(flits_next > self.longest)"),
    ],
    ids=["room for one flit more", "stop not ended", "whole one flit late"],
)
def test_what_waits_for_ever_is_found(monkeypatch, limits, part, line, instead):
    """Nothing wrong leaves, but something does not."""
    plant(monkeypatch, part, line, instead)
    assert checked(limits, depth=6) == Outcome(False, depth=6)
    assert checked(limits, patience=LIMITS[limits][1], depth=12).frame is not None
