"""The comment before generated Verilog: each of its statements, measured on the RTL."""

import json
from pathlib import Path
import random
import re
import tempfile

from amaranth.hdl import ResetInserter, Signal
import pytest

from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.descriptions.description import describe
from fatcube.noc.descriptions.ports import ERROR, ERROR_RULE, port_meaning
from fatcube.noc.fabric import Fabric
from fatcube.noc.machines.machine import Machine
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import SparseGHC
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topologies.grids import Mesh, Ring
from fatcube.noc.verilog import to_verilog
from fatcube.rtl.endpoint.monitor import signature_of
from fatcube.rtl.router import FatNodeRouter
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.builds.build import build
from tests.support.cases import some
from tests.support.channels import Channels, carry
from tests.support.feeds import Feed, packet, packet_from, ports
from tests.support.flat import FlatFabric
from tests.support.streams import Sink, Source, cycles, simulate


def head(network, what="network", **others):
    """The text with its paragraphs unwrapped, as one string to search."""
    return re.sub(r"\s+", " ", describe(network, what, **others))


def table(text, title):
    """The lines of the list under a title, as pairs of a name and the rest; continued lines are joined."""
    lines = text[text.index(title) :].split("\n\n")[0].splitlines()[1:]
    while not lines[0].startswith("  "):
        lines.pop(0)
    rows = []
    for line in lines:
        if not line.startswith("  "):
            break
        if line.startswith("   "):
            rows[-1] += " " + line.strip()
        else:
            rows.append(line.strip())
    return [re.split(r"  +", row, maxsplit=1) for row in rows]


def bits(text):
    """The place in ``bits high:low`` or ``bit n``, as lowest bit and number of bits."""
    high, _, low = text.split()[1].partition(":")
    return int(low or high), int(high) - int(low or high) + 1


def numbers(ranges):
    """The numbers in ``0-2,5``."""
    return [
        number for part in ranges.split(",") for number in range(int(part.split("-")[0]), int(part.split("-")[-1]) + 1)
    ]


@pytest.mark.parametrize("model", ["1", "d", "*"])
def test_a_header_alone_passes(model):
    """A header alone arrives once, and affects neither the next packet of its input nor another input."""
    network = Network(FatCube(2, 2), RouterOptions(ports=model))
    of = network.router(counters=True)
    first, second = of.lane_port(0, 0), of.lane_port(1, 0)
    feed = Feed(of, {0: [packet(of, first, []), packet(of, second, [7, 8])]})
    feed.run(60)
    assert [payload for _, *payload in feed.sinks[first].packets] == [[]]
    assert [payload for _, *payload in feed.sinks[second].packets] == [[7, 8]]
    other = of.processor_port(1, 0)
    feed = Feed(of, {0: [packet(of, first, [])], other: [packet(of, first, [9])]})
    feed.run(60)
    assert sorted(payload for _, *payload in feed.sinks[first].packets) == [[], [9]]
    assert "Packets: a header and any number of payload flits, or a header alone." in head(network)


@pytest.mark.parametrize("depth", [1, *(pytest.param(depth, marks=pytest.mark.long) for depth in (2, 4))])
def test_in_model_b_a_header_alone_passes(depth):
    """Headers alone among packets, copied to any outputs, with backpressure: each copy arrives once, in order."""
    network = Network(FatCube(2, 3), RouterOptions(ports="b", buffer_depth=depth))
    of, pick = network.router(counters=True), random.Random(depth)
    packets, expected = {}, [[] for _ in range(of.crossbar_ports)]
    for number in range(of.crossbar_ports):
        packets[number] = []
        for index in range(12):
            outputs = (
                pick.sample(of.reach(number), pick.randint(1, len(of.reach(number))))
                if number < of.processor_ports
                else [pick.choice(of.reach(number))]
            )
            message = number * 32 + index
            header = (
                of.header.pack([(output, 0)[: 1 + (output >= of.processor_ports)] for output in outputs], 0)
                if number < of.processor_ports
                else outputs[0]
            )
            payload = [message] * pick.choice((0, 0, 1, 3))
            packets[number].append([header | message << of.header.message.stop, *payload])
            for output in outputs:
                expected[output].append([message, *payload])
    feed = Feed(of, packets, stalls={number: pick.choice((0, 0.3, 0.7)) for number in range(of.crossbar_ports)})
    feed.run(4000)
    for sink, packets in zip(feed.sinks, expected):
        arrived = [[header >> of.header.message.stop, *payload] for header, *payload in sink.packets]
        assert sorted(arrived) == sorted(packets)
        for number in range(of.crossbar_ports):
            assert [one for one in arrived if one[0] // 32 == number] == [
                one for one in packets if one[0] // 32 == number
            ]
    assert "or a header alone" in head(network)


