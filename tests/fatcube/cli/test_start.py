"""Imports of the command line before a command is named: next to none, however many the commands need."""

import subprocess
import sys

import pytest

from fatcube import cli
from fatcube.cli.app import PANELS, load_command
from tests.support.commands import run
from tests.support.packages import ROOT

#: Whatever has these in it takes most of a second to be imported.
HEAVY = {"amaranth", "networkx", "numpy", "ortools", "psutil", "pydantic"}
ROOMS = {"noc", "papers", "rtl", "schedules", "sim", "studies", "synth", "testing"}
#: A command in a process of its own, and then the names of what was imported: a module that is to come late is not there yet.
PROGRAM = """
import sys
from fatcube.__main__ import main
try:
    main()
finally:
    print(*(name for name, module in sys.modules.items() if type(module).__name__ != "_LateModule"))
"""


def imported(*arguments):
    """The exit status of a command line, and the names of all modules that it imported."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.returncode, set(done.stdout.splitlines()[-1].split())


def heavy(names):
    """The heavy modules among ``names``, which only commands need."""
    return {
        name
        for name in names
        if name.partition(".")[0] in HEAVY
        or (name.startswith("fatcube.") and name.split(".")[1] in ROOMS)
        or name.removeprefix("fatcube.cli.").replace(".", " ").replace("_", "-") in cli.paths()
    }


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ("--help", 0),
        ("", 2),
        ("--version", 0),
        ("nothing", 2),
        ("--quiet nothing --help", 2),
        ("--vcs generate", 2),
    ],
)
def test_what_names_no_command_imports_none(arguments, status):
    """Catches a name that the command line needs from a room, such as an error or the words of an option."""
    ended, names = imported(*arguments.split())
    assert (ended, heavy(names)) == (status, set())
    assert "fatcube.cli.app" in names


@pytest.mark.parametrize(("arguments", "status"), [("generate --help", 0), ("board nothing", 2), ("board", 2)])
def test_a_group_alone_imports_no_command(arguments, status):
    """Catches a group that imports its commands; the options before it are read by Typer, which needs Pydantic for that."""
    ended, names = imported(*arguments.split())
    assert (ended, {name for name in heavy(names) if not name.startswith("pydantic")}) == (status, set())


def test_what_a_command_imports_is_seen():
    """Catches a test above that sees nothing."""
    ended, names = imported("check", "--help")
    found = heavy(names)
    assert ended == 0 and {"fatcube.cli.check", "pydantic", "fatcube.schedules.checker"} <= found
    assert {name for name in found if name.startswith("fatcube.cli.")} == {"fatcube.cli.check"}


def test_every_command_has_a_line_that_help_shows_once(monkeypatch, capsys):
    """Catches a help of a command that does not begin with its line in the list."""
    monkeypatch.setenv("COLUMNS", "400")
    listed = " ".join(run(monkeypatch, capsys, "--help")[1].split())
    for panel, lines in PANELS.items():
        assert f"─ {panel} ─" in listed
        for path, line in lines.items():
            if path in cli.paths():
                assert load_command(path).help.split("\n\n")[0] == line
            if " " not in path:
                assert listed.count(f"{path} {line}") == 1
