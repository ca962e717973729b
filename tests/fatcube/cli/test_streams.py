"""Standard streams that are closed, full, broken or poor in characters, and files without end."""

import json
import os
from pathlib import Path
import subprocess
import sys

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies import graph_file
from tests.support.cases import some
from tests.support.children import child
from tests.support.commands import run
from tests.support.special_files import FULL, ZERO, device
from tests.support.spoken import say_beforehand

ROOT = Path(__file__).parents[3]
EXPLORE = "explore --processors 4 --workload broadcast"


def start(command, folder, redirection="", **environment):
    """Runs a command line of `fatcube` in a shell."""
    line = f"{sys.executable} -m fatcube {command} {redirection}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, env=environment)


def test_ascii_is_enough(tmp_path):
    """Catches a traceback at the µ of a column, and box characters that a terminal does not have."""
    ended = start(EXPLORE, tmp_path, PYTHONIOENCODING="ascii")
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b" us " in ended.stdout and b"hypercube" in ended.stdout
    assert ended.stdout.isascii() and b"?" not in ended.stdout.partition(b"The configurations are")[0].replace(
        b"? ", b""
    )


@pytest.mark.parametrize("closed", some(["<&- >&-", ">&-", "<&-"], [0]))
def test_a_closed_stream_is_no_error(tmp_path, closed):
    ended = start("board list", tmp_path, closed)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_what_is_written_does_not_go_into_the_place_of_a_closed_stream(tmp_path):
    """Catches a file that is opened as number 1, and gets what is printed."""
    assert start("schedule -c OAS -d 1 -o s.json", tmp_path, ">&- 2>&-").returncode == 0
    assert start("check s.json", tmp_path).returncode == 0


def test_nobody_reads(tmp_path):
    """The pipe has been closed before anything is printed."""
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "fatcube", "board", "list"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(command, cwd=tmp_path, stdout=writer, stderr=subprocess.PIPE, env=environment)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (1, b"")


def test_a_full_disk_is_named(tmp_path):
    device(tmp_path / "full", FULL)
    ended = start("board list", tmp_path, "> full")
    assert ended.returncode == 2
    assert ended.stderr == b"fatcube: No space left on device: 'standard output'\n"


def test_a_full_standard_error_leaves_the_exit_status(tmp_path):
    """Catches a failure to say what is wrong that ends the command in another way: with 1 or 120."""
    device(tmp_path / "full", FULL)
    assert start("check nosuch.json", tmp_path, "2> full").returncode == 2
    assert start("board list", tmp_path, "> full 2> full").returncode == 2


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("sweep {} --results r --dry-run", ": a sweep file"),
        ("check {}", ": a schedule file"),
        ("load --topology mesh -w 2 -d 2 --trace {} --dry-run", ", line 1: a packet"),
        ("load --topology mesh -w 2 -d 2 --beside {} --dry-run", ": a file of fatcube load"),
        ("load --topology mesh -w 2 -d 2 --routing-file {} --dry-run", ": a routing file"),
        ("schedule -c OAB --topology-file {} --dry-run", ": a topology file"),
    ],
)
def test_a_file_without_end_is_refused(monkeypatch, capsys, tmp_path, command, what):
    monkeypatch.chdir(tmp_path)
    device(tmp_path / "zero.json", ZERO)
    status, _, err = run(monkeypatch, capsys, *command.format("zero.json").split())
    assert status == 2
    assert err.startswith(f"fatcube: zero.json{what} must have at most ") and len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "command",
    [
        "check {}",
        "view {} -o s.html",
        "simulate --schedule {} --dry-run",
        "load --topology mesh -w 2 -d 2 --beside {} --dry-run",
    ],
)
def test_a_fifo_without_end_is_refused(monkeypatch, capsys, tmp_path, command):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("endless.json")
    with child("sh", "-c", "exec yes > endless.json", stderr=subprocess.DEVNULL):
        status, _, err = run(monkeypatch, capsys, *command.format("endless.json").split())
    assert status == 2
    assert " must have at most " in err and len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "command", ["report --results {}", "explore --results {}", "sweep s.toml --results {} --dry-run"]
)
@pytest.mark.parametrize("kind", ["FIFO", "device", "folder"])
def test_results_are_in_a_regular_file(monkeypatch, capsys, tmp_path, command, kind):
    monkeypatch.chdir(tmp_path)
    Path("s.toml").write_text('format = "fatcube.sweep/1"\nd = 1\ncollective = "OAB"\n')
    {"FIFO": os.mkfifo, "device": lambda path: device(Path(path), ZERO), "folder": os.mkdir}[kind]("results")
    status, _, err = run(monkeypatch, capsys, *command.format("results").split())
    assert status == 2
    assert err.startswith("fatcube: results file must be a ") and len(err.splitlines()) == 1


def test_a_results_file_that_is_too_large_is_refused(monkeypatch, capsys, tmp_path):
    """Catches that all of it is read, however much there is: this one is sparse."""
    with open(tmp_path / "large.jsonl", "wb") as file:
        file.truncate((1 << 27) + 1)
    status, _, err = run(monkeypatch, capsys, "report", "--results", str(tmp_path / "large.jsonl"))
    assert status == 2
    assert err.endswith("large.jsonl: a results file must have at most 134,217,728 bytes\n")


