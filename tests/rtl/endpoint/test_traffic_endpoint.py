# amaranth: UnusedElaboratable=no
"""An endpoint with its own packets sent back to it, loaded, started and read over its host bus alone."""

from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In
import pytest

from fatcube.rtl.endpoint.host import HostBus
from fatcube.rtl.endpoint.sink import Arrivals
from fatcube.rtl.endpoint.traffic import Setup, TrafficRegion, Way
from fatcube.rtl.endpoint.traffic_endpoint import COUNTERS, TrafficEndpoint
from tests.support.streams import simulate

SHAPE = {"route_bits": 4, "address_bits": 3}
BINS, ADDRESS = 16, 5


class Looped(wiring.Component):
    """An endpoint whose packets come back to it."""

    def __init__(self):
        self.endpoint = TrafficEndpoint(24, **SHAPE, ways=8, queue=16, bins=BINS, host_width=64)
        super().__init__({"host": In(HostBus(64, TrafficRegion))})

    def elaborate(self, platform):
        m = Module()
        m.submodules.endpoint = endpoint = self.endpoint
        wiring.connect(m, endpoint.send, endpoint.receive)
        wiring.connect(m, wiring.flipped(self.host), endpoint.host)
        return m


async def access(ctx, host, region, word, value=None):
    """Write a word, or read it."""
    ctx.set(host.select, 1)
    ctx.set(host.write, value is not None)
    ctx.set(host.region, region)
    ctx.set(host.word, word)
    ctx.set(host.data, value or 0)
    await ctx.tick()
    ctx.set(host.select, 0)
    ctx.set(host.write, 0)
    return ctx.get(host.value)


def run(*, seed=0xC0FFEE, count=400, leave=()):
    """Counters, numbered, arrived and histogram after ``count`` cycles; the regions ``leave`` are not cleared."""
    looped, found = Looped(), {}
    endpoint, host = looped.endpoint, looped.host

    def packed(layout, **fields):
        return layout.const(fields).as_value().value

    async def testbench(ctx):
        words = {TrafficRegion.NUMBERED: 8, TrafficRegion.ARRIVED: 8, TrafficRegion.LATENCIES: BINS}
        for region, depth in words.items():
            for word in range(depth):
                await access(ctx, host, region, word, 7 if region in leave else 0)
        await access(ctx, host, TrafficRegion.SETUP, 0, packed(Setup(), seed=seed, address=ADDRESS, ways=2))
        for word, route in enumerate((9, 3)):
            await access(ctx, host, TrafficRegion.ROUTES, word, packed(Way(4, 3), route=route, destination=ADDRESS))
        ctx.set(endpoint.rate, 1 << 11)
        ctx.set(endpoint.packet_flits, 9)
        cycle = 0
        while cycle <= count or not ctx.get(endpoint.idle) or ctx.get(endpoint.active):
            for name, value in (("running", 1), ("creating", cycle < count), ("measuring", cycle < count)):
                ctx.set(getattr(endpoint, name), value)
            ctx.set(endpoint.cycle, cycle)
            await ctx.tick()
            cycle += 1
        for _ in range(4):
            await ctx.tick()
        counted = [await access(ctx, host, TrafficRegion.COUNTERS, word) for word in range(len(COUNTERS))]
        found["counters"] = dict(zip(COUNTERS, counted, strict=True))
        for region, depth in words.items():
            found[region] = [await access(ctx, host, region, word) for word in range(depth)]
        await ctx.tick()
        assert ctx.get(host.value) == 0

    simulate(looped, testbench)
    return found


def test_all_packets_come_back():
    found = run()
    counters = found["counters"]
    assert 5 < counters["sent"] == counters["arrived"] == counters["offered"] == counters["measured"]
    assert counters["delivered"] == counters["accepted"] == 9 * counters["sent"]
    faults = ("refused", "torn", "corrupted", "misrouted", "doubled", "reordered", "lost", "late")
    assert not any(counters[name] for name in faults)
    assert found[TrafficRegion.NUMBERED] == [counters["sent"] if word == ADDRESS else 0 for word in range(8)]
    arrived = [Arrivals().from_bits(word) for word in found[TrafficRegion.ARRIVED]]
    assert [entry.expected for entry in arrived] == found[TrafficRegion.NUMBERED]
    assert sum(found[TrafficRegion.LATENCIES]) == counters["measured"]


def test_the_seed_decides():
    assert run() == run() != run(seed=0xBEEF)


@pytest.mark.parametrize(
    ("region", "seen"),
    [
        (TrafficRegion.NUMBERED, lambda found: found["counters"]["lost"] == 7),
        (TrafficRegion.ARRIVED, lambda found: found["counters"]["doubled"] > 0),
        (TrafficRegion.LATENCIES, lambda found: sum(found[TrafficRegion.LATENCIES]) > found["counters"]["measured"]),
    ],
)
def test_what_is_written_to_a_memory_counts(region, seen):
    """A memory that is loaded with other words than zeros shows it: the write is one of the right region."""
    assert seen(run(leave=[region]))
