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
_LETTERS = 12  # of names, for which a legend has room in an inch


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
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    down = math.ceil(len(figures) / across)
    content = io.BytesIO()
    with mpl.rc_context({"font.size": 12}):
        canvas = Canvas(figsize=(panel[0] * across, panel[1] * down), dpi=_DOTS_PER_INCH, layout="constrained")
        FigureCanvasAgg(canvas)
        for axes, figure in zip(canvas.subplots(down, across, squeeze=False).flat, figures):
            _draw(axes, figure, panel)
        canvas.savefig(content, format="png", metadata={"Software": None})
    return content.getvalue()


_LOOKS = (GREY, *COLOURS)
# As in figure.js: marks and dashes beside colours.
_MARKS = ("x", "o", "s", "^", "D", "v", "P", "h", "X")
_DASHES = (
    (0, (2, 3)),
    "-",
    (0, (7, 3)),
    (0, (2, 2)),
    (0, (9, 3, 2, 3)),
    (0, (5, 5)),
    (0, (12, 3)),
    (0, (1, 4)),
    (0, (9, 2, 2, 2, 2, 2)),
)


def _draw(axes: Any, figure: Figure, panel: tuple[float, float]) -> None:
    """Draw a figure on the ``axes`` of Matplotlib, which has no types that its users can check against.

    ``panel`` is the width and the height that the axes have, in inches.
    """
    names = [series.name for series in figure.series]
    bars = [series for series in figure.series if series.mark == "bars"]
    for index, series in enumerate(figure.series):
        x, y = [point.x for point in series.points], [point.y for point in series.points]
        look = {"color": series.colour, "label": series.name if series.name not in names[:index] else None}
        number = _LOOKS.index(series.colour) if series.colour in _LOOKS else 0
        if series.mark == "bars":
            places = [place + (bars.index(series) + 0.5) * 0.8 / len(bars) - 0.4 for place in range(len(x))]
            axes.bar(places, y, width=0.8 / len(bars), alpha=series.opacity, **look)
            axes.set_xticks(range(len(x)), x)
        elif series.mark in ("line", "front"):
            way = (
                {"drawstyle": "steps-post", "linestyle": "--"}
                if series.mark == "front"
                else {"linestyle": _DASHES[number]}
            )
            axes.plot(x, y, linewidth=1.2, alpha=series.opacity, zorder=0, **way, **look)
        elif any(point.low is not None for point in series.points):
            axes.errorbar(
                x, y, yerr=_spreads(series.points), fmt=_MARKS[number], markersize=5, alpha=series.opacity, **look
            )
        else:
            axes.plot(x, y, _MARKS[number], markersize=5, alpha=series.opacity, **look)
        if series.label and series.points:
            axes.annotate(
                series.label,
                (x[-1], y[-1]),
                xytext=(0, -13),
                ha="center",
                textcoords="offset points",
                fontsize=9,
                color=series.colour,
            )
    if figure.x.scale != "category":
        axes.set_xscale(figure.x.scale)
    axes.set_yscale(figure.y.scale)
    for axis, scale in ((axes.xaxis, figure.x.scale), (axes.yaxis, figure.y.scale)):
        if scale == "log":
            _name_in_full(axis)
    x, y = (axis.title + (", logarithmic" if axis.scale == "log" else "") for axis in (figure.x, figure.y))
    axes.set_title(figure.title)
    axes.set_xlabel(x, fontsize=_size(x, panel[0]))
    axes.set_ylabel(y, fontsize=_size(y, panel[1]))
    axes.margins(0.08)
    axes.grid(alpha=0.3)
    # Below, where it hides no point.
    across = max(1, min(3, int(_LETTERS * panel[0]) // max(map(len, names), default=1)))
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.75 / panel[1]), ncols=across, frameon=False, fontsize=10)


def _size(text: str, room: float) -> float:
    """The size of letters, in points, with which a text fits into ``room`` inches with a margin."""
    return min(12.0, 72 * (room - 0.4) / (0.55 * max(1, len(text))))


def _name_in_full(axis: Any) -> None:
    """Name values of a logarithmic axis as numbers, such as 20 and 50, and not as powers of ten."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = axis.get_view_interval()
    decades = math.log10(high / low) if 0 < low < high else 0
    parts = (
        (1, 1.5, 2, 3, 4, 5, 7)
        if decades < 0.7
        else (1, 2, 3, 5, 7)
        if decades < 1.2
        else (1, 2, 5)
        if decades < 2.5
        else (1,)
    )
    axis.set_major_locator(LogLocator(subs=parts))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value / 1000:g}k" if value >= 10_000 else f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())