TOPOLOGY = (
    '{"format": "fatcube.topology/1", "nodes": [{"name": "a"}, {"name": "b"}], "links": [["a", "b"]], "lanes": %s}'
)


@pytest.mark.parametrize("lanes", [4097, 4294967296])
@pytest.mark.parametrize("kind", ["json", "graphml"])
def test_too_many_lanes_in_a_file_are_refused_before_a_graph_is_made(monkeypatch, capsys, tmp_path, lanes, kind):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(graph_file, "make_graph", None)  # Calling it is an error of another kind.
    monkeypatch.setattr("fatcube.noc.topologies.graph.make_graph", None)
    (tmp_path / "big.json").write_text(TOPOLOGY % lanes)
    (tmp_path / "big.graphml").write_text(
        '<graphml><key id="l" for="edge" attr.name="lanes"/><graph><node id="a"/><node id="b"/>'
        f'<edge source="a" target="b"><data key="l">{lanes}</data></edge></graph></graphml>'
    )
    status, _, err = run(monkeypatch, capsys, "schedule", "-c", "OAB", "--topology-file", f"big.{kind}", "--dry-run")
    assert status == 2 and "lanes" in err and "4096" in err and len(err.splitlines()) == 1, err


@pytest.mark.parametrize("size", ["-f 60000", "-m 60000", "-f 4294967296", "--topology star -n 65535"])
def test_routers_with_too_many_ports_are_refused_before_a_routing_is_made(monkeypatch, capsys, size):
    monkeypatch.setattr("fatcube.noc.routed_network.default_routing", None)
    line = f"generate network {size} --routing default --dry-run"
    status, _, err = run(monkeypatch, capsys, *line.split())
    assert status == 2
    limits = (
        "ports of a router must be at most 1,024 with a routing on ",
        "ports of module fabric must have at most 65532 bits",
    )
    assert err.removeprefix("fatcube: ").startswith(limits) and len(err.splitlines()) == 1, err


def test_networks_of_a_sweep_are_refused_before_their_ways_are_gone_through(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("fatcube.noc.routed_network.default_routing", None)
    (tmp_path / "s.toml").write_text(
        'format = "fatcube.sweep/1"\n[[load]]\nd = [13, 14, 15, 16]\npattern = "uniform"\n'
    )
    status, _, err = run(monkeypatch, capsys, "sweep", tmp_path / "s.toml", "--dry-run")
    assert status == 2
    assert "nodes must be at most" in err and "fat cube d = 13" in err and len(err.splitlines()) == 1, err


@pytest.mark.parametrize(
    "command",
    ["load", "load --topology mesh -w 3", "board build ulx3s-85f --traffic", "board simulate --routing default"],
)
def test_networks_that_are_simulated_are_refused_before_their_ways_are_gone_through(monkeypatch, capsys, command):
    monkeypatch.setattr("fatcube.noc.routed_network.default_routing", None)
    status, _, err = run(monkeypatch, capsys, *command.split(), "-d", "9" if "mesh" in command else "13")
    assert status == 2
    limits = ("nodes must be at most 256 to simulate ", "nodes must be at most 4,096 to measure ")
    assert err.removeprefix("fatcube: ").startswith(limits) and len(err.splitlines()) == 1, err


@pytest.mark.parametrize("option", ["--run", "--load uniform"])
def test_networks_are_compared_on_the_rtl_only_if_all_of_them_can_be_simulated(monkeypatch, capsys, option):
    status, _, err = run(monkeypatch, capsys, "compare", "--processors", "512", *option.split(), "--dry-run")
    assert (status, err) == (2, "fatcube: nodes must be at most 256 to simulate the hypercube of 512 nodes, not 512\n")


_LINES = "a\nb\x1b[31mc"


@pytest.mark.parametrize("value", ["x" * 5000, "y" * 300, "/".join(["z" * 250] * 20), "v w " * 900, _LINES])
@pytest.mark.parametrize(
    "command",
    [
        "{}",
        "--{}",
        "check {}",
        "report --results {}",
        "schedule -c OAB -o {}/s.json",
        "board run -c OAB --port {}",
        "schedule -c {}",
        "schedule -c OAB -d {}",
    ],
)
def test_bad_values_cost_one_line_however_long_they_are(monkeypatch, capsys, tmp_path, command, value):
    monkeypatch.chdir(tmp_path)
    status, _, err = run(monkeypatch, capsys, *(word.format(value) for word in command.split()))
    assert status == 2
    assert err.endswith("\n") and err[:-1].isprintable() and len(err) <= 600, err


def test_long_names_in_a_topology_file_cost_one_line(monkeypatch, capsys, tmp_path):
    names = json.dumps(["x" * 5000, _LINES])
    file = tmp_path / "t.json"
    for nodes, links in (("[]", f"[{names}]"), (f'[{{"name": "a"}}, {{"{"k" * 3000}": 1}}]', f"[{names}]")):
        file.write_text(f'{{"format": "fatcube.topology/1", "nodes": {nodes}, "links": {links}}}')
        status, _, err = run(monkeypatch, capsys, "schedule", "-c", "OAB", "--topology-file", str(file))
        assert status == 2
        assert err.endswith("\n") and err[:-1].isprintable() and len(err) <= 600, err


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("synthesize -d 1", ""),
        ("synthesize --topology hypercube -d 7", "this takes about 2 minutes, unless its result is in the cache\n"),
        ("synthesize --topology hypercube -d 7 --family gates", ""),
        ("synthesize -d 3 -m 13", "this takes about 14 minutes, unless its result is in the cache\n"),
        ("synthesize -d 3 -m 13 --seeds 1", "this takes about 5 minutes, unless its result is in the cache\n"),
        (
            "synthesize --topology hypercube -d 3 --whole",
            "this takes about 2 minutes, unless its result is in the cache\n",
        ),
    ],
)
def test_synthesize_says_beforehand_that_it_takes_minutes(monkeypatch, capsys, command, said):
    """Nothing is synthesized: the first step is taken away."""

    def stop(*_, **__):
        raise ParameterError("stopped")

    say_beforehand(monkeypatch)
    monkeypatch.setattr("fatcube.synth.silicon.router_silicon", stop)
    assert run(monkeypatch, capsys, *command.split())[2] == f"{said}fatcube: stopped\n"


