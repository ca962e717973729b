# amaranth: UnusedElaboratable=no
import random
import re

from amaranth.hdl import Module, Signal
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.inputs.input_unit import InputUnit
from fatcube.rtl.inputs.limited_input import LimitedInput
from tests.support.streams import Source, cycles, simulate, until

WIDTH = 16
OUTPUTS = (0, 2, 3, 6)


def requests_of(header, selector_bits, mask):
    """The request of a header, a bit for each of ``OUTPUTS``, and whether it requests nothing, or too much."""
    if mask:
        asked = {output for output in range(mask) if header >> output & 1}
    else:
        asked = {header & (1 << selector_bits) - 1}
    requests = sum((output in asked) << index for index, output in enumerate(OUTPUTS))
    return requests, not requests or not asked <= set(OUTPUTS)


def shifted(header, selector_bits, selectors):
    """The header that the next router sees, and its bits that count: not those that a selector left."""
    if selectors == 1:
        return header, -1
    route = selector_bits * selectors
    kept = route - selector_bits
    return (header >> selector_bits & (1 << kept) - 1 | header >> route << route, ~(((1 << selector_bits) - 1) << kept))


@pytest.mark.parametrize("depth", [1, 2, 4])
@pytest.mark.parametrize("selectors, mask", [(1, 0), (2, 0), (4, 0), (2, 7)])
@pytest.mark.parametrize(
    "pause, advance",
    [(0, 1), (0.6, 0.9), *(pytest.param(*one, marks=pytest.mark.long) for one in ((0.5, 0.5), (0, 0.3)))],
)
def test_random(depth, selectors, mask, pause, advance):
    """Catches requests of another packet, late, or still there after it, and a header shifted wrong.

    Packets for no output leave when they like, and each header that asks for one that is not there is an error, once.
    """
    m = Module()
    m.submodules.unit = unit = InputUnit(
        WIDTH, depth, outputs=OUTPUTS, selector_bits=3, selectors=selectors, mask_bits=mask
    )
    # What is discarded leaves at once: that is what an allocator does.
    may_leave = Signal()
    m.d.comb += unit.allocator.advance.eq(may_leave | unit.allocator.discard)
    pick = random.Random(str((depth, selectors, mask, pause, advance)))
    packets = [[pick.getrandbits(WIDTH) for _ in range(pick.randint(1, 5))] for _ in range(40)]
    expected = [
        (position == 0, word, position == len(packet) - 1) for packet in packets for position, word in enumerate(packet)
    ]
    left, errors = [], []

    async def taker(ctx):
        advancing, now, discarding = False, -1, False
        async for _, _, valid, header, requests, discard, error, word, last in ctx.tick().sample(
            unit.allocator.valid,
            unit.header,
            unit.allocator.requests,
            unit.allocator.discard,
            unit.error,
            unit.flit.data,
            unit.flit.last,
        ):
            if error:
                errors.append(len(left))  # the flit that leaves
            if valid:
                is_header, sent, is_last = expected[len(left)]
                assert (header, last) == (is_header, is_last)
                if is_header:
                    discarding = not requests_of(sent, 3, mask)[0]
                assert requests == (requests_of(sent, 3, mask)[0] if is_header else 0)
                assert discard == discarding
                if is_header and not mask:
                    next_header, said = shifted(sent, 3, selectors)
                    assert word & said == next_header & said
                else:
                    assert word == sent
                if advancing or discard:
                    left.append(now)
            else:
                assert requests == 0 and not header
            now += 1
            advancing = pick.random() < advance
            ctx.set(may_leave, advancing)

    source = Source(unit.i[0], packets, pause=pause, seed=advance)

    async def testbench(ctx):
        await until(ctx, lambda: len(left) == len(expected), most=900, rest=30)

    simulate(m, testbench, source, taker)
    assert len(left) == len(expected)
    wrong = [
        index for index, (is_header, sent, _) in enumerate(expected) if is_header and requests_of(sent, 3, mask)[1]
    ]
    assert errors == wrong and 0 < len(wrong) < 40
    if depth > 1 and (pause, advance) == (0, 1):
        # Not a cycle between packets, and a header in front a cycle after it came in.
        assert left == [time + 1 for time in source.times] == list(range(left[0], left[0] + len(left)))


def test_holds_depth_flits():
    """Catches a unit that ignores its depth."""
    for depth in (1, 2, 6):
        unit = InputUnit(WIDTH, depth, outputs=OUTPUTS, selector_bits=3)
        source = Source(unit.i[0], [range(10)])

        async def testbench(ctx):
            await cycles(ctx, 20)

        simulate(unit, testbench, source)
        assert len(source.times) == depth


def test_there_are_routes_only_with_destinations():
    plain = InputUnit(WIDTH, 2, outputs=OUTPUTS, selector_bits=3)
    table = InputUnit(WIDTH, 2, outputs=OUTPUTS, selector_bits=3, destination_bits=2)
    assert (len(plain.routes), len(table.routes)) == (0, 3 << 2)
    assert "routes" not in plain.signature.members


def test_refused():
    """Catches a unit without a selector to decode."""
    with pytest.raises(ParameterError, match=re.escape("selectors must be an integer of at least 1, not 0") + "$"):
        InputUnit(WIDTH, 2, outputs=OUTPUTS, selector_bits=3, selectors=0)


@pytest.mark.parametrize("limited", [False, True], ids=["alone", "with limits"])
@pytest.mark.parametrize("depth", [2, 4])
def test_destinations_are_looked_up(depth, limited):
    """Catches a table that is read at another place or not at all, and a header that is changed by its way."""
    unit = InputUnit(WIDTH, depth, outputs=OUTPUTS, selector_bits=3, destination_bits=4)
    dut = LimitedInput(unit, longest=8) if limited else unit
    dice = random.Random(f"{depth} {limited}")
    table = [*dice.sample(range(8), 8), *dice.sample(range(8), 8)]
    packets = [[dice.getrandbits(WIDTH - 4) << 4 | destination, 0xBEEF] for destination in range(16)]
    source = Source(dut.i[0], packets)
    requested, discarded, headers = [], [], []

    async def taker(ctx):
        ctx.set(dut.routes, sum(selector << 3 * place for place, selector in enumerate(table)))
        ctx.set(dut.allocator.advance, 1)
        async for _, _, header, requests, discard, word in ctx.tick().sample(
            dut.header, dut.allocator.requests, dut.allocator.discard, dut.flit.data
        ):
            if header:
                requested.append(requests)
                discarded.append(discard)
                headers.append(word)

    async def testbench(ctx):
        await cycles(ctx, 3 * len(packets))

    simulate(dut, testbench, source, taker)
    assert requested == [
        sum((selector == output) << place for place, output in enumerate(OUTPUTS)) for selector in table
    ]
    assert discarded == [selector not in OUTPUTS for selector in table]
    assert headers == [packet[0] for packet in packets]
