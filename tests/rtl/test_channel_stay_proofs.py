# amaranth: UnusedElaboratable=no
"""How long a flit can stay in a router with virtual channels, searched from reset."""

import pytest

from rtl.allocators.channel_allocator import ChannelAllocator
from rtl.inputs.watch_timer import WatchTimer
from tests.support.parameters import router_parameters
from tests.support.planted import plant
from tests.support.prove import Outcome, prove
from tests.support.stay_harness import StayHarness

# A processor and a lane of two channels, which may turn back: the least with which two sources want one channel.
SMALLEST = {
    "processors": 1,
    "channels": 1,
    "turns": "all",
    "virtual_channels": 2,
    "buffer_depth": 3,
    "width": 2,
    "injection_channels": 1,
    "ejection_channels": 1,
}
LONGEST_PACKET = 2
LONGEST_SEEN = 13
NEVER_SEEN = 20


@pytest.fixture(autouse=True)
def often(monkeypatch):
    """Channels are watched for two cycles each, and packets keep outputs, although the buffers are shallow."""
    monkeypatch.setitem(WatchTimer.__init__.__kwdefaults__, "period", 2)
    monkeypatch.setattr("rtl.channel_units._KEEPS", 0)


def searched(patience, *, depth):
    harness = StayHarness(router_parameters(**SMALLEST), longest=LONGEST_PACKET, patience=patience)
    return prove(harness, ports=harness.ports, depth=depth, seconds=1800)


def test_flits_stay():
    """The assumptions leave room for flits that wait."""
    assert searched(LONGEST_SEEN, depth=20).frame is not None


@pytest.mark.prove
def test_no_flit_stays_for_long():
    assert searched(NEVER_SEEN, depth=24) == Outcome(False, depth=24)


def test_a_header_for_which_nothing_is_reserved_can_stay(monkeypatch):
    plant(monkeypatch, ChannelAllocator, "reserved.eq(Cat(waiting))", "reserved.eq(0)")
    assert searched(NEVER_SEEN, depth=24).frame is not None
