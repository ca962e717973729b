"""Spanning graphs by name and dimension, and what is counted on them edge by edge from the parents of the nodes."""

from collections import Counter
import functools

from fatcube.schedules.spanning import loads as counting
from fatcube.schedules.spanning.graphs import SpanningGraph, spanning_graph
from fatcube.schedules.spanning.loads import Loads

__all__ = ["KINDS", "below_of", "edges_of", "graph_of", "kind_of", "level_of", "loads_of", "top_of", "trees_of"]


KINDS = {
    "brg": "BRG",
    "nrbrg": "nRBRG",
    "sbt": "SBT",
    "tcbt": "TCBT",
    "nrsbt": "nRSBT",
    "nesbt": "nESBT",
    "sbnt": "SBnT, one path to a node",
    "sbntc": "SBnT",
}
"""The graphs, and what the paper calls them; from section 4 on its SBnT is the one with split cyclic nodes."""


def kind_of(name: str) -> str:
    """The graph that the paper's name stands for from section 4 on."""
    return "sbntc" if name == "SBnT" else name.lower()


@functools.cache
def graph_of(kind: str, n: int) -> SpanningGraph:
    """The graph of a kind in the n-cube, with node 0 as its source."""
    return spanning_graph(kind, n)


def trees_of(kind: str, n: int) -> range:
    """The trees of a graph."""
    return range(graph_of(kind, n).trees)


def edges_of(kind: str, n: int, tree: int = 0) -> tuple[tuple[int, int], ...]:
    """The edges (parent, child) of a tree."""
    return counting.edges(graph_of(kind, n), tree)


def level_of(kind: str, n: int, tree: int = 0) -> dict[int, int]:
    """The level of every node of a tree."""
    return counting.level(graph_of(kind, n), tree)


def below_of(kind: str, n: int, tree: int = 0) -> dict[int, Counter[int]]:
    """For every node how many nodes of its subtree are how far from it."""
    return counting.below(graph_of(kind, n), tree)


def top_of(kind: str, n: int, node: int, tree: int = 0) -> int:
    """The child of the source that a node is, or is below."""
    return counting.top(graph_of(kind, n), tree, node)


def loads_of(kind: str, n: int) -> Loads:
    """The loads of Table 1."""
    return counting.loads(graph_of(kind, n))
