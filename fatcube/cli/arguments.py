"""Checks of arguments that several commands make, all of them before anything takes long."""

from collections.abc import Iterator, Mapping, Sequence
import os
from pathlib import Path
import re
import tempfile
from typing import Any

import typer

from fatcube.groundwork.files import check_target, is_special, target_of
from fatcube.groundwork.options import listed
from fatcube.groundwork.validation import ParameterError, check_integer, check_number, shown

__all__ = [
    "READ",
    "apart",
    "beside",
    "check_jobs",
    "check_suffix",
    "check_time_limit",
    "integers",
    "keep_inputs",
    "output_file",
    "output_folder",
    "output_folder_if_given",
    "page_file",
    "processors",
    "refuse_given",
    "require",
    "was_given",
]


READ = ("network_file", "topology_file", "failures", "routing_file", "schedule_file", "schedule")
"""Parameters of commands that name files to read."""

_WRITTEN = ("output", "json_file", "csv_file", "page")
_LAST_PROCESSOR = (1 << 16) - 1  # of a list that is gone through: schedules have fewer
_LONGEST = 240  # bytes of a name: file systems have 255, and a file is first written under a longer one


def output_file(path: Path | None) -> Path | None:
    """Return ``path`` if a file can be written to it, or ``None`` if there is none.

    Raises
    ------
    ParameterError
        If it is a folder, its folder does not exist or cannot be written to, or it has a name that is too long.
    """
    if path is not None:
        _check_names(path)
        if not path.name or path.is_dir():
            raise ParameterError(f"output must be a file, not the folder {path}")
        if not path.parent.is_dir():
            raise ParameterError(f"output must be in a folder that exists, not {path}")
        try:
            check_target(path)
        except OSError as error:
            raise ParameterError(f"output must be a file that can be written, not {path}: {error.strerror}") from None
        if not is_special(path):
            _check_writable(target_of(path).parent, path)
    return path


def check_suffix(path: Path | None, suffix: str, what: str) -> None:
    """Refuse to write ``what``, which is named after ``suffix``, to a file that is named after something else.

    Raises
    ------
    ParameterError
        If the path has another suffix, in whatever case, and is no device.
    """
    if path is not None and path.suffix.lower() not in ("", suffix) and not is_special(path):
        raise ParameterError(f"output must end in {suffix}, as {what} is one, not {path.suffix}")


def page_file(path: Path | None) -> Path | None:
    """Return ``path`` as :func:`output_file` does, if it is a device or ends as the pages do that are written.

    Raises
    ------
    ParameterError
        If it ends otherwise, or cannot be written.
    """
    if path is not None and path.suffix not in (".html", ".md") and not is_special(path):
        raise ParameterError(f"page must be a file that ends in .html or .md, not {path}")
    return output_file(path)


def output_folder_if_given(path: Path | None) -> Path | None:
    """Check a folder as :func:`output_folder` does, unless nothing is to be written."""
    return None if path is None else output_folder(path)


def output_folder(path: Path) -> Path:
    """Return ``path`` if files can be written into that folder, which may be a new one in a folder that exists.

    Raises
    ------
    ParameterError
        If they cannot.
    """
    _check_names(path)
    if os.path.lexists(path) and not path.is_dir():
        raise ParameterError(f"output must be a folder, not the file {path}")
    if not path.exists() and not path.parent.is_dir():
        raise ParameterError(f"output must be a folder, or a new one in a folder that exists, not {path}")
    _check_writable(path if path.exists() else path.parent, path)
    return path


def _check_names(path: Path) -> None:
    for part in path.parts:
        if len(os.fsencode(part)) > _LONGEST:
            raise ParameterError(f"output must be a path with names of at most {_LONGEST} bytes, not {shown(part)}")


def _check_writable(folder: Path, path: Path) -> None:
    # Writing is the only way to know: permissions do not tell all.
    try:
        with tempfile.NamedTemporaryFile(prefix=".fatcube-", dir=folder):
            pass
    except OSError as error:
        raise ParameterError(
            f"output must be in a folder that can be written to, not {path}: {error.strerror}"
        ) from None