@pytest.mark.parametrize(
    "network",
    [
        *(Network(FatCube(2, 2), RouterOptions(ports=ports)) for ports in "1bd*"),
        Network(FatCube(2, 1, 2), RouterOptions(hops=2)),
        Network(FatCube(1, 3), RouterOptions(turns="forward")),
        Network(SparseGHC(w=3, d=2), RouterOptions(hops=2)),
    ],
    ids=str,
)
def test_the_turns_are_those_of_the_router(network):
    """Every input of a single router requests every output: listed turns pass, and packets for others are discarded."""
    of = network.router(counters=True)
    size = of.crossbar_ports
    passed = {number: set() for number in range(size)}
    feed = Feed(of, {number: [] for number in range(size)})
    # Each input requests another output, so none waits for another.
    feed.run(
        20,
        [
            {
                number: [packet_from(number, of, (number + shift) % size, [number])]
                for number in range(size)
                if not of.header.copies
                or number < of.processor_ports
                or (number + shift) % size < 1 << of.header.selector_bits
            }
            for shift in range(size)
        ],
    )
    for output, sink in enumerate(feed.sinks):
        for _, number in sink.packets:
            passed[number].add(output)
    turns = table(describe(network, "router"), "Turns:")
    outputs = [name for _, name in table(describe(network, "router"), "Outputs of a router")]
    assert [name for name, _ in turns] == [name.replace("receive", "send").replace("_out", "_in") for name in outputs]
    assert [set(numbers(ranges)) for _, ranges in turns] == list(passed.values())


def test_ranges():
    """The outputs of a router of 16 are written as ranges."""
    assert table(describe(Network(FatCube(4, 3), RouterOptions(ports="d")), "router"), "Turns:")[4] == [
        "processor1_send0",
        "0-3,8-15",
    ]


@pytest.mark.parametrize("model", ["1", "b"])
def test_an_illegal_turn_is_discarded(model):
    """A packet for an illegal turn is discarded whole with one pulse of error; the next one of its input passes."""
    network = Network(FatCube(2, 2), RouterOptions(ports=model))
    of = network.router(counters=True)
    feed = Feed(of, {0: [packet(of, 0, [1, 1]), packet(of, 1, [2])]})
    feed.run(40)
    assert [[payload for _, *payload in sink.packets] for sink in feed.sinks] == [[], [[2]], [], []]
    assert feed.errors == 1
    assert "is discarded completely, and no other packet is affected." in head(network)
    cause = "1 for one cycle when a packet is discarded (its header requests a turn that does not exist)"
    assert f"Error: error, one bit per node, is {cause}. {ERROR_RULE}" in head(network)
    assert f"Error: error is {cause}. {ERROR_RULE}" in head(network, "router")


def errors_of(of, packets):
    """The pulses of ``error``, and the count of errors, of a router with these packets at its inputs."""
    feed, pulses = Feed(of, packets), []

    async def watch(ctx):
        async for _, _, error in ctx.tick().sample(feed.router.error):
            pulses.append(error)

    feed.sinks.append(watch)
    feed.run(60)
    return sum(pulses), feed.errors


@pytest.mark.parametrize("options", [{}, {"longest_packet": 3}, {"ports": "b"}], ids=str)
def test_error_is_no_count(options):
    """Errors of two packets are counted as two; they are one pulse in the same cycle, else two pulses."""
    network = Network(FatCube(2, 2), RouterOptions(**options))
    of = network.router(counters=True)
    assert errors_of(of, {0: [packet(of, 0, [1])], 1: [packet(of, 1, [1])]}) == (1, 2)
    assert errors_of(of, {0: [packet(of, 0, [1])] * 2}) == (2, 2)
    assert "an event, not a count: errors of several packets in the same cycle give one pulse." in head(network)


