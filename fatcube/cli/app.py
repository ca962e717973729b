"""The application that commands are registered with, and the console that they print on."""

from importlib import metadata
import sys
from typing import Annotated

from rich.console import Console
import typer

from fatcube.groundwork.progress import be_quiet

__all__ = ["QUIET", "app", "console", "examples"]


#: The option that may be given before any command, or after it.
QUIET = "--quiet"
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


def _be_quiet(wanted: bool) -> None:
    if wanted:
        be_quiet()


@app.callback()
def _fatcube(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    # Here it is declared, and `fatcube/cli/__init__.py` gives it to every command.
    quiet: Annotated[
        bool,
        typer.Option(
            QUIET,
            callback=_be_quiet,
            is_eager=True,
            help="Do not report progress on standard error.",
        ),
    ] = False,
) -> None:
    pass
