"""Options that would change nothing, and outputs that cannot be written, are refused before anything is done."""

import os
from pathlib import Path
import sys

import pytest

from fatcube.cli.schedules import building
from fatcube.groundwork.validation import ParameterError, check_number, shown
from tests.support.commands import run

SIX = Path(__file__).parents[2] / "data" / "six_points.toml"


@pytest.fixture
def file(monkeypatch, capsys, tmp_path):
    """A schedule file in the current folder."""
    monkeypatch.chdir(tmp_path)
    assert run(monkeypatch, capsys, "schedule", "-c", "OAS", "-d", 1, "-o", "s.json")[0] == 0
    return "s.json"


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--collective", "AAB", "'AAB'"),
        ("--root", "0", "0"),
        ("--topology", "fat-cube", "'fat-cube'"),
        ("--topology-file", "graph.json", "'graph.json'"),
        ("-d", "1", "1"),
        ("-n", "3", "3"),
        ("-w", "3", "'3'"),
        ("-m", "1", "1"),
        ("-f", "1", "1"),
        ("--ports", "1", "'1'"),
        ("--by", "circuit", "'circuit'"),
        ("--along", "sbt", "'sbt'"),
        ("--parts", "2", "'2'"),
        ("--time-limit", "1", "1.0"),
    ],
)
def test_a_schedule_file_says_it_itself(monkeypatch, capsys, file, option, value, words):
    """Catches `simulate --schedule FILE -d 4` that runs the file's d = 1: even what agrees is not looked at."""
    status, out, err = run(monkeypatch, capsys, "simulate", "--schedule", file, option, value)
    assert (status, out) == (2, "")
    assert err == f"fatcube: {option} must be left out with the schedule file {file}, which defines it, not {words}\n"


@pytest.mark.parametrize("command", ["schedule", "simulate"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            "-c OAB --along sbt --optimal",
            "--optimal must be left out along a spanning graph, where nothing is searched",
        ),
        (
            "-c OAB --along sbt --time-limit 1",
            "--time-limit must be left out along a spanning graph, where nothing is ",
        ),
        ("-c OAB --parts 2 --optimal", "--optimal must be left out in several parts, where nothing is searched"),
        ("-c OAB --parts auto --time-limit 1", "--time-limit must be left out in several parts, where nothing is "),
        ("--by circuit --optimal", "--optimal must be left out with --by, which takes these from the algorithm"),
        ("--by circuit --parts 2", "--parts must be left out with --by, which takes these from the algorithm"),
        ("-c OAB --order postorder", "--order requires a spanning graph (--along)"),
    ],
)
def test_which_schedule_is_said_alike(monkeypatch, capsys, command, options, message):
    """Catches a command that takes two of the ways to a schedule, of which one changes nothing."""
    status, out, err = run(monkeypatch, capsys, command, "--topology", "hypercube", "--dry-run", *options.split())
    assert (status, err.count("\n")) == (2, 1) and err.startswith(f"fatcube: {message}"), err
    assert "checked" not in out