@pytest.mark.parametrize("model", ["1", "b"])
@pytest.mark.parametrize("longest", [1, 3])
def test_a_packet_is_one_error(model, longest):
    """A packet for no output that is too long is one error, even with a copy in model b; the next is another."""
    network = Network(FatCube(2, 2), RouterOptions(ports=model, longest_packet=longest))
    of = network.router(counters=True)
    nowhere = of.header.pack([(0,), (1,)], 0) if model == "b" else of.header.pack([0], 0)
    long = [1] * (longest + 4)
    assert errors_of(of, {0: [[nowhere, *long]]}) == (1, 1)
    assert errors_of(of, {0: [[nowhere, *long], packet(of, 1, long), packet(of, 1, []), [nowhere, *long]]}) == (3, 3)
    assert "A router reports each packet at most once." in head(network)


def test_error_has_the_same_words_everywhere():
    """The docs, the port's comment in Verilog and JSON, and the head with AXI4-Streams agree on ``error``."""
    docs = " ".join((Path(__file__).parents[3] / "docs" / "ideas" / "packets.md").read_text().replace("`", "").split())
    assert ERROR in docs and ERROR_RULE.removesuffix(".") in docs
    assert port_meaning("error").startswith(ERROR)


def causes(text):
    return set(
        re.findall(
            r"discarded \(its|lost \(its|cut \([-a-z, ]*\)|is always 0",
            text.partition("Error: error")[2].partition(". ")[0],
        )
    )


@pytest.mark.parametrize(
    ("network", "named"),
    [
        (Network(FatCube(2, 2), RouterOptions(longest_packet=4)), {"discarded (its", "cut (--longest-packet)"}),
        (Network(Hypercube(1), RouterOptions(turns="all")), {"is always 0"}),
        (
            RoutedNetwork(Mesh(w=3, d=2), RouterOptions(stop_timeout=9)),
            {"discarded (its", "lost (its", "cut (--stop-timeout)"},
        ),
    ],
    ids=["longest packet", "all turns", "mesh with a timeout"],
)
def test_causes_of_errors_are_those_that_can_occur(network, named):
    """Catches a head that warns of what cannot be; interfaces make legal headers, so there only senders that stop are left."""
    assert causes(head(network)) == named
    if isinstance(network, RoutedNetwork):
        with_interfaces = head(network, axi=AxiNetwork(network))
        assert causes(with_interfaces) == {"cut (--stop-timeout)"}
        assert "is lost" in head(network) and "is lost" not in with_interfaces


@pytest.mark.parametrize("packets", [[[0]], [[1, 5]], [[0, 1, 2], [1]]])
def test_what_never_is_an_error_is_none(packets):
    """Every header of a router with all turns and two outputs has an output."""
    of = Network(Hypercube(1), RouterOptions(turns="all")).router(counters=True)
    assert errors_of(of, {0: [packet(of, number % 2, rest) for number, rest in enumerate(packets)]}) == (0, 0)


def test_where_a_node_is():
    """Its coordinates, the bits of its address, or its name; the number says it elsewhere."""
    assert "node 5 (2,1):" in head(RoutedNetwork(Mesh(w=3, d=2))) and "coordinates of the node (x, y)" in head(
        RoutedNetwork(Mesh(w=3, d=2))
    )
    assert "node 5 (101):" in head(Network(Hypercube(3)))
    assert "node 1 (b):" in head(RoutedNetwork(Graph(("a", "b"), (1, 1), ((0, 1),))))
    assert "node 3:" in head(RoutedNetwork(Ring(5))) and "in parentheses" not in head(RoutedNetwork(Ring(5)))


