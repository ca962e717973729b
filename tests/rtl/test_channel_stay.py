"""How long a header stays in a router with virtual channels while others in step keep passing it over."""

import itertools

import pytest

from rtl.inputs.watch_timer import WatchTimer
from tests.support.channels import Channels
from tests.support.channels import channel_parameters as parameters
from tests.support.streams import Sink, Source, cycles, simulate

PERIOD = 8
LONGEST = 6


@pytest.fixture(autouse=True)
def often(monkeypatch):
    """Channels are watched in turn every few cycles, so that bounds are short."""
    monkeypatch.setitem(WatchTimer.__init__.__kwdefaults__, "period", PERIOD)


@pytest.mark.parametrize(("passing", "competing"), itertools.product((3, 4, 5), (4, LONGEST)))
def test_a_header_is_not_passed_over_for_long(passing, competing):
    """A lane has packets to the processor on one channel, and others that go on without a pause on the other one; those of
    another lane are for the processor too. Catches an input that never bids for it in the cycle in which it could begin.
    """
    of = parameters(virtual_channels=2, processors=1, hops=2)
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
            while stays[-1] < 400 and not any(7 in packet for packet in sinks[0, 0, 0].packets[before:]):
                await cycles(ctx, 1)
                stays[-1] += 1
            assert sent < len(alone.times)

    simulate(design, testbench, alone, *others, *sinks.values())
    # Each channel is watched for two periods at most, and then the competing packet ends.
    assert max(stays) <= (2 * 2 + 1) * PERIOD + 2 * LONGEST
