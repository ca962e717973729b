"""The channel that is ready for the next header, beside a list of free channels."""

import random

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.allocators.channel_pool import ChannelPool
from tests.support.streams import simulate


@pytest.mark.parametrize("channels", [1, 2, 3, 8])
def test_as_a_list(channels):
    """Catches a channel that is ready while a packet has it, or without room, and one that is given out of turn."""
    dut = ChannelPool(channels)
    dice = random.Random(channels)
    given_in_all = 0

    async def testbench(ctx):
        nonlocal given_in_all
        busy, ready, latest, had_room = set(), None, channels - 1, set()
        for cycle in range(600):
            assert ctx.get(dut.ready) == (0 if ready is None else 1 << ready), cycle
            assert ctx.get(dut.busy) == sum(1 << one for one in busy), cycle
            given = ready is not None and dice.random() < 0.6
            holders = busy | ({ready} if given else set())
            freed = {one for one in holders if dice.random() < 0.2}
            freed = {dice.choice(sorted(freed))} if freed else set()  # an output sends a flit at a time
            # What has room keeps it, while no packet has it.
            room = {one for one in range(channels) if dice.random() < 0.7} | (had_room - holders)
            another = {one for one in room if dice.random() < 0.7}
            for name, some in (("fit", room), ("another", another), ("refit", another), ("freed", freed)):
                ctx.set(getattr(dut, name), sum(1 << one for one in some))
            ctx.set(dut.given, given)
            given_in_all += given
            spare = [one for one in range(channels) if one in room and one not in busy and one != ready]
            if channels == 1:
                ready = 0 if (spare or ready == 0 and not given or freed and another) else None
            elif given or ready is None:
                again = next(iter(freed & another), None)  # if there is no other
                ready = min(spare, key=lambda one: (one - latest - 1) % channels, default=again)
                latest = latest if ready is None else ready
            busy = holders - freed
            had_room = room - holders
            await ctx.tick()

    simulate(dut, testbench)
    assert given_in_all > 20


@pytest.mark.parametrize("channels", [2, 3])
def test_room_behind_the_header(channels):
    """It is said of the channel that is ready, from the cycle in which that is; catches that of another one."""
    dut = ChannelPool(channels)

    async def testbench(ctx):
        ctx.set(dut.fit, -1)
        for number in range(2 * channels):
            ctx.set(dut.another, 1 << number % channels)
            await ctx.tick()
            assert ctx.get(dut.ready) == 1 << number % channels
            assert ctx.get(dut.ample)
            ctx.set(dut.another, ~(1 << number % channels))
            await ctx.tick()
            assert not ctx.get(dut.ample)
            ctx.set(dut.given, 1)
            ctx.set(dut.freed, 1 << number % channels)
            ctx.set(dut.another, 1 << (number + 1) % channels)
            await ctx.tick()
            ctx.set(dut.given, 0)
            ctx.set(dut.freed, 0)
            assert ctx.get(dut.ample)
            assert ctx.get(dut.ready) == 1 << (number + 1) % channels

    simulate(dut, testbench)


def test_refused():
    with pytest.raises(ParameterError, match="channels must be an integer of at least 1, not 0"):
        ChannelPool(0)
