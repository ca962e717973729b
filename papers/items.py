"""A map from each item of the papers (theorem, figure, table, algorithm, section) to its command and its verdict.

    python -m fatcube.papers.items -o synth_reports

writes papers.md from the rows that `fatcube audit` has written into the same folder.
"""

import argparse
from collections.abc import Mapping, Sequence
import importlib
import itertools
import json
from pathlib import Path
from typing import Any

from fatcube.groundwork.files import write_text
from fatcube.groundwork.validation import ParameterError
from fatcube.papers.audit_rows import verdicts
from fatcube.papers.claim import Paper, Place, Row
from fatcube.reports.markdown import markdown_table

__all__ = ["PAPERS", "find_place", "page", "stored"]


PAPERS = ("fat-cube", "ccc", "ghc", "spanning-graphs")
"""The papers by name; the claims of each are in the module of that name."""

_ALSO: Mapping[tuple[str, str], str] = {
    ("fat-cube", "Table 1"): "`fatcube report`, with areas and clocks of routers",
    ("fat-cube", "Table 2"): "`fatcube report`, in LUTs of routers",
    ("fat-cube", "Table 6"): "`make reproduce`, on the RTL",
    **{("spanning-graphs", f"section 8.{number}"): "`fatcube curves`, on the RTL" for number in (1, 2, 3, 4)},
}
"""The commands that measure an item on hardware."""


def page(rows: Mapping[str, Sequence[Row]]) -> str:
    """The page in Markdown, of the rows of each paper by its name."""
    lines = [
        "# The papers, item by item",
        "",
        "The claims of each item of the four papers are tried by `fatcube audit PAPER --item ITEM`, and a single claim of it by `--claim NAME`; names "
        "and evidence are on the page of the paper. Written by `python -m fatcube.papers.items -o synth_reports` from the rows of the audits. "
        "Figures that are not listed illustrate claims of the text.",
        "",
    ]
    for name in PAPERS:
        paper: Paper = importlib.import_module(f"fatcube.papers.{name.replace('-', '_')}.claims").PAPER
        lines += [f"## {paper.title}", "", f"All rows: [{name}.md]({name}.md).", ""]
        cells = []
        for where, some in itertools.groupby(rows[name], key=lambda row: row.where):
            group = [*some]
            also = _ALSO.get((name, where), "")
            command = f'`fatcube audit {name} --item "{where}"`'
            said = group[0].verdict if len(group) == 1 else verdicts(group)
            cells.append([where, len(group), said, f"{command}; {also}" if also else command])
        lines += [*markdown_table(["item", "claims", "verdict", "command"], cells), ""]
    return "\n".join(lines)


def find_place(paper: Paper, name: str) -> Place:
    """The place of a paper with this name, in upper or lower case.

    Raises
    ------
    ParameterError
        If nothing is claimed there.
    """
    for place in paper.places.values():
        if place.name.lower() == name.lower():
            return place
    word = name.lower().partition(" ")[0]
    close = [known for known in paper.places if known.lower().startswith(word)] or list(paper.places)
    raise ParameterError(
        f"item must be a place of {paper.name} that claims something, as in {', '.join(close[:5])}, not {name!r}"
    )


def stored(folder: Path) -> dict[str, list[Row]]:
    """The rows that the audits have written into a folder, by the name of the paper."""
    found: dict[str, list[Row]] = {}
    for name in PAPERS:
        rows: list[dict[str, Any]] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        found[name] = [Row(**one) for one in rows]
    return found


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("-o", type=Path, required=True, help="folder of the audits, to write to")
    folder = parser.parse_args().o
    write_text(folder / "papers.md", page(stored(folder)))


if __name__ == "__main__":
    main()
