"""The room behind a channel, as it is said a cycle ahead, beside a count in Python."""

import random

import pytest

from fatcube.rtl.outputs.channel_room import ChannelRoom
from tests.support.streams import simulate


@pytest.mark.parametrize(("depth", "longest"), [(2, 1), (3, 1), (4, 4), (6, 4), (9, 3)])
def test_as_a_count_of_the_room(depth, longest):
    """Catches a flit or a credit that is counted late, early or not at all, and a limit that is off by one."""
    dut = ChannelRoom(depth, longest=longest)
    dice = random.Random(depth * 10 + longest)
    full = 0

    async def testbench(ctx):
        nonlocal full
        room, away, rates = depth, 0, (0.9, 0.5)
        for cycle in range(600):
            if cycle % 60 == 0:
                rates = dice.choice([(0.9, 0.3), (0.9, 0.9), (0.3, 0.9)])
            returned = int(away > 0 and dice.random() < rates[1])
            ctx.set(dut.returned, returned)
            # What is said does not wait for whether a flit is sent in this cycle.
            assert ctx.get(dut.room) == (room + returned >= 1)
            assert ctx.get(dut.more) == (room + returned >= 2)
            assert not ctx.get(dut.whole) or room >= longest
            sent = int(room > 0 and dice.random() < rates[0])
            ctx.set(dut.sent, sent)
            full += room == 0
            await ctx.tick()
            room += returned - sent
            away += sent - returned

    simulate(dut, testbench)
    assert full


def test_without_traffic():
    """When nothing moves, all that is said is right."""
    dut = ChannelRoom(5, longest=3)

    async def testbench(ctx):
        for sent in range(6):
            for _ in range(2):
                await ctx.tick()
            assert ctx.get(dut.whole) == (5 - sent >= 3)
            assert ctx.get(dut.plenty) == (5 - sent > 3)
            ctx.set(dut.sent, sent < 5)
            await ctx.tick()
            ctx.set(dut.sent, 0)

    simulate(dut, testbench)
