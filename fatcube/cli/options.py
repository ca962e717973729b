"""Options that several commands have, each declared once.

Options that follow from the fields of a class, as router options do, are in `fatcube.cli.flags`.
"""

from pathlib import Path
from typing import Annotated, Optional

import typer

from fatcube.cli.app import Panel
from fatcube.cli.arguments import (
    check_jobs,
    check_time_limit,
    output_file,
    output_folder,
    output_folder_if_given,
    page_file,
)
from fatcube.cli.choices import choice, completing
from fatcube.papers.algorithms import ALGORITHMS
from fatcube.schedules.collective import Collective
from fatcube.schedules.spanning.graphs import spanning_graphs
from fatcube.schedules.spanning.trees import Order
from fatcube.synth.families import FAMILIES

__all__ = [
    "LIST",
    "Along",
    "By",
    "CollectiveName",
    "CsvFile",
    "Distributed",
    "DryRun",
    "Folder",
    "FolderIfGiven",
    "GivenSchedule",
    "Jobs",
    "JsonFile",
    "MeasuredFamily",
    "OlderFolder",
    "Optimal",
    "OrderAlong",
    "Page",
    "Parts",
    "PayloadFlits",
    "REPORTS",
    "ResultsFile",
    "Root",
    "Scheduler",
    "SearchSeed",
    "Seeds",
    "Sources",
    "Subset",
    "Targets",
    "TimeLimit",
    "TimeLimitOrBy",
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
        autocompletion=completing(dict.fromkeys(name for one in Collective for name in (one.value, one.word))),
        rich_help_panel=Panel.SCHEDULE,
    ),
]
Root = Annotated[
    Optional[int],
    typer.Option(
        "--root",
        help="Root processor of a broadcast, scatter, gather or reduction; 0 if not given.",
        rich_help_panel=Panel.SCHEDULE,
    ),
]
Sources = Annotated[
    Optional[str],
    typer.Option(
        "--from", help="Processors that send, such as 0,4-7; all if not given.", rich_help_panel=Panel.SCHEDULE
    ),
]
Targets = Annotated[
    Optional[str],
    typer.Option(
        "--to",
        help="Processors that receive, such as 0,4-7; all if not given. Others may forward.",
        rich_help_panel=Panel.SCHEDULE,
    ),
]
Subset = Annotated[
    Optional[str],
    typer.Option(
        "--subset",
        help="Processors that take part, such as 0,4-7: both --from and --to.",
        rich_help_panel=Panel.SCHEDULE,
    ),
]
LIST = "list"  # in place of an algorithm: show them all
By = Annotated[
    Optional[str],
    choice(
        "--by",
        [*ALGORITHMS, LIST],
        name="algorithm",
        help="Use this algorithm of a paper; list shows all of them with their sources and parameters.",
        panel=Panel.SCHEDULE,
    ),
]
Along = Annotated[
    Optional[str],
    typer.Option(
        "--along",
        help=f"Follow this spanning graph of the hypercube: {', '.join(spanning_graphs())}.",
        autocompletion=completing(spanning_graphs()),
        rich_help_panel=Panel.SCHEDULE,
    ),
]
Parts = Annotated[
    str,
    typer.Option(
        "--parts",
        metavar="N or auto",
        help="Parts of equal size into which each message, or sum, is divided; auto takes the number that needs "
        "the fewest cycles in lockstep for --payload-flits.",
        rich_help_panel=Panel.SCHEDULE,
    ),
]
OrderAlong = Annotated[
    Optional[str],
    choice(
        "--order",
        tuple(Order),
        help="Order of the messages of a scatter, a gather or, with several ports, an all-to-all: those for the largest "
        "subtree first, or those for the farthest level.",
        panel=Panel.SCHEDULE,
    ),
]
Distributed = Annotated[
    bool,
    typer.Option(
        "--distributed",
        help="Each processor computes its destinations from its address and the arriving headers, without a program: a broadcast "
        "along sbt or, with several ports, nesbt, and a scatter with several ports along sbnt, in lockstep.",
        rich_help_panel=Panel.SCHEDULE,
    ),
]
Optimal = Annotated[
    bool,
    typer.Option(
        "--optimal",
        help="Search for a schedule with fewer steps, or for a proof that there is none, in large cases too.",
        rich_help_panel=Panel.SCHEDULE,
    ),
]
GivenSchedule = Annotated[
    Optional[Path],
    typer.Argument(metavar="[SCHEDULE]", help="A schedule file, from any program.", show_default=False),
]
SearchSeed = Annotated[int, typer.Option("--seed", help="Seed of the search.", rich_help_panel=Panel.SCHEDULE)]
PayloadFlits = Annotated[
    Optional[int],
    typer.Option(
        "--payload-flits",
        help="Payload flits per undivided message, for which --parts auto chooses the parts, 16 if not given; "
        "`fatcube schedule` also says the cycles in lockstep for them.",
        rich_help_panel=Panel.SCHEDULE,
    ),
]
TimeLimit = Annotated[
    float,
    typer.Option(
        "--time-limit",
        callback=check_time_limit,
        help="Time limit of a search in seconds.",
        rich_help_panel=Panel.SCHEDULE,
    ),
]
TimeLimitOrBy = Annotated[
    float,
    typer.Option(
        "--time-limit",
        callback=check_time_limit,
        help="Time limit of a search in seconds; --by does not search.",
        rich_help_panel=Panel.SCHEDULE,
    ),
]
Jobs = Annotated[
    int, typer.Option("--jobs", callback=check_jobs, help="Number of parallel processes.", rich_help_panel=Panel.RUN)
]
Scheduler = Annotated[
    Optional[str],
    typer.Option(
        "--scheduler",
        help="Address of a running Dask scheduler to use instead of this machine.",
        rich_help_panel=Panel.RUN,
    ),
]
Seeds = Annotated[
    str, typer.Option("--seeds", help="Placement seeds; Fmax is the median over them.", rich_help_panel=Panel.RUN)
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Check all inputs, and stop before the work begins.", rich_help_panel=Panel.RUN),
]

