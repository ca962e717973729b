# amaranth: UnusedElaboratable=no
"""How long a flit stays in a router with virtual channels while others in step keep passing it over."""

import itertools

import pytest

from fatcube.rtl.allocators.channel_allocator import ChannelAllocator
from fatcube.rtl.inputs.channel_input import ChannelInput
from fatcube.rtl.inputs.input_channel import InputChannel
from fatcube.rtl.units import channel_units
from tests.support.channels import Channels
from tests.support.channels import channel_parameters as parameters
from tests.support.planted import plant
from tests.support.streams import Sink, Source, cycles, simulate

PATIENCE = 8
LONGEST = 6
# Until it is urgent, and then for the packets that bid already, and those that have channels.
BOUND = 2 * PATIENCE + 2 + 3 * (LONGEST + 4)


@pytest.fixture(autouse=True)
def often(monkeypatch):
    """Channels are urgent after a few cycles, so that bounds are short."""
    monkeypatch.setattr(channel_units, "_PATIENCE", PATIENCE // 2)


def longest_stay(passing, competing, *, pipeline=1):
    """The most cycles, of five packets, that one spends in a router, or BOUND and a cycle if it is more.

    A lane has packets to the processor on one channel, and others, of ``passing`` flits, that go on without
    a pause on the other one; those of another lane, of ``competing`` flits, are for the processor too.
    """
    of = parameters(virtual_channels=2, processors=1, hops=2, pipeline=pipeline)
    design = Channels(of)
    here, there = of.lane_port(0, 0), of.lane_port(1, 0)

    def packets(route, payload, count):
        return [[of.header.pack(route, 1), *[0] * (payload - 1)] for _ in range(count)]

    alone = Source(design.inputs[0, here, 0])
    others = [
        Source(design.inputs[0, here, 1], packets([there, 0], passing, 200)),
        Source(design.inputs[0, there, 0], packets([0], competing, 200)),
    ]
    sinks = {place: Sink(stream) for place, stream in design.outputs.items()}
    stays = []

    async def testbench(ctx):
        await cycles(ctx, 20)
        for _ in range(5):
            sent, before = len(alone.times), len(sinks[0, 0, 0].packets)
            alone.add([of.header.pack([0], 2), 7])
            stays.append(0)
            while stays[-1] <= BOUND and not any(7 in packet for packet in sinks[0, 0, 0].packets[before:]):
                await cycles(ctx, 1)
                stays[-1] += 1
            assert sent < len(alone.times)
            if stays[-1] > BOUND:
                return

    simulate(design, testbench, alone, *others, *sinks.values())
    return max(stays)


#: In every run those that have each pair of values: each of them finds the faults below.
QUICK = {(3, 4, 1), (3, LONGEST, 2), (4, LONGEST, 1), (4, 4, 2), (5, 4, 1), (5, LONGEST, 2)}


@pytest.mark.parametrize(
    ("passing", "competing", "pipeline"),
    [
        pytest.param(*one, marks=() if one in QUICK else pytest.mark.long)
        for one in itertools.product((3, 4, 5), (4, LONGEST), (1, 2))
    ],
)
def test_a_header_is_not_passed_over_for_long(passing, competing, pipeline):
    """Catches an input that never bids for it in the cycle in which it could begin."""
    assert longest_stay(passing, competing, pipeline=pipeline) <= BOUND


@pytest.mark.parametrize(
    ("part", "line", "instead"),
    [
        pytest.param(
            ChannelAllocator, "reserved[number].eq(due.any())", "reserved[number].eq(0)", id="nothing reserved"
        ),
        # test_channel_bids.py finds these in every run.
        pytest.param(
            ChannelInput,
            "Mux(self.allocator.last, ~reserves,",
            "Mux(self.allocator.last, 1,",
            marks=pytest.mark.long,
            id="a header behind its packet",
        ),
        pytest.param(
            InputChannel,
            "self.ready | self.own & self.urgent.replicate(size)",
            "self.ready",
            marks=pytest.mark.long,
            id="not for itself",
        ),
        pytest.param(
            InputChannel, "self.urgent & ~self.begun", "self.urgent & self.begun", id="for flits behind headers"
        ),
    ],
)
def test_a_fault_is_found(monkeypatch, part, line, instead):
    plant(monkeypatch, part, line, instead)
    assert longest_stay(5, 4) > BOUND
