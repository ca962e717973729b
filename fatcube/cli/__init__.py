"""The command line: a file per command, and here how one is run.

A command imports studies and papers where it calls them, so that help and refusals do not wait for all of them.

Never here: what a command does, which is in the rooms that it calls.
"""

from collections.abc import Sequence
import functools
import importlib
import itertools
import os
import sys
from typing import Any

import typer

from fatcube.cli.app import QUIET, app
from fatcube.cli.output import complain, say_notes
from fatcube.groundwork.ending import say_interrupted, signalled
from fatcube.groundwork.progress import quiet_as_before
from fatcube.groundwork.streams import NAMES
from fatcube.groundwork.tool import ToolError
from fatcube.groundwork.validation import ParameterError
from fatcube.schedules.checker import ScheduleError

__all__ = ["commands", "main", "run"]


_COMPLETION = "_FATCUBE_COMPLETE"  # the variable by which a shell requests completions
_NOBODY_READS = 1  # the exit status where standard output is a pipe without a reader, as Typer has it

#: The files of the commands, which register them when they are imported; help lists them in this order.
_FILES = (
    "generate",
    "describe",
    "draw",
    "synthesize",
    "schedule",
    "check",
    "import",
    "export",
    "view",
    "where",
    "simulate",
    "load",
    "board",
    "sweep",
    "explore",
    "report",
    "compare",
    "models",
    "faults",
    "large",
    "reproduce",
    "audit",
    "curves",
    "gaps",
)


def _import_files(names: Sequence[str] = _FILES) -> None:
    for name in names:
        importlib.import_module(f"fatcube.cli.{name}")


def main() -> None:
    """Run the command line of this process; of the files of commands, only that of the named one is imported."""
    arguments = sys.argv[1:]
    words = (word for word in arguments if word != QUIET)
    named = [name for name in itertools.islice(words, 1) if name in _FILES and _COMPLETION not in os.environ]
    _import_files(named or _FILES)
    sys.exit(_printed(_run(arguments)))


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
    _import_files()
    return _run(arguments)


def _run(arguments: list[str]) -> int:
    """As :func:`run`, with the commands that have been imported."""
    try:
        # The exit status of the command, and None if it just ends.
        with quiet_as_before():
            say_notes(done=False)  # notes of an earlier command in this process
            status = _command().main(arguments, "fatcube", standalone_mode=False) or 0
            say_notes(done=True)
            return status
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
        # Typer's own refusals: an unknown option, a letter where a number belongs. Their class is private.
        if hasattr(error, "format_message"):
            if text := _refusal(error):  # none where no arguments brought up the help
                complain(text, most=300)
            return 2
        if signalled():
            say_interrupted()  # Any failure after a signal comes of it.
            return 130
        raise


def _refusal(error: Any) -> str:
    """Typer's message against a command line; for an option that other commands of the group have, it names these."""
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


def _command() -> Any:
    """The commands that have been imported, as a group of Click's, whose classes are private in Typer."""
    imported = sum(f"fatcube.cli.{name}" in sys.modules for name in _FILES)
    return _group(imported)


@functools.cache
def _group(imported: int) -> Any:
    # In another order of imports they have registered in another order.
    app.registered_commands.sort(key=lambda info: _FILES.index(info.callback.__module__.split(".")[2]))
    app.registered_groups.sort(key=lambda info: _FILES.index(info.name))
    group: Any = typer.main.get_command(app)
    [quiet] = (option for option in group.params if QUIET in option.opts)
    quiet.expose_value = False  # Its callback does all, and no function has it as an argument.
    groups = (one for one in group.commands.values() if hasattr(one, "commands"))
    for command in (*groups, *_leaves(group).values()):
        command.params.append(quiet)
    return group


def commands() -> dict[str, Any]:
    """Every command as Click has it, by name, as in ``board build``: its ``params`` are the options."""
    _import_files()
    return _leaves(_command())


def _leaves(group: Any) -> dict[str, Any]:
    found = {}
    for name, command in group.commands.items():
        # A group has commands of its own.
        within = getattr(command, "commands", None)
        found |= {name: command} if within is None else {f"{name} {part}": one for part, one in within.items()}
    return found
