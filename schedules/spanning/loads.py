"""The load of a spanning graph on the dimensions of the cube, counted edge by edge (Johnsson and Ho, section 3).

All loads are counted from the parents of the nodes.
"""

from collections import Counter
from collections.abc import Mapping
import dataclasses
from fractions import Fraction
from functools import lru_cache
from typing import Any

from fatcube.schedules.spanning.graphs import SpanningGraph

__all__ = ["Loads", "below", "dimension", "edges", "fewest_dimensions", "level", "loads", "top"]


@dataclasses.dataclass(frozen=True)
class Loads:
    """The quantities of Table 1, and two further ones; weights are 1 / n if there are n trees.

    Attributes
    ----------
    Ew : by d
        Weight of the edges in dimension d.
    ew : by (l, d)
        Weight of the edges in dimension d from level l to l + 1.
    sw : by (l, d)
        Weight of the nodes in the subtrees below these edges.
    rw : by (l, d)
        Weight of the nodes l levels below an edge in dimension d.
    E : by d
        Number of edges of the cube in dimension d that any tree uses.
    height : :class:`int`
        Levels below the source.
    """

    Ew: Mapping[int, Fraction]
    ew: Mapping[tuple[int, int], Fraction]
    sw: Mapping[tuple[int, int], Fraction]
    rw: Mapping[tuple[int, int], Fraction]
    E: Counter[int]
    height: int


@lru_cache(maxsize=128)
def loads(graph: SpanningGraph) -> Loads:
    """The :class:`Loads` of a :class:`SpanningGraph`."""
    weight = Fraction(1, graph.trees)
    # Counters can sum fractions as well, although their type does not allow them.
    Ew: Any = Counter()
    ew: Any = Counter()
    sw: Any = Counter()
    rw: Any = Counter()
    used = set()
    for tree in range(graph.trees):
        levels, nodes = level(graph, tree), below(graph, tree)
        for parent, child in edges(graph, tree):
            d = dimension(parent, child)
            used.add((parent, child))
            Ew[d] += weight
            ew[levels[parent], d] += weight
            sw[levels[parent], d] += weight * nodes[child].total()
            for distance, count in nodes[child].items():
                rw[distance, d] += weight * count
    height = max(max(level(graph, tree).values()) for tree in range(graph.trees))
    return Loads(Ew, ew, sw, rw, Counter(dimension(*edge) for edge in used), height)


@lru_cache(maxsize=512)
def edges(graph: SpanningGraph, tree: int) -> tuple[tuple[int, int], ...]:
    """The edges (parent, child) of a tree."""
    return tuple((graph.above(node, tree), node) for node in range(graph.nodes) if node != graph.source)


@lru_cache(maxsize=512)
def level(graph: SpanningGraph, tree: int) -> dict[int, int]:
    """The level of every node of a tree."""
    found = {graph.source: 0}
    for node in range(graph.nodes):
        path = []
        while node not in found:
            path.append(node)
            node = graph.above(node, tree)
        for number, one in enumerate(reversed(path), start=found[node] + 1):
            found[one] = number
    return found


@lru_cache(maxsize=512)
def below(graph: SpanningGraph, tree: int) -> dict[int, Counter[int]]:
    """For every node, the number of nodes of its subtree at each distance from it."""
    found: dict[int, Counter[int]] = {node: Counter() for node in range(graph.nodes)}
    for node in range(graph.nodes):
        above: int | None = node
        distance = 0
        while above is not None:
            found[above][distance] += 1
            above, distance = graph.parent(above, tree), distance + 1
    return found


def dimension(one: int, other: int) -> int:
    """The dimension in which two neighbours differ."""
    return (one ^ other).bit_length() - 1


def top(graph: SpanningGraph, tree: int, node: int) -> int:
    """The child of the source whose subtree has the node."""
    while (above := graph.above(node, tree)) != graph.source:
        node = above
    return node


@lru_cache(maxsize=64)
def fewest_dimensions(graph: SpanningGraph) -> int:
    """The fewest cycles, of one dimension each, in which every tree of a graph can be followed to its leaves.

    This is the least number of start-ups of a one-port all-to-all communication (sections 6 and 7), in which all nodes
    use the same dimension. It is found by a search of all sequences of dimensions, which is slow from 6 dimensions on.
    """
    ways: list[list[tuple[int, int]]] = [
        [] for _ in range(graph.n)
    ]  # by dimension the edges, as bits of (tree, parent) and of (tree, child)
    for tree in range(graph.trees):
        for parent, child in edges(graph, tree):
            ways[dimension(parent, child)].append((1 << tree * graph.nodes + parent, 1 << tree * graph.nodes + child))
    everything = (1 << graph.trees * graph.nodes) - 1
    reached = {sum(1 << tree * graph.nodes + graph.source for tree in range(graph.trees))}
    cycles = 0
    while everything not in reached:
        cycles += 1
        after = {state | sum(child for parent, child in way if state & parent) for state in reached for way in ways}
        # A state that is a subset of another one cannot be complete sooner.
        reached = set()
        for state in sorted(after, key=int.bit_count, reverse=True):
            if not any(state | other == other for other in reached):
                reached.add(state)
    return cycles
