"""The monitor of half-duplex lanes counts what breaks the rule, and nothing else."""

import itertools

import pytest

from rtl.lanes.turn_monitor import TurnMonitor
from tests.support.streams import simulate


@pytest.mark.parametrize("turn_round", [0, 1, 2])
def test_every_pattern(turn_round):
    """All patterns of five cycles, against the rule by hand: at least so many idle cycles between opposite directions."""
    for pattern in itertools.product(range(4), repeat=5):
        wrong, last = 0, None
        for cycle, crossing in enumerate(pattern):
            if crossing == 3 or crossing and last and last[1] != crossing and cycle - last[0] - 1 < turn_round:
                wrong += 1
            if crossing:
                last = cycle, crossing
        assert counted(turn_round, pattern) == wrong, pattern


def counted(turn_round, pattern):
    dut, found = TurnMonitor(turn_round), []

    async def testbench(ctx):
        for crossing in pattern:
            ctx.set(dut.crossing, crossing)
            await ctx.tick()
        found.append(ctx.get(dut.error_count))

    simulate(dut, testbench)
    return found[0]
