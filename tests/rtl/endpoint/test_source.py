# amaranth: UnusedElaboratable=no
"""A source: packets at the rate asked for, to all destinations alike, each whole and numbered; random numbers as printed."""

from collections import Counter
import math

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.endpoint.source import PREPARATION, Source
from fatcube.rtl.endpoint.traffic import TrafficRegion, Way
from fatcube.rtl.endpoint.xorshift import Xorshift
from tests.support.streams import Sink, cycles, simulate
from tests.support.traffic import Packet, read_packet, xorshift

SHAPE = {"route_bits": 4, "address_bits": 3}
WAYS = [(9, 1), (3, 2), (15, 6)]


def test_random_numbers_are_those_of_the_paper():
    """Marsaglia's generator, from the seed of his C code; the first numbers are what that prints."""
    random = Xorshift()

    async def testbench(ctx):
        ctx.set(random.seed, 2463534242)
        await cycles(ctx, 3)
        assert ctx.get(random.value) == 2463534242
        ctx.set(random.run, 1)
        seen, state = [], 2463534242
        for _ in range(1000):
            await ctx.tick()
            state = xorshift(state)
            seen.append(ctx.get(random.value))
            assert seen[-1] == state
        assert seen[:4] == [723471715, 2497366906, 2064144800, 2008045182]

    simulate(random, testbench)


def run(
    *,
    rate,
    count,
    flits,
    width=24,
    queue=16,
    stall=0.0,
    ways=WAYS,
    measured=(0, 1 << 30),
    fed=None,
    source_pause=0,
    bursts=None,
    trace=(),
    requests=None,
):
    """The packets that a source sends in ``count`` cycles and after, when each flit was taken, and its counters.

    ``bursts`` are the probabilities that one begins and ends, ``trace`` the cycle and the way of each packet,
    ``requests`` for each cycle with one that comes in then its source, its creation and whether it is measured.
    """
    further = {"bursts": bursts is not None, "trace": 8 if trace else 0}
    further["answers"] = 4 if requests else 0
    source = Source(width, **SHAPE, ways=8, queue=queue, host_width=64, **further)
    sink = Sink(source.stream, stall=stall)
    found = {}

    async def testbench(ctx):
        await cycles(ctx, 1)
        ctx.set(source.host.select, 1)
        ctx.set(source.host.write, 1)
        ctx.set(source.host.region, TrafficRegion.ROUTES)
        for word, way in enumerate(ways):
            ctx.set(source.host.word, word)
            ctx.set(source.host.data, Way(4, 3).const(dict(zip(Way(4, 3).members, way))).as_value().value)
            await ctx.tick()
        if trace:
            ctx.set(source.host.region, TrafficRegion.TRACE)
            for word, (cycle, way) in enumerate(trace):
                ctx.set(source.host.word, word)
                ctx.set(source.host.data, cycle | way << 32)
                await ctx.tick()
            ctx.set(source.host.region, TrafficRegion.GIVEN)
            ctx.set(source.host.data, len(trace))
            await ctx.tick()
        ctx.set(source.host.select, 0)
        if bursts is not None:
            ctx.set(source.burst_begin, bursts[0])
            ctx.set(source.burst_end, bursts[1])
        ctx.set(source.setup.ways, len(ways))
        ctx.set(source.setup.address, 5)
        ctx.set(source.rate, rate)
        ctx.set(source.packet_flits, flits)
        ctx.set(source.source_pause, source_pause)
        state, cycle = 2463534242, 0
        while cycle < count or not ctx.get(source.idle):
            ctx.set(source.random, state if fed is None else fed(cycle))
            ctx.set(source.creating, cycle < count)
            ctx.set(source.measuring, measured[0] <= cycle < measured[1])
            ctx.set(source.cycle, cycle)
            if requests:
                ctx.set(source.request.valid, cycle in requests)
                names = ("source", "created", "measured")
                ctx.set(source.request.payload, dict(zip(names, requests.get(cycle, (0, 0, 0)))))
            await ctx.tick()
            state = xorshift(state)
            cycle += 1
            assert cycle < count + 100_000
        ctx.set(source.host.select, 1)
        ctx.set(source.host.write, 0)
        for name, region in (("numbered", TrafficRegion.NUMBERED), ("used", TrafficRegion.USED)):
            ctx.set(source.host.region, region)
            found[name] = []
            for word in range(8):
                ctx.set(source.host.word, word)
                await ctx.tick()
                found[name].append(ctx.get(source.host.value))
        for name in ("offered", "refused", "accepted", "sent", "waited"):
            found[name] = ctx.get(getattr(source, name))
        found["offset"] = len(ways) + (
            len(trace) + 1 if trace else 0
        )  # the cycle of the simulation that is cycle 0 of the run

    simulate(source, testbench, sink)
    assert sink.part == []
    like = Packet(width, **SHAPE)
    return [read_packet(packet, like) for packet in sink.packets], sink, found


