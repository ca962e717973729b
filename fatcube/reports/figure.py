"""The description of a figure, which ``figure.js`` draws as SVG on a page and Matplotlib as a PNG."""

from collections.abc import Sequence
import dataclasses
import io
import math
from typing import Any, Literal

from fatcube.groundwork.validation import check_choice

__all__ = ["COLOURS", "GREY", "Axis", "Figure", "Point", "Series", "for_page", "png"]


COLOURS = ("#1f5fbf", "#b45309", "#15803d", "#a21caf", "#0e7490", "#b91c1c", "#6d28d9", "#4d5b12")
"""Colours of series; a page gives each a mark, a dash and a hatching of its own, and another shade in the dark."""
GREY = "#6b7280"
"""The colour of what points are compared with."""
_DOTS_PER_INCH = 110
_ACROSS = 120  # letters of names that a legend has room for


@dataclasses.dataclass(frozen=True)
class Axis:
    """An axis of a figure.

    Members
    -------
    title : :class:`str`
        Meaning and units.
    scale : :class:`str`
        Of numbers ``linear`` or ``log``; ``category`` where bars stand above names.
    """

    title: str
    scale: Literal["linear", "log", "category"] = "linear"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Point:
    """A point of a series.

    Members
    -------
    x, y : :class:`float`
        The values. The x of a bar is the name below it.
    low, high : :class:`float` or ``None``
        The ends of its spread, both or neither.
    text : :class:`tuple` of :class:`str`
        The lines that a page shows above the values while a reader points at it.
    rows : :class:`tuple` of :class:`int`
        The rows of the page's table that it stands for: a page that is filtered shows it with any of them.
    name : :class:`str`
        A short name, shown beside the point where there is room.
    """

    x: float | str
    y: float
    low: float | None = None
    high: float | None = None
    text: tuple[str, ...] = ()
    rows: tuple[int, ...] = ()
    name: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Series:
    """Points that are drawn alike.

    Members
    -------
    name : :class:`str`
        The entry in the legend; series of the same name share one.
    points : :class:`tuple` of :class:`Point`
        A page says nothing of those of a series without texts.
    mark : :class:`str`
        Each a dot or a bar, or all joined by a line; a Pareto front is joined in steps, and its points have rings.
    colour : :class:`str`
        One of :data:`COLOURS`, or :data:`GREY`.
    opacity : :class:`float`
        From 0 to 1.
    label : :class:`str`
        The text beside the last point, where there is room.
    """

    name: str
    points: tuple[Point, ...]
    mark: Literal["dots", "line", "bars", "front"] = "dots"
    colour: str
    opacity: float = 0.7
    label: str = ""

    def __post_init__(self) -> None:
        check_choice("colour", self.colour, (*COLOURS, GREY))


@dataclasses.dataclass(frozen=True, kw_only=True)
class Figure:
    """A figure with two axes.

    Members
    -------
    name : :class:`str`
        A word for the file and for the place in the page.
    title : :class:`str`
    says : :class:`str`
        A sentence on what the figure shows, worked out from the points.
    x, y : :class:`Axis`
    series : :class:`tuple` of :class:`Series`
        The first is drawn first.
    """

    name: str
    title: str
    says: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]

    @property
    def linked(self) -> bool:
        """True if points stand for rows of a table."""
        return any(point.rows for series in self.series for point in series.points)


def for_page(figure: Figure) -> dict[str, Any]:
    """The figure for ``figure.js``: its members, with points as lists and colours as their numbers, 0 for grey."""
    return {
        "name": figure.name,
        "title": figure.title,
        "says": figure.says,
        "x": dataclasses.asdict(figure.x),
        "y": dataclasses.asdict(figure.y),
        "series": [
            {
                "name": series.name,
                "mark": series.mark,
                "look": (GREY, *COLOURS).index(series.colour),
                "opacity": series.opacity,
                "label": series.label,
                "points": [_listed(point) for point in series.points],
            }
            for series in figure.series
        ],
    }


def _listed(point: Point) -> list[Any]:
    """The members of a point, without those at the end that have their defaults."""
    values = list(dataclasses.astuple(point))
    defaults = [field.default for field in dataclasses.fields(point)]
    while values[-1] == defaults[len(values) - 1]:
        values.pop()
    return values


def _spreads(points: Sequence[Point]) -> tuple[list[float], list[float]]:
    """The parts of the spread of each point below and above it."""
    return (
        [0 if point.low is None else point.y - point.low for point in points],
        [0 if point.high is None else point.high - point.y for point in points],
    )


def png(figures: Sequence[Figure], *, across: int = 1, panel: tuple[float, float] = (8, 5)) -> bytes:
    """The figures drawn by Matplotlib, which must be installed, as one PNG file.

    Parameters
    ----------
    figures : list of :class:`Figure`
    across : :class:`int`
        How many stand side by side.
    panel : (:class:`float`, :class:`float`)
        Width and height of each, in inches.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    down = math.ceil(len(figures) / across)
    canvas = Canvas(figsize=(panel[0] * across, panel[1] * down), dpi=_DOTS_PER_INCH, layout="constrained")
    FigureCanvasAgg(canvas)
    for axes, figure in zip(canvas.subplots(down, across, squeeze=False).flat, figures):
        _draw(axes, figure)
    content = io.BytesIO()
    canvas.savefig(content, format="png", metadata={"Software": None})
    return content.getvalue()


def _draw(axes: Any, figure: Figure) -> None:
    """Draw a figure on the ``axes`` of Matplotlib, which has no types that its users can check against."""
    names = [series.name for series in figure.series]
    bars = [series for series in figure.series if series.mark == "bars"]
    for index, series in enumerate(figure.series):
        x, y = [point.x for point in series.points], [point.y for point in series.points]
        look = {"color": series.colour, "label": series.name if series.name not in names[:index] else None}
        if series.mark == "bars":
            places = [place + (bars.index(series) + 0.5) * 0.8 / len(bars) - 0.4 for place in range(len(x))]
            axes.bar(places, y, width=0.8 / len(bars), alpha=series.opacity, **look)
            axes.set_xticks(range(len(x)), x)
        elif series.mark in ("line", "front"):
            steps = {"drawstyle": "steps-post", "linestyle": "--"} if series.mark == "front" else {}
            axes.plot(x, y, linewidth=0.8, alpha=series.opacity, zorder=0, **steps, **look)
        elif any(point.low is not None for point in series.points):
            axes.errorbar(x, y, yerr=_spreads(series.points), fmt="o", markersize=4, alpha=series.opacity, **look)
        else:
            axes.plot(x, y, "o", markersize=4, alpha=series.opacity, **look)
        if series.label and series.points:
            axes.annotate(
                series.label,
                (x[-1], y[-1]),
                xytext=(0, -13),
                ha="center",
                textcoords="offset points",
                fontsize=8,
                color=series.colour,
            )
    if figure.x.scale != "category":
        axes.set_xscale(figure.x.scale)
    axes.set_yscale(figure.y.scale)
    axes.set(title=figure.title, xlabel=figure.x.title, ylabel=figure.y.title)
    axes.margins(0.08)
    axes.grid(alpha=0.3)
    # Below, where it hides no point.
    across = max(1, min(3, _ACROSS // max(map(len, names), default=1)))
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=across, frameon=False, fontsize=8)
