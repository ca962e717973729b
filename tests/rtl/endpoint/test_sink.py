# amaranth: UnusedElaboratable=no
"""A sink: every fault by its name and nothing else by it, latencies to the cycle."""

import dataclasses
import random

import pytest

from fatcube.rtl.endpoint.sink import Sink
from fatcube.rtl.endpoint.traffic import WINDOW, Arrivals, PairEntry, Stamp, TrafficRegion
from tests.support.streams import Source, cycles, simulate, watch
from tests.support.traffic import Packet, Scoreboard

SHAPE = {"route_bits": 3, "message_bits": 5, "address_bits": 3}
LIKE = Packet(width=16, **SHAPE, destination=5)
FAULTS = ("torn", "corrupted", "misrouted", "doubled", "reordered", "lost", "late")


def judged(arrivals, *, pause=0, bins=64, shift=0, width=16):
    """The sink's counters, and those of a scoreboard, after ``(packet, words, fault)``; then the histogram and arrivals."""
    sink = Sink(width, **SHAPE, bins=bins, host_width=64)
    source = Source(sink.stream, [words for _, words, _ in arrivals], pause=0.2 if pause else 0)
    found, memories = {}, {}

    async def testbench(ctx):
        ctx.set(sink.setup.address, 5)
        ctx.set(sink.pause, pause)
        ctx.set(sink.histogram_shift, shift)
        dice, now = random.Random(0), -1  # the cycle that the source counts from 0 is the next
        while not source.done:
            ctx.set(sink.cycle, now + 1000)
            ctx.set(sink.random, dice.getrandbits(32))
            await ctx.tick()
            now += 1
        await cycles(ctx, 4)
        for name in sink.signature.members:
            if name not in ("stream", "host", "setup"):
                found[name] = ctx.get(getattr(sink, name))
        for region, words in ((TrafficRegion.LATENCIES, bins), (TrafficRegion.ARRIVED, 16)):
            memories[region] = []
            for word in range(words):
                ctx.set(sink.host.select, 1)
                ctx.set(sink.host.region, region)
                ctx.set(sink.host.word, word)
                await ctx.tick()
                memories[region].append(ctx.get(sink.host.value))
        ctx.set(sink.host.region, TrafficRegion.IDLE)
        await ctx.tick()
        assert ctx.get(sink.host.value) == 0

    simulate(sink, testbench, source, watch(sink.stream))
    board, taken = Scoreboard(5, WINDOW), 0
    for packet, words, fault in arrivals:
        taken += len(words)
        board.see(packet, cycle=source.times[taken - 1] + 1000, **({fault: True} if fault else {}))
    expected = board.counts | {
        "lost": board.lost,
        "latency": sum(board.latencies),
        "longest": max(board.latencies, default=0),
    }
    histogram = [0] * bins
    for latency in board.latencies:
        histogram[min(latency >> shift, bins - 1)] += 1
    assert {name: found[name] for name in expected} == expected
    assert memories[TrafficRegion.LATENCIES] == histogram
    unpacked = [Arrivals().from_bits(word) for word in memories[TrafficRegion.ARRIVED]]
    assert [entry.expected for entry in unpacked] == [
        (max(board.seen.get(source, {-1})) + 1) & 0xFFFF for source in range(16)
    ]
    return found


def numbered(*sequences, **changes):
    """Packets of one source with these numbers, and no fault of their own."""
    packets = [dataclasses.replace(LIKE, sequence=sequence, **changes) for sequence in sequences]
    return [(packet, packet.words(), None) for packet in packets]


@pytest.mark.parametrize(
    ("sequences", "counts"),
    [
        ([0, 1, 2, 3], {}),
        ([0, 2, 3], {"lost": 1}),
        ([3], {"lost": 3}),
        ([0, 1, 1, 2], {"doubled": 1}),
        ([0, 1, 2, 0], {"doubled": 1}),
        ([0, 2, 1, 3], {"reordered": 1}),
        ([1, 0], {"reordered": 1}),
        ([0, 3, 1, 1], {"reordered": 1, "doubled": 1, "lost": 1}),
        ([0, WINDOW, 1], {"reordered": 1, "lost": WINDOW - 2}),
        ([0, WINDOW + 1, 1], {"late": 1, "lost": WINDOW}),
        ([0, WINDOW + 1, 2], {"reordered": 1, "lost": WINDOW - 1}),
        ([0, 1000, 999, 1001 - WINDOW, 1000 - WINDOW], {"reordered": 2, "late": 1, "lost": 999 - 2}),
        ([5, 10, 7, 6, 9, 8, 0, 1, 2, 3, 4], {"reordered": 9}),
    ],
    ids=str,
)
def test_order(sequences, counts):
    """By hand: which numbers arrive, and what is said of them."""
    found = judged(numbered(*sequences))
    assert {fault: found[fault] for fault in FAULTS if found[fault]} == counts


