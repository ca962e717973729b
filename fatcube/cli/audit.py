"""`fatcube audit`: a paper, claim by claim: printed, recomputed, proven, verdict, evidence."""

import dataclasses
import importlib
from pathlib import Path
import shutil
import tempfile
from typing import Annotated, NamedTuple, Optional

import typer

from fatcube.cli import options
from fatcube.cli.app import app, examples
from fatcube.cli.output import say, stop_if, write_json
from groundwork.progress import doing
from groundwork.record import record
from groundwork.validation import check_choice

__all__ = ["audit"]


class _Audit(NamedTuple):
    """The audit of a paper: the module with its claims, and the title and the note of the page."""

    claims: str
    title: str
    note: str


_AUDITS = {
    "fat-cube": _Audit(
        "fatcube.papers.fat_cube.claims",
        "The fat-cube paper, claim by claim",
        "Kutálek and Dvořák, On Complexity of Collective Communications on a Fat Cube Topology. Written by "
        "`fatcube audit fat-cube`; every schedule named as evidence passes `fatcube check`.",
    ),
    "ccc": _Audit(
        "fatcube.papers.ccc.claims",
        "The cube-connected cycles paper, claim by claim",
        "Kambhatla, Hypercube Vs Cube-Connected Cycles: A Topological Evaluation (CS/E 91-006). Its single I/O is "
        "router model 1, its multiple I/O is model d: on CCC three ports, one for each link. Model 1 sends one and "
        'receives one message per step, which is the most generous reading of "can send or receive at most one" '
        "(at its word, a multinode broadcast would take 2 (N - 1) steps and not N - 1): what is impossible there is so "
        "in stricter ones too. Written by `fatcube audit ccc`; every schedule named as evidence "
        "passes `fatcube check`.",
    ),
    "ghc": _Audit(
        "fatcube.papers.ghc.claims",
        "The generalized hypercubes paper, claim by claim",
        "Antonio, Lin and Metzger, Complexity of Intensive Communications on Balanced Generalized Hypercubes. All "
        "links of a node can be used at once: router model d, a port for each link that leaves. Written by "
        "`fatcube audit ghc`; every schedule named as evidence passes `fatcube check`.",
    ),
    "spanning-graphs": _Audit(
        "fatcube.papers.spanning_graphs.claims",
        "The spanning-graphs paper, claim by claim",
        "Johnsson and Ho, Spanning Graphs for Optimum Broadcasting and Personalized Communication in "
        "Hypercubes (YALEU/DCS/TR-500). Graphs are counted edge by edge; prices are those of executions "
        "that know no formula (schedules/spanning/packets.py), for n = 3 to 6 dimensions and M elements in packets of "
        'at most B. SBnT is the graph with split cyclic nodes (SBnTc), as the paper has it. "About" is '
        "within 10 %. Written by `fatcube audit spanning-graphs`.",
    ),
}


@app.command(rich_help_panel="Papers", epilog=examples("audit fat-cube -o synth_reports"))
def audit(
    paper: Annotated[str, typer.Argument(help=f"Paper to check: {', '.join(_AUDITS)}.")],
    output: options.Folder = options.REPORTS,
    claim: Annotated[
        Optional[str],
        typer.Option("--claim", help="Name of the only claim to check: printed, and written nowhere.", metavar="NAME"),
    ] = None,
    time_limit: options.TimeLimit = 60.0,
    dry_run: options.DryRun = False,
    json_file: options.JsonFile = None,
) -> None:
    """Check a paper claim by claim: printed, recomputed, proven, verdict, evidence."""
    from fatcube.papers.audit_rows import verdicts, write_audit
    from fatcube.papers.evidence import Evidence

    chosen = _AUDITS[check_choice("paper", paper, _AUDITS)]
    claims = importlib.import_module(chosen.claims)
    one = None if claim is None else claims.PAPER.find(claim)
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
    with doing(f"auditing {paper}") as progress:
        evidence = Evidence(output / paper, time_limit=time_limit, progress=progress, searched=searched)
        rows = list(claims.rows(evidence))
    paths = write_audit(rows, output, paper, chosen.title, chosen.note)
    say(f"{chosen.title}\n")
    for row in rows:
        if row.verdict != "holds":
            say(
                f"{row.where}: {row.claim}\n    printed {row.printed}; {row.recomputed}\n    {row.verdict}"
                f"{'' if row.optimum == '-' else f' (proven optimum: {row.optimum})'}\n"
            )
    say(f"{len(rows)} claims: {verdicts(rows)}. All of them, with evidence: {', '.join(map(str, paths))}")
    write_json(json_file, lambda: record({"paper": paper}, {"rows": [dataclasses.asdict(row) for row in rows]}))
