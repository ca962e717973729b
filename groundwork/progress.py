"""Progress: on a terminal a spinner or a bar, in a pipe a line now and then; none if ``$FATCUBE_QUIET`` is set.

Nobody should wait a minute without knowing for what; and nobody reads a log that is full of progress.
"""

from collections.abc import Callable, Iterable, Iterator
import contextlib
import os
import sys
import threading
import time
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

__all__ = ["Bar", "be_quiet", "doing", "is_quiet", "quiet_as_before", "tracked"]


_QUIET = "FATCUBE_QUIET"  # the environment variable, which the processes that this one starts have too
_FIRST = 3.0  # seconds before the first line of a pipe: what is quicker needs none
_EVERY = 60.0  # seconds between the lines after it
_Item = TypeVar("_Item")

_console = Console(stderr=True)


def be_quiet() -> None:
    """Say nothing of progress from now on, in this process and in those that it starts."""
    os.environ[_QUIET] = "1"


def is_quiet() -> bool:
    """Whether no progress is to be shown: ``$FATCUBE_QUIET`` is neither empty nor 0."""
    return os.environ.get(_QUIET, "") not in ("", "0")


@contextlib.contextmanager
def quiet_as_before() -> Iterator[None]:
    """Undo a :func:`be_quiet` within it at its end."""
    before = os.environ.get(_QUIET)
    try:
        yield
    finally:
        os.environ.pop(_QUIET, None)
        if before is not None:
            os.environ[_QUIET] = before


@contextlib.contextmanager
def doing(what: str) -> Iterator[Callable[[str], None]]:
    """Say on standard error what is being done, if it takes long; yields a function that names the next activity.

    Parameters
    ----------
    what : :class:`str`
        The activity, as in ``"building the simulator of hypercube(d=3)"``.
    """
    if is_quiet():
        yield lambda text: None
    elif sys.stderr.isatty():
        with _console.status(what) as status:
            yield status.update
    else:
        with _lines.about(what) as update:
            yield update


class Bar:
    """The part of a known number of things that is done, for use in a ``with`` statement.

    Parameters
    ----------
    what : :class:`str`
        The activity.
    total : :class:`int`
        How many there are.
    done : :class:`int`
        How many of them are done already, which says nothing of how fast the others are.
    """

    def __init__(self, what: str, total: int, *, done: int = 0) -> None:
        self._what, self._total, self._done, self._before = what, total, done, done
        self._stack = contextlib.ExitStack()
        self._show: Callable[[], None] = lambda: None

    def __enter__(self) -> "Bar":
        self._begun = time.monotonic()
        if is_quiet():
            pass
        elif sys.stderr.isatty():
            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[rate]}"),
                TimeElapsedColumn(),
                TextColumn("left"),
                TimeRemainingColumn(),
            )
            bar = self._stack.enter_context(Progress(*columns, console=_console))
            task = bar.add_task(self._what, total=self._total, completed=self._done, rate="")
            self._show = lambda: bar.update(task, completed=self._done, rate=self._rate())
        else:
            update = self._stack.enter_context(_lines.about(self._text()))
            self._show = lambda: update(self._text())
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    def advance(self, number: int = 1) -> None:
        """Count ``number`` more as done."""
        self._done += number
        self._show()

    def _text(self) -> str:
        return f"{self._what}: {self._done} of {self._total}"

    def _rate(self) -> str:
        return f"{60 * (self._done - self._before) / (time.monotonic() - self._begun):.1f} a minute"


def tracked(items: Iterable[_Item], what: str, total: int) -> Iterator[_Item]:
    """``items``, one after the other, with a :class:`Bar` that says how many of ``total`` have been gone through."""
    with Bar(what, total) as bar:
        for item in items:
            yield item
            bar.advance()


class _Activity:
    """The work that is being done, and the time at which to say so."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.begun = time.monotonic()
        self.due = self.begun + _FIRST

    def update(self, text: str) -> None:
        self.text = text

    def speak(self) -> None:
        minutes = round((time.monotonic() - self.begun) / 60)
        since = f" ({minutes} min)" if minutes else ""
        sys.stderr.write(f"fatcube: {self.text}{since}\n")  # at once, so that nothing comes between it and its end
        sys.stderr.flush()
        self.due = time.monotonic() + _EVERY


class _Lines:
    """Prints what is being done, the innermost of it: a few seconds after it began, and then once a minute."""

    def __init__(self) -> None:
        self._activities: list[_Activity] = []
        self._changed = threading.Condition()

    @contextlib.contextmanager
    def about(self, what: str) -> Iterator[Callable[[str], None]]:
        """While it is entered, ``what`` is being done; yields a function that changes that."""
        activity = _Activity(what)
        with self._changed:
            self._activities.append(activity)
            if len(self._activities) == 1:
                threading.Thread(target=self._speak, daemon=True).start()
            self._changed.notify_all()
        try:
            yield activity.update
        finally:
            with self._changed:
                self._activities.remove(activity)
                for other in self._activities[-1:]:
                    other.due = max(other.due, time.monotonic() + _FIRST)  # It may end with its last part.
                self._changed.notify_all()

    def _speak(self) -> None:
        with self._changed:
            while self._activities:
                innermost = self._activities[-1]
                left = innermost.due - time.monotonic()
                if left > 0:
                    self._changed.wait(left)
                else:
                    innermost.speak()


_lines = _Lines()
