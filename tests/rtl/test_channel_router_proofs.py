# amaranth: UnusedElaboratable=no
"""Routers whose lanes have virtual channels, proved."""

import pytest

from rtl.allocators.channel_allocator import ChannelAllocator
from rtl.inputs.input_unit import InputUnit
from rtl.outputs.credit import CreditOutput
from rtl.router_units import RouterUnits
from tests.support.channel_router_harness import ChannelRouterHarness
from tests.support.parameters import router_parameters
from tests.support.planted import plant, some_of
from tests.support.prove import Outcome, prove

# A processor and a lane of two channels, which may turn back: the least with which two sources want one channel.
ONE_AT_PORTS = {"injection_channels": 1, "ejection_channels": 1}
SMALLEST = {
    "processors": 1,
    "channels": 1,
    "turns": "all",
    "virtual_channels": 2,
    "buffer_depth": 3,
    "width": 4,
    **ONE_AT_PORTS,
}
CLASSES = {"channel_classes": 2, "width": 6}
PROCESSORS = {"processors": 2, "turns": "used", "width": 6}
CONFIGURATIONS = [{}, CLASSES, PROCESSORS, {"pipeline": 2, "arbiter": "least-recent", "buffer_depth": 4}]


def checked(*, depth=None, goal=None, **options):
    """The outcome for the smallest router with these options."""
    parameters = router_parameters(**{**SMALLEST, **options})
    harness = ChannelRouterHarness(parameters, goal=goal)
    return prove(harness, ports=harness.ports, depth=depth, seconds=1800)


@pytest.mark.parametrize(
    "options", [{}, *(pytest.param(one, marks=pytest.mark.prove) for one in CONFIGURATIONS[1:])], ids=str
)
def test_every_source_can_deliver(options):
    """The assumptions leave room for two packets of each input and of each channel."""
    assert checked(goal=2, depth=16, **options).frame is not None


@pytest.mark.prove
@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_nothing_ever_goes_wrong(options):
    assert checked(**options) == Outcome(True)


FAULTS = {
    "a flit on another channel": (ChannelAllocator, "if channel >> bit & 1", "if ~channel >> bit & 1"),
    "two channels for a header": (ChannelAllocator, "chosen.eq(longest_ago(m, unheld, given))", "chosen.eq(unheld)"),
    "a header asks again": (ChannelAllocator, "self._asking(target) & ~state.held", "self._asking(target)"),
    "two headers pass": (ChannelAllocator, "alone.eq(exactly_one(pending))", "alone.eq(pending.any())"),
    "a turn without credit": (ChannelAllocator, "turns.requests.eq(offers & ready)", "turns.requests.eq(offers)"),
    "a credit without a flit": (InputUnit, "self.left.eq(self.valid & self.advance)", "self.left.eq(self.advance)"),
    "a credit of another channel": (CreditOutput, "returned.eq(self.o.credit[number])", "returned.eq(self.o.credit[number - 1])"),
    "a class that is not there": (RouterUnits, "target.channels[0]) for", "0) for"),
}  # fmt: skip


QUICK = {"a flit on another channel", "a turn without credit", "a header asks again"}


@pytest.mark.parametrize("fault", some_of(FAULTS, QUICK))
def test_a_fault_is_found(monkeypatch, fault):
    part, line, instead = FAULTS[fault]
    plant(monkeypatch, part, line, instead)
    assert checked(depth=8, **(CLASSES if "class" in fault or "another" in fault else {})).frame is not None


@pytest.mark.parametrize(
    ("part", "line", "instead"),
    [
        (ChannelAllocator, "[state.holder[channel].eq(0), state.free[channel].eq(1)]", "state.free[channel].eq(1)"),
        (ChannelAllocator, "Mux(passing, 0, arbiter.winner)", "arbiter.winner"),
        (CreditOutput, "self.o.valid & (self.channel == number)", "self.o.valid"),
    ],
    ids=["holder not released", "holder that has passed", "credits lost"],
)
def test_a_packet_that_stays_is_found(monkeypatch, part, line, instead):
    """No wrong flit comes out, but right ones do not either."""
    plant(monkeypatch, part, line, instead)
    assert checked(longest=LONGEST_PACKET, patience=LONGEST_STAY, depth=12).frame is not None
