"""The JSON beside a network: its ports are those of the Verilog, and its routes lead to their destinations."""

import json
import re

import pytest

from fatcube.noc.descriptions.network_file import network_json
from fatcube.noc.fabric import Fabric
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.topologies.grids import Mesh
from fatcube.noc.verilog import to_verilog
from fatcube.rtl.router_options import RouterOptions
from tests.support.commands import run
from tests.support.networks import IRREGULAR
from tests.support.verilog_ports import verilog_ports


@pytest.mark.parametrize(
    "network",
    [Network(FatCube(1, 2)), RoutedNetwork(Mesh(w=3, d=2)), RoutedNetwork(IRREGULAR, addressing="destination")],
    ids=str,
)
def test_ports_are_those_of_the_verilog(network):
    shared = Fabric(network, name="top").shared()
    text = to_verilog(shared)
    found = network_json(network, shared)
    assert found == json.loads(json.dumps(found))
    declared = verilog_ports(text, shared.name)
    assert {port["name"]: (port["direction"], port["bits"]) for port in found["ports"]} == declared
    assert all(port["meaning"] for port in found["ports"])
    assert found["top"] == "top"


def test_routes_and_links():
    """The route in the file from processor 0 of a fat cube to processor 5 on node 2, followed by hand."""
    network = RoutedNetwork(FatCube(2, 2, 2), RouterOptions(width=40))
    found = network_json(network, Fabric(network).shared())
    [route] = found["routing"]["routes"][1][5]
    low = {field["field"]: (field["low"], field["bits"]) for field in found["header"]}
    first, second = (
        int(route, 16) >> low[f"selector of router {number}"][0] & (1 << low[f"selector of router {number}"][1]) - 1
        for number in (0, 1)
    )
    outputs = [port["output"] for port in found["router"]["inputs_and_outputs"]]
    assert outputs[first] == "channel1_lane1_out"  # the lane of processor 1
    assert {"node": 0, "channel": 1, "to": 2, "channel_there": 1, "lanes": 2} in found["links"]
    assert outputs[second] == "processor1_receive0"
    assert found["processors"][5] == {"processor": 5, "node": 2, "local": 1}
    assert (found["latency"], found["interface_latency"]) == ("H + L - 1", None)
    assert found["deadlock"] is None


def test_beside_the_verilog(monkeypatch, capsys, tmp_path):
    output = tmp_path / "net.v"
    arguments = [
        "generate",
        "network",
        "--topology",
        "mesh",
        "-w",
        "2",
        "-d",
        "2",
        "--routing",
        "up-down",
        "-o",
        output,
    ]
    assert run(monkeypatch, capsys, *arguments)[0] == 0
    found = json.loads((tmp_path / "net.json").read_text())
    assert (found["format"], found["routing"]["name"]) == ("fatcube.network/1", "up-down")
    assert "Routing: up-down, routes of at most 2 links." in output.read_text()
    status, _, err = run(monkeypatch, capsys, *arguments[:-1], tmp_path / "net.json")
    assert status == 2 and "output must not end in .json" in err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-d", 2, "--routing", "none"], "1 link"),
        (["-d", 3, "--routing", "none", "--hops", 2, "--for-schedules-only"], "2 links"),
        (["-d", 1, "--routing", "none"], None),
        (["-d", 2, "--routing", "none", "--hops", 2, "--for-schedules-only"], None),
        (["-d", 2, "--routing", "default"], None),
        (["-d", 2], None),
    ],
)
def test_a_network_whose_packets_cannot_reach_all_processors_is_remarked(
    monkeypatch, capsys, tmp_path, arguments, told
):
    status, out, err = run(
        monkeypatch, capsys, "generate", "network", *arguments, "-o", tmp_path / "net.v", "--dry-run"
    )
    assert status == 0 and "can be generated" in out
    rest = "in this network; with --routing default, packets are routed between all processors"
    assert err == (f"packets cross at most {told} {rest}\n" if told else "")


def test_an_interface_brings_the_default_routing(monkeypatch, capsys, tmp_path):
    """An option that only a network with a routing has implies the default routing."""
    options = ["--topology", "ring", "-n", 4, "--virtual-channels", 4, "--buffer-depth", 3]
    output = tmp_path / "net.v"
    status, _, err = run(
        monkeypatch,
        capsys,
        "generate",
        "network",
        *options,
        "--interface",
        "axi4-stream",
        "--message-classes",
        2,
        "-o",
        output,
    )
    assert (status, err) == (0, "")
    found = json.loads((tmp_path / "net.json").read_text())
    assert (found["routing"]["name"], found["parameters"]["message_classes"]) == ("dateline", 2)
    assert sum(bool(re.fullmatch(r"s_axis_\d+_tdata", port["name"])) for port in found["ports"]) == 4 * 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["network", "-d", "1", "--routing", "none", "--lanes", "fixed"],
            "--lanes requires a routing, not --routing none",
        ),
        (
            ["network", "-d", "1", "--routing", "none", "--addressing", "route"],
            "--addressing requires a routing, not --routing none",
        ),
        (
            ["network", "--topology", "torus", "-w", "4", "-d", "1", "--routing", "default", "--virtual-channels", "1"],
            "virtual channels must be",
        ),
        (["network", "-d", "1", "--routing", "magic"], "routing must be one of none, default,"),
    ],
)
def test_refused(monkeypatch, capsys, arguments, message):
    status, _, err = run(monkeypatch, capsys, "generate", *arguments)
    assert status == 2
    assert message in err and err.count("\n") == 1
