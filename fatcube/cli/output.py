"""What commands print and write at their end, and how they fail."""

import json
import sys

import typer

from fatcube.cli.app import console
from fatcube.reports.table import show
from groundwork.ending import say_interrupted, signalled
from groundwork.files import write_text

__all__ = ["complain", "print_table", "stop_if", "write_json", "fail"]


def complain(error):
    if signalled():
        say_interrupted()  # What goes wrong after a signal comes of it.
    else:
        text = str(error)
        if len(text) > 1000:  # a path or a number that is as long as that
            text = f"{text[:500]}...{text[-300:]}"
        print(f"fatcube: {text}", file=sys.stderr)


def print_table(title, columns, rows, *, wide=False):
    show(console, title, columns, rows, wide=wide)


def stop_if(dry_run, what):
    """Ends a command that was to check everything and to do nothing."""
    if dry_run:
        console.print(f"checked: {what}; nothing was done (--dry-run)", highlight=False, soft_wrap=True)
        raise typer.Exit(0)


def write_json(path, make):
    if path is not None:
        write_text(path, json.dumps(make(), indent=1) + "\n")


def fail(failures, *, most=20):
    """Exit status 1 if anything failed, with the first failures."""
    if not failures:
        return
    for failure in failures[:most]:
        print(f"FAILED: {failure}", file=sys.stderr)
    if len(failures) > most:
        print(f"... and {len(failures) - most} more", file=sys.stderr)
    raise typer.Exit(1)
