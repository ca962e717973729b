"""The ways of links in a drawing: straight, or in a bow around the nodes between their ends."""

from collections.abc import Iterable, Sequence
import itertools
import math
from typing import TypeAlias

import numpy
from numpy.typing import NDArray

from fatcube.reports.places import Point

__all__ = ["Pair", "beside", "bows", "up_to"]


Pair: TypeAlias = tuple[int, int]
_Points: TypeAlias = NDArray[numpy.float64]
_CORNER = 8  # straight pieces of each end of a bow
_TIMES = numpy.linspace(0, 1, _CORNER + 1)[:, None]
# In distances between the nearest two nodes:
_NEAR = 0.2  # from the centre of a node that a straight link may pass
_CLEAR = 0.33  # the distance that a bow keeps, if it can
_HEIGHTS = (0.36, 0.45, 0.6, 0.8, 1.1)
_RISE, _MOST_RISE = 0.04, 0.14  # by which a bow is higher for each place that it is longer, and the most


def bows(centres: Sequence[Point], pairs: Iterable[Pair], apart: float) -> dict[Pair, list[Point]]:
    """For each pair of nodes that would be joined by a straight line over another node, the points of its bow.

    Parameters
    ----------
    centres : sequence of (x, y)
        Where the nodes stand.
    pairs : iterable of (node, node)
        The nodes that links join, the lower one first; a bow leads from there to the other one.
    apart : :class:`float`
        The distance between the nearest two nodes.
    """
    places = numpy.array(centres)
    found = {}
    for low, high in pairs if len(places) > 2 else ():
        others = numpy.delete(places, (low, high), axis=0)
        if _clearance(numpy.array([places[low], places[high]]), others) < _NEAR * apart:
            found[low, high] = _bow(places[low], places[high], others, apart)
    return found


def _bow(start: _Points, end: _Points, others: _Points, apart: float) -> list[Point]:
    """The flattest of the bows that pass clear of ``others``, or that which passes farthest from them if none does."""
    along = end - start
    length = float(numpy.sqrt((along * along).sum()))
    along = along / length
    # Above a row; links that are one place longer bow to the other side, so that fewer lie on each other.
    side = 1 if round(length / apart) % 2 else -1
    across = numpy.array([along[1], -along[0]]) * side
    rise = min(_MOST_RISE, _RISE * (length / apart - 2))
    best, farthest = None, -1.0
    for height, other in itertools.product(_HEIGHTS, (1, -1)):
        points = _bracket(start, end, min(0.6 * apart, 0.45 * length) * along, other * (height + rise) * apart * across)
        there = round(_clearance(points, others), 6)
        if there > farthest:
            best, farthest = points, there
        if there >= _CLEAR * apart:
            break
    assert best is not None
    return [(round(float(x), 2), round(float(y), 2)) for x, y in best]


def _bracket(start: _Points, end: _Points, inwards: _Points, lift: _Points) -> _Points:
    """A bow that rises within ``inwards`` by ``lift``, leads straight on, and comes down as it rose."""
    time, left = _TIMES, 1 - _TIMES
    corner = 3 * left**2 * time * (0.2 * inwards + 0.7 * lift) + 3 * left * time**2 * (0.45 * inwards + lift)
    corner = corner + time**3 * (inwards + lift)
    mirrored = corner[::-1] - 2 * (corner[::-1] @ inwards)[:, None] * inwards / float((inwards * inwards).sum())
    return numpy.concatenate([start + corner, end + mirrored])


def _clearance(points: _Points, others: _Points) -> float:
    """The least distance of any of ``others`` from the line through ``points``."""
    start, along = points[:-1, None], (points[1:] - points[:-1])[:, None]
    length = numpy.maximum((along * along).sum(axis=2), 1e-12)
    time = numpy.clip(((others[None] - start) * along).sum(axis=2) / length, 0, 1)[:, :, None]
    away = others[None] - start - time * along
    return float(numpy.sqrt((away * away).sum(axis=2)).min())


def beside(points: Sequence[Point], distance: float) -> list[Point]:
    """The line at this distance to the right of the line through ``points``, seen along it, with y downwards."""
    if not distance:
        return list(points)
    directions = [_direction(*pair) for pair in itertools.pairwise(points)]
    found = []
    for index, (x, y) in enumerate(points):
        (a, b), (c, d) = directions[max(0, index - 1)], directions[min(index, len(directions) - 1)]
        length = math.hypot(a + c, b + d) or 1
        found.append((x - distance * (b + d) / length, y + distance * (a + c) / length))
    return found


def up_to(points: Sequence[Point], centre: Point, radius: float) -> list[Point]:
    """The line through ``points`` as far as it stays outside of a circle around where it ends."""
    kept = list(points)
    while len(kept) > 2 and math.dist(kept[-2], centre) <= radius:
        kept.pop()
    (x, y), (dx, dy) = kept[-2], (kept[-1][0] - kept[-2][0], kept[-1][1] - kept[-2][1])
    # The first time at which (x, y) + time (dx, dy) is on the circle.
    a, b = dx * dx + dy * dy, dx * (x - centre[0]) + dy * (y - centre[1])
    c = (x - centre[0]) ** 2 + (y - centre[1]) ** 2 - radius * radius
    root = b * b - a * c
    if a == 0 or root < 0:
        return kept
    time = min(1.0, max(0.0, (-b - math.sqrt(root)) / a))
    return [*kept[:-1], (x + time * dx, y + time * dy)]


def _direction(start: Point, end: Point) -> Point:
    length = math.dist(start, end) or 1
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length
