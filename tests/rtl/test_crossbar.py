# amaranth: UnusedElaboratable=no
import random
import re

from amaranth.hdl import Module, Signal
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.crossbar import Crossbar, select_lines
from tests.support.cases import some
from tests.support.streams import simulate


def hold_to_model(width, inputs, sources, *, rounds, seed):
    """Every input granted to every output that has it, and then at random with outputs at rest between."""
    m = Module()
    m.submodules.crossbar = crossbar = Crossbar(width, inputs, sources)
    grants = [Signal(len(ours), name=f"grant{output}") for output, ours in enumerate(sources)]
    for output, grant in enumerate(grants):
        m.d.comb += crossbar.select(output).eq(select_lines(grant))
    pick = random.Random(seed)

    async def testbench(ctx):
        for index in range(rounds):
            data = [pick.choice((pick.getrandbits(width), (1 << width) - 1, 0)) for _ in range(inputs)]
            for number, word in enumerate(data):
                ctx.set(crossbar.i[number], word)
            granted = []
            for output, ours in enumerate(sources):
                position = index if index < len(ours) else pick.choice([None, *range(len(ours))])
                ctx.set(grants[output], 0 if position is None else 1 << position)
                granted.append(None if position is None else ours[position])
            for output, source in enumerate(granted):
                assert ctx.get(crossbar.o[output]) == (0 if source is None else data[source])
            await ctx.delay(1e-9)

    simulate(m, testbench)


#: In every run, those around each multiple of the four inputs that have three lines between them, and the last.
OFTEN = {1, 2, 3, 4, 5, 8, 9, 20}


@pytest.mark.parametrize(
    "inputs", [pytest.param(number, marks=() if number in OFTEN else pytest.mark.long) for number in range(1, 21)]
)
def test_full(inputs):
    """Catches a wrong input, a bit of another one, and anything but zero where nothing is granted."""
    outputs = 21 - inputs
    hold_to_model(7, inputs, [range(inputs)] * outputs, rounds=inputs + 15, seed=inputs)


@pytest.mark.parametrize("inputs", some([2, 5, 9, 12, 13, 16, 20], (0, 2, 3)))
def test_sparse(inputs):
    """Catches a grant that is counted by input not by source: some inputs only, in any order."""
    pick = random.Random(inputs)
    sources = [pick.sample(range(inputs), pick.randint(1, inputs)) for _ in range(inputs)]
    hold_to_model(pick.choice((1, 4, 33)), inputs, sources, rounds=inputs + 15, seed=inputs)


@pytest.mark.parametrize(
    "width, inputs, message",
    [
        (0, 2, "width must be an integer of at least 1, not 0"),
        (8, 0, "inputs must be an integer of at least 1, not 0"),
    ],
)
def test_refused(width, inputs, message):
    """Catches a crossbar of nothing."""
    with pytest.raises(ParameterError, match=re.escape(message) + "$"):
        Crossbar(width, inputs, [])
