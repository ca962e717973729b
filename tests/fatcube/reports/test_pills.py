"""The names of transfers in a drawing: each on the lane that its packet crosses, and none on another one."""

import itertools
import math
import re
from xml.etree import ElementTree

import pytest

from fatcube.noc.topologies import make_topology
from fatcube.reports.drawing import Drawing
from fatcube.reports.pills import Box, pills
from fatcube.reports.shown import step_of
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import StepModel

SVG = "{http://www.w3.org/2000/svg}"


def box(rect):
    """Left, right, upper and lower end of a rectangle."""
    x, y, wide, high = (float(rect.get(name)) for name in ("x", "y", "width", "height"))
    return x, x + wide, y, y + high


def apart(one, other):
    return one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2] or other[3] <= one[2]


def having(root, name):
    return [one for one in root.iter(f"{SVG}g") if name in one.get("class", "").split()]


def near(point, line):
    """Whether a point is on a line through points, but for what the file rounds."""
    x, y = point
    for (x0, y0), (x1, y1) in itertools.pairwise(line):
        dx, dy = x1 - x0, y1 - y0
        part = min(1, max(0, ((x - x0) * dx + (y - y0) * dy) / ((dx * dx + dy * dy) or 1)))
        if abs(x - x0 - part * dx) < 0.3 and abs(y - y0 - part * dy) < 0.3:
            return True
    return False


@pytest.mark.parametrize(
    ("topology", "collective", "model", "all_named"),
    [
        (make_topology("fat-cube", d=2, m=2, f=2), "all-to-all", StepModel(), True),
        (make_topology("fat-cube", d=3, m=2, f=2), "all-gather", StepModel(), True),
        (make_topology("torus", w=3, d=2, f=2), "all-to-all", StepModel(), True),
        (make_topology("hypercube", d=4), "all-to-all", StepModel(per_packet="unlimited"), False),
        (make_topology("torus", w=4, d=2), "broadcast", StepModel(transfers="direct"), True),
        (make_topology("fat-cube", d=1, m=5, f=2), "all-gather", StepModel(links="half-duplex"), True),
    ],
)
def test_no_name_covers_another_one(topology, collective, model, all_named):
    """Catches names on each other, on a node's number or a processor's, on another lane, and one that is lost unsaid."""
    step = step_of(construct(Problem(topology, "d", collective, 0, model)).schedule, 1)
    drawing = Drawing(topology, step=step)
    root = ElementTree.fromstring(drawing.svg())
    found = [(one[1].text, box(one[0])) for one in having(root, "pill")]
    routers = [
        (x - r, x + r, y - r, y + r)
        for one in root.iter(f"{SVG}circle")
        if one.get("class") == "router"
        for x, y, r in [tuple(float(one.get(name)) for name in ("cx", "cy", "r"))]
    ]
    processors = [box(rect) for one in having(root, "processor") for rect in one.iter(f"{SVG}rect")]
    assert len(routers) == topology.nodes and len(processors) == topology.processors
    places = [place for _, place in found]
    assert all(itertools.starmap(apart, itertools.combinations(places, 2)))
    assert all(itertools.starmap(apart, itertools.product(places, routers + processors)))
    wanted = [(step.label(messages), trail) for _, _, trail, messages in step.transfers if trail]
    missing = sum(map(int, re.findall(r"of (\d+) transfer", " ".join(drawing.left_out))))
    assert found and len(found) + missing == len(wanted) and bool(missing) != all_named
    lines = {}  # For each name the lines of its packets, up to the node behind the first lane.
    trails = [one for one in having(root, "trail") if one.get("data-source")]
    for trail, (_, _, hops, messages) in zip(trails, step.transfers, strict=True):
        d = next(one.get("d") for one in trail if one.get("class") == "line")
        line = [tuple(map(float, pair.split())) for pair in re.findall(r"[ML]([^MLZ]+)", d)]
        ends = [math.dist(point, drawing.layout.nodes[hops[0][1]]) for point in line] if hops else [0.0]
        lines.setdefault(step.label(messages), []).append(line[: ends.index(min(ends)) + 1])
    for text, (left, right, upper, lower) in found:
        assert any(near(((left + right) / 2, (upper + lower) / 2), line) for line in lines[text])


def test_the_first_place_with_room():
    line = [(0.0, 0.0), (100.0, 0.0)]
    one, other, last = pills([("ab", line), ("ab", line), ("ab" * 20, line)], [Box(0, 0, 10, 10)])
    assert (one.box.y, one.box.high, one.box.wide) == (0, 15, 18.4)
    assert 5 + 9.2 < one.box.x < 20 and one.box.x + 18.4 < other.box.x < one.box.x + 25
    assert last is None
