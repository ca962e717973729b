# amaranth: UnusedElaboratable=no
import random
import re

import pytest

from groundwork.validation import ParameterError
from rtl.input_unit import InputUnit
from tests.support.streams import Source, cycles, simulate

WIDTH = 16
OUTPUTS = (0, 2, 3, 6)


def requests_of(header, selector_bits, mask):
    """What a header requests, a bit for each of ``OUTPUTS``."""
    return sum(
        (header >> output & 1 if mask else header & (1 << selector_bits) - 1 == output) << index
        for index, output in enumerate(OUTPUTS)
    )


def shifted(header, selector_bits, selectors):
    """The header that the next router sees, and its bits that count: not those that a selector left."""
    if selectors == 1:
        return header, -1
    route = selector_bits * selectors
    kept = route - selector_bits
    return (header >> selector_bits & (1 << kept) - 1 | header >> route << route, ~(((1 << selector_bits) - 1) << kept))


@pytest.mark.parametrize("depth, fast", [(1, False), (2, False), (2, True), (4, False)])
@pytest.mark.parametrize("selectors, mask", [(1, False), (2, False), (4, False), (2, True)])
@pytest.mark.parametrize("pause, advance", [(0, 1), (0.5, 0.5), (0, 0.3), (0.6, 0.9)])
def test_random(depth, fast, selectors, mask, pause, advance):
    """Catches requests of another packet, late, or still there after it, and a header shifted wrong."""
    unit = InputUnit(WIDTH, depth, outputs=OUTPUTS, selector_bits=3, selectors=selectors, fast=fast, mask=mask)
    pick = random.Random(str((depth, selectors, mask, pause, advance)))
    packets = [[pick.getrandbits(WIDTH) for _ in range(pick.randint(2, 5))] for _ in range(40)]
    expected = [
        (position == 0, word, position == len(packet) - 1) for packet in packets for position, word in enumerate(packet)
    ]
    left = []

    async def taker(ctx):
        advancing, now = False, -1
        async for _, _, valid, header, requests, word, last in ctx.tick().sample(
            unit.valid, unit.header, unit.requests, unit.flit.data, unit.flit.last
        ):
            if valid:
                is_header, sent, is_last = expected[len(left)]
                assert (header, last) == (is_header, is_last)
                assert requests == (requests_of(sent, 3, mask) if is_header else 0)
                if is_header and not mask:
                    next_header, said = shifted(sent, 3, selectors)
                    assert word & said == next_header & said
                else:
                    assert word == sent
                if advancing:
                    left.append(now)
            else:
                assert requests == 0
            now += 1
            advancing = pick.random() < advance
            ctx.set(unit.advance, advancing)

    source = Source(unit.i, packets, pause=pause, seed=advance)

    async def testbench(ctx):
        await cycles(ctx, 900)

    simulate(unit, testbench, source, taker)
    assert len(left) == len(expected)
    if depth > 1 and (pause, advance) == (0, 1):
        # Not a cycle between packets, and a header in front a cycle after it came in.
        assert left == [time + 1 for time in source.times] == list(range(left[0], left[0] + len(left)))


def test_holds_depth_flits():
    """Catches a unit that ignores its depth."""
    for depth in (1, 2, 6):
        unit = InputUnit(WIDTH, depth, outputs=OUTPUTS, selector_bits=3)
        source = Source(unit.i, [range(10)])

        async def testbench(ctx):
            await cycles(ctx, 20)

        simulate(unit, testbench, source)
        assert len(source.times) == depth


def test_refused():
    """Catches a unit without a selector to decode."""
    with pytest.raises(ParameterError, match=re.escape("selectors must be an integer of at least 1, not 0") + "$"):
        InputUnit(WIDTH, 2, outputs=OUTPUTS, selector_bits=3, selectors=0)
