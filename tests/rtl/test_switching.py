"""The cycle of each movement, with each switching technique; packets that are too long, and senders that stop."""

import itertools
import random

import pytest

from tests.support.cases import some
from tests.support.channels import Channels
from tests.support.feeds import packet
from tests.support.parameters import router_parameters
from tests.support.streams import Sink, Source, cycles, simulate, until

LONGEST = 6
TECHNIQUES = {
    "wormhole": {},
    "virtual-cut-through": {"switching": "virtual-cut-through", "longest_packet": LONGEST},
    "store-and-forward": {"switching": "store-and-forward", "longest_packet": LONGEST},
}
CIRCUITS = {
    "circuit": {"switching": "circuit", "buffer_depth": 2},
    "circuit with retries": {"switching": "circuit", "buffer_depth": 2, "setup_retry": 3},
}
"""Their latency and what a blocked one holds are in test_circuits.py."""
CHANNELS = {"virtual_channels": 2, "channel_classes": 2}


def parameters(technique, **given):
    given = {"processors": 2, "channels": 2, "message_bits": 5, "width": 40, "counters": True, **given}
    return router_parameters(**{"buffer_depth": 8, "hops": 3, **given, **(TECHNIQUES | CIRCUITS)[technique]})


def way(of, routers, output):
    """From the first router of a row to ``output`` of the one that has this number, counted from 1."""
    return [of.lane_port(1, 0)] * (routers - 1) + [output]


@pytest.mark.parametrize(
    ("technique", "others"),
    some(itertools.product(TECHNIQUES, ({}, {"pipeline": 2}, CHANNELS, {**CHANNELS, "pipeline": 2})), (0, 5, 11)),
    ids=str,
)
def test_latency_without_load(technique, others):
    """DESIGN's formulas: H r + L - 1, or H (r + L - 1) + L - 1 with store-and-forward; one to three routers."""
    of = parameters(technique, **others)
    cycles_per_router = of.options.pipeline
    row = Channels(of, 3)
    lengths = (1, 3, LONGEST)
    jobs = [(routers, length) for routers in (1, 2, 3) for length in lengths]
    source = Source(row.inputs[0, 0, 0])
    sinks = {routers: Sink(row.outputs[routers - 1, 1, 0]) for routers in (1, 2, 3)}
    seen = []

    async def testbench(ctx):
        for routers, length in jobs:
            first = len(source.times)
            source.add([of.header.pack(way(of, routers, 1), 3), *range(1, length)])
            await until(
                ctx, lambda: sum(map(len, (sink.packets for sink in sinks.values()))) > len(seen), most=60, rest=5
            )
            seen.append(sinks[routers].times[-1] - source.times[first])

    simulate(row, testbench, source, *sinks.values())
    wormhole = [routers * cycles_per_router + length - 1 for routers, length in jobs]
    if technique == "store-and-forward":
        assert seen == [routers * (cycles_per_router + length - 1) + length - 1 for routers, length in jobs]
    else:
        assert seen == wormhole


