# amaranth: UnusedElaboratable=no
import random

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.interface.ingress import Ingress
from tests.support.axi_streams import AxiSource, random_packets
from tests.support.planted import plant
from tests.support.streams import Sink, simulate

WIDTH, ROUTE_BITS, MESSAGE_BITS = 16, 7, 4
SOURCE = 11
# Of five destinations one is not there, and three of the numbers that tdest may have are of none.
ROUTES = [[0x11], [0x7F], None, [0x00], [0x2A]]
NUMBERS = range(8)


def ingress_of(**options):
    return Ingress(WIDTH, route_bits=ROUTE_BITS, message_bits=MESSAGE_BITS, destinations=len(ROUTES), **options)


def header(route):
    return route | SOURCE << ROUTE_BITS


def is_known(number, routes=ROUTES):
    return number < len(routes) and routes[number] is not None


def expected(packets, *, longest=0):
    """The packets of the network that these become."""
    return [
        [header(ROUTES[number][0]), *words]
        for number, words in packets
        if is_known(number) and not (longest and len(words) >= longest)
    ]


class Run:
    """One run of an ingress, to some cycles after all beats were taken."""

    def __init__(self, packets, *, pause=0.0, stall=0.0, routes=ROUTES, rubbish=True, **options):
        self.ingress = ingress = ingress_of(**options)
        self.source = AxiSource(ingress.s_axis, packets, pause=pause, rubbish=rubbish)
        self.sink = Sink(ingress.send, stall=stall, name="send")
        #: The cycles in which each was up, and the counts in the end.
        self.unknown, self.too_long, self.counts = [], [], {}

        async def testbench(ctx):
            ctx.set(ingress.routes.as_value(), ingress.table.pack(routes))
            ctx.set(ingress.source, SOURCE)
            rest, cycle = 200, -1
            while rest and cycle < 20_000:
                rest -= self.source.done
                for seen, signal in ((self.unknown, ingress.unknown), (self.too_long, ingress.too_long)):
                    if ctx.get(signal):
                        seen.append(cycle)
                await ctx.tick()
                cycle += 1
            self.counts = {"unknown": ctx.get(ingress.unknown_count), "too long": ctx.get(ingress.too_long_count)}

        simulate(ingress, testbench, self.source, self.sink)


PACES = [(0, 0), (0.6, 0), (0, 0.6), (0.3, 0.3)]


@pytest.mark.parametrize(
    "longest, pause, stall",
    [
        pytest.param(longest, *pace, marks=() if longest in (0, 5) or place % 3 == 0 else pytest.mark.long)
        for longest in (0, 2, 5, 8)
        for place, pace in enumerate(PACES)
    ],
)
def test_random(longest, pause, stall):
    """Catches a packet lost, torn, doubled, overtaken or sent elsewhere, and one that is dropped or counted wrongly."""
    packets = random_packets(NUMBERS, count=200)
    run = Run(packets, pause=pause, stall=stall, longest=longest)
    assert run.sink.packets == expected(packets, longest=longest) and not run.sink.part
    unknown = sum(not is_known(number) for number, _ in packets)
    too_long = sum(is_known(number) and len(words) >= longest for number, words in packets) if longest else 0
    assert unknown > 40 and bool(too_long) == bool(longest)
    assert run.counts == {"unknown": len(run.unknown), "too long": len(run.too_long)}
    assert run.counts == {"unknown": unknown, "too long": too_long}


def test_latency_and_rate():
    """The header is there one cycle after the first beat is offered; then there is a flit in every cycle, of any packets."""
    packets = random_packets([0, 1, 3, 4], count=60)
    run = Run(packets)
    assert run.sink.packets == expected(packets)
    assert run.source.offers[0] == 0
    assert run.sink.times == list(range(1, 1 + sum(1 + len(words) for _, words in packets)))
    # Every beat is taken in the cycle before it is on `send`.
    headers, at = [], 1
    for _, words in packets:
        headers.append(at)
        at += 1 + len(words)
    assert run.source.times == [time - 1 for time in run.sink.times if time not in set(headers)]


@pytest.mark.parametrize("beats", [1, 2, 3, 7])
def test_latency_of_a_packet_that_is_kept_until_it_is_whole(beats):
    run = Run([(1, list(range(beats)))], longest=8)
    assert run.source.offers[0] == 0
    assert run.sink.times == [beats + 2 + index for index in range(1 + beats)]


@pytest.mark.parametrize("longest", [4, 7, 8, 15])
def test_full_rate_of_packets_that_are_kept(longest):
    """The longest packets back to back: there is no cycle without a flit between the first and the last."""
    packets = [(number % 2, list(range(longest - 1))) for number in range(30)]
    run = Run(packets, longest=longest)
    assert run.sink.packets == expected(packets)
    assert run.sink.times == list(range(longest + 1, longest + 1 + 30 * longest))


def test_unknown_packets_cost_what_others_do():
    """A dropped packet of F beats is gone in F + 1 cycles, and said in the second of them; the next one is not touched."""
    run = Run([(2, [1, 2, 3]), (7, [4]), (0, [5])])
    assert run.source.times == [1, 2, 3, 5, 7]
    assert run.unknown == [1, 5] and run.counts["unknown"] == 2
    assert run.sink.packets == [[header(0x11), 5]] and run.sink.times == [7, 8]


def test_too_long_is_said_once_and_at_once():
    """With 3 flits at most, the second beat must be the last: it is taken in cycle 2."""
    run = Run([(0, [1, 2, 3, 4, 5, 6]), (0, [7, 8])], longest=3)
    assert run.too_long == [3] and run.counts == {"unknown": 0, "too long": 1}
    assert run.sink.packets == [[header(0x11), 7, 8]]


