# amaranth: UnusedElaboratable=no
"""Debts, held against a model in Python, and the shares that come of them."""

import random

import pytest

from fatcube.rtl.arbiters.deficit import DEBT_BITS, QUANTUM, DeficitArbiter
from tests.support.arbiters import alone
from tests.support.feeds import Feed
from tests.support.parameters import router_parameters
from tests.support.streams import simulate

MOST = (1 << DEBT_BITS) - 1


class Reference:
    """The arbiter in Python: debts as numbers, and the requesters in the order in which they were taken."""

    def __init__(self, count):
        self.debts = [0] * count
        self.longest_ago_first = list(range(count))

    def winner(self, requests):
        others = [number for number in requests if number != self.longest_ago_first[-1]]
        candidates = others or requests
        return min(
            candidates,
            key=lambda number: (self.debts[number] // QUANTUM, self.longest_ago_first.index(number)),
            default=None,
        )

    def step(self, requests, take, sent):
        if take and requests:
            winner = self.winner(requests)
            self.longest_ago_first.remove(winner)
            self.longest_ago_first.append(winner)
        wanting = {*requests, *([] if sent is None else [sent])}
        fall = all(self.debts[number] for number in wanting) or (sent is not None and self.debts[sent] == MOST)
        self.debts = [
            max(debt - fall, 0) if number != sent else debt + (not fall) for number, debt in enumerate(self.debts)
        ]


@pytest.mark.parametrize("count", [1, 2, 3, pytest.param(7, marks=pytest.mark.long)])
def test_random(count):
    """Long bursts of one sender, so that debts reach all quanta and the highest."""
    arbiter, reference = DeficitArbiter(count), Reference(count)
    pick = random.Random(count)
    highest = 0

    async def testbench(ctx):
        nonlocal highest
        sender, left = None, 0
        for _ in range(4000):
            requests = [number for number in range(count) if pick.random() < 0.6]
            take = left == 0
            ctx.set(arbiter.requests, sum(1 << number for number in requests))
            ctx.set(arbiter.take, take)
            sent = sender if left and pick.random() < 0.9 else None
            ctx.set(arbiter.sent, 0 if sent is None else 1 << sent)
            winner = reference.winner(requests)
            assert ctx.get(arbiter.winner) == (0 if winner is None else 1 << winner)
            reference.step(requests, take, sent)
            highest = max(highest, *reference.debts)
            if sent is not None:
                left -= 1
            if take and winner is not None:
                sender, left = winner, pick.choice([1, 2, 17, 900])
            await ctx.tick()

    simulate(alone(arbiter), testbench)
    assert highest == MOST or count == 1


def shares(arbiter, lengths, *, duration=4000):
    """The parts of an output that senders get which always have a packet of such a length, by flits."""
    of = router_parameters(processors=len(lengths) + 1, channels=1, width=16, arbiter=arbiter, counters=True)

    def of_sender(sender, length):
        header = of.header.pack([len(lengths)], 0) | sender << of.header.route_bits
        return [header, *[sender] * (length - 1)]

    feed = Feed(of, {sender: [of_sender(sender, length)] * duration for sender, length in enumerate(lengths)})
    feed.run(duration)
    flits = [0] * len(lengths)
    for arrived in feed.sinks[len(lengths)].packets:
        flits[arrived[0] >> of.header.route_bits] += len(arrived)
    return [number / sum(flits) for number in flits]


@pytest.mark.parametrize(
    "lengths", [(40, 1, 1), *(pytest.param(one, marks=pytest.mark.long) for one in ((200, 3, 3), (10, 10, 10)))]
)
def test_shares_are_equal_by_flits(lengths):
    assert shares("deficit", lengths) == pytest.approx([1 / 3] * 3, abs=0.02)


def test_shares_of_round_robin_are_equal_by_packets():
    """The reason for deficit counters: with the other arbiter, the longer the packets, the larger the share."""
    assert shares("round-robin", (40, 1, 1), duration=600) == pytest.approx([40 / 42, 1 / 42, 1 / 42], abs=0.02)


@pytest.mark.long(stays="tests/rtl/arbiters/test_deficit.py::test_shares_are_equal_by_flits")
def test_long_packets_are_equal_beside_a_short_one_that_cannot_follow_itself():
    """3 flits go whenever one of the others ends, and these share what is left."""
    short, middle, long = shares("deficit", (3, 17, 40))
    assert middle == pytest.approx(long, abs=0.03) and 0.09 < short < 0.13
