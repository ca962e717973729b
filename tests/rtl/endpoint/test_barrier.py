import pytest

from fatcube.rtl.endpoint.barrier import Barrier
from tests.support.streams import simulate


class Run:
    """A barrier with the processors played by the test; writes down every cycle from the start on."""

    def __init__(self, *, lockstep, timeout=100):
        self.lockstep, self.timeout = lockstep, timeout
        self.seen = []

    def simulate(self, behave, duration):
        """``behave(cycle, step)`` says done, finished and active; step is the number of ``go`` so far."""
        barrier = Barrier()
        names = ("go", "step", "steps", "cycles", "running", "finished", "stalled")

        async def testbench(ctx):
            ctx.set(barrier.lockstep, self.lockstep)
            ctx.set(barrier.timeout, self.timeout)
            for _ in range(3):
                await ctx.tick()
                assert not any(ctx.get(getattr(barrier, name)) for name in names)
            ctx.set(barrier.start, 1)
            gone = moved = 0
            for cycle in range(duration):
                await ctx.tick()
                now = {name: ctx.get(getattr(barrier, name)) for name in names}
                self.seen.append(now)
                done, finished, active = behave(cycle, gone)
                gone += now["go"]
                ctx.set(barrier.all_done, done)
                ctx.set(barrier.all_finished, finished)
                ctx.set(barrier.any_active, moved)  # in the cycle before
                moved = active

        simulate(barrier, testbench)
        return self

    def cycles_of(self, name):
        """The cycles in which ``name`` was up, from 0 where the run begins."""
        return [cycle for cycle, now in enumerate(self.seen) if now[name]]


class Steps:
    """Processors that take so many cycles for each step; they look done until they have seen ``go``."""

    def __init__(self, lengths):
        self.lengths, self.left, self.step = lengths, 0, 0

    def __call__(self, cycle, gone):
        if gone > self.step:
            self.step = gone
            self.left = self.lengths[gone - 1]
        done = self.left == 0
        self.left = max(0, self.left - 1)
        return done, done and self.step == len(self.lengths), not done


@pytest.mark.parametrize("lengths", [[1], [4], [3, 1, 7], [1, 1, 1, 1]], ids=str)
def test_lockstep(lengths):
    """Catches a step too many or too few, a step that starts before the last is over, a miscounted cycle."""
    run = Run(lockstep=1).simulate(Steps(lengths), 60)
    starts = run.cycles_of("go")
    # A cycle for `go`, the step, and the cycle that sees that all are done.
    expected, cycle = [], 0
    for length in lengths:
        expected.append(cycle)
        cycle += length + 2
    assert starts == expected
    last = run.seen[-1]
    assert (last["finished"], last["stalled"], last["running"]) == (1, 0, 0)
    assert last["steps"] == len(lengths)
    assert last["cycles"] == len(run.cycles_of("running")) == cycle
    for now, before in zip(run.seen[1:], run.seen):
        assert now["step"] == before["step"] + now["go"]
        assert now["steps"] <= now["step"]


def test_dataflow():
    """Catches a barrier in dataflow that no program has: one `go`, no steps, the end when all are finished."""
    run = Run(lockstep=0).simulate(lambda cycle, gone: (cycle >= 20, cycle >= 20, True), 40)
    assert run.cycles_of("go") == [0]
    last = run.seen[-1]
    assert (last["finished"], last["steps"], last["step"]) == (1, 0, 0)
    assert last["cycles"] == len(run.cycles_of("running")) == 21


@pytest.mark.parametrize("lengths", [[3, 1, 7], [1, 1, 1, 1]], ids=str)
def test_barriers_in_dataflow(lengths):
    """Catches one that stays closed, and one that counts as a step or takes longer than in lockstep."""
    run, same = (Run(lockstep=lockstep).simulate(Steps(lengths), 60) for lockstep in (0, 1))
    for name in ("go", "running", "finished"):
        assert run.cycles_of(name) == same.cycles_of(name)
    assert run.seen[-1]["finished"] and not run.cycles_of("step") and not run.cycles_of("steps")


def test_nothing_to_do():
    """Catches a run that ends by what is still there from before: nothing counts in the cycle of `go`."""
    run = Run(lockstep=1).simulate(lambda cycle, gone: (True, True, False), 10)
    assert run.seen[-1]["finished"] and run.seen[-1]["steps"] == 1


@pytest.mark.parametrize("lockstep", [0, 1])
@pytest.mark.parametrize("timeout", [1, 5, 20])
def test_watchdog(lockstep, timeout):
    """Catches a watchdog that bites while flits move, or never."""
    run = Run(lockstep=lockstep, timeout=timeout).simulate(lambda cycle, gone: (0, 0, cycle < 12), 60)
    last = run.seen[-1]
    assert (last["finished"], last["stalled"], last["running"]) == (0, 1, 0)
    # The last flit moves in cycle 11; then there are `timeout` cycles of nothing, and one to notice.
    assert run.cycles_of("running") == list(range(12 + timeout + 1))


def test_watchdog_forgets():
    """Catches timeout that is used up by several short pauses."""
    run = Run(lockstep=0, timeout=6).simulate(lambda cycle, gone: (0, cycle >= 55, cycle % 6 == 0), 70)
    assert run.seen[-1]["finished"] and not run.seen[-1]["stalled"]


def test_end_is_no_stall():
    """Catches a run that is over and then called stalled, and one that starts again by itself."""
    run = Run(lockstep=1, timeout=5).simulate(Steps([3, 2]), 60)
    last = run.seen[-1]
    assert (last["finished"], last["stalled"], last["running"]) == (1, 0, 0)
    assert len(run.cycles_of("go")) == 2
