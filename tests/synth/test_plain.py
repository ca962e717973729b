"""Verilog as a user synthesizes it, held against our reports and against the head of the file."""

import functools
from pathlib import Path
import re

import pytest

from fatcube.groundwork import yosys
from fatcube.noc.fabric import shared_router
from fatcube.noc.network import Network
from fatcube.noc.shared import port_bits
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.verilog import to_verilog
from fatcube.rtl.router import FatNodeRouter
from fatcube.rtl.router_options import RouterOptions
from fatcube.synth.families import FAMILIES
from fatcube.synth.mapping import Design
from fatcube.synth.measure import measure_area
from fatcube.synth.plain import SCRIPTS, plain_area, script_area
from tests.support.cases import some
from tests.support.commands import run

TOP = "fat_node_router"
FIVE = Network(FatCube(2, 3), RouterOptions(turns="forward"))
EIGHT = Network(FatCube(4, 4), RouterOptions(turns="forward", width=18))


@functools.cache
def verilog(network):
    return to_verilog(shared_router(network))


@functools.cache
def ours(network, name):
    design = Design.of(FatNodeRouter(network.router()), name=TOP)
    return measure_area(design, family=FAMILIES[name]).comb_equivalents


@functools.cache
def plain(network, name):
    return plain_area(verilog(network), TOP, family=FAMILIES[name]).comb_equivalents


@functools.cache
def script(network, name):
    if FAMILIES[name].small == FAMILIES[name].plain:
        return plain(network, name)
    return script_area(verilog(network), TOP, family=FAMILIES[name]).comb_equivalents


def test_there_is_a_script_for_every_fpga():
    assert SCRIPTS == ("ecp5", "ice40", "xilinx", "gowin")


@pytest.mark.parametrize("name", some(SCRIPTS, [1]))
def test_the_script_takes_what_is_reported(name):
    assert script(FIVE, name) == pytest.approx(ours(FIVE, name), rel=0.05)


@pytest.mark.parametrize(
    ("name", "most"),
    [
        *some(
            [("ecp5", 1.15), ("ice40", 1.15), ("xilinx", 1.15)],
            (),
            stays="tests/synth/test_plain.py::test_the_script_takes_what_is_reported",
        ),
        pytest.param(
            "gowin",
            1.15,
            marks=[
                pytest.mark.long(stays="tests/synth/test_plain.py::test_the_script_takes_what_is_reported"),
                pytest.mark.xfail(
                    strict=True, reason="synth_gowin joins LUTs to wider ones on the slowest paths: 37 % more"
                ),
            ],
        ),
    ],
)
def test_the_plain_command_takes_little_more(name, most):
    """Catches selectors that are kept whole, of which synth_ecp5 and synth_gowin make LUTs of seven inputs."""
    assert plain(FIVE, name) <= most * ours(FIVE, name)


@pytest.mark.long(stays="tests/synth/test_plain.py::test_the_manual_gives_these_areas")
def test_selectors_with_logic_behind_them_are_not_taken_apart():
    assert plain(EIGHT, "ecp5") <= 1.15 * ours(EIGHT, "ecp5")


@pytest.mark.parametrize("name", some(SCRIPTS, [1]))
def test_the_manual_gives_these_areas(name):
    page = (Path(__file__).parents[2] / "docs" / "tasks" / "flows.md").read_text(encoding="utf-8")
    found = re.search(rf"^\| `synth_{name}` \| (\d+) \| (\d+) \|", page, re.MULTILINE)
    assert int(found[1]) == pytest.approx(plain(FIVE, name), rel=0.05)
    assert int(found[2]) == pytest.approx(script(FIVE, name), rel=0.05)


@pytest.mark.parametrize("network", some([FIVE, EIGHT], [0]))
def test_only_the_top_has_pads(network):
    """synth_gowin puts them at every module that is kept; nothing of that could be placed."""
    log = yosys.run(
        # As in synth_gowin, which has mapped everything before.
        [
            "read_verilog design.v",
            f"hierarchy -top {TOP}",
            "proc",
            "flatten",
            "iopadmap -bits -inpad IBUF O:I -outpad OBUF I:O",
            "setattr -mod -unset keep_hierarchy *",
            "flatten",
            f"select -count {TOP}/t:IBUF",
            f"select -count {TOP}/t:OBUF",
        ],
        files={"design.v": verilog(network)},
    ).log
    inputs, outputs = port_bits(FatNodeRouter(network.router()).signature)
    assert [int(count) for count in re.findall(r"(\d+) objects", log)] == [inputs + 2, outputs]


def test_the_script_runs_where_it_was_written(monkeypatch, capsys, tmp_path):
    path = tmp_path / "router.v"
    arguments = ["router", "-m", 1, "--width", 8, "-o", path, "--script", "ecp5", "--script", "gowin"]
    assert run(monkeypatch, capsys, "generate", *arguments)[0] == 0
    assert {file.name for file in tmp_path.iterdir()} == {
        "router.v",
        "router.json",
        "router.ecp5.ys",
        "router.gowin.ys",
    }
    for name in ("ecp5", "gowin"):
        lines = (tmp_path / f"router.{name}.ys").read_text().splitlines()
        netlist = f"router.{name}.json"
        finished = yosys.run(lines, files={"router.v": path.read_text()}, outputs=[netlist])
        assert f'"{TOP}"' in finished.outputs[netlist]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["-o", "router.v", "--script", "gates"],
            "family of a script must be one of ecp5, ice40, xilinx, gowin, not 'gates'",
        ),
        (
            ["--script", "ecp5"],
            "--script ecp5 requires a file for the Verilog (-o)",
        ),
    ],
)
def test_what_can_have_no_script_is_refused(monkeypatch, capsys, tmp_path, arguments, message):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(monkeypatch, capsys, "generate", "router", *arguments)
    assert (status, out, err) == (2, "", f"fatcube: {message}\n")
    assert not list(tmp_path.iterdir())
