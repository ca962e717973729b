"""The examples of Amaranth designs with a network in them, docs/examples, and what docs/tasks/amaranth.md promises."""

import importlib.util
from pathlib import Path
import re

from amaranth.hdl import Elaboratable, Module
from amaranth_boards.ulx3s import ULX3S_85F_Platform
import pytest

from groundwork.validation import ParameterError
from noc.embedded import Embedded, PacketNetwork
from noc.fabric import Fabric
from noc.network import Network
from noc.routed_network import RoutedNetwork
from noc.shared import Shared
from noc.topologies.cubes import Hypercube
from noc.verilog import to_verilog
from rtl.router_options import RouterOptions
from synth.place_and_route import pack, place_and_route
from tests.support.cocotb_runs import built_verilog

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"


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
    assert len(packets.send) == len(packets.receive) == 8
    send, receive = packets.send[7].payload, packets.receive[0].payload
    assert {name: len(send[name]) for name in send.shape().members} == {"data": 16, "last": 1, "destination": 3}
    assert {name: len(receive[name]) for name in receive.shape().members} == {"data": 16, "last": 1, "source": 2}
    with pytest.raises(ParameterError, match="^routing must be given"):
        PacketNetwork(Network(Hypercube(2)))


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