@pytest.mark.parametrize("width", [8, 13, 40, 128])
@pytest.mark.parametrize("flits", [1, 2, 7])
@pytest.mark.parametrize("stall", [0.0, 0.4])
def test_packets(width, flits, stall):
    """Every packet is what its own words say, and its number is the next to its destination."""
    packets, sink, found = run(rate=9000, count=400, flits=flits, width=width, stall=stall, queue=256)
    assert len(packets) > 20
    next_number = Counter()
    for packet, words in zip(packets, sink.packets):
        assert packet.words() == words
        assert (packet.route, packet.destination) in WAYS
        assert packet.source == 5
        assert packet.sequence == next_number[packet.destination]
        next_number[packet.destination] += 1
        assert len(words) == flits and packet.measured == 1
    assert found["numbered"] == [next_number[destination] for destination in range(8)]
    assert found["used"] == [next_number[destination] for _, destination in WAYS] + [0] * 5
    assert found["offered"] == found["sent"] == len(packets) and found["refused"] == 0
    assert found["accepted"] == len(sink.times) == len(packets) * flits


@pytest.mark.parametrize("width", [8, 32, 64])
def test_data_are_random(width):
    """Of every bit above the route about half are 1, and in packets that follow each other half of them change."""
    packets, sink, _ = run(rate=65535, count=2000, flits=1, width=width, queue=512, ways=WAYS[:1])
    data = [words[0] & (1 << width) - 1 for words in sink.packets]
    assert len(packets) > 1500
    for bit in range(SHAPE["route_bits"], width):
        for some in (data, [one ^ other for one, other in zip(data, data[1:])]):
            assert abs(sum(word >> bit & 1 for word in some) / len(some) - 1 / 2) < 2.5 / math.sqrt(len(some))


def test_replies_go_first():
    """Before what waits beside them, and by themselves; each on the way to who asked, with the time of the request."""
    packets, _, found = run(
        rate=1,
        count=200,
        flits=8,
        fed=lambda cycle: 0 if cycle in (2, 3) else 0xFFFF,
        requests={3: (2, 1, 1), 4: (1, 0, 0), 150: (2, 100, 0)},
    )
    assert [(packet.created, packet.measured) for packet in packets] == [(2, 1), (1, 1), (0, 0), (3, 1), (100, 0)]
    assert [(packet.route, packet.destination) for packet in packets] == [WAYS[way] for way in (0, 2, 1, 0, 2)]
    assert (found["offered"], found["sent"], found["refused"]) == (2, 5, 0)


def test_bursts():
    """As a person would follow them: out of a burst nothing is created, and its ends are where the numbers say so."""
    begin, end, rate, count = 1 << 27, 1 << 12, 9000, 3000
    packets, _, found = run(rate=rate, count=count, flits=7, queue=256, bursts=(begin, end))
    state, within, created, inside = 2463534242, False, [], 0
    for cycle in range(count):
        inside += within
        if within and state & 0xFFFF < rate:
            created.append(cycle)
        ends = int(f"{state >> 16:016b}"[::-1], 2) < end
        within = not ends if within else state < begin
        state = xorshift(state)
    assert [packet.created for packet in packets] == created and found["offered"] == len(created) > 50
    assert 0.1 < inside / count < 0.9


