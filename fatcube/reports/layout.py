"""The places of the nodes and processors of a network in a drawing."""

from collections.abc import Sequence
import dataclasses
import itertools
import math

from noc.topologies.cubes import FatCube, Hypercube
from noc.topology import Topology

__all__ = ["Layout", "layout"]


# A node of a cube stands at the sum of the directions of the bits that are 1 in its number, x to the right and y
# down, so that all links of a dimension are parallel. The directions were found by random search for a drawing
# 1.3 times as wide as high: nodes far from each other, and links passing clear of nodes that they do not join.
_DIRECTIONS = {
    1: ((1000, 0),),
    2: ((1000, 0), (0, 680)),
    3: ((667, 0), (0, 451), (333, -225)),
    4: ((216, 88), (-132, 192), (-91, 433), (561, -4)),
    5: ((122, -89), (-36, 213), (266, -42), (5, 386), (571, -5)),
    6: ((102, -20), (-23, 100), (46, 183), (276, 42), (4, 401), (550, 0)),
    7: ((6, 64), (59, 29), (107, -10), (-25, 160), (256, 8), (-8, 455), (539, -15)),
    8: ((17, 61), (54, 25), (107, 12), (-15, 122), (252, 2), (11, 242), (508, -6), (36, 491)),
}


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
    """

    width: float
    height: float
    nodes: list[tuple[float, float]]
    processors: list[tuple[float, float]]
    radius: float
    router: float
    side: float


def layout(topology: Topology) -> Layout:
    """The :class:`Layout` of ``topology``: a cube of at most 8 dimensions projected, anything else on a circle."""
    centres = _cube(topology) if isinstance(topology, (FatCube, Hypercube)) else _circle(topology.nodes)
    distance = min((math.dist(*pair) for pair in itertools.combinations(centres, 2)), default=1000)
    # Small networks show what moves on a link, so links get more of the room there.
    radius = distance * (0.36 if topology.nodes <= 8 else 0.42 if topology.nodes <= 16 else 0.49)
    left, top = (min(centre[axis] for centre in centres) - 1.05 * radius for axis in (0, 1))
    centres = [(x - left, y - top) for x, y in centres]
    width, height = (max(centre[axis] for centre in centres) + 1.05 * radius for axis in (0, 1))

    # Processors stand on an arc around their router. `outer` is half the diagonal of a processor: one or two have
    # all the room that they want, more only as much as their neighbours leave.
    spacing = min(2 * math.pi / topology.m, math.pi / 2)
    slack = 0.94 * math.sin(spacing / 2)
    outer = {1: 0.45, 2: 0.37}.get(topology.m, slack / (1 + slack)) * radius
    ring = radius - outer
    processors = []
    ways_of: list[set[int]] = [set() for _ in centres]
    for node in range(topology.nodes):
        for _, other, _ in topology.ends(node):
            ways_of[node].add(other)
            ways_of[other].add(node)
    for node, centre in enumerate(centres):
        links = [math.atan2(centres[way][1] - centre[1], centres[way][0] - centre[0]) for way in ways_of[node] - {node}]
        places = len(topology.processors_of(node))
        first = _clear_of(links, places, spacing)
        processors += [
            (centre[0] + ring * math.cos(first + place * spacing), centre[1] + ring * math.sin(first + place * spacing))
            for place in range(places)
        ]
    return Layout(
        width, height, centres, processors, radius, min(0.3 * radius, 0.85 * (ring - outer)), math.sqrt(2) * outer
    )


def _cube(topology: FatCube | Hypercube) -> list[tuple[float, float]]:
    """Places of a cube's nodes."""
    directions = _DIRECTIONS[topology.d]
    ways = [
        [direction for bit, direction in enumerate(directions) if node >> bit & 1] for node in range(topology.nodes)
    ]
    return [(sum(x for x, _ in way), sum(y for _, y in way)) for way in ways]


def _circle(nodes: int) -> list[tuple[float, float]]:
    """Places on a circle, where no link passes through a node that it does not join."""
    turn = 2 * math.pi / nodes
    return [(500 * math.sin(turn * node), -500 * math.cos(turn * node)) for node in range(nodes)]


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
