"""A figure: the page and the PNG show the same points, each with its spread, its line and its name."""

import dataclasses
import io

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.reports.figure import COLOURS, GREY, Axis, Figure, Point, Series, for_page, png

POINTS = (
    Point(x=10, y=100, low=90, high=130, text=("first", "of two"), rows=(0, 2)),
    Point(x=1000, y=200, low=200, high=210, text=("second",), rows=(1,)),
)
FIGURE = Figure(
    name="all",
    title="All marks < one",
    says="There are three.",
    x=Axis("area", "log"),
    y=Axis("time", "log"),
    series=(
        Series(name="front", points=(Point(x=10, y=100), Point(x=1000, y=50)), mark="line", colour=GREY, label="8 P"),
        Series(name="model 1", points=POINTS, colour=COLOURS[0]),
        Series(name="model 1", points=POINTS[:1], colour=COLOURS[0]),
        Series(name="model b", points=(Point(x=20, y=300),), colour=COLOURS[1]),
    ),
)
BARS = Figure(
    name="bars",
    title="Bars",
    says="There are four.",
    x=Axis("collective", "category"),
    y=Axis("cycles"),
    series=tuple(
        Series(name=name, points=(Point(x="OAB", y=y), Point(x="AAS", y=2 * y)), mark="bars", colour=colour)
        for name, y, colour in (("lockstep", 60, COLOURS[0]), ("dataflow", 50, COLOURS[1]))
    ),
)


def test_for_a_page():
    drawn = for_page(FIGURE)
    front, model, _, other = drawn["series"]
    assert (front["mark"], front["look"], front["points"], front["label"]) == (
        "line",
        0,
        [[10, 100], [1000, 50]],
        "8 P",
    )
    assert (model["mark"], model["look"], other["look"]) == ("dots", 1, 2)
    assert model["points"] == [
        [10, 100, 90, 130, ("first", "of two"), (0, 2)],
        [1000, 200, 200, 210, ("second",), (1,)],
    ]
    assert (drawn["title"], drawn["says"]) == ("All marks < one", "There are three.")
    assert (drawn["x"], drawn["y"]["title"]) == ({"title": "area", "scale": "log"}, "time")
    assert FIGURE.linked and not BARS.linked
    named = dataclasses.replace(POINTS[0], name="P")
    assert for_page(dataclasses.replace(FIGURE, series=(dataclasses.replace(FIGURE.series[1], points=(named,)),)))[
        "series"
    ][0]["points"] == [[10, 100, 90, 130, ("first", "of two"), (0, 2), "P"]]


def test_bars_for_a_page():
    assert [(one["mark"], one["points"]) for one in for_page(BARS)["series"]] == [
        ("bars", [["OAB", 60], ["AAS", 120]]),
        ("bars", [["OAB", 50], ["AAS", 100]]),
    ]


def test_other_colours_are_refused():
    """Catches a colour that has no shade for the dark, and no mark."""
    with pytest.raises(ParameterError, match="colour must be one of #1f5fbf, .* not '#000000'"):
        Series(name="", points=(), colour="#000000")


@pytest.fixture
def axes(monkeypatch):
    """The drawing of Matplotlib, one :class:`Axes` for each figure."""
    pytest.importorskip("matplotlib", reason="figures are not tested without Matplotlib")
    from matplotlib.figure import Figure as Canvas

    found = []
    saved = Canvas.savefig
    monkeypatch.setattr(
        Canvas, "savefig", lambda canvas, *rest, **named: [found.extend(canvas.axes), saved(canvas, *rest, **named)]
    )
    return found


def test_matplotlib(axes):
    content = png([FIGURE, BARS], across=2, panel=(4, 3))
    from matplotlib.image import imread

    assert imread(io.BytesIO(content)).shape[:2] == (330, 880)
    marks, bars = axes
    assert (marks.get_title(), marks.get_xscale(), marks.get_yscale()) == ("All marks < one", "log", "log")
    assert (marks.get_xlabel(), marks.get_ylabel()) == ("area, logarithmic", "time, logarithmic")
    # Values are named as numbers, within the axes, and not as powers of ten.
    low, high = marks.get_xlim()
    named = [float(marks.xaxis.get_major_formatter()(tick, 0)) for tick in marks.get_xticks() if low <= tick <= high]
    assert len(named) >= 3 and all(low <= value <= high for value in named)
    assert not any(marks.xaxis.get_minor_formatter()(tick, 0) for tick in (20, 30, 70))
    assert len({line.get_marker() for line in marks.lines if line.get_marker() != "None"}) >= 2
    lines = [[list(map(float, line.get_xdata())), list(map(float, line.get_ydata()))] for line in marks.lines]
    assert [[10, 1000], [100, 50]] in lines and [[10, 1000], [100, 200]] in lines and [[20], [300]] in lines
    ends = [segment[:, 1].tolist() for bars in marks.collections for segment in bars.get_segments()]
    assert ends == [[90, 130], [200, 210], [90, 130]]
    assert [text.get_text() for text in marks.texts] == ["8 P"]
    assert sorted(text.get_text() for text in marks.get_legend().get_texts()) == ["front", "model 1", "model b"]
    assert [bar.get_height() for bar in bars.patches] == [60, 120, 50, 100]
    assert [label.get_text() for label in bars.get_xticklabels()] == ["OAB", "AAS"]
    first, second = bars.patches[0], bars.patches[2]
    assert first.get_x() + first.get_width() == pytest.approx(second.get_x())


def test_a_png_is_the_same_each_time():
    pytest.importorskip("matplotlib", reason="figures are not tested without Matplotlib")
    assert png([FIGURE]) == png([FIGURE]) != png([dataclasses.replace(FIGURE, title="another")])
