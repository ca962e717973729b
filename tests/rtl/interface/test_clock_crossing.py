# amaranth: UnusedElaboratable=no
from amaranth.hdl import ClockDomain, Module
from amaranth.lib import wiring
from amaranth.sim import Simulator
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.interface.axi_stream import AxiStreamSignature
from fatcube.rtl.interface.clock_crossing import ClockCrossing
from tests.support.axi_streams import AxiSink, AxiSource, random_packets
from tests.support.planted import plant

#: Periods of the two clocks in ns, and the delay of the first edge of the second.
CLOCKS = {
    "same": (10, 10, 0),
    "same, opposite": (10, 10, 5),
    "into a faster one": (10, 3.7, 1),
    "into a slower one": (3.7, 10, 2),
    "nearly the same": (10, 10.3, 4),
}
STREAM = AxiStreamSignature(16, dest_bits=4, id_bits=4)


class Crossing(wiring.Component):
    """A crossing between two domains of its own, ``here`` and ``there``, whose resets stand on it."""

    def __init__(self, depth=8):
        super().__init__(ClockCrossing(STREAM, depth=depth, i_domain="here", o_domain="there").signature)
        self.depth = depth
        self.here, self.there = ClockDomain("here"), ClockDomain("there")

    def elaborate(self, platform):
        m = Module()
        m.domains += [self.here, self.there]
        m.submodules.crossing = crossing = ClockCrossing(STREAM, depth=self.depth, i_domain="here", o_domain="there")
        wiring.connect(m, wiring.flipped(self.i), crossing.i)
        wiring.connect(m, crossing.o, wiring.flipped(self.o))
        m.d.comb += crossing.i.tid.eq(self.i.tdest)  # the source has no other number, and the sink looks at this one
        return m


def simulate(crossing, clocks, testbench, *processes):
    first, second, phase = CLOCKS[clocks]
    simulator = Simulator(crossing)
    simulator.add_clock(first * 1e-9, domain="here", phase=first * 1e-9)
    simulator.add_clock(second * 1e-9, domain="there", phase=(second + phase) * 1e-9)
    for process in processes:
        simulator.add_process(getattr(process, "run", process))
    simulator.add_testbench(testbench)
    simulator.run()


def run(packets, clocks, *, depth=8, pause=0.0, stall=0.0, most=20_000):
    crossing = Crossing(depth)
    source = AxiSource(crossing.i, packets, pause=pause, domain="here")
    sink = AxiSink(crossing.o, stall=stall, domain="there", name="the other side")

    async def testbench(ctx):
        cycle = 0
        while not source.done and cycle < most:
            await ctx.tick("here")
            cycle += 1
        for _ in range(200):
            await ctx.tick("there")

    simulate(crossing, clocks, testbench, source, sink)
    return source, sink


@pytest.mark.parametrize("pause, stall", [(0, 0.5), (0.5, 0), (0.3, 0.3)])
@pytest.mark.parametrize("clocks", CLOCKS)
def test_random(clocks, pause, stall):
    """Catches a beat lost, doubled or overtaken, an offer that changes, and a member that does not cross."""
    packets = random_packets(range(16), count=60)
    _, sink = run(packets, clocks, pause=pause, stall=stall)
    assert sink.packets == packets and not sink.part


def edges(clocks, domain, count=1000):
    """The times of the edges of a clock, ns. A cycle has the number of the edge that it begins with."""
    first, second, delay = CLOCKS[clocks]
    start, period = (first, first) if domain == "here" else (second + delay, second)
    return [start + index * period for index in range(count)]


@pytest.mark.parametrize("clocks", CLOCKS)
def test_latency(clocks):
    """A beat is offered after the third edge from that on at which it was taken; four cycles where clocks are the same."""
    source, sink = run([(1, [1])], clocks)
    taken = edges(clocks, "here")[source.times[0] + 1]
    third = [time for time in edges(clocks, "there") if time > taken + 1e-6][2]
    assert edges(clocks, "there")[sink.times[0]] == third
    if clocks == "same":
        assert sink.times == [source.times[0] + 4]


@pytest.mark.parametrize("depth", [8, 32])
@pytest.mark.parametrize("clocks", CLOCKS)
def test_full_rate(clocks, depth):
    """The slower of the two sides never waits."""
    source, sink = run([(1, list(range(100)))], clocks, depth=depth)
    first, second, _ = CLOCKS[clocks]
    if first >= second:
        assert source.times == list(range(100))
    if second >= first:
        assert sink.times == list(range(sink.times[0], sink.times[0] + 100))


