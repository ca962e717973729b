"""The output to a processor with one packet at a time: a flit goes on at once, or waits and goes on later."""

import random

import pytest

from fatcube.rtl.outputs.held import HeldOutput
from tests.support.streams import Sink, simulate


@pytest.mark.parametrize("stall", [0, 0.5, 0.9])
def test_every_flit_comes_once(stall):
    """Catches a flit that is lost or doubled, one that changes while it waits (the sink), and a cycle that is lost."""
    dut = HeldOutput(8)
    dice, sink = random.Random(f"{stall}"), Sink(dut.o, stall=stall, seed=stall)
    offered = []

    async def testbench(ctx):
        for _ in range(400):
            offers = bool(ctx.get(dut.allocator.open)) and dice.random() < 0.8
            ctx.set(dut.allocator.offer, offers)
            # What is on the wires without an offer is anything.
            word = dice.getrandbits(8)
            ctx.set(dut.flit.data, word)
            ctx.set(dut.flit.last, 1)
            if offers:
                offered.append([word])
            assert ctx.get(dut.o.valid) or not offers
            await ctx.tick()
        ctx.set(dut.allocator.offer, 0)
        for _ in range(100):
            await ctx.tick()

    simulate(dut, testbench, sink)
    assert sink.packets == offered
    if not stall:
        assert len(offered) > 280
