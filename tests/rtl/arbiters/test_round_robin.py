# amaranth: UnusedElaboratable=no
import random

from amaranth.hdl import Module, Signal
import pytest

from fatcube.rtl.arbiters.round_robin import PairwiseRoundRobinArbiter, RoundRobinArbiter, rotating_first
from tests.support.arbiters import alone
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
        self.count, self.first = count, 0

    def winner(self, requests):
        return first_from(requests, self.first, self.count)

    def step(self, requests, take):
        if take and requests:
            self.first = (self.winner(requests) + 1) % self.count


async def step(ctx, arbiter, reference, requests, take):
    """One cycle: the ports must show what the reference does."""
    ctx.set(arbiter.requests, requests)
    ctx.set(arbiter.take, take)
    assert ctx.get(arbiter.winner) == one_hot(reference.winner(requests))
    reference.step(requests, take)
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


BOTH = pytest.mark.parametrize("kind", [RoundRobinArbiter, PairwiseRoundRobinArbiter])


@BOTH
@pytest.mark.parametrize("count", range(1, 7))
def test_every_turn(count, kind):
    """Catches a turn that goes to another than the next requester above, around, after any that had it."""
    arbiter, reference = kind(count), Reference(count)

    async def testbench(ctx):
        for before in range(count):
            for requests in range(1 << count):
                await step(ctx, arbiter, reference, 1 << before, 1)
                await step(ctx, arbiter, reference, requests, 0)
                await step(ctx, arbiter, reference, requests, 1)
                await step(ctx, arbiter, reference, -1 & (1 << count) - 1, 0)

    simulate(alone(arbiter), testbench)


@BOTH
@pytest.mark.parametrize("count", [1, 2, 3, 8, 9, 16, 21, 33])
def test_random(count, kind):
    """Catches a winner that does not ask, and a turn that moves without a winner: any requests at any time."""
    arbiter, reference = kind(count), Reference(count)
    pick = random.Random(count)

    async def testbench(ctx):
        for _ in range(400):
            requests = pick.getrandbits(count)
            if pick.random() < 0.5:
                requests &= pick.getrandbits(count) & pick.getrandbits(count)
            await step(ctx, arbiter, reference, requests, pick.random() < 0.4)

    simulate(alone(arbiter), testbench)