@pytest.mark.parametrize("command", ["schedule", "simulate"])
def test_a_search_gets_its_options(monkeypatch, capsys, command):
    """Catches a command that takes --optimal or --time-limit and searches as without them."""
    asked = []
    best = building.best
    monkeypatch.setattr(building, "best", lambda problem, **options: asked.append(options) or best(problem))
    monkeypatch.setattr("fatcube.cli.simulate.stop_if", lambda dry_run, checked: sys.exit(0))
    line = [command, "-c", "OAB", "-d", 1, "--optimal", "--time-limit", 7]
    assert run(monkeypatch, capsys, *line)[0] == 0
    assert asked == [{"time_limit": 7.0, "seed": 0, "optimal": True}]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "schedule -c OAB --time-limit nan",
            "time limit must be a finite number of at least 0 and at most 86400, not nan",
        ),
        (
            "schedule -c OAB --time-limit -1",
            "time limit must be a finite number of at least 0 and at most 86400, not -1.0",
        ),
        (
            "schedule -c OAB --time-limit inf",
            "time limit must be a finite number of at least 0 and at most 86400, not inf",
        ),
        ("schedule -c OAB --seed -1", "seed must be an integer from 0 to 2147483647, not -1"),
        ("schedule -c OAB --compact", "--compact requires a file to write (-o)"),
        (
            "schedule -c OAB --topology hypercube --along sbt --seed 0",
            "--seed must be left out along a spanning graph, where nothing is searched, not 0",
        ),
        (
            "schedule -c OAB --topology hypercube --along sbt --time-limit 5",
            "--time-limit must be left out along a spanning graph, where nothing is searched, not 5.0",
        ),
        ("simulate -c OAB --distributed", "--distributed requires a spanning graph (--along)"),
        ("simulate -c OAB --parts 0", "parts must be an integer of at least 1 or \"auto\", not '0'"),
        (
            "schedule -c OAB --topology hypercube --along sbt --parts auto",
            "parts must be an integer of at least 1 along a spanning graph, not 'auto'",
        ),
        (
            "schedule -c AAB --topology hypercube --parts 4 --optimal",
            "--optimal must be left out in several parts, where nothing is searched",
        ),
        (
            "schedule -c AAB --topology mesh -w 64 -d 2 --parts 2",
            "transfers of a schedule must be at most 300,000 for AAB in 2 parts on the 64 × 64 mesh, not 33,546,240",
        ),
        (
            "simulate -c OAB --topology hypercube --along brg --distributed",
            "spanning graph of distributed processors must be one of sbt, nesbt, sbnt, not 'brg'",
        ),
        (
            "simulate -c OAB --topology hypercube --along sbt --distributed --mode both",
            "mode must be lockstep where processors compute the children of sbt, not dataflow",
        ),
        (
            "simulate -c OAS --topology hypercube --ports d --along sbnt --distributed --order postorder",
            "--order must be left out with --distributed, where the order is fixed, not 'postorder'",
        ),
        (
            "simulate --by circuit --topology hypercube --along sbt",
            "--along must be left out with --by, which takes these from the algorithm, not 'sbt'",
        ),
        (
            "synthesize --topology hypercube --ports d --along sbnt --parts 2",
            "parts must be 1 where processors compute the children of sbnt, not 2",
        ),
        (
            "explore --message-bytes 64 --payload-flits 4",
            "--payload-flits must be left out with --message-bytes, for which messages are divided into parts, not 4",
        ),
        (
            "load --trace t.csv --beside a.json --beside b.json",
            "--beside must be left out with a trace (--trace), not 'a.json' 'b.json'",
        ),
        ("explore --message-bytes 0", "message bytes must be an integer from 1 to 16777216, not 0"),
        (
            "large --graphs ring-9",
            "graph must be one of ring-8, mesh-4x4, mesh-8x8, torus-4x4, hypercube-16, hypercube-64, ccc-3, tree-15, star-9, "
            "dense-ghc-9, sparse-ghc-16, dgx-1, irregular-16, not 'ring-9'; did you mean ring-8?",
        ),
        ("schedule -c AAB --root 0", "root must be left out for AAB, which has none, not 0"),
        (
            "gaps --time-limit 1e9",
            "time limit must be a finite number of at least 0 and at most 86400, not 1000000000.0",
        ),
        (
            "models --time-limit -1",
            "time limit must be a finite number of at least 0 and at most 86400, not -1.0",
        ),
        ("models -d 9", "nodes must be at most 256 to simulate the fat cube d = 9, not 512"),
        ("audit ghc --time-limit nan", "time limit must be a finite number of at least 0 and at most 86400, not nan"),
        ("compare --tolerance nan", "tolerance must be a finite number of at least 0 and at most 1, not nan"),
        ("compare --tolerance -1", "tolerance must be a finite number of at least 0 and at most 1, not -1.0"),
        ("compare --tolerance inf", "tolerance must be a finite number of at least 0 and at most 1, not inf"),
        ("simulate -c OAB --memory-words 0", "memory words must be an integer of at least 1, not 0"),
        ("simulate -c OAB --memory-words -1", "memory words must be an integer of at least 1, not -1"),
        ("simulate -c OAB --payload-flits 4,0", "payload flits must be an integer from 1 to 65534, not 0"),
    ],
)
def test_values_that_mean_nothing(monkeypatch, capsys, tmp_path, arguments, message):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(monkeypatch, capsys, *arguments.split())
    assert (status, out, err) == (2, "", f"fatcube: {message}\n")
    assert list(tmp_path.iterdir()) == []


LONG = "x" * 241
FOLDERS = [
    ("nowhere/x/y", "output must be a folder, or a new one in a folder that exists, not nowhere/x/y"),
    (LONG, f"output must be a path with names of at most 240 bytes, not {shown(LONG)}"),
    ("a\0b", "-o must have another value than 'a\\x00b': embedded null byte"),
]