@pytest.mark.parametrize(
    ("command", "first", "said"),
    [
        ("load --topology hypercube -d 3 --loads 0.1", "fatcube.sim.traffic.saturation.measure", ""),
        ("load --topology mesh -w 16 -d 2", "fatcube.sim.traffic.saturation.measure", "this takes about 2 minutes\n"),
        (
            "load --topology hypercube -d 8 --measured 10000000",
            "fatcube.sim.traffic.saturation.measure",
            "this takes about 18 hours\n",
        ),
        ("load -d 4 --trace {trace}", "fatcube.sim.traffic.trace.TraceTest.run", "this takes about 1 minute\n"),
        ("simulate -c AAB -d 2", "fatcube.cli.simulate.simulate_all", ""),
        (
            "simulate -c AAB -d 8 --payload-flits 1000 --mode lockstep --simulator verilator-flat",
            "fatcube.cli.simulate.simulate_all",
            "this takes about 12 minutes\n",
        ),
        ("sweep {short}", "fatcube.studies.sweep.dask_client", ""),
        ("sweep {long}", "fatcube.studies.sweep.dask_client", "this takes about 4 hours\n"),
        ("sweep {long} --jobs 8", "fatcube.studies.sweep.dask_client", "this takes about 61 minutes\n"),
    ],
)
def test_long_runs_are_announced(monkeypatch, capsys, tmp_path, command, first, said):
    """Nothing runs: the first step is taken away. What is not in the cache is built; of the simulators none is."""

    def stop(*_, **__):
        raise ParameterError("stopped")

    files = {name: tmp_path / f"{name}.toml" for name in ("trace", "short", "long")}
    files["trace"].write_text("cycle,source,destination,flits\n" + 200 * "0,0,1,65535\n")
    sweep = 'format = "fatcube.sweep/1"\ncollective = "OAB"\n'
    files["short"].write_text(sweep + 'd = 1\nfamily = "ecp5"\nfmax = false\n')
    files["long"].write_text(sweep + 'd = [3, 4]\nm = 8\nports = ["1", "d"]\nfamily = "ecp5"\nfmax = true\n')
    say_beforehand(monkeypatch)
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / "cache"))
    for name in ("known_key", "point_key"):
        monkeypatch.setattr(f"fatcube.studies.sweep.{name}", str)
    monkeypatch.setattr("fatcube.sim.duration.is_built", lambda machine, simulator: False)
    monkeypatch.setattr(first, stop)
    status, _, err = run(monkeypatch, capsys, *command.format(**files).split())
    assert (status, err) == (2, f"{said}fatcube: stopped\n")


LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
TERMINAL = {"HOME": "/nonexistent", "TERM": "dumb", "NO_COLOR": "1", "COLUMNS": "20"}


@pytest.mark.parametrize("environment", some([{**LOCALE, **TERMINAL}, LOCALE, TERMINAL], [0]))
def test_the_environment_is_no_error(tmp_path, environment):
    ended = start("board list", tmp_path, **environment)
    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.parametrize("command", ["schedule -c OAS -d 1 -o s.json", "synthesize -d 1", "sweep s.toml"])
def test_a_folder_that_cannot_be_written_to_is_named(tmp_path, command):
    (tmp_path / "s.toml").write_text('format = "fatcube.sweep/1"\nd = 1\ncollective = "OAB"\n')
    tmp_path.chmod(0o555)
    try:
        (tmp_path / "probe").touch()
        pytest.skip("this user may write anywhere")
    except PermissionError:
        ended = start(command, tmp_path, FATCUBE_CACHE=str(tmp_path / "cache"))
    finally:
        tmp_path.chmod(0o755)
    assert ended.returncode == 2
    assert b"Permission denied" in ended.stderr and len(ended.stderr.splitlines()) == 1
