"""The places of the nodes, processors and links of a network in a drawing."""

from collections.abc import Mapping, Sequence
import dataclasses
import itertools
import math

from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.oriented_cube import OrientedCube
from fatcube.noc.topology import Topology
from fatcube.reports.bows import Pair, bows
from fatcube.reports.lanes import joined
from fatcube.reports.places import Point, places

__all__ = ["Layout", "Proportions", "layout"]


@dataclasses.dataclass(frozen=True)
class Proportions:
    """How large things are drawn.

    Members
    -------
    node : :class:`float` or ``None``
        Radius of a node as a part of the distance between the nearest two, below 0.5; ``None``: as much as leaves the links
        of small networks room for what moves there.
    processor : :class:`float`
        Half the diagonal of a processor at most, as a part of the radius of its node.
    router : :class:`float`
        Radius of a router at most, as a part of the radius of its node.
    """

    node: float | None = None
    processor: float = 1.0
    router: float = 0.3


@dataclasses.dataclass(frozen=True)
class Layout:
    """The places of everything, in units of the drawing; its upper left corner is (0, 0).

    Members
    -------
    width, height : :class:`float`
        Size of the drawing.
    nodes, processors : :class:`list` of (x, y)
        The centres of the routers and of the processors.
    radius : :class:`float`
        Of the circle around a router in which its processors stand. Circles do not overlap.
    router : :class:`float`
        Radius of a router.
    side : :class:`float`
        Side of the square that is a processor. Squares do not overlap, neither each other nor a router.
    bows : mapping of (node, node) to list of (x, y)
        The points through which links lead that are not straight, from the lower node to the higher one.
    """

    width: float
    height: float
    nodes: list[Point]
    processors: list[Point]
    radius: float
    router: float
    side: float
    bows: Mapping[Pair, list[Point]]

    def link(self, low: int, high: int) -> list[Point]:
        """The points of the link between two nodes, from the lower to the higher one."""
        return self.bows.get((low, high)) or [self.nodes[low], self.nodes[high]]

    def scaled(self, factor: float) -> "Layout":
        """The layout in other units."""

        def all_of(points: Sequence[Point]) -> list[Point]:
            return [(x * factor, y * factor) for x, y in points]

        return Layout(
            self.width * factor,
            self.height * factor,
            all_of(self.nodes),
            all_of(self.processors),
            self.radius * factor,
            self.router * factor,
            self.side * factor,
            {pair: all_of(points) for pair, points in self.bows.items()},
        )

    @property
    def apart(self) -> float:
        """The distance between the nearest two nodes."""
        return _apart(self.nodes)


def layout(topology: Topology, proportions: Proportions = Proportions()) -> Layout:
    """The :class:`Layout` of ``topology``; of one with failures, that of the whole one."""
    whole = topology.intact
    centres = places(whole)
    if max(abs(part) for place in centres for part in place) < 100:  # units of a family: about a thousand in all
        most = max(max(part) - min(part) for part in zip(*centres)) or 1.0  # of one node, 0
        centres = [(1000 * x / most, 1000 * y / most) for x, y in centres]
    distance = _apart(centres)
    # Small networks show what moves on a link, so links get more of the room there.
    share = 0.36 if whole.nodes <= 8 else 0.42 if whole.nodes <= 16 else 0.49
    radius = distance * (share if proportions.node is None else proportions.node)
    pairs = joined(whole)
    curved = {} if _projected(whole) else bows(centres, pairs, distance)
    drawn = [*((x, y, radius) for x, y in centres), *((x, y, 0.3 * radius) for way in curved.values() for x, y in way)]
    left, top = (min(one[axis] - 1.05 * one[2] for one in drawn) for axis in (0, 1))
    width, height = (max(one[axis] + 1.05 * one[2] for one in drawn) - start for axis, start in ((0, left), (1, top)))
    centres = [(x - left, y - top) for x, y in centres]
    curved = {pair: [(x - left, y - top) for x, y in way] for pair, way in curved.items()}

    # Processors stand on an arc around their router. `outer` is half the diagonal of a processor: one or two have
    # all the room that they want, more only as much as their neighbours leave.
    spacing = min(2 * math.pi / whole.m, math.pi / 2)
    slack = 0.94 * math.sin(spacing / 2)
    outer = min({1: 0.45, 2: 0.37}.get(whole.m, slack / (1 + slack)), proportions.processor) * radius
    ring = radius - outer
    leaving = _leaving(centres, curved, pairs)
    processors = []
    for node, (x, y) in enumerate(centres):
        count = len(whole.processors_of(node))
        first = _clear_of(leaving[node], count, spacing)
        angles = [first + place * spacing for place in range(count)]
        processors += [(x + ring * math.cos(angle), y + ring * math.sin(angle)) for angle in angles]
    router = min(proportions.router * radius, 0.85 * (ring - outer))
    return Layout(width, height, centres, processors, radius, router, math.sqrt(2) * outer, curved)


def _leaving(centres: Sequence[Point], curved: Mapping[Pair, list[Point]], pairs: Sequence[Pair]) -> list[list[float]]:
    """For each node the angles at which its links leave."""
    found: list[list[float]] = [[] for _ in centres]
    for low, high in pairs:
        way = curved.get((low, high)) or [centres[low], centres[high]]
        for node, (start, after) in ((low, way[:2]), (high, way[:-3:-1])):
            found[node].append(math.atan2(after[1] - start[1], after[0] - start[0]))
    return found


def _projected(topology: Topology) -> bool:
    """Whether links of a dimension are parallel in the drawing of a cube, which bows would hide."""
    return isinstance(topology, (FatCube, Hypercube, OrientedCube, CubeConnectedCycles))


def _apart(places: Sequence[Point]) -> float:
    """The distance between the nearest two places."""
    return min((math.dist(*pair) for pair in itertools.combinations(places, 2)), default=1000)


def _clear_of(links: Sequence[float], places: int, spacing: float) -> float:
    """The angle of the first of ``places`` on an arc, chosen so that they are as far from ``links`` as they can be."""

    def clearance(first: float) -> float:
        return min(
            (
                abs(math.remainder(first + place * spacing - link, 2 * math.pi))
                for place in range(places)
                for link in links
            ),
            default=0,
        )

    # Rounded, so that which of equally good angles is taken does not hang on the last bit.
    return max((math.pi * step / 36 for step in range(72)), key=lambda first: round(clearance(first), 6))