@pytest.mark.parametrize("ready", [True, False])
def test_an_unused_output_that_is_ready_blocks_no_other(ready):
    """Processor 2 is unused, and packets to it are followed by one to processor 3, over the same lane."""
    network = Network(FatCube(1, 2))
    of, flat = network.router(), FlatFabric(network)
    packets = [[of.header.pack([of.lane_port(0, 0), to], 0), 1, 2] for to in (0, 0, 0, 1)]
    sink = Sink(flat.receive[3][0])

    async def testbench(ctx):
        ctx.set(flat.receive[2][0].ready, ready)
        await cycles(ctx, 60)

    simulate(flat, testbench, Source(flat.send[0][0], packets), sink)
    assert [payload for _, *payload in sink.packets] == ([[1, 2]] if ready else [])
    assert "connect payload and valid of an unused processor*_send* to 0, and ready of an unused " in head(network)
    routed = RoutedNetwork(FatCube(1))
    for depth in (0, 8):
        text = head(routed, axi=AxiNetwork(routed, crossing_depth=depth))
        assert "Unused ports: connect s_axis_e_tvalid to 0 and m_axis_e_tready to 1" in text
        assert ("axis_e_aclk and axis_e_aresetn to a clock that runs" in text) == (depth > 0)


def test_a_processor_output_has_no_class_of_channels():
    """A packet with a class for a processor output is discarded with an error; with class bits of 0 it arrives."""
    network = Network(FatCube(2, 2), RouterOptions(virtual_channels=4, channel_classes=4, buffer_depth=3))
    of = network.router(counters=True)
    text = head(network)
    [bits_of_class] = re.findall(
        r"in the upper (\d) bits, for a lane the class of virtual channels, of which the router takes any that is free; for a "
        r"processor output they must be 0, or the packet is discarded, with an error",
        text,
    )
    low = of.header.selector_bits - int(bits_of_class)
    design = Channels(of)
    for channel_class in range(4):
        _, sinks = carry(design, {(0, 0, 0): [[1 | channel_class << low, 7]]})
        arrived = [payload for sink in sinks.values() for _, *payload in sink.packets]
        assert arrived == ([] if channel_class else [[7]])
    assert "upper" not in head(Network(FatCube(2, 2), RouterOptions(virtual_channels=2, buffer_depth=3)))


def test_a_stop_counts_only_while_the_router_could_take_a_flit():
    """A blocked packet is not ended; when it continues, the timeout ends it after exactly its cycles."""
    timeout, blocked = 9, 50
    network = Network(FatCube(2, 2), RouterOptions(stop_timeout=timeout))
    of = network.router(counters=True)
    router = FatNodeRouter(of)
    source, sink = Source(router.processors[0][0].send), Sink(router.processors[1][0].receive, stall=1.0)
    source.waiting += [packet(of, 1, [])[0], 1, 2]  # Without a tail flit; two fill the buffer, the third waits.
    counts = []

    async def testbench(ctx):
        await cycles(ctx, 10)
        counts.append(len(source.times))
        source.waiting.pop()  # It is offered, so it is taken once there is room.
        await cycles(ctx, blocked)
        counts.append(ctx.get(router.error_count))
        sink.stall = 0.0
        await cycles(ctx, 40)
        counts.append(ctx.get(router.error_count))

    simulate(router, testbench, source, sink)
    assert counts == [2, 0, 1]
    assert [payload for _, *payload in sink.packets] == [[1, 2, 0]]
    # The third flit is taken when the first has left; from the cycle after, the router could take a fourth one.
    assert sink.times[-1] == source.times[-1] + 1 + timeout
    text = f"inside a packet for {timeout} cycles loses it: a zero tail flit is inserted, the rest is dropped, and error is 1."
    assert f"{text} Only cycles in which valid is 0 and ready is 1 count" in head(network)


def test_a_reset_of_one_cycle_is_enough():
    """A reset of one cycle in the middle of a packet frees its output."""
    network = Network(FatCube(2, 2))
    of = network.router()
    reset, router = Signal(), FatNodeRouter(of)
    source = Source(router.processors[0][0].send, [packet(of, 1, range(60))])
    sinks = [Sink(stream) for stream in ports(router)[1]]

    async def testbench(ctx):
        await cycles(ctx, 20)
        source.waiting = source.waiting[: len(source.times) + 1]  # The flit that is offered cannot be taken back.
        ctx.set(reset, 1)
        await cycles(ctx, 1)
        ctx.set(reset, 0)
        source.add(packet(of, 1, [3]))
        await cycles(ctx, 30)

    simulate(ResetInserter(reset)(router), testbench, source, *sinks)
    assert len(source.times) < 30 and [payload[-1] for _, *payload in sinks[1].packets] == [3]
    assert "hold it for one cycle" in head(network)