def test_depth():
    """Beats wait in all places and in the register behind them, and no more come in then."""
    source, sink = run([(1, list(range(30)))], "same", stall=1, most=50)
    assert len(source.times) == 9 and not sink.times


async def push(ctx, crossing, words):
    for word in words:
        ctx.set(crossing.i.tdata, word)
        ctx.set(crossing.i.tvalid, 1)
        for _ in range(100):
            if (await ctx.tick("here").sample(crossing.i.tready))[2]:
                break
        else:
            raise AssertionError("it takes nothing")
    ctx.set(crossing.i.tvalid, 0)


async def reset(ctx, crossing, *sides, count):
    """Hold the resets of ``sides`` until both clocks have had so many edges."""
    for side in sides:
        ctx.set(getattr(crossing, side).rst, 1)
    for _ in range(count):
        for side in ("here", "there"):
            await ctx.tick(side)
    for side in sides:
        ctx.set(getattr(crossing, side).rst, 0)


def after_reset(clocks, *, sides, waiting, count):
    """The output of a crossing in which some beats waited when it was reset, and into which three more went."""
    crossing, taken = Crossing(), []
    out = crossing.o

    async def take(ctx):
        async for _, _, valid, ready, word in ctx.tick("there").sample(out.tvalid, out.tready, out.tdata):
            if valid and ready:
                taken.append(word)

    async def testbench(ctx):
        # Some have been through it before, so that its counters are not where they began.
        ctx.set(out.tready, 1)
        await push(ctx, crossing, range(100, 103))
        for _ in range(10):
            await ctx.tick("here")
            await ctx.tick("there")
        ctx.set(out.tready, 0)
        await push(ctx, crossing, range(1, 1 + waiting))
        await reset(ctx, crossing, *sides, count=count)
        ctx.set(out.tready, 1)
        await push(ctx, crossing, [201, 202, 203])
        for _ in range(20):
            await ctx.tick("here")
            await ctx.tick("there")

    simulate(crossing, clocks, testbench, take)
    assert taken[:3] == [100, 101, 102]
    return taken[3:]


@pytest.mark.parametrize("waiting", [0, 1, 4, 9])
@pytest.mark.parametrize("clocks", CLOCKS)
def test_reset(clocks, waiting):
    """Catches a beat from before a reset of both sides, and one from after it that is lost."""
    assert after_reset(clocks, sides=("here", "there"), waiting=waiting, count=3) == [201, 202, 203]


@pytest.mark.parametrize("waiting", [1, 9])
@pytest.mark.parametrize("side", ["here", "there"])
@pytest.mark.parametrize("clocks", CLOCKS)
def test_reset_of_one_side(clocks, side, waiting):
    """Beats from before may be lost, but the crossing goes on; none comes that was not sent, or twice."""
    found = after_reset(clocks, sides=(side,), waiting=waiting, count=3)
    assert found[-3:] == [201, 202, 203]
    before = found[:-3]
    assert before == sorted(set(before)) and set(before) <= set(range(1, 10))


def test_reset_that_is_too_short():
    """The docstring's conditions are needed: after a single edge of each clock, beats are lost or come from nowhere."""
    found = after_reset("nearly the same", sides=("here", "there"), waiting=9, count=1)
    assert found != [201, 202, 203]


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("queue.w_en.eq(self.i.tvalid)", "queue.w_en.eq(1)"),
        ("self.o.tvalid.eq(queue.r_rdy)", "self.o.tvalid.eq(1)"),
        ("self.i.tready.eq(queue.w_rdy)", "self.i.tready.eq(1)"),
        ("queue.r_en.eq(self.o.tready)", "queue.r_en.eq(1)"),
        ("Cat(getattr(self.i, name) for name in self.stream.payload)", "self.i.tdata"),
    ],
    ids=["rubbish in", "rubbish out", "overflow", "offer taken back", "tlast does not cross"],
)
def test_a_fault_is_found(monkeypatch, line, instead):
    plant(monkeypatch, ClockCrossing, line, instead)
    with pytest.raises(AssertionError):
        test_random("into a slower one", 0.3, 0.3)


def test_refused():
    with pytest.raises(ParameterError, match="^crossing depth must be a power of two from 8 to 4096, not 12$"):
        ClockCrossing(STREAM, depth=12, i_domain="here", o_domain="there")
    with pytest.raises(ParameterError, match="^crossing depth must be an integer from 8 to 4096, not 4$"):
        ClockCrossing(STREAM, depth=4, i_domain="here", o_domain="there")
