# amaranth: UnusedElaboratable=no
"""The phases of a run: each as long as it was asked to be, and an end when nothing moves, not before."""

import pytest

from fatcube.rtl.endpoint.phases import Phases
from tests.support.streams import cycles, simulate


def run(*, warm_up, measured, cool_down, timeout, active=(), idle=True):
    """The phases in each cycle of a run, and the cycle count, finished and stalled at its end.

    ``active`` are the cycles of the run in which a flit moved in the cycle before.
    """
    phases = Phases()
    seen, end = [], []

    async def testbench(ctx):
        for name, value in (("warm_up", warm_up), ("measured", measured), ("cool_down", cool_down)):
            ctx.set(getattr(phases, name), value)
        ctx.set(phases.timeout, timeout)
        ctx.set(phases.all_idle, idle)
        await cycles(ctx, 3)
        assert not ctx.get(phases.running)
        ctx.set(phases.start, 1)
        await cycles(ctx, 1)
        ctx.set(phases.start, 0)
        while ctx.get(phases.running):
            assert ctx.get(phases.cycles) == len(seen)
            seen.append((ctx.get(phases.creating), ctx.get(phases.measuring)))
            ctx.set(phases.any_active, len(seen) - 1 in active)
            await ctx.tick()
        end.extend(ctx.get(signal) for signal in (phases.cycles, phases.finished, phases.stalled))
        ctx.set(phases.start, 1)  # a second start changes nothing
        await cycles(ctx, 3)
        assert not ctx.get(phases.running)

    simulate(phases, testbench)
    return seen, end


@pytest.mark.parametrize(
    ("warm_up", "measured", "cool_down"), [(3, 5, 2), (0, 4, 2), (3, 0, 2), (3, 5, 0), (0, 0, 4), (0, 1, 0)]
)
def test_each_phase_is_as_long_as_asked(warm_up, measured, cool_down):
    seen, end = run(warm_up=warm_up, measured=measured, cool_down=cool_down, timeout=4)
    phases = [(1, 0)] * warm_up + [(1, 1)] * measured + [(1, 0)] * cool_down
    assert seen == phases + [(0, 0)] * 4
    assert end == [len(phases), 1, 0]


def test_a_run_without_phases_ends_at_once():
    assert run(warm_up=0, measured=0, cool_down=0, timeout=4) == ([(0, 0)] * 4, [0, 1, 0])


@pytest.mark.parametrize("last", [6, 9, 12])
def test_it_ends_when_nothing_has_moved_for_the_timeout(last):
    """Each pause is a cycle shorter than the timeout but the one behind the last flit."""
    seen, end = run(warm_up=1, measured=2, cool_down=1, timeout=4, active=range(last % 3, last + 1, 3))
    assert len(seen) == last + 1 + 4
    assert end == [last + 1, 1, 0]


def test_flits_left_over_are_a_stall():
    assert run(warm_up=0, measured=2, cool_down=0, timeout=3, idle=False)[1] == [2, 0, 1]


@pytest.mark.parametrize("timeout", [1, 0])
def test_the_shortest_timeout(timeout):
    assert run(warm_up=0, measured=2, cool_down=0, timeout=timeout)[1] == [2, 1, 0]