def test_in_model_b_the_copies_that_can_be_made_are():
    network = Network(FatCube(2, 2), RouterOptions(ports="b"))
    of = network.router(counters=True)
    feed = Feed(of, {0: [[of.header.pack([(0,), (1,)], 0), 5], packet(of, 1, [6])]})
    feed.run(40)
    assert [[payload for _, *payload in sink.packets] for sink in feed.sinks] == [[], [[5], [6]], [], []]
    assert feed.errors == 1
    assert "has legal and illegal bits, the legal copies are made, and error is 1 nevertheless" in head(network)
    assert "legal and illegal bits" not in head(Network(FatCube(2, 2)))


@pytest.mark.parametrize("hops", some([1, 2, 3], [2]))
def test_what_a_receiver_gets(hops):
    """Each header field that arrives over 0 to all lanes is as described, with random bits in undefined fields."""
    network = Network(Hypercube(3), RouterOptions(hops=hops, turns="all"))
    text, of = describe(network, "router"), network.router()
    sent = {name: bits(place) for place, name in table(text, "Header as a processor sends it:")}
    [(message, route)] = [[bits(place) for place, _ in table(text, "Header as a processor receives it:")]]
    assert sent["message id"] == message and route == (0, message[0])
    last = int(
        re.search(
            r"the field of selector i has the selector that was sent for router "
            r"min\(i \+ 1 \+ lanes crossed, (\d)\)",
            head(network, "router"),
        )[1]
    )
    assert "this field and all bits above it are as sent" in text
    pick = random.Random(hops)
    flat = FlatFabric(network)
    headers, sinks = [], [Sink(flat.receive[(1 << crossed) - 1][0]) for crossed in range(hops + 1)]
    for crossed in range(hops + 1):
        # At node 0 processors' packets come back to it if no lane is crossed: this needs every turn.
        way = [*(of.lane_port(dimension, 0) for dimension in range(crossed)), 0]
        header = pick.getrandbits(network.options.width)
        for router, output in enumerate(way):
            low, size = sent[f"selector of router {router}"]
            header = header & ~((1 << size) - 1 << low) | output << low
        headers.append(header)

    async def testbench(ctx):
        await cycles(ctx, 40)

    simulate(flat, testbench, Source(flat.send[0][0], [[header, 1, 2] for header in headers]), *sinks)
    for crossed, (header, sink) in enumerate(zip(headers, sinks)):
        [[received, *payload]] = sink.packets
        assert payload == [1, 2]
        assert received >> message[0] == header >> message[0]
        for i in range(hops + 1):
            low, size = sent[f"selector of router {i}"]
            place, _ = sent[f"selector of router {min(i + 1 + crossed, last)}"]
            assert received >> low & (1 << size) - 1 == header >> place & (1 << size) - 1


@pytest.mark.parametrize("m", some([1, 2, 3], [2]))
def test_what_a_receiver_gets_in_model_b(m):
    network = Network(FatCube(2, m), RouterOptions(ports="b"))
    text, of = describe(network, "router"), network.router()
    sent = {name: bits(place) for place, name in table(text, "Header as a processor sends it:") if place != "no bits"}
    got = {name: bits(place) for place, name in table(text, "Header as a processor receives it:")}
    assert sent["message id"] == got["message id; this field and all bits above it are as sent"]
    assert got["as sent, from a processor of the same node"] == (0, sent["message id"][0])
    flat = FlatFabric(network)
    sinks = [Sink(stream) for (stream,) in flat.receive]
    lane = of.lane_port(1, 0)
    header = random.Random(m).getrandbits(network.options.width) & ~((1 << of.header.route_bits) - 1)
    header |= of.header.pack([(lane, m - 1), *((number,) for number in range(1, m))], 5)

    async def testbench(ctx):
        await cycles(ctx, 30)

    simulate(flat, testbench, Source(flat.send[0][0], [[header, 1]]), *sinks)
    for number in range(1, m):
        assert sinks[number].packets == [[header, 1]]
    [[received, _]] = sinks[2 * m + m - 1].packets
    low, size = got["over a lane: as sent"]
    assert received >> low == header >> low
    if m > 1:
        assert got["over a lane: the selector beyond the lane output taken"] == (0, low)
        place, size = sent[f"selector beyond lane output {lane}"]
        assert received & (1 << low) - 1 == header >> place & (1 << size) - 1 == m - 1


