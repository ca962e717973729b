"""`fatcube board run`, `board simulate` and `load --port`: commands as they are typed, against simulated boards."""

import dataclasses
import json
import re
import signal
import subprocess
import sys

import pytest

from fatcube.cli import run
from fatcube.noc.machines.machine import Machine
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.rtl.router_options import RouterOptions
from fatcube.sim.board.virtual import virtual_board
from tests.support.children import HANG, child

pytestmark = pytest.mark.xdist_group("board")

#: A simulated board may be slow: only a test that fails waits so long for it.
TIME = ("--timeout", str(HANG))
AT = ("board", "run", *TIME, "--port")
#: A port without a board.
SHORT = ("board", "run", "--timeout", "0.5", "--port")
MACHINE = Machine(network=Network(Hypercube(1)), memory_words=64, program_entries=8, reductions=True)
TRAFFIC = TrafficMachine(network=RoutedNetwork(Hypercube(1)), queue=64, bins=128, ways=8)


@pytest.fixture(scope="module")
def port():
    with virtual_board(MACHINE) as board:
        yield board.port


def started(*python):
    """Python in a process of its own, with a command of fatcube."""
    return child(sys.executable, *python, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_run(port, capsys, tmp_path):
    """The record is that of `fatcube simulate`, but for what says where it ran and which memories there were."""
    found, expected, page = tmp_path / "found.json", tmp_path / "expected.json", tmp_path / "page.md"
    options = ("-c", "all-to-all", "--payload-flits", "4,8,16")
    assert run([*AT, port, *options, "--json", str(found), "--page", str(page)]) == 0
    assert "Written by `fatcube board run`." in page.read_text()
    printed = capsys.readouterr().out
    assert "simulated with the hypercube of 2 nodes" in printed and "t_c = 1.000 cycles per flit and step" in printed
    assert run(["simulate", "--topology", "hypercube", "-d", "1", *options, "--json", str(expected)]) == 0
    found, expected = (json.loads(path.read_text()) for path in (found, expected))
    assert found["measured"] == expected["measured"]
    other = {name for name, value in found["parameters"].items() if value != expected["parameters"][name]}
    assert other == {"memory_words", "program_entries", "reductions", "simulator"}
    assert found["parameters"]["simulator"] == "board"


def test_schedule_file(port, capsys, tmp_path):
    schedule = tmp_path / "schedule.json"
    assert run(["schedule", "-c", "AAB", "--topology", "hypercube", "-d", "1", "-o", str(schedule)]) == 0
    assert run([*AT, port, "--schedule", str(schedule), "--mode", "dataflow"]) == 0
    assert "AAB on the hypercube of 2 nodes" in capsys.readouterr().out
    assert run(["schedule", "-c", "AAB", "--topology", "hypercube", "-d", "2", "-o", str(schedule)]) == 0
    assert run([*AT, port, "--schedule", str(schedule)]) == 2
    assert "schedule must be for the hypercube of 2 nodes, not for the hypercube of 4 nodes" in capsys.readouterr().err


def test_half_duplex_links(capsys, tmp_path):
    """The schedule is one for the links on the board, and takes the cycles of a simulation; one for wider links is refused."""
    links = {"links": "half-duplex", "turn_round": 3}
    machine = dataclasses.replace(MACHINE, network=Network(Hypercube(1), RouterOptions(**links)))
    found, expected, wide = (tmp_path / f"{name}.json" for name in ("found", "expected", "wide"))
    network = ("--topology", "hypercube", "-d", "1")
    assert run(["schedule", "-c", "AAS", *network, "-o", str(wide)]) == 0
    with virtual_board(machine) as board:
        assert run([*AT, board.port, "-c", "AAS", "--json", str(found)]) == 0
        capsys.readouterr()
        assert run([*AT, board.port, "--schedule", str(wide)]) == 2
    assert (
        capsys.readouterr().err == "fatcube: links must be full-duplex for this schedule, or wider, not half-duplex\n"
    )
    flags = ("--links", "half-duplex", "--turn-round", "3", "--json", str(expected))
    assert run(["simulate", "-c", "AAS", *network, *flags]) == 0
    found, expected = (json.loads(path.read_text())["measured"] for path in (found, expected))
    assert found == expected


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["-c", "AAB", "--payload-flits", "33"], "payload flits must be an integer from 1 to 32 for 2 messages"),
        (["-c", "nothing"], "collective must be"),
        ([], "collective must be given"),
        (["-c", "OAB", "--root", "2"], "root of OAB must be"),
        (["-c", "OAB", "--mode", "fast"], "mode must be"),
        (["-c", "OAB", "--timeout", "0"], "timeout must be a finite number of at least 0.1 and at most 86400, not 0"),
        (["-c", "OAB", "--baud", "0"], "baud must be an integer from 300 to 20000000, not 0"),
        (["-c", "OAB", "--schedule", "there/is/none.json"], "collective and root must be left out with --schedule"),
    ],
)
def test_refused(port, capsys, arguments, said):
    assert run([*AT, port, *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"fatcube: {said}") and error.count("\n") == 1


def test_no_board(capsys):
    """A port that is none, one without an answer, and a board for something else, each in one line."""
    assert run(["board", "run", "--port", "/dev/none", "-c", "OAB"]) == 2
    assert capsys.readouterr().err.startswith("fatcube: port must be a serial port that can be opened, not '/dev/none'")
    assert run([*SHORT, "loop://", "-c", "OAB"]) == 1
    error = capsys.readouterr().err
    assert error.startswith("fatcube: the board must answer within 0.5 s, but has not in 5 attempts: check the port, ")
    assert error.count("\n") == 1


@pytest.mark.long(stays="tests/fatcube/cli/test_board_run.py::test_run")
def test_load(port, capsys, tmp_path):
    """The curve of a board by the command of a simulation."""
    found = tmp_path / "found.json"
    options = ["--loads", "0.3", "--repeats", "2", "--warm-up", "100", "--measured", "500"]
    with virtual_board(TRAFFIC) as board:
        assert run(["load", *TIME, "--port", board.port, *options, "--json", str(found)]) == 0
        assert run([*AT, board.port, "-c", "OAB"]) == 2
        assert "board must have a network with processors" in capsys.readouterr().err
        assert run(["load", *TIME, "--port", board.port, "-d", "3"]) == 2
        assert "-d must be left out with --port, where the board defines it, not 3" in capsys.readouterr().err
    expected = tmp_path / "expected.json"
    assert run(["load", "--topology", "hypercube", "-d", "1", *options, "--json", str(expected)]) == 0
    [found], [expected] = (json.loads(path.read_text())["measured"]["points"] for path in (found, expected))
    # The board's histogram is shorter, and its last bin another one.
    assert (found.pop("last_bin"), expected.pop("last_bin")) == (121, 2041)
    assert found == expected
    assert run(["load", *TIME, "--port", port]) == 2
    assert "board must have a network with sources and sinks" in capsys.readouterr().err


#: The command line, with Ctrl-C as soon as the first requests have been sent, as many as the first argument says.
INTERRUPTED = """
import os, signal, sys
from fatcube.__main__ import main
from fatcube.sim.board.line import Line

ask, left = Line._ask, int(sys.argv.pop(1))

def interrupted(*arguments):
    global left
    if left == 0:
        os.kill(os.getpid(), signal.SIGINT)
    left -= 1
    return ask(*arguments)

Line._ask = interrupted
main()
"""


@pytest.mark.parametrize("requests", [40, 100])
def test_interrupted(port, capsys, requests):
    """Ctrl-C in the middle of a run: status 130, one line, and the next run is as if nothing had been."""
    long = [*AT, port, "-c", "AAS", "--payload-flits", "4,8,12,16"]
    with started("-c", INTERRUPTED, str(requests), *long) as process:
        out, error = process.communicate(timeout=HANG)
        assert (process.returncode, error) == (130, "fatcube: interrupted\n")
        assert out.startswith("simulated with") and "t_c" not in out
    assert run([*AT, port, "-c", "AAS"]) == 0


@pytest.mark.long(stays="tests/fatcube/cli/test_board_run.py::test_run")
def test_simulate(capsys):
    """The port is said; a run there works; Ctrl-C switches the board off."""
    network = ["--topology", "hypercube", "-d", "1"]
    with started(
        "-m", "fatcube", "board", "simulate", *network, "--payload-flits", "4", "--program-entries", "8"
    ) as process:
        said = process.stdout.readline()
        found = re.fullmatch(r"a board with the hypercube of 2 nodes is at (\S+); Ctrl-C ends the simulation\n", said)
        assert found, said
        assert run([*AT, found[1], "-c", "OAB", "--payload-flits", "4"]) == 0
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=HANG)
        assert process.returncode == 130 and "Traceback" not in error
    capsys.readouterr()
    assert run([*AT, found[1], "-c", "OAB"]) in (1, 2)  # there is no answer, or the port is gone
    assert capsys.readouterr().err.count("\n") == 1
    for arguments, error in (
        (["--bit-cycles", "3"], "bit cycles must be an integer from 4 to 1048576, not 3"),
        (["--routing", "default"], "routing must be none without --traffic"),
        (["--traffic", "--monitors", "none"], "monitors must be left out with --traffic, not none"),
        (["--memory-words", "1"], "memory words must be"),
    ):
        assert run(["board", "simulate", *network, *arguments]) == 2
        assert capsys.readouterr().err.startswith(f"fatcube: {error}")
