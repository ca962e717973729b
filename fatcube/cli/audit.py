"""`fatcube audit`: a paper, claim by claim: printed, recomputed, proven, verdict, evidence."""

from collections.abc import Iterable, Sequence
import contextlib
import dataclasses
import importlib
from pathlib import Path
import shutil
import tempfile
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import Panel, command, examples
from fatcube.cli.arguments import apart
from fatcube.cli.choices import completing
from fatcube.cli.output import say, say_duration, stop_if, write_json
from fatcube.groundwork.progress import Bar, doing
from fatcube.groundwork.record import record
from fatcube.groundwork.validation import ParameterError, check_choice
from fatcube.reports.markdown import markdown_table

if TYPE_CHECKING:
    from fatcube.papers.claim import Paper, Row

__all__ = ["audit"]


_PAPERS = {
    "fat-cube": "fatcube.papers.fat_cube.claims",
    "ccc": "fatcube.papers.ccc.claims",
    "ghc": "fatcube.papers.ghc.claims",
    "spanning-graphs": "fatcube.papers.spanning_graphs.claims",
}
"""The module of each paper's claims, which has its ``PAPER``."""


@command(
    more="It takes 10 to 50 seconds of processor time if the schedules and proofs of an earlier audit are in the "
    "folder of -o, or, without -o, in synth_reports; the audit of spanning-graphs takes some minutes more if the machines that it "
    "runs on the RTL are not in the cache.",
    epilog=examples("audit fat-cube", "audit fat-cube -o synth_reports"),
)
def audit(
    paper: Annotated[
        str, typer.Argument(help=f"Paper to check: {', '.join(_PAPERS)}.", autocompletion=completing(_PAPERS))
    ],
    output: options.FolderIfGiven = None,
    claim: Annotated[
        Optional[str],
        typer.Option(
            "--claim",
            help="Name of the only claim to check: all its cases are printed.",
            metavar="NAME",
            rich_help_panel=Panel.RUN,
        ),
    ] = None,
    item: Annotated[
        Optional[str],
        typer.Option(
            "--item",
            help="Place of the paper whose claims to check, such as 'Theorem 3'.",
            metavar="PLACE",
            rich_help_panel=Panel.RUN,
        ),
    ] = None,
    time_limit: options.TimeLimit = 60.0,
    page: options.Page = None,
    dry_run: options.DryRun = False,
    json_file: options.JsonFile = None,
) -> None:
    from fatcube.papers.audit_rows import verdicts, write_audit, write_page
    from fatcube.papers.evidence import Evidence
    from fatcube.papers.items import find_place

    apart(page, json_file)
    claims = importlib.import_module(_PAPERS[check_choice("paper", paper, _PAPERS)])
    chosen: Paper = claims.PAPER
    one = None if claim is None else chosen.find(claim)
    place = None if item is None else find_place(chosen, item)
    if one is not None and place is not None:
        raise ParameterError("--claim must be given without --item, as a claim stands in one place")
    stop_if(
        dry_run,
        f"{paper} can be audited" + (f", and written to {output}" if output and one is None and place is None else ""),
    )

    def show_page(rows: "Sequence[Row]") -> None:
        if page is not None:
            write_page(rows, page, chosen)
            say(f"Written to {page}")

    with contextlib.ExitStack() as stack:
        if output is None or one is not None or place is not None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fatcube-")))
            kept = (output or options.REPORTS) / paper
            if kept.is_dir():
                shutil.copytree(kept, folder, dirs_exist_ok=True)
        else:
            folder = output / paper
        evidence = Evidence(folder, time_limit=time_limit, searched=getattr(claims, "searched", None))
        if one is not None:
            with doing(f"checking {claim}"):
                row, cases = one.row(evidence), one.table(evidence)
            _print_claim(row, cases)
            result = {**dataclasses.asdict(row), "all_cases": [dict(zip(COLUMNS, line, strict=True)) for line in cases]}
            write_json(json_file, lambda: record({"paper": paper, "claim": claim}, result))
            show_page([row])
            return
        if place is not None:
            with doing(f"checking {place.name}"):
                rows = chosen.rows(evidence, only=place.name)
            _print_rows(rows)
            say(f"{place.name}: {verdicts(rows)}.")
            write_json(
                json_file,
                lambda: record({"paper": paper, "item": place.name}, {"rows": [*map(dataclasses.asdict, rows)]}),
            )
            show_page(rows)
            return
        say_duration(_SECONDS)
        with Bar(f"auditing {paper}, claims", len(chosen.claims)) as bar:
            rows = chosen.rows(evidence, advance=bar.advance)
        paths = [] if output is None else write_audit(rows, output, chosen)
    say(f"{chosen.title}\n")
    _print_rows(row for row in rows if row.kind not in ("holds", "untested"))
    written = f" All of them, with evidence: {', '.join(map(str, paths))}" if paths else ""
    say(f"{len(rows)} rows: {verdicts(rows)}.{written}")
    write_json(json_file, lambda: record({"paper": paper}, {"rows": [dataclasses.asdict(row) for row in rows]}))
    show_page(rows)


_SECONDS = 60  # of all claims, those that take minutes as they are stored
COLUMNS = ("given", "printed", "found", "holds", "shown by")


def _print_rows(rows: "Iterable[Row]") -> None:
    """Print rows with the printed and the computed values and the verdicts."""
    for row in rows:
        say(
            f"{row.where}: {row.claim}\n    printed {row.printed}; {row.recomputed}\n    {row.verdict}"
            f"{'' if row.optimum == '-' else f' (proven optimum: {row.optimum})'}\n"
        )


def _print_claim(row: "Row", cases: list[list[str]]) -> None:
    """Print the row of a claim, and a table of its cases."""
    for name, text in dataclasses.asdict(row).items():
        if text:
            say(f"{name:>10}  {text}")
    say("")
    for line in markdown_table(COLUMNS, cases):
        say(line)
