# amaranth: UnusedElaboratable=no
"""A packet guard alone: with its default nothing has too many flits, and with a limit the flit at the limit is the last."""

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.inputs.packet_guard import PacketGuard
from tests.support.streams import simulate


def lasts(guard, flits):
    """Whether each of so many flits that follow each other without an end goes on, and as the last of its packet."""
    found = []

    async def testbench(ctx):
        ctx.set(guard.valid, 1)
        ctx.set(guard.advance, 1)
        for number in range(flits):
            ctx.set(guard.flit.data, number)
            found.append((ctx.get(guard.offered), ctx.get(guard.ended.last), ctx.get(guard.error)))
            await ctx.tick()

    simulate(guard, testbench)
    return found


def test_without_a_limit_no_packet_is_too_long():
    assert lasts(PacketGuard(8), 100) == [(1, 0, 0)] * 100


@pytest.mark.parametrize("longest", [1, 2, 5, 8])
def test_the_flit_at_the_limit_is_the_last(longest):
    """The rest of the packet does not go on."""
    found = lasts(PacketGuard(8, longest=longest), 20)
    assert found[:longest] == [(1, 0, 0)] * (longest - 1) + [(1, 1, 1)]
    assert not any(offered or error for offered, _, error in found[longest:])


@pytest.mark.parametrize("longest", [-1, (1 << 16) + 1])
def test_limits(longest):
    with pytest.raises(ParameterError, match=f"^longest packet must be an integer from 0 to 65536, not {longest}$"):
        PacketGuard(8, longest=longest)
    assert PacketGuard(8, longest=1 << 16).longest == 1 << 16
