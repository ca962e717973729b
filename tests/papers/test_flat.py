"""Table 6 on the Verilog that is shipped: cells of every router model, planted errors, and where F + 4 comes from."""

import copy
import json
from pathlib import Path
import re
import shutil

import pytest
from rich.console import Console

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.machines.wires import PortWire
from fatcube.papers.fat_cube import reproduce
from fatcube.papers.fat_cube.flat import MEASURED, differences, reproduce_flat, stored_cells
from fatcube.rtl.endpoint.monitor import TraceEntry
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import best
from fatcube.schedules.problem import Problem
from fatcube.sim.builds import build as builds
from fatcube.sim.builds.observe import observe
from fatcube.sim.builds.words import unpacker
from fatcube.sim.collectives import simulate
from fatcube.sim.collectives.simulate import Run, fitting_machine, jobs_of
from tests.support.commands import run

RESULTS = Path(__file__).parents[2] / "synth_reports"
ICARUS = pytest.mark.skipif(shutil.which("iverilog") is None, reason="Icarus Verilog (iverilog) is not installed")
NETWORKS = reproduce.networks_of_table_6()
SMALL = NETWORKS["FC", "1"]


def all_differences(name, ports, simulator):
    stored = stored_cells(RESULTS)
    cells = reproduce.run_network(name, ports, NETWORKS[name, ports], simulator)
    assert cells
    return [one for cell in cells for one in differences(simulator, cell, stored[name, ports, cell["collective"]])]


@pytest.mark.xdist_group("flat")
@pytest.mark.parametrize(
    ("name", "ports", "simulator"),
    [
        ("FC", "1", "verilator-flat"),
        ("FC", "b", "verilator-flat"),
        ("HC", "d", "verilator-flat"),
        ("HC", "*", "verilator-flat"),  # The same hardware as the one before, and so the same build.
        pytest.param("FC", "1", "icarus", marks=ICARUS),
    ],
)
def test_cells(monkeypatch, name, ports, simulator):
    """The cells of each router model, and two on Icarus, which takes its time: counters, and memories word by word."""
    if simulator == "icarus":
        monkeypatch.setattr(reproduce, "_COLLECTIVES", (Collective.OAB, Collective.OAS))
    assert all_differences(name, ports, simulator) == []


@pytest.mark.xdist_group("flat")
@pytest.mark.long(stays="tests/papers/test_flat.py::test_cells[FC-1-verilator-flat]")
def test_all_cells(capsys):
    assert reproduce_flat(RESULTS, jobs=1, console=Console(width=200)) == []
    simulators = ["verilator-flat", *(["icarus"] if shutil.which("iverilog") else [])]
    said = f"32 cells run on the Verilog of `fatcube generate system` with {' and '.join(simulators)}, {6480 * len(simulators)} messages "
    out = capsys.readouterr().out
    assert said in out and "; 0 problems." in out and out.count("│ same") == 32 * len(simulators)


def test_what_is_compiled_is_what_the_command_writes(monkeypatch, capsys, tmp_path):
    """Catches a simulation of other Verilog than users get: the netlist that Yosys writes, or another machine."""
    compiled = []
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(builds, "_compile_with_icarus", lambda source, folder: compiled.append(source.read_text()))
    monkeypatch.setattr(builds, "_icarus_version", lambda: "a version")
    monkeypatch.setattr(builds.shutil, "which", lambda name: f"/bin/{name}")
    builds.build(fitting_machine(SMALL), simulator="icarus")
    assert run(monkeypatch, capsys, *"generate system -d 2 -m 2 --ports one -o".split(), tmp_path / "system.v")[0] == 0
    [text] = compiled
    comment = (tmp_path / "system.v").read_text().removesuffix(text)
    assert text.startswith("/* verilator") and all(line.startswith("//") for line in comment.splitlines())


def in_one_node(text, module, old, new):
    """The system with another ``module`` in the router of node 0, and in no other."""
    names = ("node", "fat_node_router", module)
    others = ""
    for name in names:
        found = re.search(rf"^module {name}\(.*?^endmodule\n", text, re.M | re.S)
        assert found is not None
        body = found[0].replace(f"module {name}(", f"module other_{name}(")
        for child in names:
            body = re.sub(rf"^  {child} (\w+) \(", rf"  other_{child} \1 (", body, flags=re.M)
        if name == module:
            assert old in body
            body = body.replace(old, new)
        others += body
    assert text.count("  node node0 (") == 1
    return text.replace("  node node0 (", "  other_node node0 (") + others


def wrong_program(plans):
    """Processor 0 sends its first two packets in the other order."""
    for plan in plans:
        one, other, *_ = [entry for entry in plan.programs[0][0] if entry.send]
        one.header, other.header = other.header, one.header
    return plans


