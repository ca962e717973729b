"""A queue in every memory, beside a list: the same in every cycle."""

import itertools
import random

from amaranth.back import rtlil
from amaranth.sim import Simulator
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.queue import BUFFER_MEMORIES, FlitQueue, check_buffer_memory

MEMORIES, DEPTHS = BUFFER_MEMORIES[1:], (1, 2, 3, 4, 7)


def cases():
    """All memories, depths and kinds; in every run those in which each pair of them is."""
    for (row, memory), (column, depth), replaces in itertools.product(
        enumerate(MEMORIES), enumerate(DEPTHS), (False, True)
    ):
        often = (row + column) % 2 == replaces
        yield pytest.param(replaces, depth, memory, marks=() if often else pytest.mark.long)


@pytest.mark.parametrize(("replaces", "depth", "memory"), cases())
def test_every_memory_is_a_list(memory, depth, replaces):
    """Catches a flit lost, doubled, overtaken or late, and a place too many or too few, at every filling."""
    queue = FlitQueue(16, depth, memory=memory, replaces=replaces)
    pick = random.Random(f"{memory} {depth}")

    async def testbench(ctx):
        held, number, full = [], 0, 0
        for cycle in range(1000):
            if cycle % 40 == 0:
                pushes, pops = pick.choice([0.1, 0.5, 0.9, 1]), pick.choice([0.1, 0.5, 0.9, 1])
            push, pop = pick.random() < pushes, pick.random() < pops
            ctx.set(queue.i.valid, push)
            ctx.set(queue.i.payload.data, number)
            ctx.set(queue.i.payload.last, number & 1)
            ctx.set(queue.o.ready, pop)
            room = len(held) < depth or replaces and pop
            assert ctx.get(queue.i.ready) == room
            assert ctx.get(queue.o.valid) == bool(held)
            if held:
                assert ctx.get(queue.o.payload.data) == held[0]
                assert ctx.get(queue.o.payload.last) == held[0] & 1
            taken = push and room
            full += len(held) == depth
            if held and pop:
                held.pop(0)
            if taken:
                held.append(number)
            number += taken
            await ctx.tick()
        assert number > 200 and full > 50

    simulator = Simulator(queue)
    simulator.add_clock(1)
    simulator.add_testbench(testbench)
    simulator.run()


@pytest.mark.parametrize(
    ("memory", "depth", "asked"),
    [
        ("registers", 5, "registers"),
        ("distributed", 100, None),
        ("block", 5, "block"),
        ("auto", 64, None),
        ("auto", 65, "block"),
    ],
)
def test_synthesis_is_told(memory, depth, asked):
    text = rtlil.convert(FlitQueue(8, depth, memory=memory))
    assert ('attribute \\ram_style "' in text) == (asked is not None)
    assert asked is None or f'attribute \\ram_style "{asked}"' in text


def test_refused():
    with pytest.raises(ParameterError, match="^buffer memory must be one of auto, registers, distributed, block, not "):
        FlitQueue(8, 4, memory="dram")
    message = "^buffer memory must be auto or registers with a buffer depth of 2, not block$"
    with pytest.raises(ParameterError, match=message):
        check_buffer_memory("block", 2)
