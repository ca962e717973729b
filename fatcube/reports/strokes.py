"""Lines, arrow heads and marks of a drawing, as the texts of SVG attributes; all lengths are in pixels."""

from collections.abc import Sequence
import itertools
import math

from fatcube.reports.places import Point

__all__ = ["at", "cross", "head", "lozenge", "path", "rounded", "short", "shortened"]


_HALF = 5.0  # of a lozenge


def short(number: float) -> str:
    """A number with one decimal, or none if it is 0."""
    text = f"{number:.1f}"
    return text.removesuffix(".0") if text != "-0.0" else "0"


def rounded(point: Point) -> list[float]:
    """A place for a record."""
    return [round(part, 1) + 0.0 for part in point]


def path(points: Sequence[Point]) -> str:
    """The line through ``points``."""
    return "M" + "L".join(f"{short(x)} {short(y)}" for x, y in points)


def at(points: Sequence[Point], part: float) -> tuple[Point, Point]:
    """The point at this part of the length of a line, from 0 to 1, and the direction of the line there."""
    lengths = [math.dist(*pair) for pair in itertools.pairwise(points)]
    left = part * sum(lengths)
    for length, (start, end) in zip(lengths, itertools.pairwise(points)):
        if length and left <= length + 1e-9:
            (x, y), (dx, dy) = start, ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
            return (x + left * dx, y + left * dy), (dx, dy)
        left -= length
    return points[-1], (1.0, 0.0)


def shortened(points: Sequence[Point], by: float) -> list[Point]:
    """The line without its end, on which an arrow's head lies."""
    kept = list(points)
    while len(kept) > 2 and math.dist(kept[-2], kept[-1]) <= by:
        by -= math.dist(kept[-2], kept[-1])
        kept.pop()
    (x, y), (_, direction) = kept[-1], at(kept[-2:], 1)
    by = min(by, 0.9 * math.dist(*kept[-2:]))
    return [*kept[:-1], (x - by * direction[0], y - by * direction[1])]


def head(points: Sequence[Point], length: float, half: float) -> str:
    """The head of an arrow at the end of a line: a triangle whose first point is the tip."""
    (x, y), (_, (dx, dy)) = points[-1], at(points[-2:], 1)
    back = x - length * dx, y - length * dy
    return path([(x, y), (back[0] - half * dy, back[1] + half * dx), (back[0] + half * dy, back[1] - half * dx)]) + "Z"


def cross(centre: Point, half: float) -> str:
    """A diagonal cross: what has failed."""
    x, y = centre
    return path([(x - half, y - half), (x + half, y + half)]) + path([(x - half, y + half), (x + half, y - half)])


def lozenge(centre: Point, direction: Point) -> str:
    """A lozenge that lies along a line: a lane that is half-duplex."""
    (x, y), (dx, dy) = centre, (_HALF * direction[0], _HALF * direction[1])
    corners = [(x + dx, y + dy), (x - 0.6 * dy, y + 0.6 * dx), (x - dx, y - dy), (x + 0.6 * dy, y - 0.6 * dx)]
    return path(corners) + "Z"
