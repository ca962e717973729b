"""The figures of the report of a study."""

from collections.abc import Callable, Iterable, Iterator, Sequence
import statistics

from fatcube.reports.figure import COLOURS, GREY, Axis, Figure, Point, Series, png
from fatcube.studies.report_row import ReportRow

__all__ = ["figure_png", "figures"]


_MODELS = dict(zip("1bd*", COLOURS))


def figures(table: Sequence[ReportRow]) -> list[Figure]:
    """The figures of the rows of a report, without those that would have no point."""
    drawn = [_area(table), _time(table), _bound(table), _cycles(table), _fmax(table)]
    return [figure for figure in drawn if any(series.points for series in figure.series)]


def figure_png(figure: Figure, table: Sequence[ReportRow]) -> bytes:
    """The PNG file of one of the :func:`figures`.

    The figure of times has a panel for each collective there, with the payload that most rows have: more fronts could
    not be told apart where nothing can be filtered or pointed at.
    """
    if figure.name != "time":
        return png([figure])
    shown = [row for row in table if row.microseconds is not None]
    payload = statistics.mode(row.payload_flits for row in shown)
    panels = [
        _time(
            [row for row in shown if (row.collective, row.payload_flits) == (collective, payload)],
            f"{collective}, {payload} payload flits",
        )
        for collective in sorted({row.collective or "" for row in shown if row.payload_flits == payload})
    ]
    return png(panels, across=len(panels), panel=(8, 5) if len(panels) == 1 else (4.5, 5))


def _area(table: Sequence[ReportRow]) -> Figure:
    return Figure(
        name="area",
        title="Area against a b",
        x=Axis("a b of a router", "log"),
        y=Axis("LUTs of the router (COMB equivalents)", "log"),
        series=_by_model(_routers(table, lambda row: row.ab, lambda row: row.router_luts)),
    )


def _time(table: Sequence[ReportRow], title: str = "Time against area, with Pareto fronts") -> Figure:
    return Figure(
        name="time",
        title=title,
        x=Axis("LUTs of all routers (COMB equivalents)", "log"),
        y=Axis("µs in lockstep", "log"),
        series=(*_pareto_fronts(table), *_by_model(_runs(table, lambda row: row.luts, lambda row: row.microseconds))),
    )


def _bound(table: Sequence[ReportRow]) -> Figure:
    runs = _runs(table, lambda row: row.lower_bound, lambda row: row.steps)
    on_bound = [Point(x=point.x, y=float(point.x), rows=point.rows) for _, point in runs]
    line = tuple(sorted(on_bound, key=lambda point: point.y))
    return Figure(
        name="bound",
        title="Steps against their lower bound",
        x=Axis("lower bound, steps", "log"),
        y=Axis("steps measured", "log"),
        series=(Series(name="the bound", points=line, mark="line", colour=GREY, opacity=1), *_by_model(runs)),
    )


def _cycles(table: Sequence[ReportRow]) -> Figure:
    return Figure(
        name="cycles",
        title="Cycles against steps",
        x=Axis("steps", "log"),
        y=Axis("cycles in lockstep", "log"),
        series=_by_model(_runs(table, lambda row: row.steps, lambda row: row.cycles)),
    )


def _fmax(table: Sequence[ReportRow]) -> Figure:
    return Figure(
        name="fmax",
        title="Fmax against ports",
        x=Axis("ports of a router, a"),
        y=Axis("Fmax, MHz: median and spread of the seeds"),
        series=_by_model(
            _routers(
                table,
                lambda row: row.ports,
                lambda row: row.fmax_mhz,
                low=lambda row: row.fmax_low,
                high=lambda row: row.fmax_high,
            )
        ),
    )


def _by_model(points: Iterable[tuple[str, Point]]) -> tuple[Series, ...]:
    """A series for each router model."""
    found: dict[str, list[Point]] = {model: [] for model in _MODELS}
    for model, point in points:
        found[model].append(point)
    return tuple(
        Series(name=f"model {model}", points=tuple(mine), colour=_MODELS[model]) for model, mine in found.items()
    )


_Value = Callable[[ReportRow], float | None]


def _placed(table: Sequence[ReportRow], x: _Value, y: _Value) -> Iterator[tuple[int, ReportRow, float, float]]:
    """The number of each row that has both values, the row, and these."""
    for number, row in enumerate(table):
        across, up = x(row), y(row)
        if across is not None and up is not None:
            yield number, row, across, up


def _runs(table: Sequence[ReportRow], x: _Value, y: _Value) -> list[tuple[str, Point]]:
    """The model and the point of each row that has both values."""
    return [
        (
            row.model,
            Point(
                x=across,
                y=up,
                text=(
                    _configuration(row),
                    f"{row.collective}, {row.payload_flits} flits",
                    f"record {row.record}",
                ),
                rows=(number,),
            ),
        )
        for number, row, across, up in _placed(table, x, y)
    ]


def _routers(
    table: Sequence[ReportRow], x: _Value, y: _Value, *, low: _Value | None = None, high: _Value | None = None
) -> list[tuple[str, Point]]:
    """The model and the point of each router that has both values; several rows have the same router."""
    same: dict[tuple[object, ...], list[tuple[int, ReportRow, float, float]]] = {}
    for one in _placed(table, x, y):
        row = one[1]
        same.setdefault((row.network, row.model, row.width, row.buffer_depth), []).append(one)
    found = []
    for ones in same.values():
        _, row, across, up = ones[-1]
        point = Point(
            x=across,
            y=up,
            low=low and low(row),
            high=high and high(row),
            text=(_configuration(row), *(f"record {one.record}" for _, one, _, _ in ones)),
            rows=tuple(number for number, *_ in ones),
        )
        found.append((row.model, point))
    return found


def _configuration(row: ReportRow) -> str:
    return f"{row.network}, model {row.model}, W = {row.width}, D = {row.buffer_depth}"


def _pareto_fronts(table: Sequence[ReportRow]) -> list[Series]:
    """The Pareto front of area and time for each size, collective, payload and width, from left to right."""
    groups: dict[tuple[object, ...], list[tuple[float, float, int]]] = {}
    for number, row, luts, microseconds in _placed(table, lambda row: row.luts, lambda row: row.microseconds):
        group = row.processors, row.collective, row.payload_flits, row.width
        groups.setdefault(group, []).append((luts, microseconds, number))
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
