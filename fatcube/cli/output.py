"""Output of commands: lines, tables, JSON files, and failures."""

from collections.abc import Callable, Iterable, Mapping, Sequence
import contextlib
import dataclasses
import itertools
import json
from pathlib import Path
import re
import sys
from typing import TYPE_CHECKING, Any

import typer

from fatcube.cli.app import console
from fatcube.groundwork.ending import say_interrupted, signalled
from fatcube.groundwork.files import write_parts
from fatcube.groundwork.progress import is_quiet
from fatcube.reports.table import Column, show

if TYPE_CHECKING:
    from fatcube.reports.page import Results

__all__ = [
    "complain",
    "fail",
    "note",
    "print_table",
    "remark",
    "say",
    "say_chosen",
    "say_duration",
    "say_notes",
    "stop_if",
    "with_command",
    "write_json",
    "write_page",
]


_LONG_RUN = 30  # seconds
_IN_HOURS = 120  # minutes


def say(text: str) -> None:
    """Print a line of any length as it is; the terminal wraps it."""
    console.print(text, highlight=False, soft_wrap=True)


def remark(text: str) -> None:
    """Print a line on standard error: something that is not part of what the command prints."""
    print(text, file=sys.stderr)


_notes: list[str] = []


def note(text: str) -> None:
    """Have a line printed on standard error once the command has done its work: bad input costs one line, and no other."""
    _notes.append(text)


def say_notes(*, done: bool) -> None:
    """Print what was noted if the command has ``done`` its work, and forget it."""
    if done:
        for text in dict.fromkeys(_notes):
            remark(text)
    _notes.clear()


def say_duration(seconds: float, unless: str = "") -> None:
    """Say on standard error how long a command is expected to take, if that is more than half a minute.

    It is progress, and so it is hidden where progress is.

    ``unless`` is a clause that says when it takes less.
    """
    if seconds <= _LONG_RUN or is_quiet():
        return
    number, unit = seconds / 60, "minute"
    if number >= _IN_HOURS:
        number, unit = number / 60, "hour"
    number = max(1, round(number))
    remark(f"this takes about {number:,} {unit}{'s' * (number > 1)}{unless and f', unless {unless}'}")


def say_chosen(chosen: Mapping[str, Any], *, error: bool = False) -> None:
    """Print, in one line, the flags of options that were not given and that other options need to have these values.

    With ``error`` the line goes to standard error.
    """
    if chosen:
        flags = " ".join(f"--{name.replace('_', '-')} {value}" for name, value in chosen.items())
        line = f"implied by the other options: {flags}"
        (remark if error else say)(line)


def print_table(
    title: str, columns: Iterable[Column | str], rows: Iterable[Sequence[object]], *, wide: bool = False
) -> None:
    """Print a table on the console, as :func:`fatcube.reports.table.show` does."""
    show(console, title, columns, rows, wide=wide)


def write_json(path: Path | None, make: Callable[[], Mapping[str, Any]]) -> None:
    """Write what ``make`` returns as JSON, if there is a file for it."""
    if path is not None:
        write_parts(path, itertools.chain(json.JSONEncoder(indent=1).iterencode(make()), "\n"))


def write_page(path: Path | None, make: "Callable[[], Results]") -> None:
    """Write what ``make`` returns as a page, HTML or Markdown, if there is a file for it, and say so."""
    if path is not None:
        from fatcube.reports.page import write_results

        write_results(with_command(make()), path)
        say(f"Written to {path}")


def with_command(results: "Results") -> "Results":
    """The results with the version and the command line of this process, as a result record has them."""
    from importlib import metadata

    from fatcube.groundwork.record import command_line, source_revision

    revision, _ = source_revision()
    version = metadata.version("fatcube") + (f", source revision {revision}" if revision else "")
    return dataclasses.replace(results, version=version, command=command_line())


def stop_if(dry_run: bool, checked: str) -> None:
    """End a command that was to check everything and to do nothing; ``checked`` is a clause for what has been checked."""
    if dry_run:
        say(f"checked: {checked}; nothing was done (--dry-run)")
        raise typer.Exit(0)


def fail(failures: Sequence[str], *, most: int = 20) -> None:
    """End the command with exit status 1 if anything failed, and print the first failures."""
    if not failures:
        return
    for failure in failures[:most]:
        print(f"FAILED: {failure}", file=sys.stderr)
    if len(failures) > most:
        print(f"... and {len(failures) - most} more", file=sys.stderr)
    raise typer.Exit(1)


def complain(error: object, *, most: int = 1000) -> None:
    """Print an error in one line of some ``most`` characters at most, and of what is long in it only the ends.

    A :class:`RuntimeError` keeps its lines, which are the end of a simulator's log.
    """
    if signalled():
        say_interrupted()  # Any failure after a signal comes of it.
        return
    text = str(error)
    if not isinstance(error, RuntimeError):
        text = "".join(one if one.isprintable() else repr(one)[1:-1] for one in text)
        text = _LONG.sub(lambda found: _ends(found.group(), 100), text)
    if len(text) > most:
        text = _ends(text, most * 2 // 5)
    with contextlib.suppress(OSError):  # If standard error is full or broken, the exit status has to be enough.
        print(f"fatcube: {text}", file=sys.stderr)


_LONG = re.compile(r"\S{201,}|'[^']{201,}'")  # a path, a number, or a value in quotes


def _ends(text: str, most: int) -> str:
    return f"{text[:most]}...{text[-most:]}"
