# amaranth: UnusedElaboratable=no
"""Properties of every arbiter on which allocators rely."""

import random
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.arbiters import ARBITERS
from tests.support.arbiters import alone
from tests.support.streams import simulate


@pytest.mark.parametrize("count", [2, 5, pytest.param(12, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", ARBITERS)
def test_one_wins_and_who_had_it_comes_last(name, count):
    """Catches two winners, one that does not ask, and one that wins twice while another one asks."""
    arbiter = ARBITERS[name](count)
    pick = random.Random(count)

    async def testbench(ctx):
        latest = 1 << (count - 1)
        for _ in range(300):
            ctx.set(arbiter.requests, requests := pick.getrandbits(count))
            ctx.set(arbiter.take, take := pick.getrandbits(1))
            ctx.set(arbiter.sent, latest * pick.getrandbits(1))
            winner = ctx.get(arbiter.winner)
            assert winner.bit_count() == (requests != 0) and winner & ~requests == 0
            assert not winner or winner != latest or requests == latest
            assert ctx.get(arbiter.latest) == latest
            latest = winner if take and winner else latest
            await ctx.tick()

    simulate(alone(arbiter), testbench)


@pytest.mark.parametrize("name", ARBITERS)
@pytest.mark.parametrize("requesters", [0, -1, 1.5, None])
def test_refused(name, requesters):
    """Catches an arbiter for nobody."""
    with pytest.raises(
        ParameterError, match=re.escape(f"requesters must be an integer of at least 1, not {requesters!r}") + "$"
    ):
        ARBITERS[name](requesters)
