"""The gate of virtual cut-through before a buffer: headers wait for room for the longest packet, and nothing else does."""

import random

import pytest

from fatcube.rtl.inputs.room_gate import RoomGate
from tests.support.streams import Source, simulate


@pytest.mark.parametrize(("depth", "longest"), [(4, 4), (6, 4), (5, 1)])
def test_as_a_count_of_the_room(depth, longest):
    """Catches a header with too little room, one that waits with just enough, and a flit of a packet that waits for room."""
    dut = RoomGate(8, depth=depth, longest=longest)
    dice = random.Random(f"{depth} {longest}")
    packets = [[dice.getrandbits(8) for _ in range(dice.randint(1, longest))] for _ in range(150)]
    source = Source(dut.i, packets, pause=0.2)
    held, within, waited = 0, False, 0

    async def testbench(ctx):
        nonlocal held, within, waited
        for _ in range(2500):
            ready, left = dice.random() < 0.8 and held < depth, held > 0 and dice.random() < 0.5
            ctx.set(dut.o.ready, ready)
            ctx.set(dut.left, left)
            offered = ctx.get(dut.i.valid)
            passes = within or depth - held >= longest
            waited += offered and not passes
            assert ctx.get(dut.o.valid) == (offered and passes)
            assert ctx.get(dut.i.ready) == (ready and passes)
            assert ctx.get(dut.o.payload.as_value()) == ctx.get(dut.i.payload.as_value())
            if offered and passes and ready:
                held, within = held + 1, not ctx.get(dut.i.payload.last)
            held -= left
            await ctx.tick()

    simulate(dut, testbench, source)
    assert source.done and waited
