# amaranth: UnusedElaboratable=no
"""Counters of lanes: each its own flits, while the run is measured."""

import random

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.endpoint.lane_counters import LaneCounters
from fatcube.rtl.endpoint.traffic import TrafficRegion
from tests.support.streams import simulate


@pytest.mark.parametrize("lanes", [1, 3, 8])
def test_counts(lanes):
    counters, dice, expected = LaneCounters(lanes, host_width=64), random.Random(lanes), [0] * lanes

    async def testbench(ctx):
        for cycle in range(200):
            crosses, measuring = dice.getrandbits(lanes), 50 <= cycle < 150
            ctx.set(counters.crosses, crosses)
            ctx.set(counters.measuring, measuring)
            await ctx.tick()
            for lane in range(lanes):
                expected[lane] += measuring and crosses >> lane & 1
        ctx.set(counters.measuring, 0)
        ctx.set(counters.host.select, 1)
        ctx.set(counters.host.region, TrafficRegion.LANES)
        for lane, count in enumerate(expected):
            ctx.set(counters.host.word, lane)
            await ctx.tick()
            assert ctx.get(counters.host.value) == count
        ctx.set(counters.host.region, TrafficRegion.COUNTERS)
        await ctx.tick()
        assert ctx.get(counters.host.value) == 0

    simulate(counters, testbench)
    assert all(20 < count < 80 for count in expected)


def test_refused():
    with pytest.raises(ParameterError, match="lanes must be an integer of at least 1, not 0"):
        LaneCounters(0, host_width=64)