def beside(file: Path, suffix: str) -> Path:
    """The path of ``file`` with another suffix.

    Raises
    ------
    ParameterError
        If it is a folder without a name, as ``/`` is, or a device, FIFO or socket, which nothing is written beside.
    """
    if not file.name:
        raise ParameterError(f"file must be a file, not the folder {file}")
    if is_special(file):
        raise ParameterError(f"output must be given where the input is no regular file, not be beside {file}")
    return file.with_suffix(suffix)


def apart(*paths: Path | None) -> None:
    """Refuse two paths of one regular file: writing one would destroy the other.

    Raises
    ------
    ParameterError
        If a path is given twice: the first one that is.
    """
    given = [path for path in paths if path is not None and not is_special(path)]
    for index, path in enumerate(given):
        if target_of(path) in {target_of(other) for other in given[:index]}:
            raise ParameterError(
                f"output must be a different file from all others that are read or written, not {path}"
            )


def keep_inputs(given: Mapping[str, Any]) -> None:
    """Refuse to write a file that the command reads, by the names of its parameters.

    Raises
    ------
    ParameterError
        At the first such file.
    """
    for path in (given[name] for name in _WRITTEN if given.get(name) is not None):
        for other in (given[name] for name in READ if given.get(name) is not None):
            apart(other, path)


def was_given(context: typer.Context, name: str) -> bool:
    """Whether the user gave this parameter of the command that runs in ``context``, be it the default."""
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"


def refuse_given(context: typer.Context, because: str, *names: str) -> None:
    """Refuse parameters of the command that runs in ``context`` which would change nothing, if the user gave them.

    Raises
    ------
    ParameterError
        At the first of ``names`` that was given.
    """
    for flag, value in _given(context, names):
        several = value if isinstance(value, (list, tuple)) else [value]
        instead = "" if value is True else f", not {' '.join(shown(_plain(one)) for one in several)}"
        raise ParameterError(f"{flag} must be left out {because}{instead}")


def _plain(value: object) -> object:
    return str(value) if isinstance(value, Path) else value


def require(context: typer.Context, what: str, *names: str) -> None:
    """Refuse parameters of the command that runs in ``context`` that need ``what``, which is missing, if the user gave them.

    Raises
    ------
    ParameterError
        At the first of ``names`` that was given.
    """
    for flag, _ in _given(context, names):
        raise ParameterError(f"{flag} requires {what}")


def _given(context: typer.Context, names: Sequence[str]) -> Iterator[tuple[str, object]]:
    """The flags and values of those of these parameters that the user gave."""
    for parameter in (one for name in names for one in context.command.params if one.name == name):
        if was_given(context, parameter.name or ""):
            yield parameter.opts[0], context.params[parameter.name or ""]


def integers(name: str, text: str) -> list[int]:
    """The integers of a comma-separated text.

    Raises
    ------
    ParameterError
        If it is no such text.
    """
    return list(listed(name, text, int))


def processors(name: str, text: str) -> list[int]:
    """The processors of a comma-separated text, or between ranges, as in ``0,4-7``.

    Raises
    ------
    ParameterError
        If it is no such text, or there are more than a network can have.
    """
    found: list[int] = []
    for part in text.split(","):
        ends = re.fullmatch(r"\s*([0-9]{1,9})(?:-([0-9]{1,9}))?\s*", part)
        if ends is None:
            raise ParameterError(f"{name} must be comma-separated processors, such as 0,4-7, not {shown(text)}")
        first, last = int(ends[1]), int(ends[2] or ends[1])
        if first > last:
            raise ParameterError(f"{name} must have ranges from a lower processor to a higher one, not {shown(part)}")
        check_integer(f"processor of {name}", last, minimum=0, maximum=_LAST_PROCESSOR)
        found += range(first, last + 1)
    return found


def check_jobs(jobs: int) -> int:
    """Return the number of processes at a time if it is possible."""
    return check_integer("jobs", jobs, minimum=1)


def check_time_limit(seconds: float | None) -> float | None:
    """Return the seconds of a search if they make sense, or nothing if none are given; a day is more than anybody waits."""
    return seconds if seconds is None else check_number("time limit", seconds, minimum=0, maximum=86_400)
