"""The rows of an audit, and the files that they are written to."""

from collections import Counter
from collections.abc import Sequence
import dataclasses
import json
from pathlib import Path

from fatcube.reports.markdown import markdown_table
from fatcube.reports.page import table_page
from fatcube.reports.table import Marked, TitledTable
from groundwork.files import write_text

__all__ = ["Row", "verdicts", "write_audit"]


@dataclasses.dataclass(frozen=True)
class Row:
    """One claim of a paper.

    Attributes
    ----------
    where : :class:`str`
        Where it is printed.
    claim : :class:`str`
        What is claimed.
    printed, recomputed, optimum : :class:`str`
        What is printed, what comes out when it is computed again, and the proven optimum where one is known.
    verdict : :class:`str`
        ``holds``, ``holds only if ...``, ``wrong`` or ``not decided``, with a reason.
    evidence : :class:`str`
        What shows it: schedule files that ``fatcube check`` accepts, bounds, infeasibility proofs, arithmetic.
    """

    where: str
    claim: str
    printed: str
    recomputed: str
    verdict: str
    evidence: str
    optimum: str = "-"


def verdicts(rows: Sequence[Row]) -> str:
    """The numbers of claims that hold, hold only if something, are wrong, or are not decided, in words."""
    counts = Counter(
        "hold"
        if row.verdict == "holds"
        else "are wrong"
        if row.verdict.startswith("wrong")
        else "hold under a condition"
        for row in rows
    )
    return ", ".join(f"{count} {text}" for text, count in sorted(counts.items(), key=lambda item: -item[1]))


def write_audit(rows: Sequence[Row], folder: Path, name: str, title: str, note: str) -> list[Path]:
    """Write ``name``.md, .json and .html into ``folder``, where the evidence is in the folder ``name``.

    Returns the three paths.
    """
    folder.mkdir(parents=True, exist_ok=True)
    columns = ["where", "claim", "printed", "recomputed", "proven optimum", "verdict", "evidence"]
    cells = [
        [row.where, row.claim, row.printed, row.recomputed, row.optimum, _marked(row.verdict), row.evidence]
        for row in rows
    ]
    paths = [folder / f"{name}.{ending}" for ending in ("md", "json", "html")]
    write_text(paths[0], "\n".join([f"# {title}", "", note, "", *markdown_table(columns, cells), ""]))
    write_text(paths[1], json.dumps([dataclasses.asdict(row) for row in rows], indent=1, ensure_ascii=False) + "\n")
    write_text(paths[2], table_page(TitledTable(title, note, columns, cells), folder=name))
    return paths


def _marked(verdict: str) -> Marked:
    return Marked(verdict, "good" if verdict == "holds" else "wrong" if verdict.startswith("wrong") else "partly")
