"""The count of the room in a buffer, beside a count in Python."""

import random

import pytest

from fatcube.rtl.outputs.credits import CreditCounter
from tests.support.streams import simulate


@pytest.mark.parametrize(("depth", "longest"), [(3, 1), (4, 4), (6, 4), (3, 4)])
def test_as_a_count_of_the_room(depth, longest):
    """Catches a buffer that has no room after reset, and a count or a limit that is off by one."""
    dut = CreditCounter(depth, longest=longest)
    pick = random.Random(depth * 10 + longest)

    async def testbench(ctx):
        left, returning = depth, 0
        for _ in range(300):
            assert (ctx.get(dut.room), ctx.get(dut.whole)) == (left > 0, left >= longest)
            sent, returned = int(left > 0 and pick.random() < 0.6), int(returning > 0 and pick.random() < 0.5)
            ctx.set(dut.sent, sent)
            ctx.set(dut.returned, returned)
            await ctx.tick()
            left += returned - sent
            returning += sent - returned

    simulate(dut, testbench)
