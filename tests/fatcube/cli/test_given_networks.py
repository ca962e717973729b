"""Network files of `explore` and `compare`: what is fixed and what is searched, and networks with their own routers side by side."""

import json
from pathlib import Path
import re

import pytest

from fatcube.cli.given_networks import network_in
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.step_model import StepModel
from fatcube.sim.traffic.load import LoadTest
from fatcube.sim.traffic.load_options import LoadOptions
from fatcube.sim.traffic.saturation import saturation
from fatcube.studies.compare import compare, compare_given
from fatcube.studies.comparison import GivenNetwork, Steps
from tests.support.commands import run

HEAD = 'format = "fatcube.network-file/1"\n'
CUBE = 'topology = "fat-cube"\nd = 2\nm = 4\nf = 2\n'


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """The current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def explored(monkeypatch, capsys, *arguments):
    """The output and the record of `explore`."""
    status, out, err = run(monkeypatch, capsys, "explore", *arguments, "--json", "found.json", "--wide")
    assert status == 0, err
    return out, json.loads(Path("found.json").read_text())


def write(name, text):
    Path(name).write_text(HEAD + text)
    return name


# Explore


def test_a_file_fixes_a_part_of_the_search(monkeypatch, capsys, folder):
    """The choices are those of all networks that have the topology and the model of routers."""
    _, every = explored(monkeypatch, capsys, "--processors", 16, "--workload", "allgather")
    assert every["measured"]["configurations"] > 4 and "fixed" not in every["parameters"]
    out, one = explored(monkeypatch, capsys, write("soc.toml", CUBE), "--workload", "allgather")
    fixed = FatCube(2, 4, 2).to_json()
    assert one["measured"]["configurations"] == 4
    assert one["parameters"]["fixed"] == {"topology": fixed} and one["parameters"]["processors"] == 16
    assert {json.dumps(choice["topology"]) for choice in one["measured"]["front"]} == {json.dumps(fixed)}
    assert out.startswith("1 x AAB, 16 payload flits, 16 processors, ecp5, fat cube d = 2, m = 4, f = 2: ")
    out, model = explored(monkeypatch, capsys, write("d.toml", f'{CUBE}ports = "d"\n'), "--workload", "allgather")
    assert model["measured"]["configurations"] == len(model["measured"]["front"]) == 1
    assert model["parameters"]["fixed"] == {"topology": fixed, "ports": "d"}
    assert "fat cube d = 2, m = 4, f = 2 with routers of model d, with flits of 32 bits" in " ".join(out.split())
    [of_model] = model["measured"]["front"]
    assert of_model["ports"] == "d"
    found = [choice for part in (every, one) for choice in part["measured"]["front"] if choice["ports"] == "d"]
    assert of_model in found


def test_a_model_alone_and_options_of_routers_are_fixed(monkeypatch, capsys, folder):
    write("soc.toml", 'ports = "1"\nwidth = 16\n')
    given = ["--processors", 8, "--workload", "broadcast", "--width"]
    _, one = explored(monkeypatch, capsys, write("wide.toml", "width = 32\n"), *given[:-1])
    _, flags = explored(monkeypatch, capsys, *given, 32)
    assert one["measured"] == flags["measured"] and one["parameters"] == flags["parameters"]
    _, override = explored(monkeypatch, capsys, "soc.toml", *given, 32)
    assert override["parameters"]["fixed"] == {"ports": "1"} and override["parameters"]["width"] == 32
    assert {choice["ports"] for choice in override["measured"]["front"]} == {"1"}
    assert override["measured"]["configurations"] < one["measured"]["configurations"]


def test_any_topology_can_be_fixed(monkeypatch, capsys, folder):
    out, found = explored(monkeypatch, capsys, write("mesh.toml", 'topology = "mesh"\nw = [3, 2]\n'))
    assert {json.dumps(one["topology"]) for one in found["measured"]["front"]} == {json.dumps(Mesh(w=(3, 2)).to_json())}
    assert "3 × 2 mesh with each router model" in " ".join(out.split())


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (
            CUBE,
            ["--processors", 16],
            "--processors must be left out with a network file that says the topology, fat cube d = 2",
        ),
        (
            CUBE,
            ["--load", "uniform"],
            "network file must be left out with a load (--load), where the networks are those that",
        ),
        ("d = 30\n", [], "soc.toml, line 2: FatCube d must be an integer from 1 to 16, not 30"),
        ("d = 8\nm = 2\n", [], "processors of the fat cube d = 8, m = 2 must be an integer from 2 to 256, not 512"),
        ("width = 0\n", [], "soc.toml, line 2: width must be an integer from 1 to 4096, not 0"),
    ],
)
def test_explore_refuses_in_one_line(monkeypatch, capsys, folder, text, arguments, message):
    status, out, err = run(monkeypatch, capsys, "explore", write("soc.toml", text), *arguments)
    assert (status, out) == (2, "") and err.startswith(f"fatcube: {message}") and err.count("\n") == 1


def test_what_explore_has_no_use_for_is_said(monkeypatch, capsys, folder):
    write("soc.toml", f'{CUBE}interface = "axi4-stream"\nbyte_exact = true\n[[port]]\nprocessor = 0\nname = "a"\n')
    status, _, err = run(monkeypatch, capsys, "explore", "soc.toml", "--workload", "broadcast")
    assert (status, err) == (0, "soc.toml: interface, byte_exact, port change nothing here\n")


# Compare


def rows(monkeypatch, capsys, *arguments):
    """The networks in the record of `compare`, and its parameters."""
    status, _, err = run(monkeypatch, capsys, "compare", *arguments, "-o", "out")
    assert status == 0, err
    [file] = Path("out").glob("*.json")
    found = json.loads(file.read_text())
    return found["measured"]["networks"], found["parameters"], file.with_suffix(".md").read_text()


def test_networks_of_files_are_compared_with_no_others(monkeypatch, capsys, folder):
    one, other = (
        write("a.toml", 'd = 1\nm = 2\nports = "d"\n'),
        write("b.toml", 'topology = "mesh"\nw = 2\nwidth = 64\n'),
    )
    found, parameters, text = rows(monkeypatch, capsys, one, other)
    networks = [
        RoutedNetwork(FatCube(1, 2), RouterOptions(ports="d")),
        RoutedNetwork(Mesh(w=(2, 2)), RouterOptions(width=64)),
    ]
    assert [row["machine"] for row in found] == [json.loads(json.dumps(network.to_json())) for network in networks]
    assert [row["network"] for row in found] == [f"{file}: {network}" for file, network in zip((one, other), networks)]
    assert parameters == {"files": [one, other]} and text.startswith("# Comparison of a.toml; b.toml\n")
    assert "The interfaces of processors are not measured; fatcube synthesize --interface does that." in text
    for row, network in zip(found, networks):
        [plain] = compare([network.topology], network.options.ports)
        alike = json.loads(json.dumps(plain.to_json()))
        assert row == alike | {"network": row["network"], "machine": row["machine"]}


def test_what_further_columns_and_files_take(monkeypatch, capsys, folder):
    """Catches figures without a unit beside flags, and advice against a flag that is as good as another."""
    monkeypatch.setattr("fatcube.cli.compare.is_quiet", lambda: False)
    _, _, err = run(monkeypatch, capsys, "compare", "mesh:2x2", "-o", "out")
    minutes = r"\(about [1-9][0-9]* min\)"
    first, *_, last = err.splitlines()
    assert re.fullmatch(
        "more columns, and the processor time that they take with an empty cache: "
        f"--no-fmax adds area and load {minutes}, --fmax also the clock of the routers {minutes}, "
        f"--whole also that of the placed networks {minutes}",
        first,
    )
    assert (
        last == "-o FOLDER writes all of these files; --page FILE.html, --page FILE.md and --json FILE write one each"
    )


def test_steps_of_a_run_stand_with_its_cycles():
    assert str(Steps(steps=5, lower_bound=5, measured_steps=5, cycles=100)) == "5, measured 5 in 100 cycles"


def test_others_are_compared_with_them_if_they_are_asked_for(monkeypatch, capsys, folder):
    write("a.toml", "d = 1\nm = 3\n")
    status, out, _ = run(monkeypatch, capsys, "compare", "a.toml", "--processors", 4, "--tolerance", 0, "--dry-run")
    assert status == 0 and "a.toml: fat cube d = 1, m = 3; switch of 4 processors; hypercube of 4 nodes; " in out
    Path("square.json").write_text(
        '{"format": "fatcube.topology/1", "nodes": [{"name": "x"}, {"name": "y"}], "links": [["x", "y"]]}'
    )
    status, out, _ = run(monkeypatch, capsys, "compare", "a.toml", "--topology-file", "square.json", "--dry-run")
    assert status == 0 and out.startswith("checked: 2 networks can be compared: a.toml: ")


def test_flags_override_files_and_failures_stand_behind_each(monkeypatch, capsys, folder):
    write("a.toml", 'd = 2\nports = "d"\nlinks = "half-duplex"\nswitching = "store-and-forward"\nlongest_packet = 9\n')
    status, out, _ = run(monkeypatch, capsys, "compare", "a.toml", "--ports", "1", "--failed", "link:0-1", "--dry-run")
    assert status == 0 and out.startswith(
        "checked: 2 networks can be compared: a.toml: fat cube d = 2; a.toml: fat cube d = 2 without link:0-1; "
    )
    half, full = (network_in(Path("a.toml"), flags) for flags in ({}, {"links": "full-duplex"}))
    assert (half.options.links, full.options.links) == ("half-duplex", "full-duplex")
    slow, quick = compare_given([GivenNetwork("a", half), GivenNetwork("b", full)])
    assert slow.steps == {"links": "half-duplex"} and quick.steps is None
    [expected] = compare([Hypercube(2)], "d", steps=StepModel(links="half-duplex"))
    assert {name: one.steps for name, one in slow.collectives.items()} == {
        name: one.steps for name, one in expected.collectives.items()
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["wrong.toml"], "wrong.toml, line 2: FatCube d must be an integer from 1 to 16, not 30"),
        (
            ["good.toml", "--tolerance", 0.1],
            "--tolerance must be left out where network files are compared and no --processors",
        ),
        (
            ["plain.toml", "--load", "uniform"],
            "plain.toml: routing must be given for a comparison under load, not none",
        ),
        (["good.toml", "--per-packet", 4, "--load", "uniform"], "good.toml: load must be measured without "),
        (["good.toml", "--csv", "good.toml"], "good.toml"),
        (
            ["good.toml", "--schedule", "s.json"],
            "networks must be left out with --schedule, where schedules are compared, unless some are built (-c), not good.toml",
        ),
    ],
)
def test_compare_refuses_in_one_line(monkeypatch, capsys, folder, arguments, message):
    write("wrong.toml", "d = 30\n")
    write("good.toml", "d = 1\n")
    write("plain.toml", 'd = 1\nrouting = "none"\n')
    status, out, err = run(monkeypatch, capsys, "compare", *arguments)
    assert (status, out) == (2, "") and message in err and err.count("\n") == 1, err


@pytest.mark.long(stays="tests/fatcube/cli/test_given_networks.py::test_networks_of_files_are_compared_with_no_others")
def test_runs_are_on_routers_of_the_file():
    """With two cycles a hop, all takes longer than on the usual routers."""
    slow = RoutedNetwork(Hypercube(1), RouterOptions(pipeline=2))
    [row] = compare_given([GivenNetwork("slow", slow)], run=True)
    [usual] = compare([Hypercube(1)], "1", run=True)
    for name, one in row.collectives.items():
        assert one.cycles > usual.collectives[name].cycles and one.measured_steps == one.steps


@pytest.mark.long(stays="tests/fatcube/cli/test_given_networks.py::test_networks_of_files_are_compared_with_no_others")
def test_loads_are_on_the_network_of_the_file():
    network = RoutedNetwork(Hypercube(1), RouterOptions(buffer_depth=7, pipeline=2))
    [row] = compare_given([GivenNetwork("own", network)], load="uniform")
    assert row.load.saturation == saturation(LoadTest(network, LoadOptions(pattern="uniform", repeats=1)))
    [usual] = compare([Hypercube(1)], "1", load="uniform")
    assert row.load.latency_without_load > usual.load.latency_without_load