BUGS = {
    "select": (
        lambda text: in_one_node(text, "system_crossbar", "{32{select2[0]}}", "{32{1'h0}}"),
        "OAS: ",
        "differs in ",
    ),
    "cycles": (
        lambda text: text.replace("cycles <= 32'h0;", "cycles <= 32'hffffffff;"),
        "OAS: cycles is 139, stored as 140",
    ),
    "flits": (
        lambda text: in_one_node(text, "system_router_counters", "flit_count <= 32'h0;", "flit_count <= 32'hffffffff;"),
        "OAS: router of node 0: it counted 118 flits, and the monitors of its outputs 119",
    ),
    "steps": (
        lambda text: text.replace("steps <= 16'h0;", "steps <= 16'hffff;"),
        "OAS: printed 7 steps, measured 6",
    ),
    "program": (None, "OAS: "),
}


@ICARUS
@pytest.mark.parametrize("bug", BUGS)
def test_planted_bugs(monkeypatch, tmp_path, bug):
    """A wrong program in one node, a select of one router that is stuck, and counters that count one too few."""
    change, *said = BUGS[bug]
    monkeypatch.setattr(reproduce, "_COLLECTIVES", (Collective.OAS,))
    if change is None:
        right = simulate.plans_of
        monkeypatch.setattr(
            simulate, "plans_of", lambda machine, runs: wrong_program(copy.deepcopy(right(machine, runs)))
        )
    else:
        monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path))
        right = builds.to_verilog

        def changed(shared):
            text = right(shared)
            assert change(text) != text
            return change(text)

        monkeypatch.setattr(builds, "to_verilog", changed)
    found = all_differences("FC", "1", "icarus")
    assert found and all(one.startswith("icarus: Table 6, FC, model 1, OAS: ") for one in found), found
    assert all(any(text in one for one in found) for text in said), found


@pytest.mark.parametrize("field", MEASURED)
def test_any_measurement_that_differs_is_named(field):
    """Catches a comparison that looks at cycles only."""
    cell = stored_cells(RESULTS)["HC", "d", "AAS"]
    assert differences("icarus", cell, cell) == []
    other = cell | {field: cell[field] + 1}
    assert differences("icarus", other, cell) == [
        f"icarus: Table 6, HC, model d, AAS: {field} is {other[field]}, stored as {cell[field]}"
    ]


def test_there_must_be_a_stored_table(tmp_path):
    file = tmp_path / "reproduce.json"
    must = f"{file} must have the 32 cells of Table 6 for --flat, as `fatcube reproduce` writes them, not"

    def refused():
        with pytest.raises(ParameterError) as error:
            stored_cells(tmp_path)
        return str(error.value)

    assert refused() == f"{must} nothing (No such file or directory)"
    for damage in ("", "[]", '{"table_6": 1}', '{"table_6": [{}]}'):
        file.write_text(damage)
        assert refused() == f"{must} other JSON"
    stored = json.loads((RESULTS / "reproduce.json").read_text(encoding="utf-8"))
    file.write_text(json.dumps({**stored, "table_6": stored["table_6"][1:]}))
    assert refused() == f"{must} 31"
    del stored["table_6"][0]["measured"]["tau"]
    file.write_text(json.dumps(stored))
    assert refused() == f"{must} 32 that lack measurements"


def test_steps_take_f_and_4_cycles_in_the_stored_table():
    for where, cell in stored_cells(RESULTS).items():
        assert cell["cycles"] == cell["steps"] * (cell["payload_flits"] + 4), where
        assert (round(cell["tau"], 9), round(cell["t_c"], 9)) == (4, 1), where


def test_steps_take_f_and_4_cycles_in_the_hardware():
    """The cycle in which each packet has arrived, as the monitors of the receiving ports have written it down.

    A packet through two routers is there F + 2 cycles after its step began, and the barrier takes two more; one within
    a node is there a cycle sooner, and its step is as long.
    """
    schedule = best(Problem(SMALL.topology, "1", "AAS")).schedule.expanded()
    machine = fitting_machine(SMALL)
    runs = [Run(schedule=schedule, payload_flits=length) for length in (4, 8, 16)]
    seen = observe(builds.build(machine), jobs_of(machine, runs), ends=("finished", "steps", "cycles"))
    routers = {(one.dst, one.step): 1 if one.lane is None else 2 for one in schedule.transfers}
    assert set(routers.values()) == {1, 2}
    unpack = unpacker(TraceEntry(32))
    for one, observation in zip(runs, seen, strict=True):
        assert observation.ends["cycles"] == schedule.steps * (one.payload_flits + 4)
        arrived = {
            (SMALL.topology.processors_of(wire.node)[wire.processor], entry.step): entry.cycle
            for wire, trace in zip(machine.wires, observation.traces, strict=True)
            if isinstance(wire, PortWire) and wire.way == "receive"
            for entry in map(unpack, trace)
        }
        assert arrived == {
            (processor, step): (step - 1) * (one.payload_flits + 4) + one.payload_flits + crossed
            for (processor, step), crossed in routers.items()
        }
