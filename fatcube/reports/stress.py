"""The places of the nodes of any graph, by its distances: nodes that are h hops apart shall stand h units apart.

The places minimize the stress, the sum over all pairs of ((distance drawn - hops) / hops)^2, by majorization: all nodes move to
where the others want them, until nothing moves. It starts from a few fixed places, so the same
graph always gets the same drawing. Source: E. Gansner, Y. Koren, S. North, "Graph Drawing by Stress Majorization" (2004).
"""

import math
from typing import TypeAlias

import networkx
import numpy
from numpy.typing import NDArray

from fatcube.noc.topology import Topology

__all__ = ["by_distance"]


_Places: TypeAlias = NDArray[numpy.float64]
_ROUNDS = 200  # of moves of all nodes
_STILL = 1e-4  # units: a round in which no node moves further is the last
_NEAREST = 0.55  # units that two nodes are apart in the end


def by_distance(topology: Topology) -> list[tuple[float, float]]:
    """The place of each node of a connected graph, x to the right and y down, in units of a hop."""
    if topology.nodes == 1:
        return [(0.0, 0.0)]
    graph = networkx.Graph(topology.adjacent)
    hops = numpy.zeros((topology.nodes, topology.nodes))
    for node, lengths in networkx.all_pairs_shortest_path_length(graph):
        hops[node, list(lengths)] = list(lengths.values())
    search = {
        "numbers": list(range(topology.nodes)),
        "breadth": [node for level in networkx.bfs_layers(graph, 0) for node in level],
        "depth": list(networkx.dfs_preorder_nodes(graph, 0)),
    }
    found = [_settled(hops, _on_a_spiral(order)) for order in search.values()]
    best = min(found, key=lambda places: round(_stress(hops, places), 4))
    return [(round(float(x), 3), round(float(y), 3)) for x, y in _lying(_spread(best), list(graph.edges))]


def _on_a_spiral(order: list[int]) -> _Places:
    """Places on a spiral, in this order from its centre on."""
    places = numpy.zeros((len(order), 2))
    for rank, node in enumerate(order):
        angle, far = 2.399963 * rank, math.sqrt(rank + 0.5)  # the golden angle, by which no two directions are the same
        places[node] = far * math.cos(angle), far * math.sin(angle)
    return places


def _settled(hops: _Places, places: _Places) -> _Places:
    """The places after moves of all nodes that each reduce the stress, until none moves."""
    weights = 1 / numpy.where(hops > 0, hops, 1) ** 2
    numpy.fill_diagonal(weights, 0)
    back = numpy.linalg.pinv(numpy.diag(weights.sum(axis=1)) - weights)
    for _ in range(_ROUNDS):
        pull = -weights * hops / numpy.maximum(_apart(places), 1e-9)
        numpy.fill_diagonal(pull, -pull.sum(axis=1))
        moved = back @ (pull @ places)
        done = float(numpy.abs(moved - places).max()) < _STILL
        places = moved
        if done:
            break
    return places


def _apart(places: _Places) -> _Places:
    """The distance between every two places; 1 from each to itself."""
    away = places[:, None] - places[None]
    apart = numpy.sqrt((away * away).sum(axis=2))
    numpy.fill_diagonal(apart, 1)
    return apart


def _stress(hops: _Places, places: _Places) -> float:
    return float((numpy.where(hops > 0, _apart(places) / numpy.where(hops > 0, hops, 1) - 1, 0) ** 2).sum())


def _spread(places: _Places) -> _Places:
    """The places, with nodes that are too close to each other pushed apart."""
    for _ in range(_ROUNDS):
        away = places[:, None] - places[None]
        apart = _apart(places)
        if apart.min() >= _NEAREST - 1e-3:
            break
        push = numpy.where(apart < _NEAREST, (_NEAREST - apart) / (2 * numpy.maximum(apart, 1e-6)), 0)
        places = places + (push[:, :, None] * away).sum(axis=1)
    return places


def _lying(places: _Places, links: list[tuple[int, int]]) -> _Places:
    """The places, turned so that links are level or upright where they can be, and the drawing is wider than high."""
    x, y = (places - places.mean(axis=0)).T
    low, high = numpy.array(links).T
    angles = numpy.arctan2(y[high] - y[low], x[high] - x[low])
    # Rounded, so that the angle of a drawing that is the same in all directions does not hang on the last bit.
    square, upright = (round(float(part(4 * angles).sum()), 6) for part in (numpy.cos, numpy.sin))
    x, y = _turned(x, y, 0.25 * math.atan2(upright, square))
    if round(float(numpy.ptp(y) - numpy.ptp(x)), 6) > 0:
        x, y = _turned(x, y, math.pi / 2)
    return numpy.stack([x, y], axis=1) * numpy.where(numpy.array([x[0], y[0]]) > 1e-9, -1, 1)


def _turned(x: _Places, y: _Places, angle: float) -> tuple[_Places, _Places]:
    """The places in axes that are turned by ``angle``."""
    return math.cos(angle) * x + math.sin(angle) * y, math.cos(angle) * y - math.sin(angle) * x
