"""Options that several commands have."""

import os
from pathlib import Path
import tempfile
from typing import Annotated, Optional

import typer

from groundwork.validation import ParameterError, shown

__all__ = [
    "Csv",
    "DedicatedPorts",
    "DryRun",
    "HalfDuplex",
    "OnePartner",
    "Ports",
    "Wide",
    "output_file",
    "output_folder",
]


def output_file(path: Path | None) -> Path | None:
    """Returns ``path`` if a file can be written to it, or ``None`` if there is none: asked before anything takes long.

    Raises
    ------
    ParameterError
        If it is a folder, or in none that exists and can be written to, or has a name that is too long.
    """
    if path is not None:
        _check_names(path)
        if not path.name or path.is_dir():
            raise ParameterError(f"output must be a file, not the folder {path}")
        if not path.parent.is_dir():
            raise ParameterError(f"output must be in a folder that exists, not {path}")
        _check_writable(path.parent, path)
    return path


def output_folder(path: Path) -> Path:
    """The same for a folder, which may be made in one that exists."""
    _check_names(path)
    if path.exists() and not path.is_dir():
        raise ParameterError(f"output must be a folder, not the file {path}")
    if not path.exists() and not path.parent.is_dir():
        raise ParameterError(f"output must be a folder, or a new one in a folder that exists, not {path}")
    _check_writable(path if path.exists() else path.parent, path)
    return path


def _check_names(path):
    most = 240  # bytes of a name: file systems have 255, and a file is first written under a longer one
    for part in path.parts:
        if len(os.fsencode(part)) > most:
            raise ParameterError(f"output must be a path with names of at most {most} bytes, not {shown(part)}")


def _check_writable(folder, path):
    """Tries it out, as that is how to know: not all that may be written can be."""
    try:
        with tempfile.NamedTemporaryFile(prefix=".fatcube-", dir=folder):
            pass
    except OSError as error:
        raise ParameterError(
            f"output must be in a folder that can be written to, not {path}: {error.strerror}"
        ) from None


_STEPS = "Stricter steps"

Ports = Annotated[str, typer.Option("--ports", help="Router model: 1, b, d, * or one, broadcast, d-port, all-port.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Check everything that can be checked, and stop.")]
HalfDuplex = Annotated[
    bool,
    typer.Option(
        "--half-duplex", help="A lane carries one message a step in one of its directions.", rich_help_panel=_STEPS
    ),
]
OnePartner = Annotated[
    bool,
    typer.Option(
        "--one-partner", help="A processor sends to and receives from one other a step.", rich_help_panel=_STEPS
    ),
]
DedicatedPorts = Annotated[
    bool,
    typer.Option(
        "--dedicated-ports",
        help="In model *: a port for each dimension and each processor beside it.",
        rich_help_panel=_STEPS,
    ),
]

Wide = Annotated[bool, typer.Option("--wide", help="All columns, however narrow the terminal is.")]
Csv = Annotated[
    Optional[Path],
    typer.Option("--csv", callback=output_file, help="Also write the table, with all columns, as CSV to this file."),
]

JsonFile = Annotated[
    Optional[Path], typer.Option("--json", callback=output_file, help="Also write the result as JSON to this file.")
]
Root = Annotated[
    Optional[int],
    typer.Option("--root", help="The processor that broadcasts, scatters, gathers or has the sum, 0 if not given."),
]
CollectiveName = Annotated[
    Optional[str],
    typer.Option(
        "--collective",
        "-c",
        help="OAB broadcast, OAS scatter, AOG gather, AOR reduce, AAB all-gather, AAR reduce-scatter, "
        "AAS all-to-all or all-reduce.",
    ),
]
ResultsFile = Annotated[
    Optional[Path],
    typer.Option(
        "--results",
        help="A results file of `fatcube sweep`: SQLite or JSON lines; the study that comes with fatcube without it.",
    ),
]
