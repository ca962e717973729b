"""Command lines run in this process."""

import sys

from fatcube import cli


def run(monkeypatch, capsys, *arguments):
    """Runs ``fatcube`` with the arguments; returns its exit status, output and error output."""
    monkeypatch.setattr(sys, "argv", ["fatcube", *map(str, arguments)])
    try:
        cli.main()
        status = 0
    except SystemExit as stop:
        status = stop.code or 0
    captured = capsys.readouterr()
    return status, captured.out, captured.err
