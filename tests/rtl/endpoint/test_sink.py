# amaranth: UnusedElaboratable=no
"""A sink: every fault by its name and nothing else by it, latencies to the cycle."""

import dataclasses
import random

import pytest

from fatcube.rtl.endpoint.sink import Sink
from fatcube.rtl.endpoint.traffic import WINDOW, Arrivals, PairEntry, Stamp, TrafficRegion
from tests.support.streams import Source, cycles, simulate, watch
from tests.support.traffic import Packet, Scoreboard

SHAPE = {"route_bits": 3, "address_bits": 3}
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


@pytest.mark.parametrize("flits", [1, 3])
@pytest.mark.parametrize("width", [8, 40])
def test_every_flipped_bit_is_seen(flits, width):
    """In the header the route is not the sink's; every other bit counts, of data, and of the stamp where data are wide."""
    layout = Stamp(SHAPE["address_bits"])
    of_places = {width + layout[name].offset + bit for name in ("left", "first") for bit in range(layout[name].width)}
    flips = [(flit, bit) for flit in range(flits) for bit in range(width + (layout.size if width > 32 else 0))]
    sent, faults = [], []
    for number, (flit, bit) in enumerate(flips):
        packet = dataclasses.replace(LIKE, width=width, flits=flits, sequence=number, created=1000 + 77 * number)
        words = packet.words()
        words[flit] ^= 1 << bit
        unseen = flit == 0 and bit < SHAPE["route_bits"]
        sent.append(words)
        faults.append(None if unseen else "torn" if bit in of_places else "corrupted")
    sink = Sink(width, **SHAPE, bins=4, host_width=64)
    source = Source(sink.stream, sent)

    async def testbench(ctx):
        ctx.set(sink.setup.address, 5)
        seen = 0
        while not source.done or seen < len(sent):
            before = {fault: ctx.get(getattr(sink, fault)) for fault in ("torn", "corrupted", "measured")}
            await ctx.tick()
            after = {fault: ctx.get(getattr(sink, fault)) for fault in before}
            if changed := [name for name in before if after[name] != before[name]]:
                assert changed == [faults[seen] or "measured"], flips[seen]
                seen += 1
        assert ctx.get(sink.arrived) == len(sent)

    simulate(sink, testbench, source)


@pytest.mark.parametrize("kept", [*range(1, 7), 8, 9])
def test_torn(kept):
    """A packet that ends early, at any flit, or too late; what comes after it is well."""
    packet = dataclasses.replace(LIKE, flits=7)
    words = [*packet.words(), *packet.words()[-2:]]
    found = judged([(packet, words[:kept], "torn"), *numbered(0, 1)])
    assert {fault: found[fault] for fault in FAULTS if found[fault]} == {"torn": 1}


@pytest.mark.parametrize("kept", [1, 3, 6])
def test_torn_in_front(kept):
    """A packet whose header, and what follows it, is missing; and one with the last flit of another."""
    packet, other = (dataclasses.replace(LIKE, flits=7, sequence=number) for number in (0, 1))
    found = judged([(packet, packet.words()[-kept:], "torn"), *numbered(0, 1)])
    assert {fault: found[fault] for fault in FAULTS if found[fault]} == {"torn": 1}
    found = judged([(packet, [*packet.words()[:kept], *other.words()[kept:]], "corrupted"), *numbered(0, 1)])
    assert {fault: found[fault] for fault in FAULTS if found[fault]} == {"corrupted": 1}


@pytest.mark.parametrize("width", [8, 32, 256])
def test_packets_of_one_flit_in_every_cycle(width):
    """Of one source and of several, each is counted by its number, and every latency in its bin."""
    dice = random.Random(width)
    numbers, arrivals = dict.fromkeys(range(8), 0), []
    for place in range(200):
        source = dice.randrange(8) if place >= 100 else 3
        created = 1000 + place - dice.choice((2, 3, 3, 3, 9))
        packet = dataclasses.replace(
            LIKE, width=width, flits=1, source=source, sequence=numbers[source], created=created
        )
        numbers[source] += 1
        arrivals.append((packet, packet.words(), None))
    found = judged(arrivals, width=width)
    assert found["arrived"] == found["measured"] == 200 and not any(found[fault] for fault in FAULTS)


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
            flits=dice.choice((1, 1, 2, 3, 6)),
        )
        words, fault = packet.words(), None
        if kind == "torn":
            words, fault = words[: dice.randrange(1, len(words))] if len(words) > 1 else words * 2, "torn"
        if kind == "corrupted":
            words[-1] ^= 1 << dice.randrange(SHAPE["route_bits"], 16)
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
        await cycles(ctx, 6)
        ctx.set(sink.measuring, 0)
        while not source.done:
            await ctx.tick()
        assert ctx.get(sink.delivered) == 6

    simulate(sink, testbench, source)


def test_latencies_of_each_source():
    """By hand, in a cycle that stands still: what is not measured counts nowhere, and the longest need not be the last."""
    sink = Sink(16, **SHAPE, bins=4, host_width=96, pairs=True)
    sent = [(1, 0, 10, 1), (2, 0, 7, 1), (1, 1, 30, 1), (1, 2, 20, 1), (1, 3, 99, 0)]
    packets = [
        dataclasses.replace(
            LIKE, source=source, sequence=number, created=1000 - latency, measured=measured, flits=1
        ).words()
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
