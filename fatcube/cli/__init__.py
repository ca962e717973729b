"""The command line: a file per command, and here how one is run.

A command's module is imported when the command is named, and imports studies and papers where it calls them, so that help
and refusals do not wait for all of them.

Never here: what a command does, which is in the rooms that it calls.
"""

import os
import sys
from typing import Any

import typer

from fatcube.cli.app import application, load_command, paths
from fatcube.cli.output import complain, say_notes
from fatcube.cli.refusals.usage import refused
from fatcube.cli.refusals.words import hinted, said_of_file
from fatcube.groundwork.ending import say_interrupted, signalled
from fatcube.groundwork.progress import quiet_as_before
from fatcube.groundwork.streams import NAMES
from fatcube.groundwork.tool import ToolError
from fatcube.groundwork.validation import ParameterError

__all__ = ["commands", "main", "run"]


_NOBODY_READS = 1  # the exit status where standard output is a pipe without a reader, as Typer has it


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
                complain(said_of_file(error))
    try:
        sys.stderr.flush()
    except OSError:
        sys.stderr = open(os.devnull, "w")
    return status


def run(arguments: list[str]) -> int:
    """The exit status of a command line: 0 done, 1 a check failed, 2 bad input (one line), 130 Ctrl-C."""
    try:
        # The exit status of the command, and None if it just ends.
        with quiet_as_before():
            say_notes(done=False)  # notes of an earlier command in this process
            status = application().main(arguments, "fatcube", standalone_mode=False) or 0
            say_notes(done=True)
            return status
    except (ParameterError, OSError) as error:
        if isinstance(error, BrokenPipeError) and error.filename == NAMES[1]:
            return _NOBODY_READS
        complain(said_of_file(error) if isinstance(error, OSError) else hinted(str(error)))
        return 2
    except (ToolError, RuntimeError) as error:
        complain(error)
        return 1
    except (KeyboardInterrupt, typer.Abort):
        say_interrupted()
        return 130
    except Exception as error:
        # Typer's own refusals: an unknown option, a letter where a number belongs. Their class is private.
        if hasattr(error, "format_message"):
            if text := refused(error, load_command):  # none where no arguments brought up the help
                complain(text, most=300)
            return 2
        if signalled():
            say_interrupted()  # Any failure after a signal comes of it.
            return 130
        from fatcube.schedules.checker import ScheduleError  # It has been imported where it is raised.

        if isinstance(error, ScheduleError):
            complain(error)
            return 1
        raise


def commands() -> dict[str, Any]:
    """Every command as Click has it, by name, as in ``board build``: its ``params`` are the options."""
    return {path: load_command(path) for path in paths()}
