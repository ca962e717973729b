"""The results of :mod:`fatcube.studies.large_messages` as tables, a page and a Markdown file."""

from collections.abc import Sequence
import dataclasses
from pathlib import Path
from typing import Any

from fatcube.groundwork.record import record
from fatcube.reports.figure import COLOURS, Axis, Figure, Point, Series
from fatcube.reports.page import Results, write_results
from fatcube.reports.table import Marked, TitledTable
from fatcube.studies.large_messages.cases import Case
from fatcube.studies.large_messages.cells import PORTS, Cell
from fatcube.studies.large_messages.known import Known
from fatcube.studies.large_messages.times import EXECUTED, Time

__all__ = ["cases_table", "large_record", "summary", "tables", "write_large"]


def tables(cells: Sequence[Cell], times: Sequence[Time], known: Sequence[Known] = ()) -> list[TitledTable]:
    """Steps against bounds, known all-reduces beside ours, cycles against message size, and what was not executed."""
    found = [
        TitledTable(
            "Steps in many parts",
            "The lower bound has its reason; cycles were counted by the hardware in lockstep, - was not run.",
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
    if known:
        found.append(_known_table(known, times))
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
    if omitted := [time for time in times if time.omitted]:
        found.append(
            TitledTable(
                "Times that were not executed",
                "By formula only, for the reason that stands here.",
                ["graph", "collective", "payload flits", "parts", "reason"],
                [[time.graph, time.collective, time.payload_flits, time.parts, time.omitted] for time in omitted],
            )
        )
    return found


def _known_table(known: Sequence[Known], times: Sequence[Time]) -> TitledTable:
    """The known all-reduces, and ours in the parts that take the fewest cycles, where its time is known."""
    rows = [
        [
            *(one.graph, one.payload_flits, one.algorithm, one.parts, one.steps),
            *(_counted(one.cycles, one.counted, one.failures), "-" if one.dataflow is None else one.dataflow),
            *(one.bound, f"{one.cycles / one.bound:.2f}"),
        ]
        for one in known
    ]
    for time in times:
        if time.collective == "all-reduce" and (time.graph, time.payload_flits) in {
            (one.graph, one.payload_flits) for one in known
        }:
            rows.append(
                [
                    *(time.graph, time.payload_flits, "ours", time.parts, "-"),
                    *(_counted(time.cycles, time.counted, time.failures), "-", time.bound),
                    f"{time.cycles / time.bound:.2f}",
                ]
            )
    return TitledTable(
        "Known all-reduces beside ours",
        "Each processor contributes this many flits to the sum of every processor. Cycles are those of lockstep, with a star where the hardware "
        "counted them; the bound is that of adjacent steps over all numbers of parts.",
        ["graph", "flits", "algorithm", "parts", "steps", "cycles", "in dataflow", "bound", "ratio"],
        sorted(rows, key=lambda row: (str(row[0]), int(str(row[1])))),
    )


def _counted(cycles: int, counted: int | None, failures: Sequence[str]) -> object:
    return Marked("FAILED", "wrong") if failures else f"{cycles}{'' if counted is None else '*'}"


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


def cases_table(cases: Sequence[Case]) -> TitledTable:
    """The large networks."""
    return TitledTable(
        "All-gathers of whole messages on 1,024 nodes",
        "Seconds of the processor for bound, trees and their check; where all nodes look alike, the tree of one is stored.",
        ["network", "steps", "bound", "ratio", "reason of the bound", "stored transfers", "seconds", "megabytes"],
        [
            [
                one.name,
                one.steps,
                one.lower_bound,
                f"{one.ratio:.3f}",
                one.reason,
                one.stored,
                f"{one.seconds:.1f}",
                one.megabytes,
            ]
            for one in cases
        ],
    )


def summary(cells: Sequence[Cell], times: Sequence[Time], known: Sequence[Known] = ()) -> str:
    """How many cells there are of each kind."""
    executed = [cell for cell in cells if cell.cycles is not None]
    failed = sum(bool(one.failures) for one in (*cells, *times, *known))
    return (
        f"{len(cells)} cells: {sum(cell.steps == cell.lower_bound for cell in cells)} at the bound, "
        f"{sum(cell.near for cell in cells)} within max(bound + 1, 1.10 bound), {len(executed)} executed on the RTL; "
        f"{sum(time.counted is not None for time in times)} of {len(times)} times executed"
        f"{f', {omitted} left out' if (omitted := sum(time.omitted is not None for time in times)) else ''}; {failed} failed"
    )


def large_record(cells: Sequence[Cell], times: Sequence[Time], known: Sequence[Known] = ()) -> dict[str, Any]:
    """The results as they stand in a file."""
    return record(
        {"ports": PORTS.value},
        {
            "cells": [cell.to_json() for cell in cells],
            "known": [one.to_json() for one in known],
            "times": [dataclasses.asdict(time) for time in times],
        },
    )


def write_large(cells: Sequence[Cell], times: Sequence[Time], file: Path, known: Sequence[Known] = ()) -> None:
    """Write the tables to ``file``: Markdown if its name ends in ``.md``, and else an HTML page, which has figures too."""
    title = "Collectives of large messages"
    note = (
        f"Model {PORTS.value}, one processor on each node, one lane on each link. Messages are divided into parts, which are pipelined; "
        "a part is ⌈F / P⌉ flits, and the last one has the rest. Traces of all wires equal the schedules, and all words were compared, "
        f"where a cell has not failed. Of the times, messages of {', '.join(map(str, EXECUTED))} flits were executed"
        f"{', but for those that are listed last' if any(time.omitted for time in times) else ''}. Written by `fatcube large`."
    )
    says = [f"{summary(cells, times, known)}."]
    write_results(
        Results(title=title, note=note, says=says, figures=_figures(times), tables=tables(cells, times, known)), file
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
    """The different collectives on a graph: a reversal takes as long as the collective it reverses."""
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
