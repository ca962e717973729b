# amaranth: UnusedElaboratable=no
"""A processor without a program, alone: what it sends on, when, and what it says of itself, beside the spanning graphs."""

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.rtl.endpoint.distributed.processor import Assignment, DistributedProcessor
from fatcube.rtl.endpoint.distributed.rules import Rule
from fatcube.rtl.endpoint.host import Region
from fatcube.schedules.spanning.graphs import spanning_graph
from fatcube.schedules.spanning.phases import paths
from tests.support.processors import BITS, LOW, WIDTH, Host, ends, header, words
from tests.support.streams import cycles, simulate

N, PART_BITS, TRANSIT = 3, 5, 4
ROUTES = [0b10110, 0b01011, 0b11101]  # of no meaning here
SOURCE = 0b101
RULES = [(Rule.SBT, 1), (Rule.SBT, N), (Rule.NESBT, N), (Rule.SBNT, N)]


def processor(rule, ports, **others):
    return DistributedProcessor(
        WIDTH,
        **{
            "rule": rule,
            "ports": ports,
            "routes": ROUTES,
            "transit": TRANSIT,
            "part_bits": PART_BITS,
            "message_low": LOW,
            "message_bits": BITS,
            "memory_words": 64,
            "host_width": 64,
            **others,
        },
    )


def packet(along, message, source=SOURCE):
    """A packet sent along a dimension: its route, the message id, and the address of the source above it."""
    return [header(message) | ROUTES[along] | source << LOW + BITS, *words(message)]


def arrived(message, source=SOURCE):
    """An arriving packet: of the route only rubbish remains."""
    return [header(message, 0b10010) & (1 << LOW + BITS) - 1 | source << LOW + BITS, *words(message)]


def dimension(here, there):
    return (here ^ there).bit_length() - 1


def cases(rule):
    """The packets of a node in one step: its address, and for each packet the dimension, the message and the next hops."""
    if rule.scatters:
        for way in paths(spanning_graph("sbnt", N), 0):
            for before, here, there in zip(way, way[1:], [*way[2:], None]):
                further = set() if there is None else {dimension(here, there)}
                yield here ^ SOURCE, [(dimension(before, here), way[-1] ^ SOURCE, further)]
        return
    graph = spanning_graph(rule.value, N)
    for c in range(1, 1 << N):
        trees = range(N if rule.trees_of_ports else 1)
        yield (
            c ^ SOURCE,
            [
                (dimension(c, graph.above(c, tree)), tree, {dimension(c, one) for one in graph.children(c, tree)})
                for tree in trees
            ],
        )


async def assign(host, *, source, parts):
    word = Assignment(PART_BITS).const({"source": source, "parts": parts}).as_bits()
    await host.write(Region.PROGRAM, 0, 0, word)
    await cycles(host.ctx, 4)


async def step(host, sinks):
    """The packet that each port sends in a step."""
    before = [len(sink.packets) for sink in sinks]
    await host.go()
    assert not host.ctx.get(host.dut.done)
    await host.until("done")
    found = [sink.packets[count:] for sink, count in zip(sinks, before)]
    assert all(len(packets) <= 1 and not sink.part for packets, sink in zip(found, sinks))
    return [packets[0] if packets else None for packets in found]


@pytest.mark.parametrize(("rule", "ports"), RULES)
def test_what_arrives_is_sent_to_the_children(rule, ports):
    """At every address: in the steps after, along each dimension of a child once, the lowest first if there is one port.

    It is finished when it has had as many messages of its own as it was told, and all is sent on.
    """
    dut = processor(rule, ports)
    sources, sinks = ends(dut)
    some = list(cases(rule))
    own = sum(not further if rule.scatters else True for _, packets in some for _, _, further in packets)

    async def testbench(ctx):
        host = Host(ctx, dut, lockstep=1)
        await assign(host, source=0, parts=own)
        left = own
        for node, packets in some:
            ctx.set(dut.number, node | 0xFFF8)  # The lowest n bits count.
            for along, message, _ in packets:
                sources[along if ports > 1 else 0].add(arrived(message))
            await cycles(ctx, 3)
            assert not ctx.get(dut.done)  # in the middle of a packet
            await host.until("done")
            await cycles(ctx, 3)
            assert [len(sink.packets) for sink in sinks] == sent
            if ports == 1:
                [(_, message, further)] = packets
                steps = [[packet(d, message)] for d in sorted(further)]
            else:
                steps = [[None] * N] if any(further for _, _, further in packets) else []
                for _, message, further in packets:
                    for d in further:
                        assert steps[0][d] is None  # No two trees have an edge in common.
                        steps[0][d] = packet(d, message)
            left -= sum(not further if rule.scatters else True for _, _, further in packets)
            for expected in steps:
                assert not ctx.get(dut.finished)
                assert await step(host, sinks) == expected
                for j, one in enumerate(expected):
                    sent[j] += one is not None
            assert ctx.get(dut.finished) == (not left)
            assert await step(host, sinks) == [None] * ports

    sent = [0] * ports
    simulate(dut, testbench, *sources, *sinks)
    assert any(sent)


