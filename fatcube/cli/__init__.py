"""The command line: a file per command, and here how one is run.

A command imports studies and papers where it calls them, so that help and refusals do not wait for all of them.

Never here: what a command does, which is in the rooms that it calls.
"""

import functools
import importlib
import os
import sys
from typing import Any

import typer

from fatcube.cli.app import app
from fatcube.cli.output import complain
from groundwork.ending import say_interrupted, signalled
from groundwork.streams import NAMES
from groundwork.tool import ToolError
from groundwork.validation import ParameterError
from schedules.checker import ScheduleError

__all__ = ["commands", "main", "run"]


_NOBODY_READS = 1  # the exit status where standard output is a pipe without a reader, as Typer has it

# Each registers its command when it is imported; help lists them in this order.
for _name in (
    "generate",
    "synthesize",
    "schedule",
    "check",
    "view",
    "simulate",
    "load",
    "board",
    "sweep",
    "explore",
    "report",
    "compare",
    "models",
    "faults",
    "reproduce",
    "audit",
    "curves",
    "gaps",
):
    importlib.import_module(f"fatcube.cli.{_name}")


def main() -> None:
    """Run the command line of this process."""
    sys.exit(_printed(run(sys.argv[1:])))


def _printed(status: int) -> int:
    """Print what is still to be printed, and return the exit status: another one if a command was done and that fails."""
    try:
        sys.stdout.flush()
    except OSError as error:
        sys.stdout = open(os.devnull, "w")  # It would be tried once more at the end, and fail again.
        if status == 0:
            status = _NOBODY_READS if isinstance(error, BrokenPipeError) else 2
            if status == 2:
                complain(error)
    try:
        sys.stderr.flush()
    except OSError:
        sys.stderr = open(os.devnull, "w")
    return status


def run(arguments: list[str]) -> int:
    """The exit status of a command line: 0 done, 1 a check failed, 2 bad input (one line), 130 Ctrl-C."""
    try:
        # The exit status of the command, and None if it just ends.
        return _command().main(arguments, "fatcube", standalone_mode=False) or 0
    except (ParameterError, OSError) as error:
        if isinstance(error, BrokenPipeError) and error.filename == NAMES[1]:
            return _NOBODY_READS
        complain(error)
        return 2
    except (ScheduleError, ToolError, RuntimeError) as error:
        complain(error)
        return 1
    except (KeyboardInterrupt, typer.Abort):
        say_interrupted()
        return 130
    except Exception as error:
        # What Typer itself refuses: an unknown option, a letter where a number belongs. Its class is private.
        if hasattr(error, "format_message"):
            if text := _refusal(error):  # none where the help was asked for by giving nothing
                complain(text, most=300)
            return 2
        if signalled():
            say_interrupted()  # What goes wrong after a signal comes of it.
            return 130
        raise


def _refusal(error: Any) -> str:
    """What Typer says against a command line; of an option that other commands of the group have, it names these."""
    context, option = getattr(error, "ctx", None), getattr(error, "option_name", None)
    if option is None or context is None or context.parent is None or context.parent.parent is None:
        return error.format_message()
    having = {
        name
        for name, command in context.parent.command.commands.items()
        if any(option in (*one.opts, *one.secondary_opts) for one in command.params)
    }
    if not having or context.command.name in having:
        return error.format_message()
    commands = " and ".join(f"{context.parent.command_path} {name}" for name in sorted(having))
    return f"{error.message}; it is an option of {commands}"


@functools.cache
def _command() -> Any:
    """All commands as a group of Click's, whose classes are private in Typer."""
    return typer.main.get_command(app)


def commands() -> dict[str, Any]:
    """Every command as Click has it, by name, as in ``board build``: its ``params`` are the options."""
    found = {}
    for name, command in _command().commands.items():
        # A group has commands of its own.
        within = getattr(command, "commands", None)
        found |= {name: command} if within is None else {f"{name} {part}": one for part, one in within.items()}
    return found
