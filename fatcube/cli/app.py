"""The application that commands are registered with, and the console they print on."""

import sys

from rich.console import Console
import typer

__all__ = ["console", "app"]


# Into a file or a pipe goes the whole table, not as much of it as fits into a terminal that is not there.
console = Console(width=None if sys.stdout.isatty() else 140, markup=False)
app = typer.Typer(
    help="Real networks-on-chip of fat cubes and hypercubes: RTL, collectives measured on it, and what they cost.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
