"""The figures of the report of a study."""

from collections.abc import Callable, Iterator, Sequence
import statistics

from fatcube.noc.topologies import name_from
from fatcube.reports.figure import COLOURS, GREY, Axis, Figure, Point, Series, png
from fatcube.studies.pareto import undominated
from fatcube.studies.report_row import ReportRow
from fatcube.synth.families.ecp5 import FAMILY as ECP5
from fatcube.synth.families.family import Family

__all__ = ["figure_png", "figures"]


_MODELS = dict(zip("1bd*", COLOURS))


def figures(table: Sequence[ReportRow], family: Family = ECP5) -> list[Figure]:
    """The figures of the rows of a report, without those that would have no point."""
    drawn = [_area(table, family), _time(table, family), _bound(table), _cycles(table), _fmax(table)]
    return [figure for figure in drawn if any(series.points for series in figure.series)]


def figure_png(figure: Figure, table: Sequence[ReportRow], family: Family = ECP5) -> bytes:
    """The PNG file of one of the :func:`figures`.

    The figure of times has a panel for each collective there, with the payload that most rows have: further fronts would
    overlap illegibly where nothing can be filtered or pointed at.
    """
    if figure.name != "time":
        return png([figure])
    shown = [row for row in table if row.microseconds is not None]
    payload = statistics.mode(row.payload_flits for row in shown)
    panels = [
        _time(
            [row for row in shown if (row.collective, row.payload_flits) == (collective, payload)],
            family,
            f"{collective}, {payload} payload flits",
        )
        for collective in sorted({row.collective or "" for row in shown if row.payload_flits == payload})
    ]
    return png(panels, across=len(panels), panel=(8, 5) if len(panels) == 1 else (4.5, 5))


def _area(table: Sequence[ReportRow], family: Family) -> Figure:
    routers = _routers(table, lambda row: row.ab, lambda row: row.router_luts)
    return Figure(
        name="area",
        title="Area against a b",
        says=_spread(routers, family.unit),
        x=Axis("a b of a router", "log"),
        y=Axis(f"{family.unit} of the router{family.unit_of_axes}", "log"),
        series=_by_model(routers),
    )


def _time(table: Sequence[ReportRow], family: Family, title: str = "Time against area, with Pareto fronts") -> Figure:
    fronts = _pareto_fronts(table)
    return Figure(
        name="time",
        title=title,
        says=_trade(fronts),
        x=Axis(f"{family.unit} of all routers{family.unit_of_axes}", "log"),
        y=Axis("µs in lockstep", "log"),
        series=(*fronts, *_by_model(_runs(table, lambda row: row.luts, lambda row: row.microseconds))),
    )


def _bound(table: Sequence[ReportRow]) -> Figure:
    runs = _runs(table, lambda row: row.lower_bound, lambda row: row.steps)
    on_bound = [Point(x=point.x, y=float(point.x), rows=point.rows) for _, point in runs]
    line = tuple(sorted(on_bound, key=lambda point: point.y))
    return Figure(
        name="bound",
        title="Steps against their lower bound",
        says=f"{sum(point.x == point.y for _, point in runs)} of {len(runs)} runs take exactly the steps of their lower bound.",
        x=Axis("lower bound, steps", "log"),
        y=Axis("steps measured", "log"),
        series=(Series(name="the bound", points=line, mark="line", colour=GREY, opacity=1), *_by_model(runs)),
    )


def _cycles(table: Sequence[ReportRow]) -> Figure:
    runs = _runs(table, lambda row: row.steps, lambda row: row.cycles)
    return Figure(
        name="cycles",
        title="Cycles against steps",
        says=_per_step(runs),
        x=Axis("steps", "log"),
        y=Axis("cycles in lockstep", "log"),
        series=_by_model(runs),
    )


def _fmax(table: Sequence[ReportRow]) -> Figure:
    routers = _routers(
        table,
        lambda row: row.ports,
        lambda row: row.fmax_mhz,
        low=lambda row: row.fmax_low,
        high=lambda row: row.fmax_high,
    )
    return Figure(
        name="fmax",
        title="Fmax against ports",
        says=_slower(routers),
        x=Axis("ports of a router, a"),
        y=Axis("Fmax, MHz: median and spread of the seeds"),
        series=_by_model(routers),
    )


_Points = Sequence[tuple[str, Point]]


def _spread(routers: _Points, unit: str) -> str:
    """Routers of the same a b take how different an area."""
    same: dict[float | str, list[float]] = {}
    for _, point in routers:
        same.setdefault(point.x, []).append(point.y)
    if not same:
        return ""
    widest = max(same, key=lambda price: max(same[price]) / min(same[price]))
    return (
        f"Of {len(routers)} routers with {len(same)} different prices, those of a b = {widest} differ most in area: the largest "
        f"has {max(same[widest]) / min(same[widest]):.1f} times the {unit} of the smallest."
    )


def _trade(fronts: Sequence[Series]) -> str:
    """A sentence on the gain along the longest front."""
    longest = max(fronts, key=lambda one: len(one.points), default=None)
    if longest is None:
        return ""
    small, fast = longest.points[0], longest.points[-1]
    return (
        f"The longest of {len(fronts)} Pareto fronts, of {longest.label}, has {len(longest.points)} configurations: from its smallest "
        f"to its fastest, {float(fast.x) / float(small.x):.1f} times the area buys {small.y / fast.y:.1f} times the speed."
    )


def _per_step(runs: _Points) -> str:
    ratios = sorted(point.y / float(point.x) for _, point in runs if point.x)
    if not ratios:
        return ""
    return (
        f"A step takes {ratios[0]:.0f} to {ratios[-1]:.0f} cycles in lockstep, {statistics.median(ratios):.0f} in the median of "
        f"{len(ratios)} runs."
    )


def _slower(routers: _Points) -> str:
    if not routers:
        return ""
    ports = sorted({float(point.x) for _, point in routers})
    few, many = (statistics.fmean(point.y for _, point in routers if point.x == one) for one in (ports[0], ports[-1]))
    return (
        f"From {ports[0]:.0f} to {ports[-1]:.0f} ports the mean Fmax goes from {few:.0f} to {many:.0f} MHz, over {len(routers)} "
        "routers."
    )


def _by_model(points: _Points) -> tuple[Series, ...]:
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
                name=_short(row),
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
            name=_short(row),
        )
        found.append((row.model, point))
    return found


def _configuration(row: ReportRow) -> str:
    return f"{name_from(row.network)}, model {row.model}, W = {row.width}, D = {row.buffer_depth}"


def _short(row: ReportRow) -> str:
    """The network without the words that the axes and the legend have."""
    return name_from(row.network)


def _pareto_fronts(table: Sequence[ReportRow]) -> list[Series]:
    """The Pareto front of area and time for each size, collective, payload and width, from left to right. Of several
    configurations that are equal in both, all are on it, as everywhere."""
    groups: dict[tuple[object, ...], list[tuple[float, float, int]]] = {}
    for number, row, luts, microseconds in _placed(table, lambda row: row.luts, lambda row: row.microseconds):
        group = row.processors, row.collective, row.payload_flits, row.width
        groups.setdefault(group, []).append((luts, microseconds, number))
    fronts = []
    for (processors, *_), choices in groups.items():
        front = undominated(choices, lambda choice: choice[:2])
        fronts.append(
            Series(
                name="Pareto front of all models",
                points=tuple(Point(x=luts, y=microseconds, rows=(number,)) for luts, microseconds, number in front),
                mark="front",
                colour=GREY,
                opacity=1,
                label=f"{processors} processors",
            )
        )
    return fronts
