"""Progress is said on standard error, and with `--quiet` or $FATCUBE_QUIET it is not, in no process of a command."""

import os
from pathlib import Path
import subprocess
import sys

import pytest

from fatcube import cli
from fatcube.groundwork.validation import ParameterError
from tests.support.commands import run
from tests.support.spoken import say_at_once

ROOT = Path(__file__).parents[3]
COMMAND = "schedule -c OAB --topology hypercube -d 1"
SAID = "fatcube: building OAB on the hypercube of 2 nodes\n"
LONG = "load --topology mesh -w 16 -d 2"
#: A command line as it is started, whose progress is said at once.
PROGRAM = """
from fatcube.groundwork import progress
from tests.support.spoken import AtOnce
progress._lines = AtOnce()
from fatcube.__main__ import main
main()
"""


@pytest.fixture(autouse=True)
def _said(monkeypatch):
    say_at_once(monkeypatch)


@pytest.mark.parametrize(
    ("command", "environment", "said"),
    [
        (COMMAND, {}, SAID),
        (COMMAND, {"FATCUBE_QUIET": ""}, SAID),
        (COMMAND, {"FATCUBE_QUIET": "0"}, SAID),
        (COMMAND, {"FATCUBE_QUIET": "1"}, ""),
        (COMMAND, {"FATCUBE_QUIET": "yes"}, ""),
        (f"--quiet {COMMAND}", {}, ""),
        (f"{COMMAND} --quiet", {}, ""),
        (f"--quiet {COMMAND} --quiet", {"FATCUBE_QUIET": "0"}, ""),
    ],
)
def test_progress_is_said_unless_nobody_wants_it(monkeypatch, capsys, command, environment, said):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    status, out, err = run(monkeypatch, capsys, *command.split())
    assert (status, err) == (0, said) and out


@pytest.mark.parametrize(
    ("option", "environment", "said"), [((), {}, SAID), (("--quiet",), {}, ""), ((), {"FATCUBE_QUIET": "1"}, "")]
)
def test_a_process_says_it_unless_nobody_wants_it(tmp_path, option, environment, said):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *option, *COMMAND.split()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, said) and done.stdout


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("generate --quiet router -d 1", "// fatcube router: "),
        ("generate router -d 1 --quiet", "// fatcube router: "),
        ("generate --quiet -d 1", "// fatcube network: "),
        ("generate --quiet", "// fatcube network: "),
        ("generate --quiet --help", "\n Usage: fatcube generate [OPTIONS] COMMAND "),
        ("board --quiet list", "boards\n"),
    ],
)
def test_commands_of_a_group_are_quiet(monkeypatch, capsys, command, printed):
    """Catches an option of a group that is taken for the first one of a network, or for the only word there is."""
    status, out, err = run(monkeypatch, capsys, *command.split())
    assert status == 0 and out.lstrip(" ").startswith(printed) and "fatcube: " not in err


def test_a_command_of_a_group_says_it(monkeypatch, capsys):
    assert "fatcube: generating the router: " in run(monkeypatch, capsys, *"generate router -d 1".split())[2]


def test_every_command_has_it_once():
    found = {name: [one.opts for one in command.params].count(["--quiet"]) for name, command in cli.commands().items()}
    assert found == dict.fromkeys(found, 1)


@pytest.mark.parametrize("command", [LONG, "synthesize -d 3 -m 13"])
def test_how_long_it_takes_is_progress_too(monkeypatch, capsys, command):
    """Nothing runs: the first step is taken away."""

    def stop(*_, **__):
        raise ParameterError("stopped")

    monkeypatch.setattr("fatcube.sim.traffic.saturation.measure", stop)
    monkeypatch.setattr("fatcube.synth.silicon.router_silicon", stop)
    assert "this takes about " in run(monkeypatch, capsys, *command.split())[2]
    assert run(monkeypatch, capsys, "--quiet", *command.split()) == (2, "", "fatcube: stopped\n")


@pytest.mark.parametrize("arguments", [["--quiet", "synthesize", "-d", 1], ["synthesize", "-d", 1, "--quiet"]])
def test_processes_of_a_command_are_quiet_and_what_follows_it_is_not(monkeypatch, capsys, arguments):
    """Catches an option that only the process itself knows of, and one that holds for the next command as well."""

    def started(*_, **__):
        code = "from fatcube.groundwork.progress import doing\nwith doing('a thing'): print('done')"
        code = PROGRAM.partition("from fatcube.__main__")[0] + code
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
        raise ParameterError(f"{done.stdout!r}, {done.stderr!r}")

    monkeypatch.setattr("fatcube.synth.silicon.router_silicon", started)
    assert run(monkeypatch, capsys, *arguments)[2] == "fatcube: 'done\\n', ''\n"
    aloud = run(monkeypatch, capsys, "synthesize", "-d", 1)[2]
    assert aloud.endswith("fatcube: 'done\\n', 'fatcube: a thing\\n'\n")
    assert "fatcube: synthesizing the router of " in aloud


def test_a_refused_command_leaves_the_next_one_as_it_was(monkeypatch, capsys):
    """Catches an end of the option that comes only where the command does."""
    assert run(monkeypatch, capsys, *COMMAND.split(), "--quiet", "--root", "x")[0] == 2
    assert run(monkeypatch, capsys, *COMMAND.split())[2] == SAID


def test_it_costs_no_imports():
    """Catches a command behind the option that waits for the files of all others."""
    code = (
        "import sys\nfrom fatcube import cli\nsys.argv = ['fatcube', '--quiet', 'check', '--help']\n"
        "try:\n    cli.main()\nexcept SystemExit as stop:\n    assert not stop.code\n"
        "print([path for path in cli.paths() if f'fatcube.cli.{path}' in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.endswith("\n['check']\n"), done.stderr
