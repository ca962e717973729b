"""The names of transfers on the lines of a drawing, placed so that none covers another one; lengths are in pixels."""

from collections.abc import Iterable, Iterator, Sequence
import dataclasses
import math

from fatcube.reports.places import Point
from fatcube.reports.strokes import at

__all__ = ["Box", "Pill", "pills"]


_HIGH = 15.0
_LETTER = 6.2  # the width of a letter
_BESIDE = 3.0  # the text, on each side
_STEP = 3.0  # between places that are tried
_APART = 1.0  # the least distance between two


@dataclasses.dataclass(frozen=True)
class Box:
    """A part of the drawing: its middle, its width and its height."""

    x: float
    y: float
    wide: float
    high: float

    def covers(self, other: "Box") -> bool:
        """Whether the two have a part of the drawing in common, or nearly so."""
        return (
            2 * abs(self.x - other.x) < self.wide + other.wide + 2 * _APART
            and 2 * abs(self.y - other.y) < self.high + other.high + 2 * _APART
        )


@dataclasses.dataclass(frozen=True)
class Pill:
    """A name and where it stands."""

    text: str
    box: Box


def pills(wanted: Iterable[tuple[str, Sequence[Point]]], free: Iterable[Box]) -> list[Pill | None]:
    """The place of each name on its line, as near the start of the line as there is room.

    Parameters
    ----------
    wanted : iterable of (text, points)
        Each name and the line that it belongs to.
    free : iterable of :class:`Box`
        Areas that no name may cover.

    Returns
    -------
    list of :class:`Pill` or None
        In the order of ``wanted``; None where there is no room.
    """
    taken, found = list(free), list[Pill | None]()
    for text, points in wanted:
        box = next((box for box in _places(text, points) if not any(map(box.covers, taken))), None)
        found.append(None if box is None else Pill(text, box))
        taken += () if box is None else (box,)
    return found


def _places(text: str, points: Sequence[Point]) -> Iterator[Box]:
    """Where a name might stand on a line, from its start on."""
    steps = max(1, int(sum(map(math.dist, points, points[1:])) / _STEP))
    for step in range(steps + 1):
        x, y = at(points, step / steps)[0]
        yield Box(x, y, _LETTER * len(text) + 2 * _BESIDE, _HIGH)
