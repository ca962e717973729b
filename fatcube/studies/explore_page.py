"""The page of `fatcube explore`: the Pareto front, and where the other configurations lie."""

from collections.abc import Sequence

from fatcube.noc.topologies import name_from, topology_from_json
from fatcube.reports.figure import COLOURS, GREY, Axis, Figure, Point, Series
from fatcube.reports.page import Results
from fatcube.reports.table import Column, Shown, TitledTable
from fatcube.studies.explore import Choice
from fatcube.studies.explore_load import LoadChoice
from fatcube.synth.families import find_family
from fatcube.synth.families.family import Family

__all__ = ["COLUMNS", "LOAD_COLUMNS", "cells_of", "choices_page", "in_unit", "load_cells", "load_choices_page"]


COLUMNS = (
    Column("network"),
    Column("model"),
    Column("a b", 5),
    Column("a b of all routers", 5),
    Column("links", 4),
    Column("LUTs"),
    Column("Fmax MHz", 1),
    Column("steps", 2),
    Column("cycles", 3),
    Column("µs"),
)


def in_unit(unit: str, columns: Sequence[Column]) -> list[Column]:
    """The columns with areas in this unit."""
    return [Column(unit, one.rank) if one.title == "LUTs" else one for one in columns]


def cells_of(choice: Choice) -> list[object]:
    """The cells of a choice in the columns of the table."""
    luts, mhz = _mark(choice.luts_from), _mark(choice.mhz_from)
    return [
        choice.network.topology.name,
        choice.network.options.ports.value,
        choice.ab,
        Shown(choice.router_cost, f"{choice.router_cost:,}"),
        choice.links,
        Shown(choice.luts, f"{choice.luts:,.0f}{luts}"),
        Shown(choice.mhz, f"{choice.mhz:.1f}{mhz}"),
        " + ".join(_steps(choice)),
        Shown(choice.cycles, f"{choice.cycles:,.0f}"),
        Shown(choice.microseconds, f"{choice.microseconds:,.2f}{mhz}"),
    ]


def _steps(choice: Choice) -> list[str]:
    """The steps of each collective, with the parts if messages have several."""
    parts = choice.parts.values()
    return [f"{steps}" if many == 1 else f"{steps} ({many})" for steps, many in zip(choice.steps.values(), parts)]


def _mark(source: str) -> str:
    """The mark behind a number for where it comes from: none if it was measured."""
    return {"model": "~", "extrapolated": "?"}.get(source, "")


LOAD_COLUMNS = (
    Column("network"),
    Column("model", 1),
    Column("LUTs"),
    Column("Fmax MHz", 2),
    Column("ns without load", 3),
    Column("saturated from", 4),
    Column("accepted", 5),
    Column("Gbit/s per processor"),
)


def load_cells(choice: LoadChoice) -> list[object]:
    """The cells of a choice for anyone's traffic."""
    return [
        name_from(choice.network),
        choice.parameters["ports"],
        Shown(choice.luts, f"{choice.luts:,.0f}"),
        Shown(choice.mhz, f"{choice.mhz:.1f}"),
        Shown(choice.nanoseconds, f"{choice.nanoseconds:.0f}"),
        "-" if choice.saturation is None else Shown(choice.saturation, f"{choice.saturation:.3f}"),
        Shown(choice.throughput, f"{choice.throughput:.3f}"),
        Shown(choice.gigabits, f"{choice.gigabits:.2f}"),
    ]


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
    figure = _figure(
        "Area and time", find_family(small.family), says, Axis("µs of the workload, in lockstep", "log"), front, rest
    )
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
    figure = _figure(
        "Area and throughput",
        find_family(small.parameters["family"]),
        says,
        Axis("Gbit/s per processor", "log"),
        front,
        rest,
    )
    return Results(title=table.title, note=note, figures=[figure], tables=[table])


def _figure(title: str, family: Family, says: str, y: Axis, front: Sequence[Point], rest: Sequence[Point]) -> Figure:
    series = [
        Series(name="all others", points=tuple(rest), colour=GREY),
        Series(name="Pareto front", points=tuple(front), mark="front", colour=GREY),
        Series(name="on the front", points=tuple(front), colour=COLOURS[0], opacity=1),
    ]
    return Figure(
        name="front",
        title=title,
        says=says,
        x=Axis(f"{family.unit} of all routers{family.unit_of_axes}", "log"),
        y=y,
        series=tuple(series),
    )
