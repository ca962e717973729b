import random

from amaranth.hdl import Value
import pytest

from fatcube.rtl.lanes.link import LinkRegister
from tests.support.streams import Sink, Source, cycles, simulate

WIDTH = 9
PACKETS = [list(range(start, start + 1 + start % 5)) for start in range(60)]


@pytest.mark.parametrize("pause, stall", [(0, 0), (0.6, 0), (0, 0.6), (0.3, 0.3)])
def test_random(pause, stall):
    """Catches a flit that is lost, doubled or overtaken, and an offer that changes."""
    link = LinkRegister(WIDTH)
    source, sink = Source(link.i, PACKETS, pause=pause), Sink(link.o, stall=stall)

    async def testbench(ctx):
        while not source.done:
            await ctx.tick()
        await cycles(ctx, 30)

    simulate(link, testbench, source, sink)
    assert sink.packets == PACKETS and not sink.part


def test_latency_and_rate():
    """Catches a link that costs more than its cycle, or a bubble."""
    link = LinkRegister(WIDTH)
    source, sink = Source(link.i, PACKETS), Sink(link.o)

    async def testbench(ctx):
        await cycles(ctx, 250)

    simulate(link, testbench, source, sink)
    assert source.done
    assert source.times == list(range(source.times[0], source.times[0] + len(source.times)))
    assert sink.times == [time + 1 for time in source.times]


def test_cuts_timing_paths():
    """Catches a combinational path through the link, forwards or backwards."""
    link = LinkRegister(WIDTH)

    async def testbench(ctx):
        pick = random.Random(0)
        for _ in range(50):
            seen = set()
            for _ in range(4):
                ctx.set(link.o.ready, pick.getrandbits(1))
                ctx.set(link.i.valid, pick.getrandbits(1))
                ctx.set(link.i.payload.as_value(), pick.getrandbits(WIDTH + 1))
                seen.add((ctx.get(link.i.ready), ctx.get(link.o.valid), ctx.get(link.o.payload.as_value())))
            assert len(seen) == 1
            await ctx.tick()

    simulate(link, testbench)


@pytest.mark.parametrize(
    ("options", "along", "back"),
    [
        ({"channels": 2}, ("payload", "valid"), ("credit",)),
        ({"channels": 3, "permission": True}, ("payload", "valid", "wants", "holds"), ("credit", "grant")),
        ({"answers": 2}, (), ("answer",)),
    ],
)
def test_every_other_signal_passes_it_in_a_cycle_and_alone(options, along, back):
    """Catches one that is late, that comes from another signal, or that has none to follow."""
    link = LinkRegister(WIDTH, **options)
    ways = [
        *((getattr(link.i, name), getattr(link.o, name)) for name in along),
        *((getattr(link.o, name), getattr(link.i, name)) for name in back),
    ]
    ways = [(Value.cast(one), Value.cast(other)) for one, other in ways]

    async def testbench(ctx):
        pick = random.Random(0)
        for _ in range(50):
            given = [pick.getrandbits(len(one)) for one, _ in ways]
            for (one, _), value in zip(ways, given):
                ctx.set(one, value)
            await ctx.tick()
            assert [ctx.get(other) for _, other in ways] == given

    simulate(link, testbench)
