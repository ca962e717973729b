import random
import re
import types

from amaranth.hdl import Elaboratable, Module
from amaranth.lib import wiring
import pytest

from fatcube.noc.shared import to_rtlil
from fatcube.rtl.ports import verilog_name
from fatcube.rtl.router import FatNodeRouter
from tests.support.cases import some
from tests.support.feeds import Feed, lane_packet, packet, packet_from, ports
from tests.support.parameters import router_parameters
from tests.support.streams import Sink, Source, cycles, simulate, watch


def parameters(processors=2, channels=2, lanes=1, ports="1", **others):
    """A router's parameters, with a flit just wide enough for its header and two free bits."""
    others = {"message_bits": 5, "counters": True, **others}
    probe = router_parameters(processors=processors, channels=channels, lanes=lanes, ports=ports, width=4096, **others)
    width = max(24, probe.header.route_bits + probe.message_bits + 2)
    return router_parameters(processors=processors, channels=channels, lanes=lanes, ports=ports, width=width, **others)


class Traffic:
    """Random packets into every input of a router, and what must come out of every output.

    The first payload word of a packet says from which input it came and as how manieth; the rest is random.
    """

    def __init__(self, of, *, packets, seed, longest=6, copies=None):
        self.of = of
        self.random = random.Random(seed)
        self.longest = longest
        self.copies = copies
        self.sent = [[self._packet(number, index) for index in range(packets)] for number in range(of.crossbar_ports)]

    def _packet(self, number, index):
        pick = self.random
        reach = self.of.reach(number)
        if self.of.header.copies and number < self.of.processor_ports:
            outputs = pick.sample(reach, self.copies or pick.randint(1, len(reach)))
        else:
            outputs = [pick.choice(reach)]
        payload = [pick.getrandbits(self.of.options.width) for _ in range(pick.randint(1, self.longest))]
        payload[0] = number | index << 8
        header, seen = route_header(self.of, number, outputs, pick)
        return types.SimpleNamespace(header=header, seen=seen, payload=payload)

    def check(self, sinks):
        """Every packet whole, once, where it belongs, in order, with its header as the next must see it."""
        for output, sink in enumerate(sinks):
            assert not sink.part
            arrived = {number: [] for number in range(len(self.sent))}
            for header, *payload in sink.packets:
                number, index = payload[0] & 0xFF, payload[0] >> 8
                packet = self.sent[number][index]
                assert output in packet.seen
                packet.seen[output](header)
                assert payload == packet.payload
                arrived[number].append(index)
            for number, indices in arrived.items():
                assert indices == [index for index, packet in enumerate(self.sent[number]) if output in packet.seen]


def route_header(of, number, outputs, pick):
    """A header into input ``number``, and for each output a function that checks the header coming out.

    Whatever no router on the way is to read is rubbish.
    """
    layout = of.header
    message = pick.getrandbits(of.message_bits)
    above = pick.getrandbits(of.options.width - layout.message.stop) << layout.message.stop
    spare = pick.getrandbits(layout.route_bits)
    rest = message << layout.route_bits | above

    if not layout.copies:
        links = of.options.hops if number < of.processor_ports else of.options.hops - 1
        further = [pick.randrange(of.crossbar_ports) for _ in range(pick.randint(0, links))]
        used = layout.selector_bits * (1 + len(further))
        header = rest | spare >> used << used | layout.pack([*outputs, *further], 0)

        def check(seen):
            assert seen >> layout.route_bits == rest >> layout.route_bits
            for position, selector in enumerate(further):
                assert seen >> position * layout.selector_bits & (1 << layout.selector_bits) - 1 == selector

        return header, dict.fromkeys(outputs, check)

    if number >= of.processor_ports:
        header = rest | spare >> layout.selector_bits << layout.selector_bits | outputs[0]
    else:
        beyond = {output: pick.randrange(of.processors) for output in outputs if output >= of.processor_ports}
        header = rest | layout.pack(
            [(output, beyond[output]) if output in beyond else (output,) for output in outputs], 0
        )
        for lane in range(layout.lane_outputs):
            if of.processor_ports + lane not in beyond:
                branch = layout.branch(lane)
                header |= (spare & (1 << branch.stop - branch.start) - 1) << branch.start

    def check_copy(output):
        def check(seen):
            assert seen >> layout.route_bits == rest >> layout.route_bits
            if number < of.processor_ports <= output:
                assert seen & (1 << layout.selector_bits) - 1 == beyond[output]

        return check

    return header, {output: check_copy(output) for output in outputs}


