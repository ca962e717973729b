"""The files that the rows of an audit are written to: a page to read, Markdown, and JSON."""

from collections import Counter
from collections.abc import Sequence
import dataclasses
import json
from pathlib import Path
from typing import Literal

from fatcube.groundwork.files import write_text
from fatcube.papers.claim import Paper, Row
from fatcube.papers.verdict import KIND_NAMES, Kind
from fatcube.reports.markdown import markdown_table
from fatcube.reports.page import More, Results, write_results
from fatcube.reports.table import Marked, TitledTable

__all__ = ["KINDS", "verdicts", "write_audit", "write_page"]


KINDS: dict[Kind, str] = {
    "wrong": "wrong",
    "condition": "hold under a condition",
    "approximate": "approximate",
    "misprint": "misprints",
    "open": "not decided",
    "achieved": "achieved but not shown optimal",
    "untested": "not tested",
    "holds": "hold",
}
"""The kinds of verdicts in words, findings first."""
assert tuple(KINDS) == KIND_NAMES, "every kind has its words, in the order of the kinds"


def verdicts(rows: Sequence[Row]) -> str:
    """The number of rows of each kind, as a list in a sentence."""
    counts = Counter(row.kind for row in rows)
    return ", ".join(f"{counts[kind]} {KINDS[kind]}" for kind in reversed(KINDS) if counts[kind])


def write_audit(rows: Sequence[Row], folder: Path, paper: Paper) -> list[Path]:
    """Write the audit as .md, .json and .html into ``folder``, where the evidence is in a folder of the paper's name.

    Returns the three paths.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{paper.name}.{ending}" for ending in ("md", "json", "html")]
    write_text(paths[0], _markdown(rows, paper))
    write_text(paths[1], json.dumps([dataclasses.asdict(row) for row in rows], indent=1, ensure_ascii=False) + "\n")
    write_results(_page(rows, paper), paths[2])
    return paths


def write_page(rows: Sequence[Row], file: Path, paper: Paper) -> None:
    """Write the audit, or some of its rows, to one page: Markdown if its name ends in ``.md``, and else HTML.

    Schedules and proofs are named in it; there is no evidence beside it to which it could link.
    """
    if file.suffix == ".md":
        write_text(file, _markdown(rows, paper))
    else:
        write_results(dataclasses.replace(_page(rows, paper), folder=""), file)


_MARKS: dict[Kind, Literal["good", "partly", "wrong", "other"]] = {
    "wrong": "wrong",
    **dict.fromkeys(("condition", "approximate", "misprint"), "partly"),
    **dict.fromkeys(("open", "achieved", "untested"), "other"),
    "holds": "good",
}


def _page(in_order: Sequence[Row], paper: Paper) -> Results:
    """The page of rows, findings first, each with its place in the order of the paper."""
    order = list(KINDS)
    places = sorted(range(len(in_order)), key=lambda index: (order.index(in_order[index].kind), index))
    rows = [in_order[index] for index in places]
    return Results(
        title=paper.title,
        note=paper.note,
        says=[f"{len(rows)} rows: {verdicts(rows)}."],
        folder=paper.name,
        tables=[
            TitledTable(
                "All claims",
                "A row unfolds to what was printed, computed, tried and proved.",
                ["verdict", "claim", "where", "kind", "place in the paper"],
                [
                    [Marked(row.verdict, _MARKS[row.kind]), row.claim, row.where, KINDS[row.kind], place + 1]
                    for row, place in zip(rows, places)
                ],
            )
        ],
        more=More(
            details=[_details(row, paper) for row in rows],
            ids=[row.name or row.where for row in rows],
            choices=["kind"],
        ),
    )


def _details(row: Row, paper: Paper) -> list[tuple[str, str]]:
    """The details of a claim that are unfolded, as terms and texts."""
    fields = {
        "printed": row.printed,
        "computed": row.recomputed,
        "tried in": row.cases,
        "first that fails": row.failing,
        "proven optimum": row.optimum,
        "reading": row.reading,
        "evidence": row.evidence,
        "run again": f"`fatcube audit {paper.name} --claim {row.name}`" if row.name else "",
    }
    return [(term, text) for term, text in fields.items() if text not in ("", "-")]


def _markdown(rows: Sequence[Row], paper: Paper) -> str:
    fields = {
        **{name: name for name in ("where", "claim", "printed")},
        "computed": "recomputed",
        "tried in": "cases",
        "proven optimum": "optimum",
        **{name: name for name in ("verdict", "evidence", "name")},
    }
    shown = [
        dataclasses.replace(row, claim=row.claim + f" (reading: {row.reading})" * bool(row.reading)) for row in rows
    ]
    findings = [row for row in shown if row.kind not in ("holds", "untested")]
    lines = [f"# {paper.title}", "", paper.note, "", f"{len(rows)} rows: {verdicts(rows)}."]
    for title, chosen in (("Findings", findings), ("All claims", shown)):
        cells = [[getattr(row, field) for field in fields.values()] for row in chosen]
        lines += ["", f"## {title}", "", *markdown_table(list(fields), cells)]
    return "\n".join([*lines, ""])
