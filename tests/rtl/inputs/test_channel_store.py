# amaranth: UnusedElaboratable=no
"""The memory of an input, beside a dictionary: all kinds show the same in each cycle."""

import random

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.inputs.channel_store import ChannelStore
from tests.support.streams import simulate


@pytest.mark.parametrize("memory", ["registers", "distributed", "block"])
@pytest.mark.parametrize(("channels", "depth"), [(1, 3), (2, 8), (3, 5)])
def test_as_a_dictionary(channels, depth, memory):
    """Catches a flit that is shown late, or that is not seen in the cycle after it was written."""
    dut = ChannelStore(9, depth, channels, noted=4, memory=memory)
    dice = random.Random(f"{channels} {depth}")
    places = [place | channel << (depth - 1).bit_length() for place in range(depth) for channel in range(channels)]

    async def testbench(ctx):
        stored = {}
        for _ in range(400):
            front, behind, place = (dice.choice(places) for _ in range(3))
            written, word, last, note = (
                dice.random() < 0.5,
                dice.getrandbits(9),
                dice.getrandbits(1),
                dice.getrandbits(4),
            )
            places_now = {"front_place": front, "behind_place": behind, "place": place}
            for name, value in {**places_now, "write": written, "note": note}.items():
                ctx.set(getattr(dut, name), value)
            ctx.set(dut.flit, {"data": word, "last": last})
            await ctx.tick()
            if written:
                stored[place] = word, last, note
            if front in stored:
                assert (ctx.get(dut.front.data), ctx.get(dut.front.last)) == stored[front][:2]
            if behind in stored:
                assert (ctx.get(dut.behind.last), ctx.get(dut.behind.data)) == stored[behind][1:]

    simulate(dut, testbench)


def test_depths():
    """Two flits at least, as two are shown, and at most 4,096."""
    for depth in (2, 4096):
        assert ChannelStore(9, depth, 2, noted=1).depth == depth
    for depth in (1, 4097):
        with pytest.raises(ParameterError, match=f"^buffer depth must be an integer from 2 to 4096, not {depth}$"):
            ChannelStore(9, depth, 2, noted=1)
