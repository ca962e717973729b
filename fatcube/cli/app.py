"""The application that commands are registered with, and the console that they print on."""

from importlib import metadata
import sys
from typing import Annotated

from rich.console import Console
import typer

__all__ = ["app", "console", "examples"]


# Into a file or a pipe goes the whole table, not as much of it as fits into a terminal that is not there.
console = Console(width=None if sys.stdout.isatty() else 140, markup=False)
app = typer.Typer(
    help="Generate networks-on-chip as RTL, measure them in simulation, and synthesize them.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)


def examples(*commands: str) -> str:
    """The end of a command's help: command lines to try, each on a line of its own."""
    # Typer takes a paragraph for a line.
    return "\n\n".join(["Examples:" if len(commands) > 1 else "Example:", *(f"- `fatcube {one}`" for one in commands)])


def _print_version(wanted: bool) -> None:
    if wanted:
        console.print(f"fatcube {metadata.version('fatcube')}", highlight=False)
        raise typer.Exit(0)


@app.callback()
def _fatcube(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass
