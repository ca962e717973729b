"""The figures of the report of a study."""

from collections.abc import Iterable, Sequence
import statistics
from typing import Any

from fatcube.reports.figure import COLOURS, GREY, Axis, Figure, Point, Series, png

__all__ = ["figure_png", "figures"]


_MODELS = dict(zip("1bd*", COLOURS))


def figures(table: Sequence[dict[str, Any]]) -> list[Figure]:
    """The figures of the rows of a report, without those that would have no point."""
    drawn = [_area(table), _time(table), _bound(table), _cycles(table), _fmax(table)]
    return [figure for figure in drawn if any(series.points for series in figure.series)]


def figure_png(figure: Figure, table: Sequence[dict[str, Any]]) -> bytes:
    """The PNG file of one of the :func:`figures`.

    The figure of times has a panel for each collective there, with the payload that most rows have: more fronts could
    not be told apart where nothing can be filtered or pointed at.
    """
    if figure.name != "time":
        return png([figure])
    shown = [row for row in table if row["luts"] is not None and row["microseconds"] is not None]
    payload = statistics.mode(row["payload_flits"] for row in shown)
    panels = [
        _time(
            [row for row in shown if (row["collective"], row["payload_flits"]) == (collective, payload)],
            f"{collective}, {payload} payload flits",
        )
        for collective in sorted({row["collective"] for row in shown if row["payload_flits"] == payload})
    ]
    return png(panels, across=len(panels), panel=(8, 5) if len(panels) == 1 else (4.5, 5))


def _area(table: Sequence[dict[str, Any]]) -> Figure:
    return Figure(
        name="area",
        title="Area against a b",
        x=Axis("a b of a router", "log"),
        y=Axis("LUTs of the router (COMB equivalents)", "log"),
        series=_by_model(_routers(table, "ab", "router_luts")),
    )


def _time(table: Sequence[dict[str, Any]], title: str = "Time against area, with Pareto fronts") -> Figure:
    return Figure(
        name="time",
        title=title,
        x=Axis("LUTs of all routers (COMB equivalents)", "log"),
        y=Axis("µs in lockstep", "log"),
        series=(*_pareto_fronts(table), *_by_model(_runs(table, "luts", "microseconds"))),
    )


def _bound(table: Sequence[dict[str, Any]]) -> Figure:
    runs = _runs(table, "lower_bound", "steps")
    on_bound = [Point(x=point.x, y=float(point.x), rows=point.rows) for _, point in runs]
    line = tuple(sorted(on_bound, key=lambda point: point.y))
    return Figure(
        name="bound",
        title="Steps against their lower bound",
        x=Axis("lower bound, steps", "log"),
        y=Axis("steps measured", "log"),
        series=(Series(name="the bound", points=line, mark="line", colour=GREY, opacity=1), *_by_model(runs)),
    )


def _cycles(table: Sequence[dict[str, Any]]) -> Figure:
    return Figure(
        name="cycles",
        title="Cycles against steps",
        x=Axis("steps", "log"),
        y=Axis("cycles in lockstep", "log"),
        series=_by_model(_runs(table, "steps", "cycles")),
    )


def _fmax(table: Sequence[dict[str, Any]]) -> Figure:
    return Figure(
        name="fmax",
        title="Fmax against ports",
        x=Axis("ports of a router, a"),
        y=Axis("Fmax, MHz: median and spread of the seeds"),
        series=_by_model(_routers(table, "ports", "fmax_mhz", low="fmax_low", high="fmax_high")),
    )


def _by_model(points: Iterable[tuple[str, Point]]) -> tuple[Series, ...]:
    """A series for each router model."""
    found: dict[str, list[Point]] = {model: [] for model in _MODELS}
    for model, point in points:
        found[model].append(point)
    return tuple(
        Series(name=f"model {model}", points=tuple(mine), colour=_MODELS[model]) for model, mine in found.items()
    )


def _runs(table: Sequence[dict[str, Any]], x: str, y: str) -> list[tuple[str, Point]]:
    """The model and the point of each row that has both values."""
    return [
        (
            row["model"],
            Point(
                x=row[x],
                y=row[y],
                text=(
                    _configuration(row),
                    f"{row['collective']}, {row['payload_flits']} flits",
                    f"record {row['record']}",
                ),
                rows=(number,),
            ),
        )
        for number, row in enumerate(table)
        if row[x] is not None and row[y] is not None
    ]


def _routers(
    table: Sequence[dict[str, Any]], x: str, y: str, *, low: str = "", high: str = ""
) -> list[tuple[str, Point]]:
    """The model and the point of each router that has both values; several rows have the same router."""
    same: dict[tuple[object, ...], list[int]] = {}
    for number, row in enumerate(table):
        if row[x] is not None and row[y] is not None:
            router = tuple(row[name] for name in ("network", "model", "width", "buffer_depth"))
            same.setdefault(router, []).append(number)
    found = []
    for numbers in same.values():
        row = table[numbers[-1]]
        point = Point(
            x=row[x],
            y=row[y],
            low=row[low] if low else None,
            high=row[high] if high else None,
            text=(_configuration(row), *(f"record {table[number]['record']}" for number in numbers)),
            rows=tuple(numbers),
        )
        found.append((row["model"], point))
    return found


def _configuration(row: dict[str, Any]) -> str:
    return f"{row['network']}, model {row['model']}, W = {row['width']}, D = {row['buffer_depth']}"


def _pareto_fronts(table: Sequence[dict[str, Any]]) -> list[Series]:
    """The Pareto front of area and time for each size, collective, payload and width, from left to right."""
    groups: dict[tuple[object, ...], list[tuple[float, float, int]]] = {}
    for number, row in enumerate(table):
        if row["luts"] is not None and row["microseconds"] is not None:
            group = tuple(row[name] for name in ("processors", "collective", "payload_flits", "width"))
            groups.setdefault(group, []).append((row["luts"], row["microseconds"], number))
    fronts = []
    for (processors, *_), choices in groups.items():
        line: list[Point] = []
        for luts, microseconds, number in sorted(choices):
            if not line or microseconds < line[-1].y:
                line.append(Point(x=luts, y=microseconds, rows=(number,)))
        fronts.append(
            Series(
                name="Pareto front of all models",
                points=tuple(line),
                mark="line",
                colour=GREY,
                opacity=1,
                label=f"{processors} processors",
            )
        )
    return fronts
