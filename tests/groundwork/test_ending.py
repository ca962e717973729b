"""Ctrl-C and SIGTERM end every command, with all that it started, in one line, and leave nothing half-written."""

import os
from pathlib import Path
import signal
import subprocess
import sys

import psutil
import pytest

from tests.support.children import HANG, until
from tests.support.children import start as begin

ROOT = Path(__file__).parents[2]
# A terminal sends Ctrl-C to all processes of a command, `kill` sends SIGTERM to one.
BY_TERMINAL, BY_KILL = (signal.SIGINT, True), (signal.SIGTERM, False)
#: One that does not end by itself within that time.
SEARCH = ["-c", "AAS", "-d", "3", "--half-duplex", "--transfers", "direct", "--optimal", "--time-limit", str(2 * HANG)]
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
    command = ["-c", code, *map(str, arguments)] if code else ["-m", "fatcube", *arguments]
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


#: Runs a command that sends itself a signal, to all its processes if `to_all`: at the `number`-th import after signals are
#: looked after, or if `name` is a function or method, `module:name`, when that is called for the `number`-th time; `after`
#: it, if it is to have begun something. So the command cannot end before its moment, however slow the machine is.
LAUNCHER = """
import functools, importlib, os, runpy, signal, sys
sys.argv[1:], (moment, left, to_all, sent) = sys.argv[5:], sys.argv[1:5]
name, _, after = moment.partition("+")
left = int(left)

def passed():
    global left
    left -= 1
    if left == 0:
        (os.killpg if int(to_all) else os.kill)(os.getpid(), int(sent))

if ":" in name:
    module, _, attribute = name.partition(":")
    *holders, attribute = attribute.split(".")
    holder = functools.reduce(getattr, holders, importlib.import_module(module))
    function = getattr(holder, attribute)

    @functools.wraps(function)
    def noticed(*arguments, **named):
        if not after:
            passed()
        value = function(*arguments, **named)
        if after:
            passed()
        return value

    setattr(holder, attribute, noticed)
else:
    def hook(event, arguments):
        if event == "import" and signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            passed()

    sys.addaudithook(hook)
runpy.run_module("fatcube", run_name="__main__", alter_sys=True)
"""
TOOL, POOL = "subprocess:Popen.__init__+after", "concurrent.futures:ProcessPoolExecutor.submit+after"
#: Moments of commands: while they compute, run tools, solve, have processes.
MOMENTS = [
    ("fatcube.studies.explore:explore", 1, ["explore", "--processors", "30"]),
    (POOL, 1, ["reproduce"]),
    (TOOL, 1, ["sweep", "sweep.toml"]),
    (TOOL, 2, ["sweep", "sweep.toml"]),
    (TOOL, 2, ["simulate", "-c", "AAB"]),
    (TOOL, 1, ["synthesize"]),
    ("fatcube.papers.spanning_graphs.curves:measure_curves", 1, ["curves", "--dimensions", "2", "-o", "."]),
    ("ortools.sat.python.cp_model:CpSolver.solve", 1, ["schedule", *SEARCH]),
    ("fatcube.papers.evidence:Evidence.known", 3, ["audit", "ccc", "-o", "."]),
    (
        "fatcube.noc.verilog:written",
        1,
        ["generate", "network", "-d", "3", "-m", "2", "--routing", "default", "-o", "network.v"],
    ),
    ("fatcube.studies.compare:compare", 1, ["compare", "--processors", "64", "-o", "."]),
    ("ortools.sat.python.cp_model:CpSolver.solve", 1, ["gaps", "--time-limit", "2", "-o", "."]),
    (TOOL, 1, ["board", "build", "icebreaker", "-d", "1", "--width", "8", "--monitors", "none"]),
    (TOOL, 1, ["board", "build", "arty-a7-35", "-d", "1", "-o", "."]),
]
#: A command of each kind, by what it has started: processes and simulators, tools, a solver's threads.
FEW = {("reproduce", BY_TERMINAL), ("simulate", BY_KILL), ("schedule", BY_TERMINAL)}


def launch(folder, moment, number, how, *arguments):
    """The standard error of a command that sent itself a signal at a moment of :data:`LAUNCHER`."""
    sent, to_all = how
    process = start(folder, moment, number, int(to_all), int(sent), *arguments, code=LAUNCHER)
    try:
        _, err = process.communicate(timeout=HANG)
    finally:
        process.kill()
    assert process.returncode == 128 + sent, err
    return err


@pytest.mark.parametrize(
    ("moment", "number", "arguments", "how"),
    [
        pytest.param(
            moment,
            number,
            arguments,
            how,
            id="-".join(["-".join(arguments[:3]), str(number), name]),
            marks=[] if (arguments[0], how) in FEW else pytest.mark.long,
        )
        for moment, number, arguments in MOMENTS
        for name, how in (("terminal", BY_TERMINAL), ("kill", BY_KILL))
    ],
)
def test_command_ends_with_all_that_it_started(tmp_path, moment, number, arguments, how):
    assert launch(tmp_path, moment, number, how, *arguments) == "fatcube: interrupted\n"
    assert left(tmp_path) == []


@pytest.mark.parametrize(
    "number", [1, 10, 100, 1000, *(pytest.param(number, marks=pytest.mark.long) for number in (3, 30, 300))]
)
def test_ctrl_c_while_everything_is_imported(tmp_path, number):
    assert launch(tmp_path, "import", number, BY_TERMINAL, "schedule", *SEARCH) == "fatcube: interrupted\n"
    assert left(tmp_path) == []


@pytest.mark.parametrize("moment", ["before", "after"])
def test_signal_around_the_making_of_the_folder_for_temporary_files(tmp_path, moment):
    """Catches an end that removes the folder which all programs have for theirs, as it knows none of its own yet."""
    code = f"""
import os, signal
from fatcube.groundwork.ending import orderly
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
from fatcube.groundwork.ending import orderly
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
from fatcube.groundwork.ending import orderly
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
from fatcube.groundwork.ending import orderly
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
from fatcube.groundwork.ending import orderly
with orderly():
    pathlib.Path(tempfile.mkdtemp(), "file").touch()
"""
    process = start(tmp_path, code=code)
    assert process.communicate() == ("", "")
    assert process.returncode == 0
    assert left(tmp_path) == []
