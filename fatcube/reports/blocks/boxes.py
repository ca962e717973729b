"""Where blocks stand, so that none covers another one, and lines that end at their edges; lengths are in pixels."""

from collections.abc import Mapping, Sequence
import dataclasses
import itertools
import math

from fatcube.noc.topology import Topology
from fatcube.reports.bows import Pair
from fatcube.reports.layout import layout
from fatcube.reports.places import Point

__all__ = ["Blocks", "blocks", "crosses", "up_to_edge"]


_GAP = 54.0  # between two blocks, at least
_WIDER = (1.0, 1.15, 1.35, 1.6, 2.0)  # how far apart they are moved until no line leads behind a block, if that helps
_MOST_TRIED = 60_000  # pairs of a block and a line, for each of these
_HALVINGS = 24


@dataclasses.dataclass(frozen=True)
class Blocks:
    """Blocks of one size.

    Members
    -------
    centres : list of (x, y)
    ways : mapping of (node, node) to list of (x, y)
        The line of each link between the centres, from the lower node to the higher one.
    wide, high : :class:`float`
        Of a block.
    """

    centres: list[Point]
    ways: Mapping[Pair, list[Point]]
    wide: float
    high: float

    def behind(self) -> int:
        """The number of times that a line leads behind a block that it does not end at."""
        half = self.wide / 2 + 4, self.high / 2 + 4
        return sum(
            crosses(line, centre, half)
            for pair, line in self.ways.items()
            for node, centre in enumerate(self.centres)
            if node not in pair
        )


def blocks(topology: Topology, pairs: Sequence[Pair], wide: float, high: float) -> Blocks:
    """The places of blocks of this size for the nodes of a network, from the upper left corner on, as it is drawn elsewhere."""
    place = layout(topology)
    apart = min(
        (max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a, b in itertools.combinations(place.nodes, 2)), default=1.0
    )
    tried: list[Blocks] = []
    for factor in _WIDER if len(pairs) * topology.nodes <= _MOST_TRIED else _WIDER[:1]:
        across, down = factor * (wide + _GAP) / apart, factor * (high + _GAP) / apart

        def scaled(points: Sequence[Point], across: float = across, down: float = down) -> list[Point]:
            return [(x * across, y * down) for x, y in points]

        ways = {pair: scaled(place.link(*pair)) for pair in pairs}
        tried.append(_cornered(Blocks(scaled(place.nodes), ways, wide, high)))
        if not tried[-1].behind():
            break
    return min(tried, key=lambda one: one.behind())


def _cornered(found: Blocks) -> Blocks:
    """The blocks, moved so that the top left corner of the drawing is at (0, 0)."""
    edges = [
        *((x - found.wide / 2, y - found.high / 2) for x, y in found.centres),
        *itertools.chain.from_iterable(found.ways.values()),
    ]
    left, top = (min(edge[axis] for edge in edges) for axis in (0, 1))

    def moved(points: Sequence[Point]) -> list[Point]:
        return [(x - left, y - top) for x, y in points]

    return dataclasses.replace(
        found, centres=moved(found.centres), ways={pair: moved(line) for pair, line in found.ways.items()}
    )


def crosses(line: Sequence[Point], centre: Point, half: Point) -> bool:
    """Whether a line leads through a rectangle, of which ``half`` is half its width and half its height."""
    return any(_enters(start, end, centre, half) for start, end in itertools.pairwise(line))


def _enters(start: Point, end: Point, centre: Point, half: Point) -> bool:
    """Whether a straight line does: the parts of it that are within each axis's limits have something in common."""
    first, last = 0.0, 1.0
    for axis in (0, 1):
        way, off = end[axis] - start[axis], start[axis] - centre[axis]
        if way == 0:
            if abs(off) > half[axis]:
                return False
            continue
        one, other = sorted(((-half[axis] - off) / way, (half[axis] - off) / way))
        first, last = max(first, one), min(last, other)
    return first <= last


def up_to_edge(line: Sequence[Point], centre: Point, half: Point) -> list[Point]:
    """The line up to where it enters the rectangle in which it ends."""

    def inside(point: Point) -> bool:
        return all(abs(point[axis] - centre[axis]) < half[axis] for axis in (0, 1))

    kept = list(line)
    while len(kept) > 2 and inside(kept[-2]):
        kept.pop()
    outer, inner = kept[-2], kept[-1]
    for _ in range(_HALVINGS if math.dist(outer, inner) else 0):
        middle = (outer[0] + inner[0]) / 2, (outer[1] + inner[1]) / 2
        outer, inner = (outer, middle) if inside(middle) else (middle, inner)
    return [*kept[:-1], outer]
