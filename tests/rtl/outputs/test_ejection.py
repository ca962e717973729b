"""Packets that arrive side by side at a processor's port: delivered whole, one after the other, in turn."""

import random

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.outputs.ejection import Ejection
from tests.support.channels import Channels, carry
from tests.support.channels import channel_parameters as parameters
from tests.support.streams import Sink, cycles, simulate


@pytest.mark.parametrize("stall", [0, 0.5])
@pytest.mark.parametrize(("channels", "depth"), [(2, 3), (3, 8), (4, 2)])
def test_packets_are_not_interleaved(channels, depth, stall):
    """Flits come on any channel with room; each packet goes out whole, those of a channel in order."""
    dut = Ejection(16, channels, depth=depth)
    pick = random.Random(f"{channels} {stall}")
    packets = {
        channel: [
            [channel << 12 | index << 4 | flit for flit in range(pick.randrange(1, 2 * depth))] for index in range(20)
        ]
        for channel in range(channels)
    }
    waiting = {
        channel: [(word, word is packet[-1]) for packet in some for word in packet] for channel, some in packets.items()
    }
    sink = Sink(dut.o, stall=stall, seed=1)

    async def testbench(ctx):
        room = (1 << channels) - 1  # as it was said a cycle ahead
        for _ in range(8000):
            ready = [channel for channel, flits in waiting.items() if flits and room >> channel & 1]
            sends = bool(ready) and pick.random() < 0.9
            ctx.set(dut.allocator.offer, sends)
            if sends:
                channel = pick.choice(ready)
                word, last = waiting[channel].pop(0)
                ctx.set(dut.allocator.channel, channel)
                ctx.set(dut.flit.data, word)
                ctx.set(dut.flit.last, last)
            sent = sends << channel if sends else 0
            room = ctx.get(dut.allocator.room) & ~sent | ctx.get(dut.allocator.more)
            await ctx.tick()
            if len(sink.packets) == 20 * channels:
                return
        raise AssertionError("not everything was delivered")

    simulate(dut, testbench, sink)
    for channel, some in packets.items():
        assert [packet for packet in sink.packets if packet[0] >> 12 == channel] == some


@pytest.mark.parametrize(
    ("channels", "depth", "arriving", "delivered"),
    [
        (3, 4, (0, 0, 0, 1, 2, 2), (0, 1, 2, 0, 2, 0)),
        (5, 2, (2, 2, 0, 3, 3), (2, 0, 3, 2, 3)),  # more channels than flits in a buffer
    ],
)
def test_the_channel_that_was_served_least_recently_is_next(channels, depth, arriving, delivered):
    """Packets of one flit wait on several channels."""
    dut = Ejection(16, channels, depth=depth)
    sink = Sink(dut.o, stall=1.0)

    async def testbench(ctx):
        for channel in arriving:
            ctx.set(dut.allocator.offer, 1)
            ctx.set(dut.allocator.channel, channel)
            ctx.set(dut.flit, {"data": channel, "last": 1})
            await ctx.tick()
        ctx.set(dut.allocator.offer, 0)
        sink.stall = 0.0
        await cycles(ctx, 20)

    simulate(dut, testbench, sink)
    assert sink.packets == [[channel] for channel in delivered]


CUT_THROUGH = {"switching": "virtual-cut-through", "longest_packet": 48, "buffer_depth": 48}


@pytest.mark.parametrize(
    ("ejection", "passes", "others"), [(1, False, {}), (2, True, {}), (2, True, CUT_THROUGH)], ids=str
)
def test_a_packet_that_comes_with_pauses_holds_up_no_other(ejection, passes, others):
    """Over a lane come two packets: one for a processor that another lane sends to, with pauses, and one for the other."""
    of = parameters(**{"virtual_channels": 2, "ejection_channels": ejection, "buffer_depth": 8, **others})
    slow, quick = ((0, of.lane_port(channel, 0), 0) for channel in (0, 1))
    long = [of.header.pack([1], 1), *range(40)]
    packets = {slow: [long], quick: [[of.header.pack([1], 2), 100], [of.header.pack([0], 3), 200]]}
    _, sinks = carry(Channels(of), packets, pauses={slow: 0.8})
    assert [payload for _, *payload in sinks[0, 1, 0].packets] == [long[1:], [100]]
    assert (sinks[0, 0, 0].times[0] < sinks[0, 1, 0].times[0] + 60) == passes


def test_refused():
    with pytest.raises(ParameterError, match="channels must be an integer of at least 2, not 1"):
        Ejection(16, 1, depth=4)


def test_a_packet_begins_only_with_room_for_its_header():
    """Also with virtual cut-through: receivers can pause for as long as they like."""
    dut = Ejection(16, 2, depth=3)
    sink = Sink(dut.o, stall=1.0)
    seen = []

    async def testbench(ctx):
        ctx.set(dut.allocator.channel, 1)
        for number in range(6):
            ctx.set(dut.allocator.offer, number < 3)
            seen.append((ctx.get(dut.allocator.room), ctx.get(dut.allocator.whole)))
            await ctx.tick()
        sink.stall = 0.0
        await cycles(ctx, 8)
        seen.append((ctx.get(dut.allocator.room), ctx.get(dut.allocator.whole)))

    simulate(dut, testbench, sink)
    assert all(room == whole for room, whole in seen)
    assert seen[0][0] == seen[-1][0] == 0b11 and seen[5][0] == 0b01
