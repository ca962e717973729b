"""Values chosen by one-hot signals, each combination beside Python."""

from amaranth.hdl import Module, Signal
import pytest

from fatcube.rtl.one_hot import encoded, first_after, pick
from tests.support.streams import simulate


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_first_after(count):
    """Catches a candidate that is passed over, two that are chosen, and the place itself before another candidate."""
    m = Module()
    candidates, place, chosen = Signal(count), Signal(count), Signal(count)
    m.d.comb += chosen.eq(first_after(candidates, place))

    async def testbench(ctx):
        for asking in range(1 << count):
            for here in range(count):
                ctx.set(candidates, asking)
                ctx.set(place, 1 << here)
                order = [(here + step) % count for step in range(1, count + 1)]
                assert ctx.get(chosen) == next((1 << one for one in order if asking >> one & 1), 0)

    simulate(m, testbench)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7])
def test_pick_and_encoded(count):
    m = Module()
    select, picked, number = Signal(count), Signal(4), Signal(3)
    values = [Signal(4, init=one + 3, name=f"value{one}") for one in range(count)]
    m.d.comb += [picked.eq(pick(select, values)), number.eq(encoded(select))]

    async def testbench(ctx):
        for one in range(count):
            ctx.set(select, 1 << one)
            assert (ctx.get(picked), ctx.get(number)) == (one + 3, one)
        ctx.set(select, 0)
        assert ctx.get(picked) == 0

    simulate(m, testbench)
