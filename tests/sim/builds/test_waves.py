"""Waves: of the nodes that are asked for, and what they show is what crossed the wires."""

import json

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.sim.builds import verilator
from fatcube.sim.collectives.plan import compile_schedule
from fatcube.sim.collectives.simulate import Run, fitting_machine, payload_of, simulate_all
from tests.support.commands import run
from tests.support.vcd import read_vcd

CUBE = FatCube(2, 1, 1)
NETWORK = Network(CUBE, RouterOptions(ports="d", width=16))
MACHINE = fitting_machine(NETWORK, probes=True)
RUN = Run(schedule=construct(Problem(CUBE, "d", "OAB")).found.expanded(), payload_flits=4)

pytestmark = pytest.mark.xdist_group("waves")


def test_last_node_shows_what_it_received(tmp_path):
    """Catches waves of the first node only, of a cycle too early or too late, and fields in the wrong bits."""
    file = tmp_path / "waves.vcd"
    [result] = simulate_all(MACHINE, [RUN], waves=file, waves_of=[0, 3])
    plain = fitting_machine(NETWORK)
    assert simulate_all(plain, [RUN]) == [result]

    plan = compile_schedule(RUN.schedule, NETWORK)
    [loaded] = payload_of(MACHINE, RUN, plan, 0).values()
    [last] = [delivery for delivery in plan.final if delivery.processor == CUBE.processors - 1]
    probe = f"node3.node.processor0_receive{last.bank}"
    signals = {name: f"{probe}.{name}" for name in ("crosses", "flit", "is_header", "is_last", "message")}
    seen, names = read_vcd(file, {*signals.values(), "node3.clk"})
    # A cycle is 2 ns, the clock is high in the first of them.
    assert all(values["node3.clk"] == (time + 1) % 2 for time, values in seen.items())
    flits = [
        tuple(values[signals[name]] for name in ("flit", "is_header", "is_last", "message"))
        for time, values in seen.items()
        if time % 2 == 0 and values[signals["crosses"]]
    ]
    header, *words = flits
    assert header[1:] == (1, 0, plan.messages.index(last.message))
    assert words == [(word, 0, index == RUN.payload_flits - 1, 0) for index, word in enumerate(loaded)]
    # Both nodes are in it whole, and no other: routers, their inputs, processors, and a probe on every stream.
    nodes = {name.split(".")[0] for name in names if name.startswith("node")}
    assert nodes == {"node0", "node3"}
    for node in nodes:
        for name in ("router.input0.buffer", "router.allocator", "processor0.sender1", "channel1_lane0_in"):
            assert any(signal.startswith(f"{node}.node.{name}.") for signal in names), name


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--waves no/such/folder/w.vcd", "output must be in a folder that exists, not no/such/folder/w.vcd"),
        ("--waves w.vcd --waves-nodes 4", "waves node must be an integer from 0 to 3, not 4"),
        ("--waves w.vcd --simulator verilator-flat", "simulator must be verilator for waves, not 'verilator-flat'"),
        ("--waves-nodes 1", "--waves-nodes requires --waves"),
        (
            "--waves w.vcd --json w.vcd",
            "output must be a different file from all others that are read or written, not w.vcd",
        ),
    ],
)
def test_refused(monkeypatch, capsys, arguments, message):
    status, out, err = run(monkeypatch, capsys, "simulate", "-c", "OAB", "-d", "2", *arguments.split())
    assert (status, out, err) == (2, "", f"fatcube: {message}\n")


def test_the_library_is_compiled_once():
    """Catches half a minute of compiling over again: what waves need stands beside what all simulators need."""
    [plain] = verilator.library(waves=False)
    [shared, waves] = verilator.library(waves=True)
    assert shared == plain and [path.name for path in waves.iterdir()] == ["verilated_vcd_c.o"]


def test_machine_without_probes(tmp_path):
    with pytest.raises(ParameterError, match="^waves must be of a machine with probes, simulated with verilator$"):
        simulate_all(fitting_machine(NETWORK), [RUN], waves=tmp_path / "w.vcd")


def test_command(monkeypatch, capsys, tmp_path):
    """The results are those of a run without waves, which the file has beside them."""
    file, record = tmp_path / "w.vcd", tmp_path / "r.json"
    arguments = ["-c", "OAB", "-d", "2", "--ports", "d", "--width", "16", "--payload-flits", "4", "--mode", "lockstep"]
    told = ["--waves", str(file), "--waves-nodes", "1", "--json", str(record)]
    status, out, err = run(monkeypatch, capsys, "simulate", *arguments, *told)
    assert status == 0 and f"waves of node 1 are in {file}" in err + out
    _, names = read_vcd(file, set())
    assert any(name.startswith("node1.") for name in names)
    assert json.loads(record.read_text())["measured"]["runs"][0]["cycles"] == 16