def test_numbers_begin_again():
    """After 65,535 comes 0, and nothing is lost."""
    sink = Sink(16, **SHAPE, bins=4, host_width=64)
    packets = [packet for packet, *_ in numbered(0x7FFF, 0xFFFE, 0xFFFF, 0, 1, 0x7FFF)]
    source = Source(sink.stream, [packet.words() for packet in packets])

    async def testbench(ctx):
        ctx.set(sink.setup.address, 5)
        while not source.done:
            await ctx.tick()
        await cycles(ctx, 3)
        faults = {fault: ctx.get(getattr(sink, fault)) for fault in FAULTS}
        assert faults == dict.fromkeys(FAULTS, 0) | {"lost": 0x7FFF + 0x7FFE + 0x7FFD}

    simulate(sink, testbench, source)


@pytest.mark.parametrize("flit", range(8))
@pytest.mark.parametrize("bit", [0, 7, 15])
def test_every_flipped_bit_is_seen(flit, bit):
    """In the header what is not the message id is not the sink's; every other bit counts."""
    packet = dataclasses.replace(LIKE, filler=(0x1234,))
    words = packet.words()
    words[flit] ^= 1 << bit
    flits = Stamp(SHAPE["address_bits"])["flits"]
    fault = "torn" if flit < 6 and 0 <= (flit - 1) * 16 + bit - flits.offset < flits.width else "corrupted"
    ours = flit > 0 or SHAPE["route_bits"] <= bit < SHAPE["route_bits"] + SHAPE["message_bits"]
    sink = Sink(16, **SHAPE, bins=4, host_width=64)
    source = Source(sink.stream, [words])

    async def testbench(ctx):
        ctx.set(sink.setup.address, 5)
        while not source.done:
            await ctx.tick()
        await cycles(ctx, 3)
        faults = {fault: ctx.get(getattr(sink, fault)) for fault in FAULTS}
        assert {name: count for name, count in faults.items() if count} == ({fault: 1} if ours else {})
        assert ctx.get(sink.measured) == (not ours)

    simulate(sink, testbench, source)


@pytest.mark.parametrize("kept", [*range(1, 7), 8, 9])
def test_torn(kept):
    """A packet that ends early, at any flit, or too late; what comes after it is well."""
    packet = dataclasses.replace(LIKE, filler=(7,))
    words = packet.words()
    assert len(words) == 8
    first = (packet, words[:kept] if kept < 8 else [*words, *[3] * (kept - 7)], "torn")
    found = judged([first, *numbered(0, 1)])
    assert {fault: found[fault] for fault in FAULTS if found[fault]} == {"torn": 1}


@pytest.mark.parametrize(("message", "fault"), [(5, "headers"), (4, "torn"), (13, "torn"), (0, "torn")])
def test_headers_alone(message, fault):
    """Told by their message id, which is the address of the sink; others are torn. What comes after is well."""
    found = judged([*numbered(0), (LIKE, [message << SHAPE["route_bits"] | 3], fault), *numbered(1)])
    assert {name: found[name] for name in (*FAULTS, "headers") if found[name]} == {fault: 1}


def test_copies_have_numbers_of_their_own():
    """A packet whose destination is its source is for several; one that its own source gets is for that alone."""
    copied = numbered(0, 2, source=3, destination=3)
    found = judged([*numbered(0, source=3), *copied, *numbered(1, source=3), *numbered(0, source=5)])
    assert {fault: found[fault] for fault in FAULTS if found[fault]} == {"lost": 1}


def test_misrouted():
    found = judged([*numbered(0), *numbered(0, destination=4), *numbered(1)])
    assert {fault: found[fault] for fault in FAULTS if found[fault]} == {"misrouted": 1}


