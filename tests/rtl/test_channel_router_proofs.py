# amaranth: UnusedElaboratable=no
"""Routers whose lanes have virtual channels, proved."""

import pytest

from fatcube.rtl.allocators.channel_allocator import ChannelAllocator
from fatcube.rtl.allocators.channel_pool import ChannelPool
from fatcube.rtl.inputs.channel_input import ChannelInput
from fatcube.rtl.inputs.input_channel import InputChannel
from fatcube.rtl.inputs.route import Route
from fatcube.rtl.outputs.channel_room import ChannelRoom
from fatcube.rtl.outputs.credit import CreditOutput
from fatcube.rtl.outputs.held import HeldOutput
from fatcube.rtl.units.channel_units import ChannelUnits
from tests.support.channel_router_harness import SMALLEST, ChannelRouterHarness
from tests.support.parameters import router_parameters
from tests.support.planted import plant, some_of
from tests.support.prove import Outcome, prove

CLASSES = {"channel_classes": 2, "width": 6}
PROCESSORS = {"processors": 2, "turns": "used", "width": 6}
CONFIGURATIONS = [{}, CLASSES, PROCESSORS, {"pipeline": 2, "arbiter": "least-recent", "buffer_depth": 4}]


@pytest.fixture(autouse=True)
def keeps(monkeypatch):
    """Packets keep outputs, although the buffers are shallow."""
    monkeypatch.setattr("fatcube.rtl.units.channel_units._KEEPS", 0)


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


@pytest.mark.prove
def test_nothing_goes_wrong_where_no_packet_keeps_its_output(monkeypatch):
    monkeypatch.setattr("fatcube.rtl.units.channel_units._KEEPS", SMALLEST["buffer_depth"] + 1)
    assert checked() == Outcome(True)


FAULTS = {
    "a flit on another channel": (ChannelAllocator, "[encoded(channel) for", "[~encoded(channel) for"),
    "a channel for two packets": (ChannelPool, "(self.busy | taken) & ~self.freed", "self.busy & ~self.freed"),
    "a flit without room": (ChannelInput, "self.allocator.more | bid.dropping)", "1)"),
    "room of the cycle before": (ChannelRoom, "self.room.eq(Mux(before,", "self.room.eq(Mux(0,"),
    "a credit without a flit": (InputChannel, "self.left.eq(self.leaves)]", "self.left.eq(self.bids)]"),
    "a credit of another channel": (CreditOutput, "self.o.credit[number])", "self.o.credit[number - 1])"),
    "a class that is not there": (ChannelUnits, "target.channels[0]) for", "0) for"),
    "room of another class": (InputChannel, "bit & self.room(output)[channel]", "bit & self.room(output)[0]"),
    "a header as a word": (ChannelInput, "self.allocator.head.eq(self.allocator.last),", "self.allocator.head.eq(0),"),
    "a flit twice": (InputChannel, "self.first.eq(self.behind)", "self.first.eq(self.first)"),
    "the target of a header behind": (ChannelInput, "Mux(bid.follows, following, coming)", "coming"),
    "the target beside that of a header behind": (Route, "in range(1, self.size + 1)", "in range(self.size)"),
    "a kept flit lost": (HeldOutput, "kept.eq(self.o.valid & ~self.o.ready)", "kept.eq(self.allocator.offer & ~self.o.ready)"),
}  # fmt: skip


QUICK = {"a flit on another channel", "a flit without room"}


@pytest.mark.parametrize("fault", some_of(FAULTS, QUICK))
def test_a_fault_is_found(monkeypatch, fault):
    part, line, instead = FAULTS[fault]
    plant(monkeypatch, part, line, instead)
    assert checked(depth=8, **(CLASSES if "class" in fault or "another" in fault else {})).frame is not None