@pytest.mark.parametrize("topology", [FatCube(3, 2, 2), CubeConnectedCycles(n=3), SparseGHC(w=3, d=2)], ids=str)
def test_the_channels_lead_where_the_wires_do(topology):
    """The table of channels agrees with the nets of the Verilog."""
    network = Network(topology)
    text = to_verilog(Fabric(network).shared())
    leaves, enters = {}, {}
    for node, connections in re.findall(r"^  fat_node_router node(\d+) \((.*?)^  \);", text, re.DOTALL | re.MULTILINE):
        for channel, lane, way, net in re.findall(r"\.channel(\d+)_lane(\d+)_(in|out)__payload\((.*?)\)", connections):
            (leaves if way == "out" else enters)[net] = (int(node), int(channel), int(lane))
    told = {}
    for node, ends in table(describe(network, "network"), "Channels:"):
        for channel, end in enumerate(ends.split()):
            told[int(node.split()[1].strip(":")), channel] = tuple(map(int, end.split(":")))
    assert len(leaves) == len(enters) == topology.nodes * topology.degree * topology.f
    for net, (node, channel, lane) in leaves.items():
        assert enters[net] == (*told[node, channel], lane)
    assert "Channels:" not in describe(network, "router")


def test_a_system_is_driven_by_what_its_head_says():
    """A message is sent from processor 0 to 3 by the facts of the head only, and read back with its trace."""
    network = Network(FatCube(1, 2), RouterOptions(ports="d"))
    machine = Machine(network=network, memory_words=256, program_entries=4)
    text = describe(network, "system", machine=machine)
    regions = {name.split()[1]: int(name.split()[0]) for name, _ in table(text, "Regions:")}
    # The name is part of the rest where no column follows the place.
    words = {
        title: {rest.split()[0]: bits(place) for place, rest in table(text, f"A word of {title}:")}
        for title in ("PROGRAM", "STATUS", "TRACE")
    }
    sent = {name: bits(place) for place, name in table(text, "Header as a processor sends it:")}
    outputs = {name: int(number) for number, name in table(text, "Outputs of a router")}
    monitors = {
        name.removeprefix("monitor: "): int(number)
        for number, name in table(text, "Units of a node:")
        if name.startswith("monitor")
    }

    def word(layout, **fields):
        return sum(value << words[layout][name][0] for name, value in fields.items())

    def of(layout, value, name):
        low, size = words[layout][name]
        return value >> low & (1 << size) - 1

    message, payload, slot_shift = 5, [11, 22, 33], 2
    header = (
        outputs["channel0_lane0_out"] << sent["selector of router 0"][0]
        | outputs["processor1_receive0"] << sent["selector of router 1"][0]
        | message << sent["message id"][0]
    )
    end = word("PROGRAM", end=1)
    everywhere = 65535
    writes = [
        (everywhere, everywhere, regions["HELD"], 0, 0, [0] * 16),
        (everywhere, everywhere, regions["PROGRAM"], 0, 0, [end]),
        (0, 0, regions["PAYLOAD"], 0, message << slot_shift, payload),
        (0, 0, regions["HELD"], 0, message, [1]),
        (0, 0, regions["PROGRAM"], 0, 0, [word("PROGRAM", header=header, bank=0, send=1), end]),
        (1, 1, regions["PROGRAM"], 0, 0, [word("PROGRAM", expect=1), end]),
    ]
    last = int(re.search(r"word (\d+): packets in bits 31:0, flits in bits 63:32", re.sub(r"\s+", " ", text))[1])
    job = {
        "nodes": 2,
        "ends": ["finished", "stalled", "steps", "cycles"],
        "counters": ["flit_count", "conflict_count", "error_count"],
        "lanes": None,
        "waves": None,
        "runs": [
            {
                "settings": {
                    "lockstep": lockstep,
                    "payload_flits": len(payload),
                    "slot_shift": slot_shift,
                    "timeout": 100,
                },
                "writes": writes,
                "drain": 0,
                "trace_depth": 4,
                "status": [(1, 1, regions["STATUS"], 0, 0, 1)],
                "counts": [(0, monitors["channel0_lane0_out"], regions["TRACE"], 0, last, 1)],
                "reads": [(1, 1, regions["PAYLOAD"], 0, message << slot_shift, len(payload))],
            }
            for lockstep in (0, 1)
        ],
    }
    results = drive(machine, job)
    assert len(results) == 2
    for lockstep, result in enumerate(results):
        ends = result["ends"]
        assert ends["finished"] and not ends["stalled"] and ends["steps"] == lockstep
        assert result["payload"] == [payload]
        assert result["counters"] == {"flit_count": [4, 4], "conflict_count": [0, 0], "error_count": [0, 0]}
        [status], [count], [[trace]] = result["status"], result["counts"], result["traces"]
        assert [of("STATUS", status, name) for name in ("received", "expected", "ended")] == [1, 1, 1]
        assert count == 1 | 4 << 32
        assert of("TRACE", trace, "flits") == 4 and of("TRACE", trace, "step") == lockstep
        assert of("TRACE", trace, "signature") == signature_of(payload, 32)
        assert of("TRACE", trace, "header") >> sent["message id"][0] == message


