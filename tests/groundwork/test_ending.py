"""Ctrl-C and SIGTERM end every command, with all that it started, in one line, and leave nothing half-written."""

import os
from pathlib import Path
import signal
import subprocess
import sys
import time

import psutil
import pytest

from tests.support.children import HANG, until
from tests.support.children import start as begin

ROOT = Path(__file__).parents[2]
# A terminal sends Ctrl-C to all processes of a command, `kill` sends SIGTERM to one.
BY_TERMINAL, BY_KILL = (signal.SIGINT, True), (signal.SIGTERM, False)
#: One that does not end by itself for a minute.
SEARCH = ["-c", "AAS", "-d", "3", "--half-duplex", "--optimal", "--time-limit", "60"]
SWEEP = """format = "fatcube.sweep/1"
family = "gates"
d = [1, 2]
collective = ["AAB", "OAB"]
"""


def start(folder, *arguments, code=None):
    """A command in a folder of its own, which has its temporary files and its cache too."""
    for name in ("tmp", "work"):
        (folder / name).mkdir(exist_ok=True)
    (folder / "work" / "sweep.toml").write_text(SWEEP)
    command = ["-c", code] if code else ["-m", "fatcube", *arguments]
    process = begin(
        *(sys.executable, *command),
        cwd=folder / "work",
        start_new_session=True,
        text=True,
        env={
            **os.environ,
            "TMPDIR": str(folder / "tmp"),
            "FATCUBE_CACHE": str(folder / "cache"),
            "PYTHONPATH": str(ROOT),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    # In its first moments Python itself ends, with a traceback that no program can do anything about. As soon as
    # there is a folder for temporary files, signals are looked after.
    until(lambda: list((folder / "tmp").iterdir()) or process.poll() is not None)
    return process


def stop(process, how):
    """Sends the signal; returns what was printed on standard error."""
    number, to_all = how
    assert process.poll() is None, process.communicate()
    (os.killpg if to_all else os.kill)(process.pid, number)
    try:
        _, err = process.communicate(timeout=HANG)
    finally:
        process.kill()
    assert process.returncode == 128 + number
    return err


def left(folder):
    """Processes that a command left, known by their environment, and temporary and unfinished files."""
    processes = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("TMPDIR", "").startswith(str(folder)) and process.status() != psutil.STATUS_ZOMBIE:
                processes.append(process.cmdline())
        except psutil.Error:
            continue
    files = [path.name for path in (folder / "tmp").rglob("*")]
    files += [path.name for path in (folder / "cache").rglob("*") if path.name.startswith(".")]
    return (
        processes
        + files
        + [path.name for path in (folder / "work").rglob("*") if path.is_file() and path.name != "sweep.toml"]
    )


#: Moments of commands, in seconds: while they compile, run tools, solve, have processes and a cluster.
MOMENTS = [
    (0.3, ["explore", "--processors", "30"]),
    (2.5, ["reproduce"]),
    (5, ["reproduce"]),
    (2.5, ["sweep", "sweep.toml"]),
    (5, ["sweep", "sweep.toml"]),
    (3, ["simulate", "-c", "AAB"]),
    (1.5, ["synthesize"]),
    (3, ["curves", "--dimensions", "2", "-o", "."]),
    (1.5, ["schedule", *SEARCH]),
    (2.5, ["audit", "ccc", "-o", "."]),
    (2.5, ["generate", "network", "-d", "6", "-m", "2", "--ports", "d", "-o", "network.v"]),
    (2.5, ["compare", "--processors", "64", "-o", "."]),
    (2.5, ["gaps", "-o", "."]),
    (6, ["board", "build", "icebreaker", "-d", "1", "--width", "8", "--monitors", "none"]),
    (1.5, ["board", "build", "arty-a7-35", "-d", "1", "-o", "."]),
]
#: A command of each kind, by what it has started: nothing, processes and simulators, a cluster, compilers, tools, a
#: solver's threads.
FEW = [
    ("2.5-reproduce", BY_TERMINAL),
    ("3-simulate", BY_KILL),
    ("1.5-schedule", BY_TERMINAL),
]


@pytest.mark.parametrize(
    ("seconds", "arguments", "how"),
    [
        pytest.param(
            seconds,
            arguments,
            how,
            id=f"{seconds}-{arguments[0]}-{name}",
            marks=[] if (f"{seconds}-{arguments[0]}", how) in FEW else pytest.mark.long,
        )
        for seconds, arguments in MOMENTS
        for name, how in (("terminal", BY_TERMINAL), ("kill", BY_KILL))
    ],
)
def test_command_ends_with_all_that_it_started(tmp_path, seconds, arguments, how):
    process = start(tmp_path, *arguments)
    time.sleep(seconds)
    lines = stop(process, how).splitlines()
    assert lines[-1] == "fatcube: interrupted"
    assert [line for line in lines if not line.startswith("fatcube: ")] == []
    assert left(tmp_path) == []


@pytest.mark.parametrize(
    "milliseconds", [0, 100, 200, 400, *(pytest.param(moment, marks=pytest.mark.long) for moment in (50, 150, 300))]
)
def test_ctrl_c_while_everything_is_imported(tmp_path, milliseconds):
    process = start(tmp_path, "schedule", *SEARCH)
    time.sleep(milliseconds / 1000)
    assert stop(process, BY_TERMINAL) == "fatcube: interrupted\n"
    assert left(tmp_path) == []


@pytest.mark.parametrize("moment", ["before", "after"])
def test_signal_around_the_making_of_the_folder_for_temporary_files(tmp_path, moment):
    """Catches an end that removes the folder which all programs have for theirs, as it knows none of its own yet."""
    code = f"""
import os, signal
from groundwork.ending import orderly
mkdir = os.mkdir
def signalled(*arguments):
    if {moment == "after"}:
        mkdir(*arguments)
    os.kill(os.getpid(), signal.SIGINT)
os.mkdir = signalled
with orderly():
    print("not reached")
"""
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp" / "somebody's").touch()
    process = start(tmp_path, code=code)
    assert process.communicate() == ("", "fatcube: interrupted\n")
    assert process.returncode == 130
    assert [path.name for path in (tmp_path / "tmp").iterdir()] == ["somebody's"]


@pytest.mark.parametrize("how", [BY_TERMINAL, BY_KILL], ids=["terminal", "kill"])
def test_signal_while_a_folder_for_temporary_files_is_tried(tmp_path, how):
    """Catches a signal that interrupts tempfile between the making and the removing of the file that it tries it with."""
    code = f"""
import os, signal
from groundwork.ending import orderly
opening, tried = os.open, []
def signalled(path, *arguments):
    opened = opening(path, *arguments)
    if str(path).startswith({str(tmp_path / "tmp")!r}):
        tried.append(path)
        os.kill(os.getpid(), {int(how[0])})
    return opened
os.open = signalled
with orderly():
    print("not reached", tried)
"""
    process = start(tmp_path, code=code)
    assert process.communicate() == ("", "fatcube: interrupted\n")
    assert process.returncode == 128 + how[0]
    assert left(tmp_path) == []


def test_what_does_not_let_itself_be_interrupted_is_ended(tmp_path):
    """Catches an end that waits for a solver, a pool or a cluster; the child and its orphan go too."""
    code = """
import subprocess, sys, time
from groundwork.ending import orderly
with orderly():
    subprocess.Popen(["sh", "-c", "sleep 600 & sleep 600"])
    print("begun", flush=True)
    while True:
        try:
            time.sleep(600)
        except BaseException:
            pass
"""
    process = start(tmp_path, code=code)
    assert process.stdout.readline() == "begun\n"
    assert stop(process, BY_KILL) == "fatcube: interrupted\n"
    assert left(tmp_path) == []


def test_what_falls_over_on_the_way_out_is_not_shown(tmp_path):
    code = """
import sys, time
from groundwork.ending import orderly
with orderly():
    print("begun", flush=True)
    try:
        time.sleep(600)
    finally:
        print("noise", file=sys.stderr)
        raise RuntimeError("of no use to anybody")
"""
    process = start(tmp_path, code=code)
    assert process.stdout.readline() == "begun\n"
    assert stop(process, BY_TERMINAL) == "fatcube: interrupted\n"


def test_temporary_files_go_at_an_ordinary_end(tmp_path):
    code = """
import pathlib, tempfile
from groundwork.ending import orderly
with orderly():
    pathlib.Path(tempfile.mkdtemp(), "file").touch()
"""
    process = start(tmp_path, code=code)
    assert process.communicate() == ("", "")
    assert process.returncode == 0
    assert left(tmp_path) == []
