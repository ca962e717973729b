"""`fatcube audit`: a paper, claim by claim: printed, recomputed, proven, verdict, evidence."""

import dataclasses
import importlib
from pathlib import Path
import shutil
import tempfile
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import app, examples
from fatcube.cli.output import say, stop_if, write_json
from groundwork.progress import Bar, doing
from groundwork.record import record
from groundwork.validation import check_choice

if TYPE_CHECKING:
    from fatcube.papers.claim import Paper

__all__ = ["audit"]


_PAPERS = {
    "fat-cube": "fatcube.papers.fat_cube.claims",
    "ccc": "fatcube.papers.ccc.claims",
    "ghc": "fatcube.papers.ghc.claims",
    "spanning-graphs": "fatcube.papers.spanning_graphs.claims",
}
"""The module of each paper's claims, which has its ``PAPER``."""


@app.command(rich_help_panel="Papers", epilog=examples("audit fat-cube -o synth_reports"))
def audit(
    paper: Annotated[str, typer.Argument(help=f"Paper to check: {', '.join(_PAPERS)}.")],
    output: options.Folder = options.REPORTS,
    claim: Annotated[
        Optional[str],
        typer.Option("--claim", help="Name of the only claim to check: printed, and written nowhere.", metavar="NAME"),
    ] = None,
    time_limit: options.TimeLimit = 60.0,
    dry_run: options.DryRun = False,
    json_file: options.JsonFile = None,
) -> None:
    """Check the claims of a paper: printed figure, recomputed figure, proof, verdict, evidence."""
    from fatcube.papers.audit_rows import verdicts, write_audit
    from fatcube.papers.evidence import Evidence

    claims = importlib.import_module(_PAPERS[check_choice("paper", paper, _PAPERS)])
    chosen: Paper = claims.PAPER
    one = None if claim is None else chosen.find(claim)
    stop_if(dry_run, f"{paper} can be audited, and written to {output}")
    searched = getattr(claims, "searched", None)
    if one is not None:
        with tempfile.TemporaryDirectory(prefix="fatcube-") as folder, doing(f"checking {claim}"):
            # What is kept of earlier audits is used, and nothing is written beside it.
            if (output / paper).is_dir():
                shutil.copytree(output / paper, folder, dirs_exist_ok=True)
            row = one.row(Evidence(Path(folder), time_limit=time_limit, searched=searched))
        for name, text in dataclasses.asdict(row).items():
            if text:
                say(f"{name:>10}  {text}")
        write_json(json_file, lambda: record({"paper": paper, "claim": claim}, dataclasses.asdict(row)))
        return
    with Bar(f"auditing {paper}, claims", len(chosen.claims)) as bar:
        evidence = Evidence(output / paper, time_limit=time_limit, searched=searched)
        rows = chosen.rows(evidence, advance=bar.advance)
    paths = write_audit(rows, output, chosen)
    say(f"{chosen.title}\n")
    for row in rows:
        if row.kind not in ("holds", "untested"):
            say(
                f"{row.where}: {row.claim}\n    printed {row.printed}; {row.recomputed}\n    {row.verdict}"
                f"{'' if row.optimum == '-' else f' (proven optimum: {row.optimum})'}\n"
            )
    say(f"{len(rows)} rows: {verdicts(rows)}. All of them, with evidence: {', '.join(map(str, paths))}")
    write_json(json_file, lambda: record({"paper": paper}, {"rows": [dataclasses.asdict(row) for row in rows]}))
