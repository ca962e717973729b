"""The page of `fatcube explore`: the Pareto front, and where the other configurations lie."""

from collections.abc import Sequence

from fatcube.noc.topologies import name_from, topology_from_json
from fatcube.reports.figure import COLOURS, GREY, Axis, Figure, Point, Series
from fatcube.reports.page import Results
from fatcube.reports.table import TitledTable
from fatcube.studies.explore import Choice
from fatcube.studies.explore_load import LoadChoice

__all__ = ["choices_page", "load_choices_page"]


def choices_page(table: TitledTable, note: str, best: Sequence[Choice], choices: Sequence[Choice]) -> Results:
    """The front of area and time; ``table`` has a row for each of ``best``, which are those on it among ``choices``.

    Others are drawn at a lower bound of their time, as no schedule is constructed for what it rules out.
    """
    front = [
        Point(
            x=round(one.luts),
            y=one.microseconds,
            text=(one.network.name,),
            rows=(row,),
            name=one.network.name,
        )
        for row, one in enumerate(best)
    ]
    rest = [
        Point(
            x=round(one.luts),
            y=one.least_microseconds,
            text=(one.network.name, "at least this time"),
        )
        for one in choices
        if not any(one is other for other in best)
    ]
    small, fast = best[0], best[-1]
    says = (
        f"{len(best)} of {len(choices)} configurations are on the Pareto front: from the smallest, {small.network.name}, to "
        f"the fastest, {fast.network.name}: {fast.luts / small.luts:.1f} times the area buys "
        f"{small.microseconds / fast.microseconds:.1f} times the speed."
    )
    figure = _figure("Area and time", says, Axis("µs of the workload, in lockstep", "log"), front, rest)
    return Results(title=table.title, note=note, figures=[figure], tables=[table])


def load_choices_page(
    table: TitledTable, note: str, best: Sequence[LoadChoice], choices: Sequence[LoadChoice]
) -> Results:
    """The page of a choice by area and throughput under load."""
    front, rest = (
        [
            Point(
                x=one.luts,
                y=one.gigabits,
                text=(name_from(one.network), f"model {one.parameters['ports']}"),
                rows=(row,) if on_front else (),
                name=topology_from_json(one.parameters["topology"]).name if on_front else "",
            )
            for row, one in enumerate(some)
        ]
        for some, on_front in (
            (best, True),
            ([one for one in choices if not any(one is other for other in best)], False),
        )
    )
    small, fast = best[0], best[-1]
    says = (
        f"{len(best)} of {len(choices)} networks are on the Pareto front: from {name_from(small.network)} to {name_from(fast.network)}: "
        f"{fast.luts / small.luts:.1f} times the area buys {fast.gigabits / small.gigabits:.1f} times the throughput."
    )
    figure = _figure("Area and throughput", says, Axis("Gbit/s per processor", "log"), front, rest)
    return Results(title=table.title, note=note, figures=[figure], tables=[table])


def _figure(title: str, says: str, y: Axis, front: Sequence[Point], rest: Sequence[Point]) -> Figure:
    series = [
        Series(name="all others", points=tuple(rest), colour=GREY),
        Series(name="Pareto front", points=tuple(front), mark="front", colour=GREY),
        Series(name="on the front", points=tuple(front), colour=COLOURS[0], opacity=1),
    ]
    return Figure(
        name="front",
        title=title,
        says=says,
        x=Axis("LUTs of all routers (COMB equivalents)", "log"),
        y=y,
        series=tuple(series),
    )
