"""Progress: in a pipe a line for what takes long, the innermost of it, and none for what is quick; on a terminal a bar."""

import io
import subprocess
import sys
import threading
import types

import pytest
from rich.console import Console

from fatcube.groundwork import progress
from fatcube.groundwork.tool import Call, run_tools
from fatcube.groundwork.workers import in_processes
from tests.support.children import until


class Clock(threading.Condition):
    """The time that the lines are printed by, which passes only when a test says so."""

    def __init__(self):
        super().__init__()
        self.now, self.waited_for = 0.0, False

    def wait(self, timeout=None):
        """Wait for a change: of what is done, or of the time."""
        self.waited_for = True
        return super().wait()

    def go_on(self, seconds):
        """Let time pass; all activities print what is due."""
        with self:
            self.now += seconds
            self.waited_for = False
            self.notify_all()
        until(lambda: self.waited_for or not progress._lines._activities)


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    monkeypatch.delenv("FATCUBE_QUIET")
    clock, lines = Clock(), progress._Lines()
    lines._changed = clock
    monkeypatch.setattr(progress, "_lines", lines)
    monkeypatch.setattr(progress, "time", types.SimpleNamespace(monotonic=lambda: clock.now))
    monkeypatch.setattr(progress, "_FIRST", 3.0)
    return clock


def lines(capsys):
    return capsys.readouterr().err.splitlines()


def test_what_is_quick_says_nothing(capsys, clock):
    with progress.doing("a quick thing"):
        clock.go_on(2.9)
    clock.go_on(100)
    assert lines(capsys) == []


def test_what_takes_long_says_so_once_and_then_now_and_then(capsys, clock):
    with progress.doing("the first") as update:
        clock.go_on(3)
        assert lines(capsys) == ["fatcube: the first"]
        update("the second")
        clock.go_on(59)
        assert lines(capsys) == []
        clock.go_on(1)
        assert lines(capsys) == ["fatcube: the second (1 min)"]
    clock.go_on(100)
    assert lines(capsys) == []


def test_innermost_is_said_and_the_outer_does_not_speak_as_it_ends(capsys, clock):
    with progress.doing("the whole"):
        with progress.doing("a part"):
            clock.go_on(4)
        assert lines(capsys) == ["fatcube: a part"]
        clock.go_on(2.9)
        assert lines(capsys) == []
        clock.go_on(0.1)
        assert lines(capsys) == ["fatcube: the whole"]


def test_bar_counts(capsys, clock):
    said = []
    for _ in progress.tracked(range(3), "counting", 3):
        clock.go_on(2)
        said.append(lines(capsys))
    assert said == [[], ["fatcube: counting: 1 of 3"], []]


def test_bar_of_a_terminal(monkeypatch, clock):
    """The name of the count, how many are done, the rate per minute, and, in the last line, the time that remains."""
    screen = io.StringIO()
    monkeypatch.setattr(progress, "_console", Console(file=screen, force_terminal=True, width=120))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progress.Bar("counting", 4, done=1) as bar:
        clock.now += 30
        bar.advance()
    last = next(line for line in reversed(screen.getvalue().splitlines()) if "counting" in line)
    # One in half a minute: what was done before says nothing of how fast it goes.
    assert all(text in last for text in ("counting", "2/4", "2.0 a minute", "left", "-:--:--")), last


def test_quiet_process_says_nothing_as_long_as_it_is_quiet(capsys, clock):
    with progress.quiet_as_before():
        progress.be_quiet()
        with progress.doing("a long thing"), progress.Bar("many", 2) as bar:
            clock.go_on(100)
            bar.advance()
    assert lines(capsys) == []
    with progress.doing("another long thing"):
        clock.go_on(3)
    assert lines(capsys) == ["fatcube: another long thing"]


@pytest.mark.parametrize(
    ("value", "quiet"), [("1", True), ("yes", True), ("00", True), ("0", False), ("", False), (None, False)]
)
def test_the_environment_says_whether_it_is_quiet(capsys, clock, monkeypatch, value, quiet):
    if value is not None:
        monkeypatch.setenv("FATCUBE_QUIET", value)
    assert progress.is_quiet() == quiet
    with progress.doing("a long thing"):
        clock.go_on(100)
    assert lines(capsys) == [] if quiet else ["fatcube: a long thing"]


def test_a_process_that_a_quiet_one_starts_is_quiet():
    """Catches a silence that only this process knows of: with a tool, with another Python, and where processes compute."""
    code = "from fatcube.groundwork.progress import is_quiet; print(is_quiet())"

    def found():
        [tool] = run_tools([Call("env", ("env",))])
        return "FATCUBE_QUIET=1" in tool.log.splitlines(), subprocess.check_output(
            [sys.executable, "-c", code], text=True
        )

    assert found() == (False, "False\n")
    with progress.quiet_as_before():
        progress.be_quiet()
        assert found() == (True, "True\n")
    assert found() == (False, "False\n")


def test_processes_that_compute_for_this_one_are_quiet():
    """The caller of processes reports their progress."""
    assert not progress.is_quiet()
    assert list(in_processes([progress.is_quiet], jobs=1)) == [(0, True)]
