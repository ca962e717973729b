"""The results of :mod:`fatcube.studies.large` as tables, a page and a Markdown file."""

from collections.abc import Sequence
import dataclasses
from pathlib import Path
from typing import Any

from fatcube.reports.figure import COLOURS, Axis, Figure, Point, Series
from fatcube.reports.page import Results, write_results
from fatcube.reports.table import Marked, TitledTable
from fatcube.studies.large.cells import PORTS, Cell
from fatcube.studies.large.times import EXECUTED, Time
from groundwork.record import record

__all__ = ["large_record", "summary", "tables", "write_large"]


def tables(cells: Sequence[Cell], times: Sequence[Time]) -> list[TitledTable]:
    """Steps against bounds, and cycles against message size."""
    found = [
        TitledTable(
            "Steps in many parts",
            "The lower bound has its reason; cycles were counted by the hardware in lockstep, where - stands nothing was run.",
            [
                "graph",
                "collective",
                "root",
                "parts",
                "steps",
                "bound",
                "ratio",
                "cycles",
                "reason of the bound",
                "seconds",
            ],
            [_row(cell) for cell in cells],
        )
    ]
    if times:
        sizes = sorted({time.payload_flits for time in times})
        keys = dict.fromkeys((time.graph, time.collective) for time in times)
        by = {(time.graph, time.collective, time.payload_flits): time for time in times}
        found.append(
            TitledTable(
                "Cycles against message size",
                "Columns are payload flits of an undivided message: cycles / cycles of the bound (parts); executed ones have a star.",
                ["graph", "collective", *map(str, sizes)],
                [[*key, *(_time(by[*key, size]) for size in sizes)] for key in keys],
            )
        )
    return found


def _row(cell: Cell) -> list[object]:
    steps: object = Marked(
        str(cell.steps), "good" if cell.steps == cell.lower_bound else "partly" if cell.near else "wrong"
    )
    ratio = f"{cell.steps / cell.lower_bound:.3f}"
    cycles: object = "-" if cell.cycles is None else Marked("FAILED", "wrong") if cell.failures else cell.cycles
    root = "-" if cell.root is None else cell.root
    return [
        cell.graph,
        cell.collective,
        root,
        cell.parts,
        steps,
        cell.lower_bound,
        ratio,
        cycles,
        cell.reason,
        f"{cell.seconds:.1f}",
    ]


def _time(time: Time) -> str:
    star = "FAILED" if time.failures else "*" if time.counted is not None else ""
    return f"{time.cycles}{star}/{time.bound} ({time.parts})"


def summary(cells: Sequence[Cell], times: Sequence[Time]) -> str:
    """How many cells there are of each kind."""
    executed = [cell for cell in cells if cell.cycles is not None]
    failed = sum(bool(one.failures) for one in (*cells, *times))
    return (
        f"{len(cells)} cells: {sum(cell.steps == cell.lower_bound for cell in cells)} at the bound, "
        f"{sum(cell.near for cell in cells)} within max(bound + 1, 1.10 bound), {len(executed)} executed on the RTL; "
        f"{sum(time.counted is not None for time in times)} of {len(times)} times executed; {failed} failed"
    )


def large_record(cells: Sequence[Cell], times: Sequence[Time]) -> dict[str, Any]:
    """The results as they stand in a file."""
    return record(
        {"ports": PORTS.value},
        {"cells": [cell.to_json() for cell in cells], "times": [dataclasses.asdict(time) for time in times]},
    )


def write_large(cells: Sequence[Cell], times: Sequence[Time], file: Path) -> None:
    """Write the tables to ``file``: Markdown if its name ends in ``.md``, and else an HTML page, which has figures too."""
    title = "Collectives of large messages"
    note = (
        f"Model {PORTS.value}, one processor on each node, one lane on each link. Messages are divided into parts, which are pipelined; "
        "a part is ⌈F / P⌉ flits, and the last one is filled up. Traces of all wires equal the schedules, and all words were compared, "
        f"where a cell has not failed. Of the times, messages of {', '.join(map(str, EXECUTED))} flits were executed on networks "
        "of up to 24 processors. Written by `fatcube large`."
    )
    says = [f"{summary(cells, times)}."]
    write_results(
        Results(title=title, note=note, says=says, figures=_figures(times), tables=tables(cells, times)), file
    )


def _figures(times: Sequence[Time]) -> list[Figure]:
    """A figure for each graph: cycles against message size, lines by formula, dots executed, and the bound in grey."""
    return [
        Figure(
            name=graph,
            title=f"{graph}: by formula (lines), executed (dots), bounds (faint)",
            says=_says([time for time in times if time.graph == graph]),
            x=Axis("payload flits of a message", "log"),
            y=Axis("cycles in lockstep", "log"),
            series=tuple(
                one
                for index, name in enumerate(_collectives(times, graph))
                for one in _series(times, graph, name, index)
            ),
        )
        for graph in dict.fromkeys(time.graph for time in times)
    ]


def _says(times: Sequence[Time]) -> str:
    """How far the largest messages are from their bounds."""
    most = max(time.payload_flits for time in times)
    farthest = max((time for time in times if time.payload_flits == most), key=lambda time: time.cycles / time.bound)
    return (
        f"With {most:,} payload flits, no collective takes more than {farthest.cycles / farthest.bound:.2f} times the cycles of its "
        f"lower bound; {farthest.collective}, with {farthest.cycles:,} cycles, is the farthest from it."
    )


def _collectives(times: Sequence[Time], graph: str) -> list[str]:
    """Those of a graph that differ: a reversal takes as long as what it reverses."""
    return list(
        dict.fromkeys(
            time.collective for time in times if time.graph == graph and time.collective not in ("AOR", "AAR")
        )
    )


def _series(times: Sequence[Time], graph: str, collective: str, index: int) -> list[Series]:
    those = [time for time in times if (time.graph, time.collective) == (graph, collective)]
    colour = COLOURS[index % len(COLOURS)]

    def points(values: Sequence[tuple[Time, int | None]]) -> tuple[Point, ...]:
        return tuple(
            Point(x=time.payload_flits, y=value, text=(f"{collective}, {time.parts} parts",))
            for time, value in values
            if value is not None
        )

    return [
        Series(
            name=collective,
            points=points([(one, one.cycles) for one in those]),
            mark="line",
            colour=colour,
            label=collective,
        ),
        Series(
            name=collective, points=points([(one, one.bound) for one in those]), mark="line", colour=colour, opacity=0.3
        ),
        Series(name=collective, points=points([(one, one.counted) for one in those]), colour=colour),
    ]