def run(router, sources, sinks, *, limit, counters=True):
    """Runs until all is sent and nothing more comes out. Returns the counters."""
    counts = []

    async def testbench(ctx):
        arrived, quiet = None, 0
        for _ in range(0, limit, 10):
            await cycles(ctx, 10)
            now = sum(len(sink.times) for sink in sinks)
            quiet = quiet + 1 if now == arrived else 0
            arrived = now
            if all(source.done for source in sources) and quiet > 10:
                break
        else:
            raise AssertionError(f"{[source.waiting[len(source.times) :] for source in sources]} are stuck")
        if counters:
            counts.extend([ctx.get(router.flit_count), ctx.get(router.conflict_count)])

    simulate(router, testbench, *sources, *sinks)
    return counts


def run_traffic(of, *, packets, seed, paces=(0, 0.2, 0.8), **how):
    """Random traffic with pauses and stalls, another pace at every port."""
    router = FatNodeRouter(of)
    inputs, outputs = ports(router)
    traffic = Traffic(of, packets=packets, seed=seed, **how)
    pick = random.Random(seed)
    sources = [
        Source(
            stream, [[packet.header, *packet.payload] for packet in sent], pause=pick.choice(paces), seed=(seed, number)
        )
        for number, (stream, sent) in enumerate(zip(inputs, traffic.sent))
    ]
    sinks = [
        Sink(stream, stall=pick.choice(paces), seed=(seed, number), name=f"output {number}")
        for number, stream in enumerate(outputs)
    ]
    flits, conflicts = run(router, sources, sinks, limit=200 * packets * len(inputs))
    traffic.check(sinks)
    assert flits == sum(len(sink.times) for sink in sinks)
    return conflicts


