# amaranth: UnusedElaboratable=no
import random
import re

from amaranth.back import rtlil
from amaranth.hdl import Cat
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.buffer import RegisterBuffer, TwoFlitBuffer
from fatcube.rtl.deep_buffer import MemoryBuffer, QueuedBuffer, input_buffer
from tests.support.streams import Sink, Source, cycles, simulate

WIDTH = 12
SHOWN = 5
BUFFERS = [
    *(pytest.param(lambda depth=depth: RegisterBuffer(WIDTH, depth), depth, id=f"{depth} flits") for depth in (1, 2)),
    *(
        pytest.param(lambda shown=shown: TwoFlitBuffer(WIDTH, shown), 2, id=f"two flits, {shown} bits shown")
        for shown in (0, SHOWN, WIDTH)
    ),
    *(
        pytest.param(
            lambda depth=depth, shown=shown: MemoryBuffer(WIDTH, depth, shown),
            depth,
            id=f"memory of {depth}, {shown} bits shown",
        )
        for depth, shown in ((3, SHOWN), (4, SHOWN), (5, 0), (8, SHOWN), (17, WIDTH))
    ),
    *(
        pytest.param(
            lambda depth=depth, memory=memory: QueuedBuffer(WIDTH, depth, SHOWN, memory=memory),
            depth,
            id=f"queue before two of {depth}, {memory}",
        )
        for memory, depths in (("registers", (3, 4, 9)), ("block", (3, 4, 5, 9)))
        for depth in depths
    ),
]
every_buffer = pytest.mark.parametrize("make, depth", BUFFERS)


def words(count):
    """Different words, as packets of one to four flits."""
    pick, packets, word = random.Random(count), [], 0
    while word < count:
        length = min(pick.randint(1, 4), count - word)
        packets.append(list(range(word, word + length)))
        word += length
    return packets


def free_and_loading(buffer):
    """A process that holds ``free``, ``arriving`` and what ``loading`` shows to what is then in front."""
    shown_bits = getattr(buffer, "shown", WIDTH)

    def part(flit):
        return Cat(flit.data[:shown_bits], flit.last)

    async def run(ctx):
        shown = None
        async for _, _, free, arriving, loading, valid, payload in ctx.tick().sample(
            buffer.free, buffer.arriving, part(buffer.loading), buffer.o.valid, part(buffer.o.payload)
        ):
            if shown is not None:
                assert valid == shown[0] and (not valid or payload == shown[1])
            shown = (arriving, loading) if free else None

    return run


#: Pauses of the source and stalls of the sink, as probabilities.
PACES = [(0, 0), (0.5, 0), (0, 0.5), (0.3, 0.3), (0.05, 0.9), (0.9, 0.05)]


@every_buffer
def test_random(make, depth):
    """Catches a flit that is lost, doubled or overtaken, an offer that changes, a wrong look ahead: at every pace in turn."""
    buffer = make()
    packets = words(50)
    source, sink = Source(buffer.i), Sink(buffer.o)

    async def testbench(ctx):
        for source.pause, sink.stall in PACES:
            for packet in packets:
                source.add(packet)
            while not source.done:
                await ctx.tick()
        await cycles(ctx, 20 * depth + 40)

    simulate(buffer, testbench, source, sink, free_and_loading(buffer))
    assert sink.packets == len(PACES) * packets and not sink.part


@every_buffer
def test_capacity_and_rate(make, depth):
    """Catches a place too many or too few, latency, and a bubble: when it was empty and when it was full."""
    buffer = make()
    source, sink = Source(buffer.i, words(100)), Sink(buffer.o)

    async def testbench(ctx):
        await cycles(ctx, 220)
        assert source.done
        sink.stall = 1
        for packet in words(100):
            source.add(packet)
        await cycles(ctx, 40)
        assert len(source.times) == 100 + depth
        sink.stall = 0
        await cycles(ctx, 220)

    simulate(buffer, testbench, source, sink)
    assert sink.packets == 2 * words(100)
    assert sink.times[:100] == [time + 1 for time in source.times[:100]]
    # A single place is filled or emptied in a cycle, not both.
    step = 2 if depth == 1 else 1
    for times in (sink.times[:100], sink.times[100:]):
        assert times == list(range(times[0], times[0] + 100 * step, step))


@every_buffer
def test_registered(make, depth):
    """Catches a combinational path from one side to the other: what routers in a ring must not have."""
    buffer = make()

    async def testbench(ctx):
        pick = random.Random(depth)
        for _ in range(60):
            seen = set()
            for _ in range(4):
                ctx.set(buffer.o.ready, pick.getrandbits(1))
                ctx.set(buffer.i.valid, pick.getrandbits(1))
                ctx.set(buffer.i.payload.as_value(), pick.getrandbits(WIDTH + 1))
                seen.add((ctx.get(buffer.i.ready), ctx.get(buffer.o.valid), ctx.get(buffer.o.payload.as_value())))
            assert len(seen) == 1
            await ctx.tick()

    simulate(buffer, testbench)


@pytest.mark.parametrize(
    "depth, memory, kind, asked",
    [
        (1, "auto", RegisterBuffer, None),
        (2, "registers", TwoFlitBuffer, None),
        (3, "auto", MemoryBuffer, None),
        (8, "distributed", MemoryBuffer, None),
        (8, "registers", QueuedBuffer, "registers"),
        (8, "block", QueuedBuffer, "block"),
        (64, "auto", MemoryBuffer, None),
        (65, "auto", QueuedBuffer, "block"),
    ],
)
def test_choice(depth, memory, kind, asked):
    """Catches a buffer of another depth or in another memory than asked for."""
    buffer = input_buffer(WIDTH, depth, shown=SHOWN, memory=memory)
    assert type(buffer) is kind and buffer.depth == depth
    assert re.findall('attribute \\\\ram_style "(.*)"', rtlil.convert(buffer)) == ([asked] if asked else [])


@pytest.mark.parametrize("depth", [0, -1, 4097, 2.0, "2", None, True])
def test_refused_depth(depth):
    """Catches a depth that would build something else than was asked for."""
    with pytest.raises(
        ParameterError, match=re.escape(f"buffer depth must be an integer from 1 to 4096, not {depth!r}") + "$"
    ):
        input_buffer(WIDTH, depth, shown=SHOWN)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: RegisterBuffer(WIDTH, 3), "buffer depth must be an integer from 1 to 2, not 3"),
        (lambda: MemoryBuffer(WIDTH, 2, SHOWN), "buffer depth must be an integer from 3 to 4096, not 2"),
        (
            lambda: QueuedBuffer(WIDTH, 2, SHOWN, memory="block"),
            "buffer depth must be an integer from 3 to 4096, not 2",
        ),
        (
            lambda: MemoryBuffer(WIDTH, 3, WIDTH + 1),
            f"shown bits must be an integer from 0 to {WIDTH}, not {WIDTH + 1}",
        ),
        (
            lambda: input_buffer(WIDTH, 2, shown=0, memory="block"),
            "buffer memory must be auto or registers with a buffer depth of 2, not block",
        ),
    ],
)
def test_refused(make, message):
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
        make()