def test_trace():
    """Packets are those of the trace, each sent as long after its cycle as one that was created at random, or later."""
    trace = [(0, 2), (40, 0), (40, 1), (41, 1), (90, 0)]
    packets, sink, found = run(rate=65535, count=91, flits=7, trace=trace)
    assert [(packet.created, packet.route) for packet in packets] == [(cycle, WAYS[way][0]) for cycle, way in trace]
    heads = [time - found["offset"] for time in sink.times[::7]]
    assert heads == [PREPARATION, 40 + PREPARATION, 47 + PREPARATION, 54 + PREPARATION, 90 + PREPARATION]
    assert found["offered"] == found["sent"] == len(trace) and found["refused"] == 0


def test_trace_of_packets_of_one_flit():
    """Each is sent once, one in every cycle where they are created in one, and is the one of its entry."""
    trace = [(0, 2), (40, 0), (40, 1), (40, 1), (41, 2), (41, 0), (50, 1)]
    packets, sink, found = run(rate=65535, count=51, flits=1, trace=trace)
    assert [(packet.created, packet.route) for packet in packets] == [(cycle, WAYS[way][0]) for cycle, way in trace]
    heads = [time - found["offset"] - PREPARATION for time in sink.times]
    assert heads == [0, 40, 41, 42, 43, 44, 50]
    assert found["offered"] == found["sent"] == len(trace)


def test_created_when_the_random_number_says_so():
    """The low half of the number decides on a packet, the high half on its way; times are to the cycle."""
    rate = 500

    def fed(cycle):
        return (0x5555 * (cycle % 3) << 16) + (rate - 1 if cycle in (3, 50, 52, 200) else rate)

    packets, sink, found = run(rate=rate, count=250, flits=8, fed=fed, measured=(50, 200))
    assert [packet.created for packet in packets] == [3, 50, 52, 200]
    assert [packet.measured for packet in packets] == [0, 1, 1, 0]
    headers = [time - found["offset"] for time in sink.times[::8]]
    assert found["waited"] == headers[1] - 50 + headers[2] - 52
    assert found["offered"] == 2 and found["sent"] == 4
    assert found["accepted"] == 16
    # Without a queue before it, a packet is under way after six cycles; the third one follows the second at once.
    assert headers == [9, 56, 64, 206]


def test_rate_and_destinations():
    """Within four standard deviations of what was asked for."""
    count, rate = 8000, 3000
    packets, _, found = run(rate=rate, count=count, flits=5, queue=1024)
    mean = count * rate / 65536
    assert abs(len(packets) - mean) < 4 * math.sqrt(mean)
    for _, destination in WAYS:
        share = sum(packet.destination == destination for packet in packets)
        assert abs(share - len(packets) / 3) < 4 * math.sqrt(len(packets) * 2 / 9)
    assert len({packet.created for packet in packets}) == len(packets)
    assert found["offered"] == len(packets)


def test_lengths_and_numbers_of_ways():
    """Each way has its own; one without numbers leaves those of its destination alone, and is counted like all."""
    ways = [(9, 1), (8, 1, 1, 1), (3, 2, 12), (15, 6, 3, 1)]
    packets, sink, found = run(rate=9000, count=3000, flits=6, ways=ways, queue=512)
    routes = [packet.route for packet in packets]
    lengths = {route: {packet.flits for packet in packets if packet.route == route} for route in set(routes)}
    assert lengths == {9: {6}, 8: {1}, 3: {12}, 15: {3}}
    for route in (9, 3):
        numbers = [packet.sequence for packet in packets if packet.route == route]
        assert numbers == list(range(routes.count(route)))
    assert found["numbered"] == [0, routes.count(9), routes.count(3), 0, 0, 0, 0, 0]
    assert found["used"] == [routes.count(route) for route in (9, 8, 3, 15)] + [0] * 4
    assert found["sent"] == len(sink.packets) > 100


