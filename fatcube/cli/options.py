"""Options that several commands have, each declared once.

What follows from the fields of a class, as router options do, is in `fatcube.cli.flags`.
"""

from pathlib import Path
from typing import Annotated, Optional

import typer

from fatcube.cli.arguments import check_jobs, check_time_limit, output_file, output_folder
from schedules.collective import Collective

__all__ = [
    "CollectiveName",
    "CsvFile",
    "DryRun",
    "Folder",
    "Jobs",
    "JsonFile",
    "MeasuredFamily",
    "REPORTS",
    "ResultsFile",
    "Root",
    "TimeLimit",
    "Wide",
]


REPORTS = Path("synth_reports")  # the folder that results go into if no other is given


def _both_names(collective: Collective) -> str:
    symbol, word = collective.value, collective.word
    return symbol if symbol == word else f"{symbol} ({word})"


CollectiveName = Annotated[
    Optional[str],
    typer.Option(
        "--collective",
        "-c",
        help=f"Collective: {', '.join(map(_both_names, Collective))}.",
    ),
]
Root = Annotated[
    Optional[int],
    typer.Option(
        "--root", help="Processor that broadcasts, scatters, or receives what is gathered or reduced; 0 if not given."
    ),
]
TimeLimit = Annotated[float, typer.Option("--time-limit", callback=check_time_limit, help="Seconds for a search.")]
Jobs = Annotated[int, typer.Option("--jobs", callback=check_jobs, help="Processes to run at a time.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Check everything that can be checked, and stop.")]

ResultsFile = Annotated[
    Optional[Path],
    typer.Option(
        "--results",
        help="Results file of `fatcube sweep`, SQLite or JSON lines; if not given, the study that comes with fatcube.",
    ),
]
MeasuredFamily = Annotated[str, typer.Option("--family", help="FPGA family, one that the results have measured.")]

Folder = Annotated[Path, typer.Option("-o", callback=output_folder, help="Folder for everything that is written.")]
JsonFile = Annotated[
    Optional[Path], typer.Option("--json", callback=output_file, help="Also write the result to this file, as JSON.")
]
CsvFile = Annotated[
    Optional[Path],
    typer.Option("--csv", callback=output_file, help="Also write the table to this file, as CSV with all columns."),
]
Wide = Annotated[bool, typer.Option("--wide", help="Show all columns, however narrow the terminal is.")]
