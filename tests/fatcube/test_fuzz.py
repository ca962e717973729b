"""Some seconds of what `make fuzz` does for a quarter of an hour: see tests/support/fuzzing.py."""

import os
from pathlib import Path
import random
import re
import signal
import subprocess
import sys
import threading

import pytest

from fatcube import cli
from tests.support import fuzzing
from tests.support.children import HANG


def test_bad_input_is_answered_in_one_line():
    """In a process of its own, whose memory is limited; what is wrong is printed with its kind."""
    kinds = {"schedules": 300, "imports": 200, "sweeps": 200, "network_files": 100, "results": 100, "command_lines": 30}
    thrown = ("processes:2", *(f"{kind}:{count}" for kind, count in kinds.items()))
    found = subprocess.run(
        [sys.executable, "-m", "tests.support.fuzzing", *thrown, "--seed", "1000", "--seconds", str(HANG)],
        cwd=Path(fuzzing.ROOT),
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0, found.stdout + found.stderr
    assert re.findall(r"^(\w+), seed 1000: (\d+) thrown", found.stdout, re.MULTILINE) == [
        tuple(one.split(":")) for one in thrown
    ]


@pytest.mark.parametrize(
    ("function", "wrong"),
    [
        (lambda arguments: 3, "exit status 3"),
        (lambda arguments: print("fatcube: a\nfatcube: b", file=sys.stderr) or 2, "2 lines for bad input"),
        (lambda arguments: 2, "0 lines for bad input"),
        (lambda arguments: print("Traceback (most recent call last):", file=sys.stderr) or 1, "a traceback"),
        (lambda arguments: 1 // 0, "ZeroDivisionError"),
        (lambda arguments: [0] * (1 << 40), "MemoryError"),
    ],
    ids=["status", "lines", "silence", "printed", "raised", "memory"],
)
def test_what_is_wrong_is_seen(monkeypatch, function, wrong):
    """Catches a fuzzer that finds everything right."""
    monkeypatch.setattr(fuzzing.cli, "run", function)
    _, _, found = fuzzing.answer(["check"], HANG)
    assert [one for one in found if one.startswith(wrong)], found


#: What a command waits for: a computation of a second of its own.
BUSY = "import time\nwhile time.process_time() < 1: pass"


def compute(arguments):
    while True:
        pass


def stop(arguments):
    threading.Lock().acquire()
    threading.Event().wait()


def wait(arguments):
    return subprocess.run([sys.executable, "-c", BUSY]).returncode


@pytest.mark.parametrize(("function", "wrong"), [(compute, 1), (stop, 1), (wait, 0)])
def test_what_does_not_end_is_seen(monkeypatch, function, wrong):
    """A computation without end by its processor time, and what sleeps; not what waits for another process."""
    monkeypatch.setattr(fuzzing.cli, "run", function)
    handlers = [signal.getsignal(number) for number in (signal.SIGPROF, signal.SIGALRM)]
    status, _, found = fuzzing.answer(["check"], 0.5)
    assert (status, found) == ((None, ["no answer within 0.5 s"]) if wrong else (0, []))
    assert [signal.getsignal(number) for number in (signal.SIGPROF, signal.SIGALRM)] == handlers


@pytest.mark.parametrize(
    ("program", "wrong"),
    [("import time; time.sleep(3600)", ["asleep for 0.5 s"]), ("while True: pass", ["exit status -9", " s"])],
    ids=["asleep", "computes"],
)
def test_a_process_that_does_not_end_is_seen(monkeypatch, program, wrong):
    started = fuzzing.start
    monkeypatch.setattr(fuzzing, "start", lambda *command, **how: started(sys.executable, "-c", program, **how))
    [found] = fuzzing.run_processes(1, 1, 0.5, most=2)
    assert all(one in found for one in wrong), found


@pytest.mark.parametrize("kind", ["schedules", "sweeps", "network_files", "results", "command_lines"])
def test_no_path_leads_out_of_the_folder(monkeypatch, tmp_path, kind):
    """A fuzzer that runs as root could destroy a device of the machine, or write reports into its root folder."""
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    count = {"command_lines": 700}.get(kind, 50)
    for _, (_, arguments) in zip(range(count), getattr(fuzzing, kind)(random.Random(7), folder)):
        for argument in map(str, arguments):
            if not argument.startswith("-") and len(argument) < 200 and "\0" not in argument:
                # Links stay inside too: resolved, and in a loop, as it is written.
                found = os.path.realpath(folder / argument)
                assert found.startswith(f"{tmp_path}/"), argument


def test_what_is_replaced_is_seen(tmp_path):
    fuzzing.make_special(tmp_path)
    assert {"fifo", "link", "loop"} <= {path.name for path in tmp_path.iterdir()}
    assert fuzzing.replaced(tmp_path) == []
    (tmp_path / "fifo").unlink()
    (tmp_path / "fifo").write_text("x")
    (tmp_path / "dangling").unlink()
    (tmp_path / "dangling").write_text("x")
    assert sorted(fuzzing.replaced(tmp_path)) == ["dangling was replaced", "fifo was replaced"]


def test_every_argument_of_every_command_has_values():
    """Catches a command whose argument has a new name: thousands of command lines may not have it, and then one stops."""
    for name, command in cli.commands().items():
        for option in command.params:
            assert fuzzing.with_value(random.Random(0), option), name
