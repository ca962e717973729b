"""The tables of open cells: how many there are of each collective in each step model, and every one of them."""

from collections import Counter
from collections.abc import Sequence
import json
from pathlib import Path
from typing import Any

from fatcube.groundwork.files import write_text
from fatcube.groundwork.record import record
from fatcube.reports.figure import COLOURS, Axis, Figure, Point, Series
from fatcube.reports.markdown import markdown_table
from fatcube.reports.page import Results
from fatcube.reports.table import TitledTable
from fatcube.rtl.port_model import PortModel
from fatcube.studies.models import Cell
from fatcube.studies.open_cells.known import CellSteps

__all__ = ["COLUMNS", "OPEN_COLUMNS", "count_rows", "gaps_page", "gaps_record", "open_rows", "summary", "write_gaps"]


COLUMNS = ["collective", "transfers", "links", "messages per packet", "cells", "open", "by more than 2 steps and 20 %"]
OPEN_COLUMNS = [
    "collective",
    "network",
    "model",
    "transfers",
    "links",
    "messages per packet",
    "steps",
    "lower bound",
    "because",
]


def count_rows(found: Sequence[CellSteps]) -> list[list[Any]]:
    """A row, with :data:`COLUMNS`, for each collective and step model."""
    counts: dict[tuple[str, ...], Counter[str]] = {}
    for one in found:
        count = counts.setdefault((one.cell.collective.value, *_words(one.cell)), Counter())
        count["cells"] += 1
        count["open"] += one.open
        count["far"] += one.far
    return [[*words, count["cells"], count["open"], count["far"]] for words, count in counts.items()]


def open_rows(found: Sequence[CellSteps]) -> list[list[Any]]:
    """A row, with :data:`OPEN_COLUMNS`, for each open cell."""
    return [
        [
            one.cell.collective.value,
            one.cell.topology.name,
            one.cell.ports.value,
            *_words(one.cell),
            *_steps(one),
            one.reason,
        ]
        for one in found
        if one.open
    ]


def _words(cell: Cell) -> tuple[str, str, str]:
    return cell.model.transfers.value, cell.model.links.value, str(cell.model.per_packet)


def _steps(one: CellSteps) -> tuple[int | str, int]:
    return "none found" if one.steps is None else one.steps, one.lower_bound


def summary(found: Sequence[CellSteps]) -> str:
    """How many cells are open, in a sentence."""
    networks = len({one.cell.topology for one in found})
    left, far = sum(one.open for one in found), sum(one.far for one in found)
    return f"{left} of {len(found)} cells on {networks} networks are open, {far} of them by more than 2 steps and 20 % of the bound."


_NOTE = (
    "A cell is a collective, a router model and a step model on a network. It is open if the shortest schedule that is known has "
    "more steps than the highest lower bound that is proved. Written by `fatcube gaps`."
)
_LISTED = "Open cells"


def gaps_page(found: Sequence[CellSteps]) -> Results:
    """The page of open cells: how many each collective has, and each of them."""
    names = list(dict.fromkeys(one.cell.collective.value for one in found))
    cells = Counter((one.cell.collective.value, one.cell.ports) for one in found)
    closed = Counter((one.cell.collective.value, one.cell.ports) for one in found if not one.open)
    figure = Figure(
        name="closed",
        title="Cells in which the steps are the fewest possible",
        says=summary(found),
        x=Axis("collective", "category"),
        y=Axis("% of the cells"),
        series=tuple(
            Series(
                name=f"model {ports.value}",
                mark="bars",
                colour=colour,
                points=tuple(
                    Point(
                        x=name,
                        y=round(100 * closed[name, ports] / cells[name, ports], 1),
                        text=(f"{name}, model {ports.value}", f"{closed[name, ports]} of {cells[name, ports]} cells"),
                    )
                    for name in names
                    if cells[name, ports]
                ),
            )
            for ports, colour in zip(PortModel, COLOURS)
        ),
    )
    return Results(
        title="Steps against lower bounds",
        note=_NOTE,
        figures=[figure],
        tables=[
            TitledTable("Cells of each collective and step model", "", COLUMNS, count_rows(found)),
            TitledTable(_LISTED, "", OPEN_COLUMNS, open_rows(found)),
        ],
    )


def write_gaps(found: Sequence[CellSteps], folder: Path) -> list[Path]:
    """Write gaps.md and gaps.json into ``folder``; return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        "# Steps against lower bounds",
        "",
        _NOTE,
        "",
        summary(found),
        "",
        *markdown_table(COLUMNS, count_rows(found)),
    ]
    lines += ["", f"## {_LISTED}", "", *markdown_table(OPEN_COLUMNS, open_rows(found)), ""]
    paths = [folder / "gaps.md", folder / "gaps.json"]
    write_text(paths[0], "\n".join(lines))
    write_text(paths[1], json.dumps(gaps_record(found), indent=1) + "\n")
    return paths


def gaps_record(found: Sequence[CellSteps]) -> dict[str, Any]:
    """The counts and the open cells in JSON values."""
    networks = list(dict.fromkeys(str(one.cell.topology) for one in found))
    counts = [
        dict(zip(("collective", "transfers", "links", "per_packet", "cells", "open", "far"), row))
        for row in count_rows(found)
    ]
    cells = [
        {
            "network": str(one.cell.topology),
            **one.cell.to_json(),
            "steps": one.steps,
            "lower_bound": one.lower_bound,
            "reason": one.reason,
        }
        for one in found
        if one.open
    ]
    return record({"networks": networks}, {"counts": counts, "open": cells})