def test_ways_are_taken_in_turn():
    """One turn for all destinations, which goes on with each packet that is sent and with no other."""
    routes = [[1, 2, 3], [4, 5, 6], None, [7], [8, 9]]
    numbers = [0, 0, 2, 0, 0, 1, 7, 4, 4, 1, 3, 4, 4, 4]
    run = Run([(number, [index, index]) for index, number in enumerate(numbers)], ways=3, routes=routes, stall=0.4)
    turns, expected = 0, []
    for index, number in enumerate(numbers):
        if is_known(number, routes):
            expected.append([header(routes[number][turns % 3 % len(routes[number])]), index, index])
            turns += 1
    assert run.sink.packets == expected and run.counts["unknown"] == 2


@pytest.mark.parametrize("number", [0, 2])
def test_counts_stop_at_the_top(number):
    """Catches a count that begins anew at 0."""
    ingress = ingress_of(longest=2)
    count = ingress.too_long_count if is_known(number) else ingress.unknown_count
    source, seen = AxiSource(ingress.s_axis, [(number, [1, 2])] * 2), []

    async def testbench(ctx):
        ctx.set(ingress.routes.as_value(), ingress.table.pack(ROUTES))
        ctx.set(count, 0xFFFE)
        for _ in range(12):
            seen.append(ctx.get(count))
            await ctx.tick()

    simulate(ingress, testbench, source)
    assert source.done and sorted(set(seen)) == [0xFFFE, 0xFFFF] and seen == sorted(seen)


@pytest.mark.parametrize("longest", [0, 5])
def test_offers_wait_for_nobody(longest):
    """Catches a combinational path from `send.ready` to `send`, from `s_axis` to `tready`, or from one side's offer."""
    ingress = ingress_of(longest=longest)
    beats, pick = ingress.s_axis, random.Random(0)

    async def testbench(ctx):
        ctx.set(ingress.routes.as_value(), ingress.table.pack(ROUTES))
        for _ in range(300):
            offers, takes = set(), {0: set(), 1: set()}
            for _ in range(6):
                ready = pick.getrandbits(1)
                ctx.set(ingress.send.ready, ready)
                for signal in (beats.tvalid, beats.tdata, beats.tlast, beats.tdest):
                    ctx.set(signal, pick.getrandbits(len(signal)))
                offers.add((ctx.get(ingress.send.valid), ctx.get(ingress.send.payload.as_value())))
                takes[ready].add(ctx.get(beats.tready))
            assert len(offers) == 1 and max(map(len, takes.values())) == 1
            assert not longest or len(takes[0] | takes[1]) == 1
            await ctx.tick()

    simulate(ingress, testbench)


FAULTS = {
    "header sent twice": ("with m.Elif(header & flits.ready):", "with m.Elif(header & flits.ready & self.send.valid):"),
    "header lost": ("passing & beats.tvalid | header", "passing & beats.tvalid"),
    "tlast lost": ("flits.payload.last.eq(passing & beats.tlast)", "flits.payload.last.eq(0)"),
    "tlast of the first beat in the header": ("last.eq(passing & beats.tlast)", "last.eq(beats.tlast)"),
    "unknown packet partly swallowed": ("beats.tready & beats.tlast)", "beats.tready & (beats.tlast | swallowing))"),
    "unknown packet sent": ("~passing & ~swallowing & entry.valid)", "~passing & ~swallowing)"),
    "destination beyond the table taken for another": ("[C(0)] * missing", "[self.routes[0].as_value()] * missing"),
    "entry of another destination": ("Mux(bit, odd, even)", "Mux(bit, even, odd)"),
    "counted at every beat": ("self.unknown.eq(unknown)", "self.unknown.eq(swallowing)"),
    "counter twice": ("(unknown & ~self.unknown_count.all())", "((unknown | swallowing) & ~self.unknown_count.all())"),
    "tdest of a later beat": ("passing & beats.tvalid | header", "passing & beats.tvalid & entry.valid | header"),
    "beat taken with the header": ("passing & flits.ready | swallowing", "flits.ready | swallowing"),
    "register overwritten": ("~self.send.valid | self.send.ready", "self.send.ready | 1"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(monkeypatch, fault):
    line, instead = FAULTS[fault]
    plant(monkeypatch, Ingress, line, instead)
    with pytest.raises(AssertionError):
        test_random(0, 0.3, 0.3)
        test_random(5, 0.3, 0.3)


def test_turn_of_packets_that_are_not_sent(monkeypatch):
    plant(monkeypatch, Ingress, "with m.If(sent):", "with m.If(entry.valid):")
    with pytest.raises(AssertionError):
        test_ways_are_taken_in_turn()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"width": 10},
            "width must be an integer of at least 11 .a header has 7 bits of route and 4 of message id., not 10",
        ),
        ({"route_bits": 0}, "route bits must be an integer of at least 1, not 0"),
        ({"message_bits": 0}, "message bits must be an integer of at least 1, not 0"),
        ({"destinations": 0}, "destinations must be an integer from 1 to 65536, not 0"),
        ({"ways": 0}, "ways must be an integer from 1 to 64, not 0"),
        ({"longest": 1}, r"longest packet must be an integer from 2 to 65536 \(header and payload\), or 0, not 1"),
    ],
)
def test_refused(changed, message):
    options = {"width": 16, "route_bits": 7, "message_bits": 4, "destinations": 5, **changed}
    with pytest.raises(ParameterError, match=f"^{message}$"):
        Ingress(options.pop("width"), **options)
