# amaranth: UnusedElaboratable=no
"""Units that end packets where they enter: too long ones, and those whose senders stall, beside a model of the result."""

import random

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.inputs.entry_guard import EntryGuard
from tests.support.streams import Sink, cycles, simulate


@pytest.mark.parametrize(("longest", "timeout"), [(4, 0), (0, 6), (4, 6), (1, 0), (1, 6)])
@pytest.mark.parametrize("stall", [0, 0.6])
def test_packets_with_limits(longest, timeout, stall):
    """Catches a flit of the remainder that passes, a tail flit too many, and an error that is not reported or twice."""
    dut = EntryGuard(8, longest=longest, timeout=timeout)
    dice = random.Random(f"{longest} {timeout} {stall}")
    sink = Sink(dut.o, stall=stall, seed=stall)
    expected, errors, sent = [], 0, []
    for number in range(60):
        length = dice.choice((1, 3, 4, 5, 9))
        stops = bool(timeout) and length > 1 and dice.random() < 0.3
        words = [dice.getrandbits(8) for _ in range(length)]
        stop = dice.randrange(1, length) if stops else None
        sent.append((words, stop, number % 3 != 0))
        if longest and (stop or length) >= longest and length > longest:
            expected.append(words[:longest])
        elif stop is not None:
            expected.append([*words[:stop], 0])
        else:
            expected.append(words)
        errors += expected[-1] != words and number % 3 != 0
    seen = []

    async def sender(ctx):
        for words, stop, legal in sent:
            for place, word in enumerate(words):
                if place == stop:
                    # Longer than the timeout, whatever the sink does; then the remainder comes after all.
                    await cycles(ctx, 60)
                ctx.set(dut.i.payload.data, word)
                ctx.set(dut.i.payload.last, place == len(words) - 1)
                ctx.set(dut.legal, legal if place == 0 else dice.random() < 0.5)
                ctx.set(dut.i.valid, 1)
                await ctx.tick().until(dut.i.ready)
                ctx.set(dut.i.valid, 0)
                if dice.random() < 0.1:
                    await cycles(ctx, 2)
        await cycles(ctx, 100)

    async def watcher(ctx):
        async for _, _, error in ctx.tick().sample(dut.error):
            seen.append(error)

    simulate(dut, sender, sink, watcher)
    assert sink.packets == expected and not sink.part
    assert sum(seen) == errors


def test_refused():
    with pytest.raises(ParameterError, match="longest packet or stop timeout must be above 0, not both 0"):
        EntryGuard(8)


@pytest.mark.parametrize(("name", "words"), [("longest", "longest packet"), ("timeout", "stop timeout")])
def test_limits(name, words):
    """Up to 65,536 flits, and cycles; 0 is none."""
    assert getattr(EntryGuard(8, **{"longest": 1, "timeout": 1, name: 1 << 16}), name) == 1 << 16
    assert getattr(EntryGuard(8, **{"longest": 1, "timeout": 1, name: 0}), name) == 0
    for value in (-1, (1 << 16) + 1):
        with pytest.raises(ParameterError, match=f"^{words} must be an integer from 0 to 65536, not {value}$"):
            EntryGuard(8, **{"longest": 1, "timeout": 1, name: value})
