"""The example of an Amaranth design with a network in it, docs/examples/knock.py."""

import importlib.util
from pathlib import Path

from amaranth.hdl import Elaboratable, Module
from amaranth_boards.ulx3s import ULX3S_85F_Platform
import pytest

from noc.embedded import Embedded
from noc.fabric import Fabric
from noc.shared import Shared
from noc.verilog import to_verilog
from synth.place_and_route import pack, place_and_route
from tests.support.cocotb_runs import built_verilog

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "knock.py"


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("knock", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_works(example, tmp_path):
    fabric = Fabric(example.NETWORK).shared()
    design = Shared(example.Knock(fabric.copy(), settle=3), "system", uses=[fabric])
    built_verilog(to_verilog(design), tmp_path).run("tests.support.knocking", tmp_path, {})


@pytest.mark.long
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