ResultsFile = Annotated[
    Optional[Path],
    typer.Option(
        "--results",
        help="Results file of `fatcube sweep`, SQLite or JSON lines; the study that comes with fatcube if not given.",
        rich_help_panel=Panel.RESULT,
    ),
]
MeasuredFamily = Annotated[
    str,
    choice(
        "--family", FAMILIES, name="FPGA family", help="FPGA family, one for which there are results.", panel=Panel.RUN
    ),
]

Folder = Annotated[
    Path, typer.Option("-o", callback=output_folder, help="Folder for all output files.", rich_help_panel=Panel.RESULT)
]
FolderIfGiven = Annotated[
    Optional[Path],
    typer.Option(
        "-o",
        callback=output_folder_if_given,
        help="Folder to write the pages to; if not given, nothing is written.",
        rich_help_panel=Panel.RESULT,
    ),
]
Page = Annotated[
    Optional[Path],
    typer.Option(
        "--page",
        callback=page_file,
        help="Also write the result to this page: HTML with tables and figures (.html), or Markdown with tables (.md).",
        rich_help_panel=Panel.RESULT,
    ),
]
OlderFolder = Annotated[
    Optional[Path],
    typer.Option(
        "-o",
        callback=output_folder_if_given,
        help="Folder to write the page to, as HTML and as Markdown, with its figures and data; --page writes one of the two.",
        rich_help_panel=Panel.RESULT,
    ),
]
JsonFile = Annotated[
    Optional[Path],
    typer.Option(
        "--json", callback=output_file, help="Also write the result to this JSON file.", rich_help_panel=Panel.RESULT
    ),
]
CsvFile = Annotated[
    Optional[Path],
    typer.Option(
        "--csv",
        callback=output_file,
        help="Also write the table with all columns to this CSV file.",
        rich_help_panel=Panel.RESULT,
    ),
]
Wide = Annotated[
    bool, typer.Option("--wide", help="Show all columns, even in a narrow terminal.", rich_help_panel=Panel.RESULT)
]
