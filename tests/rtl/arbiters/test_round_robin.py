# amaranth: UnusedElaboratable=no
import random
import re

from amaranth.hdl import Module, Signal
import pytest

from groundwork.validation import ParameterError
from rtl.arbiters.round_robin import RoundRobinArbiter, rotating_first
from tests.support.streams import simulate


def first_from(requests, first, count):
    """The number of the first request at or above ``first``, around; ``None`` if there is none."""
    for step in range(count):
        if requests >> (first + step) % count & 1:
            return (first + step) % count
    return None


def one_hot(number):
    return 0 if number is None else 1 << number


class Reference:
    """The arbiter in Python."""

    def __init__(self, count):
        self.count, self.first, self.holder = count, 0, None

    def grant(self, requests):
        return self.holder if self.holder is not None else first_from(requests, self.first, self.count)

    def step(self, requests, done):
        self.holder = self.grant(requests)
        if done:
            self.first, self.holder = (self.holder + 1) % self.count, None


async def step(ctx, arbiter, reference, requests, done):
    """One cycle: the ports must show what the reference does."""
    ctx.set(arbiter.requests, requests)
    ctx.set(arbiter.done, done)
    assert ctx.get(arbiter.grant) == one_hot(reference.grant(requests))
    assert ctx.get(arbiter.holder) == one_hot(reference.holder)
    assert ctx.get(arbiter.held) == (reference.holder is not None)
    reference.step(requests, done)
    await ctx.tick()


@pytest.mark.parametrize("count", range(1, 7))
def test_rotating_first(count):
    """Catches a wrong winner: every combination of requests and pointer, and no pointer at all."""
    m = Module()
    requests, first, winner = Signal(count), Signal(count), Signal(count)
    m.d.comb += winner.eq(rotating_first(requests, first))

    async def testbench(ctx):
        for asking in range(1 << count):
            ctx.set(requests, asking)
            ctx.set(first, 0)
            assert ctx.get(winner) == 0
            for pointer in range(count):
                ctx.set(first, 1 << pointer)
                assert ctx.get(winner) == one_hot(first_from(asking, pointer, count))

    simulate(m, testbench)


@pytest.mark.parametrize("count", range(1, 7))
def test_every_turn(count):
    """Catches a turn that goes to another than the next requester above, around, after any that had it."""
    arbiter, reference = RoundRobinArbiter(count), Reference(count)

    async def testbench(ctx):
        for before in range(count):
            for requests in range(1, 1 << count):
                await step(ctx, arbiter, reference, 1 << before, 0)
                await step(ctx, arbiter, reference, 0, 1)
                await step(ctx, arbiter, reference, requests, 0)
                await step(ctx, arbiter, reference, requests, 1)

    simulate(arbiter, testbench)


@pytest.mark.parametrize("count", [1, 2, 3, 8, 9, 16, 21, 33])
def test_random(count):
    """Catches a grant that moves while it is held, or goes to who does not ask: any requests at any time."""
    arbiter, reference = RoundRobinArbiter(count), Reference(count)
    pick = random.Random(count)

    async def testbench(ctx):
        for _ in range(400):
            requests = pick.getrandbits(count)
            if pick.random() < 0.5:
                requests &= pick.getrandbits(count) & pick.getrandbits(count)
            done = reference.holder is not None and pick.random() < 0.4
            await step(ctx, arbiter, reference, requests, done)

    simulate(arbiter, testbench)


@pytest.mark.parametrize("count", [1, 2, 5, 12])
def test_strict_rotation(count):
    """Catches one that is passed over, and an idle cycle between two grants."""
    arbiter = RoundRobinArbiter(count)
    turns = []

    async def testbench(ctx):
        ctx.set(arbiter.requests, -1)
        for _ in range(3 * count):
            turns.append(ctx.get(arbiter.grant))
            await ctx.tick()
            ctx.set(arbiter.done, 1)
            assert ctx.get(arbiter.grant) == turns[-1]
            await ctx.tick()
            ctx.set(arbiter.done, 0)

    simulate(arbiter, testbench)
    assert turns == [1 << number for number in range(count)] * 3


@pytest.mark.parametrize("requesters", [0, -1, 1.5, None])
def test_refused(requesters):
    """Catches an arbiter for nobody."""
    with pytest.raises(
        ParameterError, match=re.escape(f"requesters must be an integer of at least 1, not {requesters!r}") + "$"
    ):
        RoundRobinArbiter(requesters)
