"""Absent channels and processors: packets to them are lost and reported, and block nothing."""

import types

from amaranth.hdl import Module, Signal
import pytest

from fatcube.noc.fabric import Fabric
from fatcube.noc.network import Network
from fatcube.noc.topologies.grids import Mesh
from fatcube.noc.topologies.oriented_cube import OrientedCube
from fatcube.rtl.lanes.absent import AbsentOutput
from fatcube.rtl.router import FatNodeRouter
from fatcube.rtl.router_options import RouterOptions
from tests.support.cases import some
from tests.support.networks import IRREGULAR
from tests.support.streams import Sink, Source, cycles, simulate


@pytest.fixture(autouse=True)
def routers(monkeypatch):
    """Routers in place of copies of a module, which Amaranth's simulator cannot run."""
    monkeypatch.setattr(
        "fatcube.noc.fabric._shared_router",
        lambda _, parameters, __: types.SimpleNamespace(copy=lambda: FatNodeRouter(parameters)),
    )


def run(network, packets, duration=150):
    """The packets at the sinks of all processors, and the cycles in which each node had an error."""
    fabric = Fabric(network)
    processors = range(network.topology.processors)
    sources = [Source(fabric.processors[p][0].send, packets.get(p, ())) for p in processors]
    sinks = [Sink(fabric.processors[p][0].receive, name=f"processor {p}") for p in processors]
    errors = [0] * network.topology.nodes

    async def testbench(ctx):
        for _ in range(duration):
            for node, bit in enumerate(f"{ctx.get(fabric.error):0{len(errors)}b}"[::-1]):
                errors[node] += int(bit)
            await cycles(ctx, 1)

    simulate(fabric, testbench, *sources, *sinks)
    assert all(source.done for source in sources), "a packet waits for ever"
    assert not any(sink.part for sink in sinks)
    return [sink.packets for sink in sinks], errors


@pytest.mark.parametrize("ports", some(["1", "b", "d"], (0, 1)))
def test_lost_and_reported(ports):
    """Processor 0 on node 1, 1 and 2 on node 2, 3 on node 3: to node 0, which has none, and by node 3's third channel.

    Each packet that is lost is followed by a good one, over the same ports and from elsewhere: all of them arrive.
    """
    network = Network(IRREGULAR, RouterOptions(ports=ports))
    router = network.router()

    def packet(*route, payload):
        return [router.header.pack([route] if router.header.copies else route, 0), *payload]

    def to(local):
        return router.processor_port(local, 0)

    def by(channel):
        return router.lane_port(channel, 0)

    packets = {
        0: [
            packet(by(0), to(0), payload=[1, 2, 3]),  # to node 0, which has no processor
            packet(by(1), to(1), payload=[4]),  # to processor 2
            packet(by(2), to(1), payload=[5, 6]),  # node 3 has one processor, no second
            packet(by(1), to(0), payload=[7]),  # to processor 1
        ],
        3: [
            packet(by(2), to(0), payload=[8, 9, 10, 11]),  # node 3 has two channels, no third
            packet(by(2), to(0), payload=[]),  # and a header alone
            packet(by(0), to(0), payload=[12]),  # to processor 0
        ],
    }
    arrived, errors = run(network, packets)
    assert [[packet[1:] for packet in some] for some in arrived] == [[[12]], [[7]], [[4]], []]
    assert errors == [1, 0, 0, 3]