@pytest.mark.parametrize(("rule", "ports"), RULES)
def test_what_a_source_sends(rule, ports):
    """All parts in order: along all dimensions, or part p along dimension p mod n; of a scatter every target once, farthest first.

    In step n + 1 with nothing to send it gives up, for good.
    """
    dut = processor(rule, ports)
    sources, sinks = ends(dut)
    parts = 1 if rule.scatters else 5
    behind = {way[-1]: dimension(0, way[1]) for way in paths(spanning_graph("sbnt", N), 0)}

    async def testbench(ctx):
        host = Host(ctx, dut, lockstep=1)
        ctx.set(dut.number, SOURCE)
        for message in range(1 << N):
            await host.load(0, message)
        await assign(host, source=1, parts=parts)
        steps = []
        while not ctx.get(dut.finished):
            steps.append(await step(host, sinks))
            await cycles(ctx, 3)
        if rule.scatters:
            sent = [[one for one in of_port if one] for of_port in zip(*steps)]
            targets = [[one[0] >> LOW & (1 << BITS) - 1 for one in of_port] for of_port in sent]
            assert {target ^ SOURCE: port for port, some in enumerate(targets) for target in some} == behind
            assert sum(map(len, targets)) == (1 << N) - 1 and len(steps) == max(map(len, targets))
            for port, some in enumerate(targets):
                assert sent[port] == [packet(port, target) for target in some]
                distances = [(target ^ SOURCE).bit_count() for target in some]
                assert distances == sorted(distances, reverse=True)
        elif rule.trees_of_ports:
            assert steps == [
                [packet(d, first + d) if first + d < parts else None for d in range(N)] for first in range(0, parts, N)
            ]
        elif ports > 1:
            assert steps == [[packet(d, part) for d in range(N)] for part in range(parts)]
        else:
            assert steps == [[packet(d, part)] for part in range(parts) for d in range(N)]
        for _ in range(N):
            assert await step(host, sinks) == [None] * ports
        for _ in range(2):
            await host.go()
            await cycles(ctx, 20)
            assert not ctx.get(dut.done)

    simulate(dut, testbench, *sinks)


@pytest.mark.parametrize("transit", [9, 12])
def test_a_step_lasts_until_its_headers_have_arrived(transit):
    """The header leaves with ``go``, and the step is over after so many cycles, when a payload of one flit long has left."""
    dut = processor(Rule.SBT, 1, transit=transit)
    _, sinks = ends(dut)

    async def testbench(ctx):
        host = Host(ctx, dut, lockstep=1, payload=1)
        await host.load(0, 0)
        await assign(host, source=1, parts=1)
        for count in (1, 2, 3):
            await host.go()
            assert await host.until("done") == transit
            assert len(sinks[0].packets) == count

    simulate(dut, testbench, *sinks)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"ports": 2}, "ports of a processor must be 1 or 3 for sbt, not 2"),
        ({"rule": Rule.NESBT, "ports": 1}, "ports of a processor must be 3 for nesbt, not 1"),
        ({"message_bits": 9}, "width must be an integer of at least 17, with the address of the source above"),
        ({"message_bits": 2}, "message bits must be an integer of at least 4, not 2"),
        ({"routes": []}, "dimensions must be an integer from 1 to 12, not 0"),
        ({"transit": 0}, "transit must be an integer from 1 to 255, not 0"),
    ],
)
def test_refused(given, message):
    with pytest.raises(ParameterError, match=f"^{message}"):
        processor(**{"rule": Rule.SBT, "ports": 1, **given})
