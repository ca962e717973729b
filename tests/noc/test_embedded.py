"""The examples of Amaranth designs with a network in them, docs/examples, and what docs/tasks/amaranth.md promises."""

import importlib.util
from pathlib import Path
import re

from amaranth.hdl import Elaboratable, Fragment, Module
from amaranth.lib import wiring
from amaranth.lib.wiring import Out
from amaranth.sim import Simulator
from amaranth_boards.ulx3s import ULX3S_85F_Platform
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.embedded import Embedded, PacketNetwork
from fatcube.noc.fabric import Fabric
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.shared import Shared
from fatcube.noc.streams.options import StreamOptions
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh, Ring
from fatcube.noc.verilog import to_verilog
from fatcube.rtl.router_options import RouterOptions
from fatcube.synth.place_and_route import pack, place_and_route
from tests.support.cocotb_runs import built_verilog

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"


class Knocker(wiring.Component):
    """A component with a wire."""

    wire: Out(1)

    def elaborate(self, platform):
        return Module()


def module(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@pytest.fixture(scope="module")
def example():
    return module("knock")


def test_works(example, tmp_path):
    fabric = Fabric(example.NETWORK).shared()
    design = Shared(example.Knock(fabric.copy(), settle=3), "system", uses=[fabric])
    built_verilog(to_verilog(design), tmp_path).run("tests.support.knocking", tmp_path, {})


@pytest.mark.long(stays="tests/noc/test_embedded.py::test_packets_stand_on_a_board")
def test_stands_on_a_board(example):
    """Make a bitstream of the example from the files of amaranth-boards, with tools from pip."""
    files = dict(ULX3S_85F_Platform().prepare(example.Top(), "top", emit_src=False).files)
    assert files["fabric.v"].count("module fat_node_router(") == 1
    routed = place_and_route(files, title="ULX3S")
    assert routed.fmax_mhz > 50 and 300 < routed.utilisation["TRELLIS_COMB"].used < 3000
    name, content = pack(files, routed)
    assert name == "top.bit" and len(content) > 100_000


def test_several_in_a_design(example):
    """Two networks of one name are one module: their files are the same, or Amaranth refuses."""

    class Two(Elaboratable):
        def elaborate(self, platform):
            m = Module()
            m.submodules.first, m.submodules.second = (
                Embedded(Fabric(example.NETWORK, name=name).shared()) for name in "ab"
            )
            return m

    files = dict(ULX3S_85F_Platform().prepare(Two(), "top", emit_src=False).files)
    assert "module a_fat_node_router(" in files["a.v"] and "module b_fat_node_router(" in files["b.v"]


def test_packets_come_back(tmp_path):
    """The example with streams of packets: every port gets its packet from port 3, whole, and knows that it is from there."""
    design = module("packets").Echo()
    text = to_verilog(Shared(design, "system", uses=[design.packets.shared]))
    built_verilog(text, tmp_path).run("tests.support.echoing", tmp_path, {})


def test_the_ports_are_streams():
    """With the fields of a word each way; a network of two ports a processor has two of each for every processor."""
    packets = PacketNetwork(RoutedNetwork(Hypercube(2), RouterOptions(width=16, ports="d")), name="noc")
    assert packets.shared.name == "noc"
    assert len(packets.send) == len(packets.receive) == 8 and packets.send[7] is packets.send_7
    send, receive = packets.send[7].payload, packets.receive[0].payload
    assert {name: len(send[name]) for name in send.shape().members} == {"data": 16, "last": 1, "destination": 3}
    assert {name: len(receive[name]) for name in receive.shape().members} == {"data": 16, "last": 1, "source": 2}
    for wrong in (Network(Hypercube(2)), Hypercube(2)):
        with pytest.raises(
            ParameterError, match=rf"^network must be a RoutedNetwork, .* not the {type(wrong).__name__} "
        ):
            PacketNetwork(wrong)


# Amaranth's own simulator, in which every copy is elaborated in its place.


def packets_through(packets, sent, *, cycles=400):
    """The words that arrive at each port of a :class:`PacketNetwork` if these are sent, a list for each port."""
    arrived, taken = [[] for _ in packets.receive], []
    sim = Simulator(packets)
    sim.add_clock(1e-6)

    def source(port):
        async def send(ctx):
            words = packets.send[port]
            for word in sent[port]:
                for field, value in word.items():
                    ctx.set(words.payload[field], value)
                ctx.set(words.valid, 1)
                await ctx.tick().until(words.ready)
                taken.append(word)
            ctx.set(words.valid, 0)

        return send

    def sink(port):
        async def receive(ctx):
            words = packets.receive[port]
            ctx.set(words.ready, 1)
            fields = words.payload.shape().members
            async for _, _, valid, *values in ctx.tick().sample(words.valid, *(words.payload[one] for one in fields)):
                if valid:
                    arrived[port].append(dict(zip(fields, values)))

        return receive

    async def last(ctx):
        await ctx.tick().repeat(cycles)

    for port in range(len(packets.send)):
        sim.add_testbench(source(port))
        sim.add_testbench(sink(port), background=True)
    sim.add_testbench(last)
    sim.run()
    assert len(taken) == sum(map(len, sent))
    return arrived


NETWORKS = {
    "cube": RoutedNetwork(Hypercube(2), RouterOptions(width=16)),
    "two ports": RoutedNetwork(Hypercube(2), RouterOptions(width=16, ports="d")),
    "channels": RoutedNetwork(Ring(4), RouterOptions(width=16, virtual_channels=2, buffer_depth=4)),
    "half-duplex lanes": RoutedNetwork(Hypercube(2), RouterOptions(width=16, links="half-duplex")),
    "retries": RoutedNetwork(Hypercube(2), RouterOptions(width=16, switching="circuit", setup_retry=5)),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_packets_in_the_simulator_of_amaranth(name):
    """A packet of three words from each port to each port arrives, with its sender."""
    network = NETWORKS[name]
    ports = range(network.endpoints)
    sent = [
        [
            {"data": 1000 * port + 10 * other + word, "last": word == 2, "destination": other}
            for other in [*ports[port:], *ports[:port]]
            for word in range(3)
        ]
        for port in ports
    ]
    arrived = packets_through(PacketNetwork(network), sent)
    for port in ports:
        words = arrived[port]
        packets = [words[first : first + 3] for first in range(0, len(words), 3)]
        assert sorted(packet[0]["data"] for packet in packets) == [1000 * other + 10 * port for other in ports]
        for packet in packets:
            first = packet[0]["data"]
            sender = first // 1000 // network.processor_ports
            assert packet == [{"data": first + word, "last": word == 2, "source": sender} for word in range(3)]


def test_bytes_in_the_simulator_of_amaranth():
    """Between ports of 8 and 32 bits, with the byte that counts, TUSER, and a packet that is stored."""
    streams = StreamOptions(byte_exact=True, port_widths=(8, 32), user_bits=3, store_packets=5)
    packets = PacketNetwork(RoutedNetwork(Hypercube(1), RouterOptions(width=16)), streams=streams)
    assert {name: len(packets.send[1].payload[name]) for name in packets.send[1].payload.shape().members} == {
        "data": 32, "last": 1, "keep": 4, "user": 3, "destination": 1,
    }  # fmt: skip
    narrow = [
        {"data": byte, "last": byte == 5, "keep": 1, "user": 4 * (byte == 5), "destination": 1} for byte in range(1, 6)
    ]
    wide = [{"data": 0x030201, "last": 1, "keep": 0b111, "user": 1, "destination": 0}]
    wide += [{"data": 0, "last": last, "keep": 15, "user": 0, "destination": 0} for last in (0, 0, 1)]  # too long
    first, second = packets_through(packets, [narrow, wide])
    assert second == [
        {"data": 0x04030201, "last": 0, "keep": 15, "user": 0, "source": 0},
        {"data": 0x05, "last": 1, "keep": 1, "user": 4, "source": 0},
    ]
    assert [(word["data"], word["last"], word["user"], word["source"]) for word in first] == [
        (1, 0, 0, 1), (2, 0, 0, 1), (3, 1, 1, 1),
    ]  # fmt: skip
    assert {"unknown_count", "too_long_count", "empty_count", "bad_keep_count"} < packets.signature.members.keys()


def test_counts_of_a_packet_network():
    """A packet to no port is dropped, and counted at the port that has sent it."""
    packets, found = PacketNetwork(RoutedNetwork(FatCube(1, 3), RouterOptions(width=16))), []
    sim = Simulator(packets)
    sim.add_clock(1e-6)

    async def send(ctx):
        words = packets.send[4]
        ctx.set(words.payload, {"data": 1, "last": 1, "destination": 7})
        ctx.set(words.valid, 1)
        await ctx.tick().until(words.ready)
        await ctx.tick().repeat(3)
        found.extend(ctx.get(count) for count in packets.unknown_count)

    sim.add_testbench(send)
    sim.run()
    assert found[:4] == [0] * 4 and found[4] > 0 and found[5] == 0


@pytest.mark.parametrize("embedded", [True, False])
def test_a_fabric_in_the_simulator_of_amaranth(embedded):
    """Two in one design are apart: a flit in one of them never comes out of the other."""
    network = RoutedNetwork(Hypercube(1), RouterOptions(width=16))
    shared = Fabric(network).shared()
    m, seen = Module(), []
    one, other = (Embedded(shared) if embedded else shared.copy() for _ in range(2))
    m.submodules += one, other
    sim = Simulator(m)
    sim.add_clock(1e-6)

    async def test(ctx):
        send = one.processors[0][0].send
        ctx.set(send.payload, {"data": network.routes(0, 1)[0], "last": 1})
        ctx.set(send.valid, 1)
        for _ in range(20):
            _, _, *values = await ctx.tick().sample(*(fabric.processors[1][0].receive.valid for fabric in (one, other)))
            seen.append(tuple(values))

    sim.add_testbench(test)
    sim.run()
    assert (1, 0) in seen and all(values[1] == 0 for values in seen)


def test_a_large_network_is_elaborated_with_a_warning():
    with pytest.warns(UserWarning, match="^25 routers are elaborated one by one for Amaranth's simulator"):
        Fragment.get(Fabric(RoutedNetwork(Mesh(w=5, d=2))), None)


def test_what_is_only_an_instance_is_refused():
    """Not ignored, as Amaranth's simulator does with instances."""
    node = Shared(Knocker(), "knocker").copy()
    with pytest.raises(ParameterError, match="^platform must be given for a design with knocker, which is an instance"):
        Fragment.get(node, None)


def test_packets_stand_on_a_board():
    """The platform gets the Verilog of the network, whose clock is that of the design."""

    class Top(Elaboratable):
        def elaborate(self, platform):
            m = Module()
            m.submodules.echo = module("packets").Echo()
            return m

    files = dict(ULX3S_85F_Platform().prepare(Top(), "top", emit_src=False).files)
    assert "module axi_network(" in files["axi_network.v"]
    [instance] = re.findall(r"cell \\axi_network.*?\n  +end", files["top.il"], re.DOTALL)
    assert re.search(r"connect \\aclk \\\S*clk\b", instance)