@pytest.mark.parametrize(
    "shape, others",
    [
        # (processors, channels, lanes, model): the smallest, odd sizes, one processor, more lanes, more ports.
        ((1, 1, 1, "1"), {}),
        ((1, 1, 1, "b"), {"buffer_depth": 1}),
        ((1, 1, 1, "*"), {"turns": "all", "buffer_depth": 4}),
        pytest.param((1, 3, 1, "*"), {"hops": 3}, marks=pytest.mark.long),
        pytest.param((1, 3, 1, "*"), {"turns": "forward", "pipeline": 2}, marks=pytest.mark.long),
        ((1, 2, 2, "b"), {"pipeline": 2}),
        ((2, 2, 1, "1"), {"buffer_depth": 1}),
        ((2, 2, 1, "1"), {"buffer_depth": 1, "pipeline": 2, "hops": 3}),
        pytest.param((2, 2, 1, "1"), {"turns": "all", "hops": 3}, marks=pytest.mark.long),
        pytest.param((2, 2, 1, "b"), {"buffer_depth": 2}, marks=pytest.mark.long),
        ((2, 2, 1, "b"), {"buffer_depth": 4, "pipeline": 2}),
        ((2, 2, 1, "d"), {"buffer_depth": 4, "turns": "forward", "hops": 3}),
        *some([((2, 2, 1, "d"), {"pipeline": 2}), ((2, 2, 1, "*"), {})], ()),
        pytest.param((2, 1, 2, "*"), {"turns": "all", "pipeline": 2}, marks=pytest.mark.long),
        ((3, 2, 1, "1"), {"hops": 3, "pipeline": 2, "buffer_depth": 4}),
        pytest.param((3, 2, 1, "b"), {"buffer_depth": 1, "pipeline": 2}, marks=pytest.mark.long),
        pytest.param((3, 2, 1, "b"), {}, marks=pytest.mark.long),
        pytest.param((4, 1, 3, "b"), {}, marks=pytest.mark.long),
        pytest.param((3, 1, 2, "d"), {"buffer_depth": 1, "turns": "all"}, marks=pytest.mark.long),
        pytest.param((2, 3, 1, "*"), {"hops": 3}, marks=pytest.mark.long),
    ],
    ids=str,
)
def test_traffic(shape, others):
    """Catches packets that are lost, doubled, mixed or misrouted, a wrong header or count, a bad stream."""
    of = parameters(*shape, **others)
    run_traffic(of, packets=max(8, 80 // of.crossbar_ports), seed=str((shape, others)))


@pytest.mark.parametrize(
    "others",
    some(
        [
            {},
            {"pipeline": 2},
            {"ports": "b"},
            {"ports": "b", "pipeline": 2},
            {"ports": "d", "buffer_depth": 1},
            {"buffer_depth": 3},
        ],
        (1, 3, 4, 5),
    ),
    ids=str,
)
def test_contention(others):
    """Catches what only long packets at full load show: a grant that does not hold, an endless wait."""
    of = parameters(**others)
    assert run_traffic(of, packets=20, seed=str(others), longest=12, paces=(0,)) > 0


def successive(times):
    """Whether there is an event in every cycle from the first to the last."""
    return times == list(range(times[0], times[0] + len(times)))


class Row(Elaboratable):
    """Routers in a row: channel 1 of each leads to channel 0 of the next."""

    def __init__(self, of, length):
        self.routers = [FatNodeRouter(of) for _ in range(length)]

    def elaborate(self, platform):
        m = Module()
        for number, router in enumerate(self.routers):
            m.submodules[f"router{number}"] = router
        for left, right in zip(self.routers, self.routers[1:]):
            wiring.connect(m, left.lanes[1][0].out, right.lanes[0][0].into)
            wiring.connect(m, right.lanes[0][0].out, left.lanes[1][0].into)
        return m


def row_route(of, source, target):
    """The outputs on the way from a node to a ``(node, processor port)`` in a :class:`Row`."""
    node, port = target
    step = of.lane_port(1 if node > source else 0, 0)
    return [step] * abs(node - source) + [port]


@pytest.mark.parametrize(
    "others",
    [
        {"hops": 3},
        {"hops": 1, "pipeline": 2, "buffer_depth": 3, "link_stages": 2},
        {"hops": 1, "buffer_depth": 3},
        *some(
            [
                {"hops": 3, "pipeline": 2, "buffer_depth": 3, "link_stages": 2},
                {"hops": 3, "ports": "*", "link_stages": 1},
                {"hops": 3, "buffer_depth": 3},
                {"hops": 3, "pipeline": 2, "buffer_depth": 3},
                {"hops": 3, "turns": "all", "buffer_depth": 4},
            ],
            (),
        ),
        *some([{"ports": "b"}], ()),
        {"ports": "b", "link_stages": 3},
        {"hops": 1, "ejection_stages": 1},
        {"ports": "b", "pipeline": 2, "buffer_depth": 3},
    ],
    ids=str,
)
def test_latency_and_rate(others):
    """Catches a cycle too many per hop and any bubble inside a packet or, in one stage, between packets.

    In two stages, a header behind a packet of its own input waits for its stage while nothing leaves.
    """
    of = parameters(**others)
    length = of.options.hops + 1
    row = Row(of, length)
    target = of.processor_port(1, 0)
    route = row_route(of, 0, (length - 1, target))
    header = of.header.pack([tuple(route)] if of.header.copies else route, 9)
    packets = [[header, *(16 * index + word for word in range(4))] for index in range(5)]
    source = Source(row.routers[0].processors[0][0].send, packets)
    sink = Sink(row.routers[-1].processors[1][0].receive)

    async def testbench(ctx):
        await cycles(ctx, 60)

    simulate(row, testbench, source, sink)
    assert [payload for _, *payload in sink.packets] == [payload for _, *payload in packets]
    assert {of.header.unpack_message(header) for header, *_ in sink.packets} == {9}
    stages = of.options.pipeline
    registers = of.options.link_stages * (length - 1) + of.options.ejection_stages
    start = source.times[0] + stages * length + registers
    assert sink.times == [start + flit + (stages - 1) * (flit // 5) for flit in range(25)]
    assert stages == 2 or successive(source.times)


@pytest.mark.parametrize(
    "others",
    [
        {"hops": 2, "buffer_depth": 3},
        {"ports": "b", "processors": 3},
        *some(
            [{"hops": 3, "pipeline": 2, "ports": "d", "buffer_depth": 1}, {"hops": 3}, {"hops": 3, "turns": "forward"}],
            (),
        ),
    ],
    ids=str,
)
def test_row_of_routers(others):
    """Catches a header that is right on the wire and wrong for the next router; anything lost between two.

    In model b a packet here goes to peers or over the lane, not both: two that do both, in opposite
    directions, can each hold the receiver that the other waits for. No step of a schedule has such a pair.
    """
    of = parameters(**others)
    pick = random.Random(str(others))
    row = Row(of, of.options.hops + 1)
    nodes = range(len(row.routers))
    places = [(node, port) for node in nodes for port in range(of.processor_ports)]
    sources, sinks, expected = [], [], {place: [] for place in places}
    for node, port in places:
        sender = ports(row.routers[node])[0][port]
        packets = []
        for index in range(12):
            far = [place for place in places if place[0] != node]
            if of.header.copies:
                peers = [place for place in places if place[0] == node and place[1] != port]
                targets = pick.choice(([pick.choice(far)], pick.sample(peers, pick.randint(1, len(peers)))))
                route = [tuple(row_route(of, node, target)) for target in targets]
            else:
                targets = [pick.choice(far)]
                route = row_route(of, node, targets[0])
            message = pick.getrandbits(of.message_bits)
            payload = [node << 16 | port << 8 | index, *(pick.getrandbits(of.options.width) for _ in range(index % 4))]
            packets.append([of.header.pack(route, message), *payload])
            for target in targets:
                expected[target].append([message, *payload])
        sources.append(Source(sender, packets, pause=pick.choice((0, 0.5)), seed=(node, port)))
        sinks.append(Sink(ports(row.routers[node])[1][port], stall=pick.choice((0, 0.5)), seed=(node, port)))

    async def testbench(ctx):
        for _ in range(200):
            await cycles(ctx, 20)
            if sum(len(sink.packets) for sink in sinks) == sum(map(len, expected.values())):
                break
        await cycles(ctx, 20)

    between = [
        watch(stream, f"node {node}") for node in nodes for stream in ports(row.routers[node])[1][of.processor_ports :]
    ]
    simulate(row, testbench, *sources, *sinks, *between)
    for place, sink in zip(places, sinks):
        assert not sink.part
        arrived = [[of.header.unpack_message(header), *payload] for header, *payload in sink.packets]
        assert sorted(arrived) == sorted(expected[place])


@pytest.mark.parametrize(
    "others",
    some(
        [
            {},
            {"pipeline": 2},
            {"buffer_depth": 3},
            {"buffer_depth": 4, "turns": "all"},
            {"ports": "*"},
            {"ports": "d", "turns": "forward"},
            {"ports": "b"},
            {"buffer_depth": 1},
        ],
        (0, 1, 4, 6, 7),
    ),
    ids=str,
)
def test_no_conflict(others):
    """Catches a conflict counted where inputs and outputs are paired, a miscounted flit, a bubble."""
    of = parameters(**others)
    inputs = range(of.crossbar_ports)
    pick = random.Random(0)
    bubble = of.options.pipeline - 1  # Between packets of one input.
    partner = list(inputs)
    while not all(partner[number] in of.reach(number) for number in inputs):
        pick.shuffle(partner)
    feed = Feed(
        of, {number: [packet_from(number, of, partner[number], [number] * 3) for _ in range(8)] for number in inputs}
    )
    assert feed.run(90) == [len(inputs) * 32, 0]
    for number in inputs:
        times = feed.sinks[partner[number]].times
        # One flit of buffer is filled or emptied in a cycle, not both.
        pace = 1 if of.options.buffer_depth > 1 else 2
        assert times == [times[0] + pace * flit + bubble * (flit // 4) for flit in range(32)]


@pytest.mark.parametrize("others", some([{}, {"pipeline": 2}, {"buffer_depth": 3}, {"ports": "b"}], (0, 1, 3)), ids=str)
def test_turns_at_one_output(others):
    """Catches unfair turns, a bubble between packets of different inputs, and miscounted conflicts.

    In model b there is one: whose turn it is follows from the cycle before.
    """
    of = parameters(processors=3, **others)
    output = 1
    senders = [number for number in range(of.crossbar_ports) if number != output and output in of.reach(number)]
    feed = Feed(
        of, {number: [packet_from(number, of, output, [number, index]) for index in range(6)] for number in senders}
    )
    flits, conflicts = feed.run(120)
    sink = feed.sinks[output]
    turns = [tuple(payload) for _, *payload in sink.packets]
    first = senders.index(turns[0][0])  # In model b the turn goes round even while nobody asks.
    order = senders[first:] + senders[:first]
    assert turns == [(number, index) for index in range(6) for number in order]
    idle = int(of.header.copies)
    assert flits == len(senders) * 18
    # The last packet is alone, and follows at once.
    assert sink.times == [sink.times[0] + flit + idle * min(flit // 3, flits // 3 - 2) for flit in range(flits)]
    # All want it from the first flit on, and where they come to a free output together, nobody gets it at first, for a
    # cycle, or in model b for two; nobody waits for the last packet of all.
    assert conflicts == flits - 3 + (1 + idle) + idle * (flits // 3 - 2)


def test_two_to_one():
    """Catches a conflict counter that is off by one: the second input waits for each flit of the first.

    Both wait for a cycle before that, as they come together.
    """
    of = parameters()
    for length in (0, 1, 2, 7):
        feed = Feed(of, {0: [packet(of, 1, [0] * length)], 2: [packet(of, 1, [2] * length)]})
        assert feed.run(40) == [2 * (length + 1), 1 + length + 1]


@pytest.mark.parametrize(
    "others",
    some(
        [
            {"buffer_depth": 1},
            {},
            {"buffer_depth": 4},
            {"pipeline": 2},
            {"link_stages": 3},
            {"buffer_depth": 3},
            {"ports": "b"},
        ],
        (0, 2, 3, 4, 6),
    ),
    ids=str,
)
def test_blocked_output(others):
    """Catches a flit dropped for want of room, and an output that holds up others when it is held up."""
    of = parameters(**others)
    blocked, free = of.lane_port(0, 0), of.lane_port(1, 0)
    feed = Feed(
        of,
        {0: [packet(of, blocked, range(20))], 1: [packet(of, free, range(5)) for _ in range(3)]},
        stalls={blocked: 1},
    )
    flits, conflicts = feed.run(60)
    assert len(feed.sources[0].times) == of.options.buffer_depth + 2 * of.options.link_stages
    assert len(feed.sinks[free].packets) == 3 and not feed.sinks[blocked].times
    assert conflicts == 0


@pytest.mark.parametrize(
    "shape, others",
    [
        *some([((1, 3, 1, "1"), {"hops": 3}), ((3, 2, 1, "1"), {}), ((2, 2, 1, "b"), {"buffer_depth": 3})], ()),
        pytest.param((3, 2, 1, "1"), {"buffer_depth": 3, "turns": "forward"}, marks=pytest.mark.long),
        *some(
            [((2, 2, 1, "d"), {"buffer_depth": 1, "hops": 2}), ((2, 2, 1, "d"), {"buffer_depth": 4, "pipeline": 2})],
            [0],
        ),
        pytest.param((3, 1, 1, "*"), {"turns": "all"}, marks=pytest.mark.long),
        *some([((3, 2, 1, "b"), {}), ((3, 1, 2, "b"), {"buffer_depth": 1, "pipeline": 2})], [1]),
    ],
    ids=str,
)
@pytest.mark.parametrize("longest", [pytest.param(1, marks=pytest.mark.long), 4])
def test_any_header(shape, others, longest):
    """Catches a header alone that is doubled or keeps its output, and a missing turn that holds up or harms others.

    Every route is random bits. Behind the route a header says from which input it came and as how manieth.
    """
    of = parameters(*shape, **{**others, "message_bits": 16})
    layout, outputs = of.header, range(of.crossbar_ports)
    pick = random.Random(str((shape, others, longest)))
    sent, expected, errors = {}, {output: {number: [] for number in outputs} for output in outputs}, 0
    for number in outputs:
        sent[number] = []
        masked = layout.copies and number < of.processor_ports
        for index in range(40):
            header = (number << 8 | index) << layout.route_bits | pick.getrandbits(layout.route_bits)
            words = [header, *(pick.getrandbits(of.options.width) for _ in range(pick.randrange(longest)))]
            if masked:
                asked = {output for output in outputs if header >> output & 1}
            else:
                asked = {header & (1 << layout.selector_bits) - 1}
            legal = asked & set(of.reach(number))
            errors += not legal or asked != legal
            for output in legal:
                expected[output][number].append((index, words[1:]))
            sent[number].append(words)

    feed = Feed(of, sent, stalls=dict.fromkeys(outputs, 0.2))
    flits, _ = feed.run(40 * longest * of.crossbar_ports * 2, rest=200)
    assert all(source.done for source in feed.sources.values())
    for output in outputs:
        arrived = {number: [] for number in outputs}
        for header, *payload in feed.sinks[output].packets:
            identity = layout.unpack_message(header)
            arrived[identity >> 8].append((identity & 0xFF, payload))
        assert arrived == expected[output] and not feed.sinks[output].part
    assert flits == sum(len(payload) + 1 for some in expected.values() for one in some.values() for _, payload in one)
    assert feed.errors == errors > 0


@pytest.mark.parametrize("shape", [pytest.param((2, 2, 1), marks=pytest.mark.long), (3, 2, 1), (4, 1, 2)], ids=str)
def test_copies_to_all(shape):
    """Catches deadlock and starvation where every processor always copies to all that it reaches."""
    of = parameters(*shape, ports="b")
    length, rounds = 4, 6
    packets = {}
    for number in range(of.crossbar_ports):
        payload = [number, *range(length - 2)]
        if number < of.processor_ports:
            copies = [(output,) if output < of.processor_ports else (output, 0) for output in of.reach(number)]
            packets[number] = [[of.header.pack(copies, 0), *payload] for _ in range(rounds)]
        else:
            packets[number] = [lane_packet(of, index % of.processors, payload) for index in range(rounds)]
    feed = Feed(of, packets)
    feed.run(rounds * length * of.crossbar_ports + 20)
    assert all(source.done for source in feed.sources.values())
    for source in feed.sources.values():
        # From one header to the next: nobody else goes twice, with a cycle between two.
        headers = source.times[::length]
        waits = [after - before for before, after in zip(headers, headers[1:])]
        assert max(waits) <= (length + 1) * of.crossbar_ports + 1


@pytest.mark.parametrize("stall", [0, 0.7])
def test_copies_beside_single_packets(stall):
    """Catches a packet of copies that starves: others keep its outputs busy, never all free by themselves."""
    of = parameters(processors=3, channels=1, lanes=2, ports="b")
    lane = of.lane_port(0, 0)
    copies = of.header.pack([(1,), (2,), (lane, 2), (lane + 1, 1)], 0)
    packets = {
        0: [[copies, 0, index] for index in range(10)],
        1: [packet(of, lane, [1, 0]) for _ in range(200)],
        2: [packet(of, lane + 1, [2, 0, 0, 0]) for _ in range(200)],
        3: [lane_packet(of, 1, [3, 0]) for _ in range(200)],
        4: [lane_packet(of, 2, [4, 0, 0]) for _ in range(200)],
    }
    feed = Feed(of, packets, stalls=dict.fromkeys(range(of.crossbar_ports), stall))
    feed.run(1500 if stall else 300)
    assert feed.sources[0].done
    copies = {
        number: [payload for _, *payload in sink.packets if payload[0] == 0] for number, sink in enumerate(feed.sinks)
    }
    assert copies == {0: [], **{number: [[0, index] for index in range(10)] for number in (1, 2, 3, 4)}}
    # And nobody starves for it.
    assert all(len(feed.sources[number].times) > 25 for number in (1, 2, 3, 4))


def in_verilog(router):
    """The names of the streams, lanes and signals of a router in Verilog."""
    return {verilog_name(path).partition("__")[0] for path, _, _ in router.signature.flatten(router)}


def test_ports():
    """Catches ports that are named otherwise than documented, and counters that nobody asked for."""
    of = parameters(processors=2, channels=1, lanes=2, ports="*", counters=False)
    names = {f"processor{p}_{way}{j}" for p in (0, 1) for j in (0, 1) for way in ("send", "receive")}
    names |= {f"channel0_lane{l}_{way}" for l in (0, 1) for way in ("in", "out")} | {"error"}
    assert in_verilog(FatNodeRouter(of)) == names
    of = parameters(processors=2, channels=1, lanes=2, ports="*", counters=True)
    assert in_verilog(FatNodeRouter(of)) == names | {"flit_count", "conflict_count", "error_count"}
    first = of.lane_port(0, 0)
    of = parameters(
        processors=2, channels=1, lanes=2, ports="*", counters=False, absent_inputs=frozenset({first}),
        absent_outputs=frozenset({first + 1}),
    )  # fmt: skip
    left = names - {"channel0_lane0_in", "channel0_lane1_out"}
    router = FatNodeRouter(of)
    assert in_verilog(router) == left
    top = re.search(r"^module \\router$.*?^end$", to_rtlil(router, "router"), re.DOTALL | re.MULTILINE)
    assert {name.partition("__")[0] for name in re.findall(r"wire.* (?:input|output) \d+ +\\(\w+)", top[0])} == (
        left | {"clk", "rst"}
    )