@pytest.mark.parametrize("seed", [*range(6), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(6, 12))])
def test_anything(seed):
    """Packets of several sources in a random mess, against sets of what has arrived."""
    dice = random.Random(seed)
    arrivals, next_number = [], dict.fromkeys(range(8), 0)
    for _ in range(60):
        source = dice.randrange(4)
        number = next_number[source]
        kind = dice.choice(["next"] * 6 + ["skip", "back", "torn", "corrupted", "misrouted", "copied", "headers"])
        if kind == "skip":
            number += dice.choice([1, 2, 5, 31, 32, 33])
        if kind == "back":
            number = max(0, number - dice.choice([1, 2, 3, 10, 31, 32, 33, 34]))
        next_number[source] = max(next_number[source], number + 1)
        packet = dataclasses.replace(
            LIKE,
            source=source,
            route=dice.randrange(8),
            destination={"misrouted": dice.choice([4, 7]), "copied": source}.get(kind, 5),
            sequence=number,
            created=1000 - dice.choice([0, 1, 10, 100]),
            measured=dice.getrandbits(1),
            filler=tuple(dice.getrandbits(16) for _ in range(dice.randrange(4))),
        )
        words, fault = packet.words(), None
        if kind == "torn":
            words, fault = words[: dice.randrange(1, len(words))], "torn"
        if kind == "headers":
            words = words[:1]
        if len(words) == 1:
            message = words[0] >> SHAPE["route_bits"]
            fault = "headers" if message == 5 else "torn"
        if kind == "corrupted":
            words[-1] ^= 1 << dice.randrange(16)
            fault = "corrupted"
        arrivals.append((packet, words, fault))
    found = judged(arrivals, pause=dice.choice([0, 20000]), bins=dice.choice([16, 64]), shift=dice.choice([0, 2, 5]))
    assert found["delivered"] == 0  # nothing was being measured


def test_delivered_flits_count_while_measuring():
    sink = Sink(16, **SHAPE, bins=4, host_width=64)
    packets = [words for _, words, _ in numbered(0, 1, 2)]
    source = Source(sink.stream, packets)

    async def testbench(ctx):
        ctx.set(sink.setup.address, 5)
        await cycles(ctx, 3)
        ctx.set(sink.measuring, 1)
        await cycles(ctx, 10)
        ctx.set(sink.measuring, 0)
        while not source.done:
            await ctx.tick()
        assert ctx.get(sink.delivered) == 10

    simulate(sink, testbench, source)


def test_latencies_of_each_source():
    """By hand, in a cycle that stands still: what is not measured counts nowhere, and the longest need not be the last."""
    sink = Sink(16, **SHAPE, bins=4, host_width=96, pairs=True)
    sent = [(1, 0, 10, 1), (2, 0, 7, 1), (1, 1, 30, 1), (1, 2, 20, 1), (1, 3, 99, 0)]
    packets = [
        dataclasses.replace(LIKE, source=source, sequence=number, created=1000 - latency, measured=measured).words()
        for source, number, latency, measured in sent
    ]
    source = Source(sink.stream, packets)

    async def testbench(ctx):
        ctx.set(sink.setup.address, 5)
        ctx.set(sink.cycle, 1000)
        while not source.done:
            await ctx.tick()
        await cycles(ctx, 4)
        ctx.set(sink.host.select, 1)
        ctx.set(sink.host.region, TrafficRegion.PAIRS)
        for endpoint, expected in ((1, (3, 60, 30)), (2, (1, 7, 7)), (3, (0, 0, 0))):
            ctx.set(sink.host.word, endpoint)
            await ctx.tick()
            entry = PairEntry().from_bits(ctx.get(sink.host.value))
            assert (entry.packets, entry.latency, entry.longest) == expected

    simulate(sink, testbench, source)


def test_the_flits_of_a_long_packet():
    """More than 32,768, which take the highest of their 16 bits; those between the stamp and the end are 0."""
    sink = Sink(16, **SHAPE, bins=4, host_width=64)
    words = dataclasses.replace(LIKE, filler=(0,) * 32_768).words()

    async def testbench(ctx):
        ctx.set(sink.setup.address, 5)
        ctx.set(sink.stream.valid, 1)
        while not ctx.get(sink.stream.ready):  # it is a register, and nothing pauses
            await ctx.tick()
        for word in words[:6]:
            ctx.set(sink.stream.payload.data, word)
            await ctx.tick()
        ctx.set(sink.stream.payload.data, 0)
        await ctx.tick().repeat(len(words) - 7)
        ctx.set(sink.stream.payload.data, words[-1])
        ctx.set(sink.stream.payload.last, 1)
        await ctx.tick()
        ctx.set(sink.stream.valid, 0)
        await cycles(ctx, 3)
        assert words[6:-1] == [0] * 32_768
        assert {name: ctx.get(getattr(sink, name)) for name in (*FAULTS, "arrived")} == dict.fromkeys(FAULTS, 0) | {
            "arrived": 1
        }

    simulate(sink, testbench)
