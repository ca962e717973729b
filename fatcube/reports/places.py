"""The places of the nodes of a network: as papers draw each family, and by the distances in the graph for any other one.

Places are in a unit of the family's own, x to the right and y down. How far apart nodes stand, and how large they are
drawn, is for :mod:`fatcube.reports.layout`.
"""

from collections.abc import Iterable
import math
from typing import TypeAlias

from fatcube.noc.topologies.butterflies import Butterfly, WrappedButterfly
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.digits import Digits
from fatcube.noc.topologies.grids import Ring
from fatcube.noc.topologies.oriented_cube import OrientedCube
from fatcube.noc.topologies.star import Star
from fatcube.noc.topologies.tree import Tree
from fatcube.noc.topology import Topology
from fatcube.reports.stress import by_distance

__all__ = ["Point", "places"]


Point: TypeAlias = tuple[float, float]

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
_MOST_DIRECTIONS = max(_DIRECTIONS)

# The direction of the third dimension of a grid, by its nodes, where the first two are (1, 0) and (0, 1): found as above.
_THIRD = {
    2: (0.42, -0.36), 3: (0.29, -0.25), 4: (0.22, -0.19), 5: (0.60, -0.20), 6: (0.20, -0.16), 7: (0.14, -0.08), 8: (0.24, -0.20),
}  # fmt: skip
_SLANT = 0.13  # of the lines between blocks of a grid, so that they pass beside the nodes on their way
_WIDER = 2.0  # how many times as wide as high a tree or a butterfly becomes at most


def places(topology: Topology) -> list[Point]:
    """The place of each node of ``topology``; those of a network with failures are those of the whole one.

    Cubes are projected, grids and generalized hypercubes have their coordinates, rings and stars are circles, trees have
    levels, butterflies rows and levels, and cube-connected cycles are cycles at the corners of a cube. Any other graph is laid
    out by the distances between its nodes. The same topology always gets the same places.
    """
    match topology := topology.intact:
        case FatCube() | Hypercube() | OrientedCube():
            return _cube(topology.d)
        case Ring():
            return _circle(topology.nodes)
        case Star():
            return [(0.0, 0.0), *_circle(topology.n)]
        case Tree():
            return _tree(topology)
        case Butterfly() | WrappedButterfly():
            return _butterfly(topology)
        case CubeConnectedCycles():
            return _cycles(topology)
        case Digits():
            return _grid(topology)
        case _:
            return by_distance(topology)


def _cube(d: int) -> list[Point]:
    """Places of a cube's nodes."""
    directions = list(_DIRECTIONS[min(d, _MOST_DIRECTIONS)])
    for further in range(d - _MOST_DIRECTIONS):  # a copy of the whole beside it or below it, slightly aslant
        far = 1120 << further // 2
        directions.append((far, 40) if further % 2 == 0 else (-40, far))
    return [_sum(direction for bit, direction in enumerate(directions) if node >> bit & 1) for node in range(1 << d)]


def _sum(steps: Iterable[Point]) -> Point:
    """The place at the end of these steps."""
    x = y = 0.0
    for dx, dy in steps:
        x, y = x + dx, y + dy
    return x, y


def _circle(nodes: int) -> list[Point]:
    """Places on a circle, from the top clockwise, where no link passes through a node that it does not join."""
    turn = 2 * math.pi / nodes
    return [(500 * math.sin(turn * node), -500 * math.cos(turn * node)) for node in range(nodes)]


def _tree(tree: Tree) -> list[Point]:
    """Levels from the root down; every node stands above the middle of its leaves."""
    leaves = tree.w**tree.d
    level = max(1.5, (leaves - 1) / (_WIDER * tree.d))
    found: list[Point] = []
    for depth in range(tree.d + 1):
        below = leaves // tree.w**depth  # the leaves of each node of this level
        found += [((place + 0.5) * below, depth * level) for place in range(tree.w**depth)]
    return found


def _butterfly(butterfly: Butterfly | WrappedButterfly) -> list[Point]:
    """Rows below each other, with their levels from left to right; those of a wrapped one around a centre."""
    rows, levels = 1 << butterfly.n, butterfly.length
    if isinstance(butterfly, Butterfly) or levels < 3:
        level = max(1.8, (rows - 1) / (levels - 1))
        return [(place * level, float(row)) for row in range(rows) for place in range(levels)]
    turn, inner = 2 * math.pi / levels, max(1.5, rows / 4)
    return [
        ((inner + row) * math.sin(turn * place), -(inner + row) * math.cos(turn * place))
        for row in range(rows)
        for place in range(levels)
    ]


def _cycles(ccc: CubeConnectedCycles) -> list[Point]:
    """A small circle at each corner of the cube, turned so that nodes stand where their links to other corners leave."""
    corners = _cube(ccc.n)
    apart = min(math.dist(corners[0], other) for other in corners[1:])
    directions = _DIRECTIONS[min(ccc.n, _MOST_DIRECTIONS)][: ccc.n]
    found: list[Point] = []
    for cycle, (x, y) in enumerate(corners):
        wanted = [_unit(_times(way, -1 if cycle >> bit & 1 else 1)) for bit, way in enumerate(directions)]

        def fits(turned: tuple[int, int]) -> float:
            around = _around(ccc.length, *turned)
            return round(sum(a * c + b * d for (a, b), (c, d) in zip(around, wanted)), 6)

        best = max(((step, way) for way in (1, -1) for step in range(48)), key=fits)
        found += [(x + 0.3 * apart * dx, y + 0.3 * apart * dy) for dx, dy in _around(ccc.length, *best)]
    return found


def _around(nodes: int, step: int, way: int) -> list[Point]:
    """Places on a circle of radius 1, from ``step`` 48ths of a turn on, clockwise or against it."""
    angles = [2 * math.pi * (step / 48 + way * node / nodes) for node in range(nodes)]
    return [(math.cos(angle), math.sin(angle)) for angle in angles]


def _times(direction: Point, factor: float) -> Point:
    return direction[0] * factor, direction[1] * factor


def _unit(direction: Point) -> Point:
    return _times(direction, 1 / math.hypot(*direction))


def _grid(grid: Digits) -> list[Point]:
    """Coordinates to the right, down and aslant to the rear; blocks of three dimensions beside and below each other."""
    widths = grid.widths
    if set(widths) == {2}:
        return _cube(len(widths))
    directions: list[Point] = [(1.0, 0.0), (0.0, 1.0)]
    if len(widths) > 2:
        directions.append(_THIRD.get(widths[2], _times((1.6, -1.3), 1 / widths[2])))
    reach = [sum(abs(way[axis]) * (width - 1) for way, width in zip(directions, widths)) for axis in (0, 1)]
    for number, width in enumerate(widths[3:]):
        axis = number % 2
        far = reach[axis] + 1.4
        directions.append((far, _SLANT) if axis == 0 else (-_SLANT, far))
        reach[axis] += far * (width - 1)
    return [
        _sum(_times(way, grid.coordinate(node, place)) for place, way in enumerate(directions[: len(widths)]))
        for node in range(grid.nodes)
    ]
