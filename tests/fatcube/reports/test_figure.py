"""A figure: the page and the PNG show the same points, each with its spread, its line and its name."""

import dataclasses
import io

import plotly.graph_objects
import pytest

from fatcube.reports.figure import COLOURS, GREY, Axis, Figure, Point, Series, for_page, png

POINTS = (
    Point(x=10, y=100, low=90, high=130, text=("first", "of two"), rows=(0, 2)),
    Point(x=1000, y=200, low=200, high=210, text=("second",), rows=(1,)),
)
FIGURE = Figure(
    name="all",
    title="All marks < one",
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
    x=Axis("collective", "category"),
    y=Axis("cycles"),
    series=tuple(
        Series(name=name, points=(Point(x="OAB", y=y), Point(x="AAS", y=2 * y)), mark="bars", colour=colour)
        for name, y, colour in (("lockstep", 60, COLOURS[0]), ("dataflow", 50, COLOURS[1]))
    ),
)


def test_plotly():
    drawn = for_page(FIGURE)
    # Which refuses whatever Plotly does not know.
    plotly.graph_objects.Figure(data=drawn["traces"], layout=drawn["layout"])
    front, model, _, other = drawn["traces"]
    assert (front["mode"], front["x"], front["y"], front["hoverinfo"]) == ("lines", [10, 1000], [100, 50], "skip")
    assert (model["mode"], model["x"], model["y"]) == ("markers", [10, 1000], [100, 200])
    assert (model["error_y"]["arrayminus"], model["error_y"]["array"]) == ([10, 0], [30, 10])
    assert model["text"] == ["first<br>of two", "second"] and "error_y" not in other
    assert drawn["rows"][1] == [(0, 2), (1,)]
    assert drawn["layout"]["title"]["text"] == "All marks &lt; one"
    assert drawn["layout"]["xaxis"]["type"] == "log"


def test_bars_in_plotly():
    drawn = for_page(BARS)
    plotly.graph_objects.Figure(data=drawn["traces"], layout=drawn["layout"])
    assert [(trace["type"], trace["x"], trace["y"]) for trace in drawn["traces"]] == [
        ("bar", ["OAB", "AAS"], [60, 120]),
        ("bar", ["OAB", "AAS"], [50, 100]),
    ]


@pytest.fixture
def axes(monkeypatch):
    """What Matplotlib has drawn, one :class:`Axes` for each figure."""
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
    assert (marks.get_xlabel(), marks.get_ylabel()) == ("area", "time")
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
