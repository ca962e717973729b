"""The monitor of half-duplex lanes counts what breaks the rule, and nothing else."""

import itertools

import pytest

from fatcube.rtl.lanes.turn_monitor import TurnMonitor
from tests.support.streams import simulate


@pytest.mark.parametrize("turn_round", [0, 1, 2])
def test_every_pattern(turn_round):
    """All patterns of five cycles, against the rule by hand: at least so many idle cycles between opposite directions."""
    dut, counted = TurnMonitor(turn_round), []
    # The first one begins in the cycle after reset, with a flit.
    patterns = list(itertools.product((1, 0, 2, 3), range(4), range(4), range(4), range(4)))

    async def testbench(ctx):
        for pattern in patterns:
            before = ctx.get(dut.error_count)
            # After so many idle cycles, what crossed before no longer counts.
            for crossing in (*pattern, *(0 for _ in range(turn_round))):
                ctx.set(dut.crossing, crossing)
                await ctx.tick()
            counted.append(ctx.get(dut.error_count) - before)

    simulate(dut, testbench)
    assert counted == [broken(turn_round, pattern) for pattern in patterns]


def broken(turn_round, pattern):
    """How often a pattern breaks the rule."""
    wrong, last = 0, None
    for cycle, crossing in enumerate(pattern):
        if crossing == 3 or crossing and last and last[1] != crossing and cycle - last[0] - 1 < turn_round:
            wrong += 1
        if crossing:
            last = cycle, crossing
    return wrong
