# amaranth: UnusedElaboratable=no
import random

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.interface.egress import Egress
from tests.support.axi_streams import AxiSink, random_packets
from tests.support.planted import plant
from tests.support.streams import Source, simulate

WIDTH, ROUTE_BITS, MESSAGE_BITS = 16, 7, 4


def egress_of():
    return Egress(WIDTH, route_bits=ROUTE_BITS, message_bits=MESSAGE_BITS)


def flits_of(packets, seed=0):
    """The output of the network: the rest of the route, and the bits above the message id, are anything."""
    pick = random.Random(f"headers {seed}")
    above = ROUTE_BITS + MESSAGE_BITS
    return [
        [pick.getrandbits(ROUTE_BITS) | number << ROUTE_BITS | pick.getrandbits(WIDTH - above) << above, *words]
        for number, words in packets
    ]


class Run:
    """One run of an egress, to some cycles after all flits were taken."""

    def __init__(self, packets, *, pause=0.0, stall=0.0):
        self.egress = egress = egress_of()
        self.source = Source(egress.receive, flits_of(packets), pause=pause)
        self.sink = AxiSink(egress.m_axis, stall=stall, name="m_axis")
        self.empty, self.count = [], 0  # the cycles in which it was up; the count in the end

        async def testbench(ctx):
            rest, cycle = 50, -1
            while rest and cycle < 20_000:
                rest -= self.source.done
                if ctx.get(egress.empty):
                    self.empty.append(cycle)
                await ctx.tick()
                cycle += 1
            self.count = ctx.get(egress.empty_count)

        simulate(egress, testbench, self.source, self.sink)


@pytest.mark.parametrize("pause, stall", [(0, 0), (0.6, 0), (0, 0.6), (0.3, 0.3)])
def test_random(pause, stall):
    """Catches a packet lost, torn, doubled or overtaken, a wrong tid, and a header alone that leaks or is not counted."""
    pick = random.Random(1)
    packets = [(number, words if pick.random() < 0.7 else []) for number, words in random_packets(range(16), count=250)]
    run = Run(packets, pause=pause, stall=stall)
    assert run.sink.packets == [packet for packet in packets if packet[1]] and not run.sink.part
    assert run.count == len(run.empty) == sum(not words for _, words in packets) > 50


def test_latency_and_rate():
    """Each word is there one cycle after its flit was taken, and there is a flit in every cycle."""
    packets = random_packets(range(16), count=50)
    run = Run(packets)
    assert run.source.times == list(range(sum(1 + len(words) for _, words in packets)))
    headers, at = set(), 0
    for _, words in packets:
        headers.add(at)
        at += 1 + len(words)
    assert run.sink.times == [time + 1 for time in run.source.times if time not in headers]


def test_headers_alone_are_said_one_by_one():
    """A header alone is taken in a cycle, dropped in the next, and said in the one after."""
    run = Run([(1, []), (2, []), (3, [7])])
    assert run.source.times == [0, 1, 2, 3]
    assert run.empty == [2, 3] and run.count == 2
    assert run.sink.packets == [(3, [7])]


def test_count_stops_at_the_top():
    """Catches a count that begins anew at 0."""
    egress, seen = egress_of(), []
    source = Source(egress.receive, flits_of([(1, [])] * 3))

    async def testbench(ctx):
        ctx.set(egress.empty_count, 0xFFFE)
        for _ in range(10):
            seen.append(ctx.get(egress.empty_count))
            await ctx.tick()

    simulate(egress, testbench, source)
    assert source.done and sorted(set(seen)) == [0xFFFE, 0xFFFF] and seen == sorted(seen)


def test_sides_wait_for_nobody():
    """Catches a combinational path through the egress, forwards or backwards."""
    egress = egress_of()
    flits, beats = egress.receive, egress.m_axis
    pick = random.Random(0)

    async def testbench(ctx):
        for _ in range(300):
            seen = set()
            for _ in range(4):
                ctx.set(beats.tready, pick.getrandbits(1))
                ctx.set(flits.valid, pick.getrandbits(1))
                ctx.set(flits.payload.as_value(), pick.getrandbits(WIDTH + 1))
                seen.add(
                    tuple(
                        ctx.get(signal)
                        for signal in (
                            flits.ready,
                            *(getattr(beats, name) for name in ("tvalid", "tdata", "tlast", "tid")),
                        )
                    )
                )
            assert len(seen) == 1
            await ctx.tick()

    simulate(egress, testbench)


FAULTS = {
    "header goes out": ("flit.valid & within)", "flit.valid)"),
    "tlast lost": ("beats.tlast.eq(flit.payload.last)", "beats.tlast.eq(0)"),
    "tid of the packet before": ("with m.If(~within):", "with m.If(flit.valid & flit.payload.last):"),
    "tid of the wrong bits": ("flit.payload.data[self.message]", "flit.payload.data[self.message.start - 1 :]"),
    "header after a header alone taken for payload": (
        "within.eq(~flit.payload.last)",
        "within.eq(~within | ~flit.payload.last)",
    ),
    "word lost while nobody takes it": ("flit.ready.eq(beats.tready | ~within)", "flit.ready.eq(1)"),
    "counter twice": ("self.empty_count + (empty &", "self.empty_count + ((empty | self.empty) &"),
    "every packet counted": ("flit.valid & ~within & flit.payload.last", "flit.valid & flit.payload.last"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(monkeypatch, fault):
    plant(monkeypatch, Egress, *FAULTS[fault])
    with pytest.raises(AssertionError):
        test_random(0.3, 0.3)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"width": 10},
            "width must be an integer of at least 11 .a header has 7 bits of route and 4 of message id., not 10",
        ),
        ({"route_bits": 0}, "route bits must be an integer of at least 1, not 0"),
        ({"message_bits": 0}, "message bits must be an integer of at least 1, not 0"),
    ],
)
def test_refused(changed, message):
    options = {"width": 16, "route_bits": 7, "message_bits": 4, **changed}
    with pytest.raises(ParameterError, match=f"^{message}$"):
        Egress(options.pop("width"), **options)
