import random
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.flit import FlitLayout, FlitStream, HeaderLayout

SHAPES = [(processors, lanes) for processors in (1, 2, 3, 4, 5, 8) for lanes in (0, 1, 2, 3, 4, 9)]


def unpack(header, field):
    _, start, bits = field
    return header >> start & (1 << bits) - 1


@pytest.mark.parametrize("width", [1, 32, 4096])
def test_flit(width):
    """Catches a flit whose members overlap or stand elsewhere."""
    layout = FlitLayout(width)
    assert layout.size == width + 1
    assert layout.const({"data": (1 << width) - 1, "last": 0}).as_bits() == (1 << width) - 1
    assert layout.const({"data": 0, "last": 1}).as_bits() == 1 << width
    assert FlitStream(width).members["payload"].shape == layout


@pytest.mark.parametrize("width", [0, 4097, 8.0, None])
def test_no_such_flit(width):
    """Catches a flit of nothing."""
    with pytest.raises(
        ParameterError, match=re.escape(f"width must be an integer from 1 to 4096, not {width!r}") + "$"
    ):
        FlitLayout(width)


@pytest.mark.parametrize("hops", [0, 1, 2, 5])
@pytest.mark.parametrize("message_bits", [0, 1, 7])
def test_round_trip(hops, message_bits):
    """Catches selectors or message id that overlap, stand in the wrong order or are cut."""
    pick = random.Random(hops)
    for processors, lanes in SHAPES:
        layout = HeaderLayout(
            64, processor_outputs=processors, lane_outputs=lanes, message_bits=message_bits, hops=hops
        )
        assert layout.outputs == processors + lanes
        *selectors, message_field = layout.fields()
        for _ in range(10):
            route = [pick.randrange(layout.outputs) for _ in range(hops + 1)]
            message = pick.getrandbits(message_bits)
            header = layout.pack(route, message)
            assert [unpack(header, field) for field in selectors] == route
            assert unpack(header, message_field) == layout.unpack_message(header) == message
            assert header >> layout.message.start == message


@pytest.mark.parametrize("message_bits", [0, 1, 7])
def test_round_trip_with_copies(message_bits):
    """Catches a mask or a selector that stands where another is read."""
    pick = random.Random(message_bits)
    for processors, lanes in SHAPES:
        layout = HeaderLayout(
            64, processor_outputs=processors, lane_outputs=lanes, message_bits=message_bits, copies=True
        )
        mask, *selectors, message_field = layout.fields()
        for _ in range(10):
            outputs = pick.sample(range(layout.outputs), pick.randint(1, layout.outputs))
            beyond = {output: pick.randrange(processors) for output in outputs if output >= processors}
            message = pick.getrandbits(message_bits)
            header = layout.pack(
                [(output, beyond[output]) if output in beyond else (output,) for output in outputs], message
            )
            assert unpack(header, mask) == sum(1 << output for output in outputs)
            for lane, field in enumerate(selectors):
                assert unpack(header, field) == beyond.get(processors + lane, 0)
                start = layout.branch(lane).start
                assert (start, layout.branch(lane).stop) == (field[1], field[1] + field[2])
            assert unpack(header, message_field) == layout.unpack_message(header) == message


def test_further_selectors_with_copies():
    """Two processor outputs and two lanes, three hops: a mask of four bits, a selector for each lane, and two further ones."""
    layout = HeaderLayout(32, processor_outputs=2, lane_outputs=2, message_bits=1, hops=3, copies=True)
    assert [(low, bits) for _, low, bits in layout.fields()] == [(0, 4), (4, 2), (6, 2), (8, 2), (10, 2), (12, 1)]
    assert layout.pack([(3, 2, 3, 1)], 1) == 0b1_01_11_10_00_1000
    assert layout.pack([(1,), (2, 0), (3, 1)], 0) == 0b0_00_00_01_00_1110


@pytest.mark.parametrize("copies", [False, True])
def test_fields_fill_the_header(copies):
    """Catches fields with a gap or an overlap, and a selector with a bit too many or too few."""
    for processors, lanes in SHAPES:
        layout = HeaderLayout(64, processor_outputs=processors, lane_outputs=lanes, message_bits=3, copies=copies)
        position = 0
        for _, start, bits in layout.fields():
            assert start == position
            position += bits
        assert position == layout.route_bits + 3 == layout.message.stop
        reached = processors if copies else processors + lanes
        assert 2**layout.selector_bits >= reached > 2 ** (layout.selector_bits - 1)


@pytest.mark.parametrize(
    "given, needed, route",
    [
        ({}, 9, 6),
        ({"hops": 3}, 15, 12),
        ({"hops": 0}, 6, 3),
        ({"copies": True}, 13, 10),
    ],
)
def test_narrow(given, needed, route):
    """Catches a header that is cut off without a word: 4 processor outputs, 2 lanes, 3 bits of message id."""
    given = {"processor_outputs": 4, "lane_outputs": 2, "message_bits": 3, **given}
    assert HeaderLayout(needed, **given).route_bits == route
    with pytest.raises(
        ParameterError,
        match=re.escape(
            f"width must be an integer of at least {needed} (a header has {route} bits of route "
            f"and 3 of message id), not {needed - 1}"
        )
        + "$",
    ):
        HeaderLayout(needed - 1, **given)


@pytest.mark.parametrize(
    "given, message",
    [
        ({"processor_outputs": 0}, "processor outputs must be an integer of at least 1, not 0"),
        ({"lane_outputs": -1}, "lane outputs must be an integer of at least 0, not -1"),
        ({"message_bits": -1}, "message bits must be an integer of at least 0, not -1"),
        ({"hops": -1}, "hops must be an integer from 0 to 64, not -1"),
        ({"hops": 65}, "hops must be an integer from 0 to 64, not 65"),
    ],
)
def test_refused(given, message):
    """Catches a header for a router that cannot be."""
    with pytest.raises(ParameterError, match=re.escape(message) + "$"):
        HeaderLayout(64, **{"processor_outputs": 2, "lane_outputs": 2, "message_bits": 4, **given})


@pytest.mark.parametrize("bits, message", [(3, 8), (3, -1), (0, 1)])
def test_message_that_does_not_fit(bits, message):
    """Catches a message id that runs over into the free bits."""
    layout = HeaderLayout(64, processor_outputs=2, lane_outputs=2, message_bits=bits)
    with pytest.raises(
        ParameterError, match=re.escape(f"message must be an integer from 0 to {(1 << bits) - 1}, not {message}") + "$"
    ):
        layout.pack([0], message)
