"""The JSON beside a router and a system: the ports are those of the Verilog, and docs/reference/network-files.md names every key."""

import json
from pathlib import Path

import pytest

from fatcube.noc.descriptions.router_file import router_json
from fatcube.noc.descriptions.system_file import system_json
from fatcube.noc.fabric import shared_router
from fatcube.noc.machines.system import System
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.topologies.grids import Torus
from fatcube.noc.verilog import to_verilog
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.collectives.simulate import fitting_machine
from tests.support.commands import run
from tests.support.verilog_ports import verilog_ports

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "network-files.md"


def router(network):
    """The description of a router, and the component that it is of."""
    shared = shared_router(network, counters=True, name="top")
    return router_json(network, shared), shared


def system(network):
    """The files of a system."""
    machine = fitting_machine(network)
    shared = System(machine, name="top").shared()
    return system_json(machine, shared), shared


CASES = [
    pytest.param(router, Network(FatCube(1, 2)), id="router"),
    pytest.param(router, Network(FatCube(1, 2), RouterOptions(ports="b")), id="router that copies"),
    pytest.param(router, RoutedNetwork(Torus(w=4, d=1), addressing="destination"), id="router with tables"),
    pytest.param(
        router,
        Network(FatCube(1, 2), RouterOptions(switching="circuit", setup_retry=9)),
        id="router with circuits",
    ),
    pytest.param(system, Network(FatCube(1, 2)), id="system"),
]


@pytest.mark.parametrize(("make", "network"), CASES)
def test_ports_are_those_of_the_verilog(make, network):
    found, shared = make(network)
    assert found == json.loads(json.dumps(found))
    declared = verilog_ports(to_verilog(shared), shared.name)
    assert {port["name"]: (port["direction"], port["bits"]) for port in found["ports"]} == declared
    assert all(port["meaning"] for port in found["ports"])


@pytest.mark.parametrize(("make", "network"), CASES)
def test_every_key_is_described(make, network):
    text = PAGE.read_text(encoding="utf-8")
    found, _ = make(network)
    keys = {*found, *found.get("lanes", ()), *found.get("example", ()), *found.get("host", ())}
    assert [key for key in keys if f"`{key}`" not in text] == []


@pytest.mark.parametrize("what", ["router", "system"])
def test_it_stands_beside_the_verilog(monkeypatch, capsys, tmp_path, what):
    arguments = ["generate", what, "-d", 1, "-m", 2]
    said = f"Written to {tmp_path / 'it.v'}, {tmp_path / 'it.json'}\n"
    assert run(monkeypatch, capsys, *arguments, "-o", tmp_path / "it.v") == (0, said, "")
    assert json.loads((tmp_path / "it.json").read_text())["format"] == f"fatcube.{what}/1"
    status, _, err = run(monkeypatch, capsys, *arguments, "-o", tmp_path / "it.json")
    assert status == 2 and f"output must not end in .json, as the description of the {what} does" in err
    status, _, err = run(monkeypatch, capsys, *arguments, "--with", "cocotb")
    assert (status, err.count("\n")) == (2, 1) and "--with cocotb requires a file for the Verilog (-o)" in err


@pytest.mark.parametrize(
    ("made", "topology", "links"),
    [
        (["-d", 2, "-m", 2, "--ports", "d"], FatCube(2, 2), "full-duplex"),
        (["--topology", "torus", "-w", 4, "-d", 1], Torus(w=4, d=1), "full-duplex"),
        (["-d", 2, "--links", "half-duplex"], FatCube(2), "half-duplex"),
        (["-d", 2, "-f", 4, "--links", "simplex"], FatCube(2, 1, 2), "full-duplex"),
    ],
    ids=str,
)
def test_a_schedule_file_defines_the_network(monkeypatch, capsys, tmp_path, made, topology, links):
    """As in `simulate --schedule`, which runs it on the same machine."""
    file, found = tmp_path / "mine.json", []
    assert run(monkeypatch, capsys, "schedule", "-c", "OAB", *made, "-o", file)[0] == 0
    for place in ("generate.system.System", "simulate.simulate_all"):
        monkeypatch.setattr(f"fatcube.cli.{place}", lambda machine, *rest, **more: found.append(machine) or stop())
    some = ["--buffer-depth", 3, "--schedule", file]
    with pytest.raises(Stopped):
        run(monkeypatch, capsys, "generate", "system", *some, "-o", tmp_path / "s.v")
    with pytest.raises(Stopped):
        run(monkeypatch, capsys, "simulate", *some, "--payload-flits", 8)
    made, simulated = found
    assert made.network == simulated.network
    assert (made.network.topology, made.network.options.links) == (topology, links)
    assert made.network.options.buffer_depth == 3


class Stopped(BaseException):
    """Nothing further is of interest."""


def stop():
    raise Stopped


@pytest.mark.parametrize(("option", "value"), [("-d", 1), ("--topology", "ring"), ("--ports", "d")])
def test_what_a_schedule_file_defines_is_refused(monkeypatch, capsys, tmp_path, option, value):
    status, _, err = run(
        monkeypatch, capsys, "generate", "system", option, value, "--schedule", "s.json", "-o", tmp_path / "s.v"
    )
    message = f"{option} must be left out with the schedule file s.json, which defines it, not"
    assert status == 2 and err.startswith(f"fatcube: {message}") and err.count("\n") == 1