@pytest.mark.parametrize(
    ("technique", "others"), some(itertools.product(TECHNIQUES, ({}, {"pipeline": 2}, CHANNELS)), (0, 4, 8)), ids=str
)
def test_what_a_blocked_packet_waits_in(technique, others):
    """Behind a receiver that takes nothing, virtual cut-through leaves each packet whole in one router.

    With store-and-forward, no header leaves a router before the last flit of its packet is there.
    """
    of = parameters(technique, **others)
    row = Channels(of, 3)
    length = 5
    crossed = {0: [], 1: []}

    def count(lane, number):
        async def run(ctx):
            back = lane.credit if hasattr(lane, "credit") else lane.ready
            now = 0
            async for _, _, valid, ready in ctx.tick().sample(lane.valid, back):
                if valid and (ready or hasattr(lane, "credit")):
                    crossed[number].append(now)
                now += 1

        return run

    source = Source(row.inputs[0, 0, 0], [[of.header.pack(way(of, 3, 1), 0), *[1] * (length - 1)] for _ in range(9)])
    sink = Sink(row.outputs[2, 1, 0], stall=1.0)

    async def testbench(ctx):
        await cycles(ctx, 120)

    lanes = row.between[0], row.between[2]
    simulate(row, testbench, source, sink, *(count(lane, number) for number, lane in enumerate(lanes)))
    assert not sink.times and crossed[1]
    partial = [len(crossed[number]) % length for number in (0, 1)]
    # A buffer of 8 holds a packet and a part of the next, and with virtual cut-through that stays behind.
    assert partial == [0, 0] if technique == "virtual-cut-through" else all(partial)
    whole_in_first = [
        crossed[0][index * length] > source.times[index * length + length - 1]
        for index in range(len(crossed[0]) // length)
    ]
    assert all(whole_in_first) if technique == "store-and-forward" else not whole_in_first[0]


@pytest.mark.parametrize(
    ("technique", "others"),
    [
        *some(itertools.product(TECHNIQUES, ({}, {"pipeline": 2}, CHANNELS)), (0, 4, 8)),
        ("wormhole", {"buffer_depth": 3}),
        *some(itertools.product(CIRCUITS, ({}, {"pipeline": 2})), (0,)),
    ],
    ids=str,
)
def test_packets_that_are_too_long(technique, others):
    """Are cut to what a packet may have, and counted; those around them pass as if nothing were."""
    of = parameters(technique, **{"longest_packet": LONGEST, **others})
    pick = random.Random(str((technique, others)))
    row = Channels(of, 2)
    sent, expected, too_long = {}, {}, 0
    for sender in (0, 1):
        lengths = [1, 2, LONGEST - 1, LONGEST, LONGEST + 1, LONGEST + 4, 30] * 2
        pick.shuffle(lengths)
        for index, length in enumerate(lengths):
            target = (1, pick.choice((0, 1)))
            flits = [
                of.header.pack(way(of, 2, target[1]), sender),
                *(index << 8 | number for number in range(1, length)),
            ]
            sent.setdefault(sender, []).append(flits)
            expected.setdefault((target, sender), []).append(flits[1:LONGEST])
            too_long += length > LONGEST
    sources = [Source(row.inputs[0, sender, 0], some, pause=0.2, seed=sender) for sender, some in sent.items()]
    sinks = {port: Sink(row.outputs[1, port, 0], stall=0.3, seed=port) for port in (0, 1)}
    counts = []

    async def testbench(ctx):
        arriving = sum(map(len, expected.values()))
        await until(ctx, lambda: sum(len(sink.packets) for sink in sinks.values()) == arriving, most=3000, rest=40)
        counts.extend(ctx.get(router.error_count) for router in row.routers)

    simulate(row, testbench, *sources, *sinks.values())
    assert all(source.done for source in sources)
    for port, sink in sinks.items():
        for sender in (0, 1):
            mine = [payload for header, *payload in sink.packets if of.header.unpack_message(header) == sender]
            assert mine == expected[(1, port), sender]
    assert counts == [too_long, 0]


@pytest.mark.parametrize(
    ("technique", "others"),
    [
        *some(
            itertools.product(TECHNIQUES, ({}, {"pipeline": 2}, CHANNELS, {"ports": "b", "hops": 1})), (0, 2, 3, 5, 10)
        ),
        *some(itertools.product(CIRCUITS, ({}, {"pipeline": 2})), (0, 3)),
    ],
    ids=str,
)
def test_a_sender_that_stops(technique, others):
    """Its packet is ended after the timeout, exactly; what still comes of it is swallowed, and the next one passes."""
    timeout = 9
    of = parameters(technique, stop_timeout=timeout, **others)
    row = Channels(of)
    stopping, other = Source(row.inputs[0, 0, 0]), Source(row.inputs[0, 2, 0])
    sink = Sink(row.outputs[0, 1, 0])
    header = packet(of, 1, [])[0]
    whole = [header, *range(1, 6)]
    found = []

    async def testbench(ctx):
        for sent in (1, 3):  # A header alone, and a header with payload.
            before = len(sink.packets), len(sink.times)
            stopping.waiting += whole[:sent]  # No last flit among them.
            await cycles(ctx, 5)
            other.add(packet(of, 1, [77, 78]) if not of.header.copies else [1, 77, 78])
            await cycles(ctx, 40)
            stopped = stopping.times[-1]
            errors = [ctx.get(row.routers[0].error_count)]
            stopping.waiting += whole[sent:-1]
            stopping.waiting.append(whole[-1] | 1 << of.options.width)
            stopping.add([header, 99])
            await cycles(ctx, 40)
            errors.append(ctx.get(row.routers[0].error_count))
            found.append((sent, stopped, errors, sink.packets[before[0] :], sink.times[before[1] :]))

    simulate(row, testbench, stopping, other, sink)
    for count, (sent, stopped, errors, packets, times) in enumerate(found, 1):
        ended = [*range(1, sent), 0]
        assert [payload for _, *payload in packets] in ([ended, [77, 78], [99]], [[77, 78], ended, [99]])
        assert errors == [count, count]
        if technique != "store-and-forward":
            assert [payload for _, *payload in packets][0] == ended
            # With several virtual channels it is ended in front of the buffer, which the tail flit passes as one after a
            # pause.
            passes = 2 if of.options.virtual_channels > 1 else 0
            assert times[sent] == stopped + 1 + timeout + passes