def drive(machine, job):
    """The observations of a testbench that writes, starts, waits and reads as the head describes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "job.json").write_text(json.dumps({**job, "results": str(folder / "results.jsonl")}))
        build(machine, simulator="verilator-flat").run(
            "fatcube.sim.builds.testbench", folder, {"FATCUBE_JOB": str(folder / "job.json")}
        )
        return [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]


def test_a_system_with_reductions_is_described():
    """Every field of its layouts is described, and the bank of sums is named."""
    network = Network(FatCube(1), RouterOptions(ports="b"))
    text = head(network, "system", machine=Machine(network=network, reductions=True))
    assert "Bank 255 is the sum" in text and "Messages with an id below reduced are partial sums" in text
    assert " need " in text and " sync " in text


def test_who_carries_schedules_only_says_so():
    for what, where in (
        ("network", "this network"),
        ("system", "this system"),
        ("router", "a network of such routers"),
    ):
        network = Network(FatCube(2), RouterOptions(ports="b"))
        machine = Machine(network=network)
        assert f"FOR SCHEDULES ONLY: general-purpose traffic can deadlock in {where}" in head(
            network, what, machine=machine
        )
        network = Network(FatCube(2), RouterOptions(ports="d"))
        assert "SCHEDULES ONLY" not in head(network, what, machine=Machine(network=network))


@pytest.mark.parametrize("what", ["router", "network", "system"])
def test_it_fits_a_page(what):
    network = Network(CubeConnectedCycles(n=4, m=2), RouterOptions(ports="*", hops=2))
    lines = describe(network, what, machine=Machine(network=network)).splitlines()
    assert max(map(len, lines)) <= 117
    assert not any(line != line.rstrip() for line in lines)


def test_packets_that_wait_side_by_side():
    channels = {"virtual_channels": 2, "buffer_depth": 3}
    texts = [
        head(Network(FatCube(1, 2), RouterOptions(injection_channels=n, ejection_channels=1, **channels)))
        for n in (1, 3)
    ]
    assert ["in parallel" in text for text in texts] == [False, True]
    assert "3 packets of each processor port can wait in parallel" in texts[1]
    ejection = head(Network(FatCube(1, 2), RouterOptions(ejection_channels=2, **channels)))
    assert "2 packets can arrive in parallel at each" in ejection
    default = head(Network(FatCube(1, 2), RouterOptions(virtual_channels=4, channel_classes=2)))
    assert "2 packets of each processor port can wait in parallel" in default and "can overtake each other" in default