def test_edges_of_a_mesh():
    """Off every edge of a 3 x 3 mesh, from its corner and its middle, and on into the mesh."""
    network = Network(Mesh(w=3, d=2))
    router = network.router()
    packets = {
        node: [
            [router.header.pack([router.lane_port(channel, 0), 0], 0), node, channel]
            for channel in range(router.channels)
        ]
        for node in (0, 4)
    }
    arrived, errors = run(network, packets)
    assert {node: sorted(packet[1:] for packet in some) for node, some in enumerate(arrived) if some} == {
        1: [[0, 1], [4, 2]],
        3: [[0, 3], [4, 0]],
        5: [[4, 1]],
        7: [[4, 3]],
    }
    assert errors == [2, 0, 0, 0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    "options",
    some(
        [
            {},
            {"ports": "d"},
            {"virtual_channels": 2},
            {"switching": "virtual-cut-through", "virtual_channels": 2, "channel_classes": 2},
            {"ports": "b"},
            {"pipeline": 2, "link_stages": 1},
            {"switching": "circuit"},
            {"switching": "circuit", "setup_retry": 3},
            {"virtual_channels": 2, "injection_channels": 2, "ejection_channels": 2, "pipeline": 2},
        ],
        (0, 2, 4, 6),
    ),
    ids=str,
)
def test_lanes_that_go_one_way(options):
    """Every node of an oriented cube sends to all neighbours, by each of its channels: where none leaves, by its own router.

    Catches a port that is not there and should be, and a router whose units are numbered as if it had all ports.
    """
    network = Network(OrientedCube(3), RouterOptions(**options))
    topology, router = network.topology, network.router()
    assert [len(nodes) for _, nodes in network.routers] == [4, 4]
    expected, errors = [[] for _ in range(8)], [0] * 8
    packets = {}
    for node in range(8):
        ends = {channel: other for channel, other, _ in topology.ends(node)}
        for channel in (*range(3), *range(3)):  # each twice
            route = [router.lane_port(channel, 0), router.processor_port(0, 0)]
            header = router.header.pack([route] if router.header.copies else route, 0)
            packets.setdefault(node, []).append([header, node, channel])
            if channel in ends:
                expected[ends[channel]].append([node, channel])
            else:
                errors[node] += 1
    arrived, found = run(network, packets)
    assert [sorted(packet[1:] for packet in some) for some in arrived] == [sorted(some) for some in expected]
    assert found == errors


@pytest.mark.parametrize("absent", [0, 1])
def test_absent_output(absent):
    """An absent output takes all flits and passes none, with a pulse for each packet; a present one passes all."""
    part = AbsentOutput(8)
    packets = [[1, 2, 3], [4], [5, 6]]
    source, sink = Source(part.i, packets), Sink(part.o, stall=0.5)
    lost = []

    async def testbench(ctx):
        ctx.set(part.absent, absent)
        for _ in range(60):
            lost.append(ctx.get(part.lost))
            await cycles(ctx, 1)

    m = Module()
    m.submodules.part = part
    m.d.sync += Signal().eq(part.lost)  # so that the module has a clock
    simulate(m, testbench, source, sink)
    assert source.done
    assert (sink.packets, sum(lost)) == (([], len(packets)) if absent else (packets, 0))


@pytest.mark.parametrize("answers", [1, 2])
@pytest.mark.parametrize("absent", [0, 1])
def test_answers_of_an_absent_output(absent, answers):
    """A circuit to an absent output is granted in the cycle after its header; otherwise answers are passed on."""
    part = AbsentOutput(8, answers=answers)
    source, sink = Source(part.i, [[1, 2, 3], [4], [5, 6]]), Sink(part.o)
    granted = []

    async def testbench(ctx):
        ctx.set(part.absent, absent)
        ctx.set(part.o.answer.granted, not absent)
        for now in range(20):
            if ctx.get(part.i.answer.granted):
                granted.append(now)
            await cycles(ctx, 1)

    m = Module()
    m.submodules.part = part
    m.d.sync += Signal().eq(part.lost)
    simulate(m, testbench, source, sink)
    headers = [source.times[0], source.times[4]] if answers == 1 else [source.times[index] for index in (0, 3, 4)]
    assert granted == ([time + 2 for time in headers] if absent else list(range(20)))


@pytest.mark.parametrize("retry", [0, 3])
@pytest.mark.parametrize("ports", some(["1", "d"], [0]))
def test_circuits_to_absent_outputs(ports, retry):
    """A packet to an absent processor or channel is taken, an error is counted, and the next packet passes."""
    network = Network(IRREGULAR, RouterOptions(ports=ports, switching="circuit", setup_retry=retry))
    router = network.router()
    by = [router.lane_port(channel, 0) for channel in range(3)]
    packets = {
        0: [
            [router.header.pack([by[0], 0], 0), 1, 2, 3],
            [router.header.pack([by[1], router.processor_port(0, 0)], 0), 7],
        ],
        3: [
            [router.header.pack([by[2], 0], 0), 8, 9, 10, 11],
            [router.header.pack([by[2], 0], 0)],
            [router.header.pack([by[0], 0], 0), 12],
        ],
    }
    arrived, errors = run(network, packets)
    assert [[packet[1:] for packet in some] for some in arrived] == [[[12]], [[7]], [], []]
    assert errors == [1, 0, 0, 2]