def test_pauses_within_packets():
    """Behind a header, nothing comes in as many cycles as asked for, within four standard deviations; all is whole."""
    packets, sink, found = run(rate=65535, count=3000, flits=10, source_pause=1 << 14)
    assert len(packets) == found["sent"] > 100
    gaps = [sink.times[index] - sink.times[index - 1] - 1 for index in range(1, len(sink.times)) if index % 10]
    share = sum(gaps) / (sum(gaps) + len(gaps))
    assert abs(share - 1 / 4) < 4 * math.sqrt(3 / 16 / len(gaps))
    assert all(sink.times[index] == sink.times[index - 1] + 1 for index in range(10, len(sink.times), 10))


@pytest.mark.parametrize("flits", [1, 2, 3, 4, 6])
def test_back_to_back_and_a_queue_that_is_full(flits):
    """A source that is asked for more than it can send sends a flit in every cycle, and counts what it refuses."""
    packets, sink, found = run(
        rate=65535, count=600, flits=flits, queue=4, fed=lambda cycle: 0 if cycle % 50 < 49 else 0xFFFF
    )
    first, last = sink.times[0], sink.times[-1]
    assert last - first + 1 - len(sink.times) == (11 if flits == 1 else 0) and len(sink.times) == flits * len(packets)
    assert found["offered"] == 588
    assert found["refused"] + found["sent"] == 588 and found["sent"] == len(packets)
    assert (found["refused"] > 0) == (flits > 1)


def test_destinations_can_have_weights():
    packets, *_ = run(rate=20_000, count=2000, flits=5, ways=[(1, 4)] * 7 + [(2, 3)], queue=1024)
    share = sum(packet.destination == 3 for packet in packets) / len(packets)
    assert 0.08 < share < 0.18
    for destination in (3, 4):
        numbers = [packet.sequence for packet in packets if packet.destination == destination]
        assert numbers == list(range(len(numbers)))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"address_bits": 0}, "^address bits must be an integer from 1 to 16, not 0$"),
        ({"ways": 0}, "^ways must be an integer from 1 to 65536, not 0$"),
        ({"queue": 1}, "^queue must be an integer of at least 2, not 1$"),
        ({"route_bits": 0}, "^route bits must be an integer of at least 1, not 0$"),
    ],
    ids=str,
)
def test_parameters(changes, message):
    with pytest.raises(ParameterError, match=message):
        Source(24, **(SHAPE | {"ways": 8, "queue": 4, "host_width": 64} | changes))


@pytest.mark.parametrize("stall", [0.0, 0.5])
def test_what_is_measured_is_what_was_created_then(stall):
    """Catches packets of the warm-up that wait in the queue and are counted as measured when their turn comes."""
    begin, end = 200, 320
    packets, _, found = run(rate=12000, count=500, flits=11, stall=stall, queue=256, measured=(begin, end))
    measured = [packet for packet in packets if begin <= packet.created < end]
    assert [packet.measured for packet in packets] == [begin <= packet.created < end for packet in packets]
    assert found["offered"] == len(measured) > 10 and found["refused"] == 0
    # So many wait that those created before are sent while, and those created then after.
    assert [packet.created for packet in packets] == sorted(packet.created for packet in packets)
    assert sum(packet.created < begin for packet in packets) > 20 and packets[-1].created >= end


def test_the_longest_packet():
    """Catches a length, or a counter of flits, without its highest bit: the first flits are those of 65,535."""
    source, flits = Source(24, **SHAPE, ways=8, queue=4, host_width=64), (1 << 16) - 1
    like = Packet(24, **SHAPE, created=3, measured=0, flits=flits)

    async def testbench(ctx):
        ctx.set(source.stream.ready, 1)
        ctx.set(source.setup.ways, 1)
        ctx.set(source.rate, 1)
        ctx.set(source.cycle, 3)
        ctx.set(source.packet_flits, flits)
        for name, value in (("creating", 1), ("creating", 0)):
            ctx.set(getattr(source, name), value)
            await ctx.tick()
        while not ctx.get(source.stream.valid):
            await ctx.tick()
        for place in range(20):
            assert ctx.get(source.stream.payload.data) == like.word(place)
            assert ctx.get(source.stream.valid) and not ctx.get(source.stream.payload.last)
            await ctx.tick()

    simulate(source, testbench)