@pytest.mark.parametrize(("folder", "message"), FOLDERS)
@pytest.mark.parametrize("command", ["gaps", "curves", "compare", "report", "reproduce", "audit ghc"])
def test_folders_that_cannot_be_written(monkeypatch, capsys, tmp_path, command, folder, message):
    """Catches minutes of work, and folders made on the way, before it is found that nothing can be written."""
    monkeypatch.chdir(tmp_path)
    status, out, err = run(monkeypatch, capsys, *command.split(), "-o", folder)
    assert (status, out, err) == (2, "", f"fatcube: {message}\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="there is no /proc, in which nobody can write")
@pytest.mark.parametrize("command", ["gaps -o /proc", "gaps -o /proc/x", "schedule -c OAB -o /proc/x"])
def test_folders_in_which_nobody_can_write(monkeypatch, capsys, command):
    """Not even root, who may do everything."""
    status, out, err = run(monkeypatch, capsys, *command.split())
    path = command.split()[-1]
    assert (status, out) == (2, "") and err.count("\n") == 1
    assert err.startswith(f"fatcube: output must be in a folder that can be written to, not {path}: ")


@pytest.mark.parametrize(("name", "message"), FOLDERS[1:])
def test_files_that_cannot_be_written(monkeypatch, capsys, tmp_path, name, message):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(monkeypatch, capsys, "schedule", "-c", "OAB", "-o", name)
    assert (status, out, err) == (2, "", f"fatcube: {message}\n")


def test_the_longest_name_can_be_written(monkeypatch, capsys, tmp_path):
    """A file that is written beside it first has a longer name."""
    monkeypatch.chdir(tmp_path)
    for arguments in (["-o", "x" * 240], ["--json", "y" * 240]):
        assert run(monkeypatch, capsys, "schedule", "-c", "OAB", *arguments)[0] == 0
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("value", [0, 1, 0.5, 1e-9])
def test_numbers(value):
    assert check_number("x", value, minimum=0, maximum=1) is value


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), True, "1", None, 1.5, -0.5])
def test_what_is_no_such_number(value):
    with pytest.raises(ParameterError) as error:
        check_number("x", value, minimum=0, maximum=1)
    assert str(error.value) == f"x must be a finite number of at least 0 and at most 1, not {value!r}"


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({}, "x must be a finite number"),
        ({"above": 0}, "x must be a finite number above 0"),
        ({"minimum": 0}, "x must be a finite number of at least 0"),
        ({"maximum": 2}, "x must be a finite number at most 2"),
    ],
)
def test_limits_in_words(limits, words):
    with pytest.raises(ParameterError) as error:
        check_number("x", float("nan"), **limits)
    assert str(error.value) == f"{words}, not nan"
    if "above" in limits:
        with pytest.raises(ParameterError):
            check_number("x", 0, **limits)


@pytest.mark.parametrize("command", [["reproduce"], ["curves"], ["sweep", str(SIX)]])
@pytest.mark.parametrize("jobs", [0, -1])
def test_jobs_are_checked_before_anything_is_done(monkeypatch, capsys, tmp_path, command, jobs):
    """Catches `reproduce --jobs 0`, which ended in a traceback."""
    monkeypatch.chdir(tmp_path)
    status, out, err = run(monkeypatch, capsys, *command, "--jobs", jobs)
    assert (status, out, err) == (2, "", f"fatcube: jobs must be an integer of at least 1, not {jobs}\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "command",
    [
        ["generate", "network", "-d", "1"],
        ["schedule", "-c", "AAB"],
        ["simulate", "-c", "AAB"],
        ["synthesize"],
        ["sweep", str(SIX)],
        ["reproduce"],
        ["audit", "ccc"],
        ["compare"],
        ["models"],
        ["curves"],
        ["gaps"],
    ],
    ids=lambda command: command[0],
)
def test_dry_run_does_nothing(monkeypatch, capsys, tmp_path, command):
    """Catches a command that goes on, and one that makes folders before it has checked everything."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FATCUBE_CACHE", str(tmp_path / "cache"))
    status, out, err = run(monkeypatch, capsys, *command, "--dry-run")
    assert (status, err) == (0, "")
    assert out.startswith("checked: ") and out.endswith("; nothing was done (--dry-run)\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["sweep", "view"])
def test_folder_without_a_name_is_no_file(monkeypatch, capsys, command):
    """Catches a traceback: what is written would stand beside it, under a name that it has not."""
    assert run(monkeypatch, capsys, command, "/") == (2, "", "fatcube: file must be a file, not the folder /\n")
