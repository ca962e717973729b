"""The networks of the generalized hypercubes paper as sets of links, its operations on addresses at their word.

Everything here is counted on links, of which a network has those that its routers are connected by.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
import itertools
from typing import TypeAlias

import networkx

from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topology import Topology

__all__ = [
    "POWERS",
    "SIZES",
    "Address",
    "address",
    "arcs",
    "cost_ratio",
    "difference",
    "directed",
    "distances",
    "exclusive_or",
    "levels",
    "links",
    "modulated_sum",
    "moved",
    "network",
    "orbits",
    "powers",
    "product_arcs",
]


Address: TypeAlias = tuple[int, ...]  # coordinates x_{d-1} to x_0


_KINDS = {"dense": DenseGHC, "sparse": SparseGHC}


def _sizes(most: int, widest: int) -> list[tuple[int, int]]:
    """The (w, d) of all networks of no more nodes than ``most`` and of w up to ``widest``, the smallest first."""
    found = [(w**d, w, d) for w in range(2, widest + 1) for d in range(1, most.bit_length() + 1) if w**d <= most]
    return [(w, d) for _, w, d in sorted(found)]


SIZES = _sizes(81, 16)
"""(w, d) of all networks of up to 81 nodes with w up to 16, the smallest first."""

POWERS = [(w, d) for w, d in _sizes(64, 64) if not w & (w - 1)]
"""(w, d) of all networks of 2, 4, ... 64 nodes, as section 4 compares them with binary hypercubes."""


def powers(N: int, least: int = 2) -> list[tuple[int, int]]:
    """The w from ``least`` on of which N is a power, in their order, each with the power d."""
    return [(w, d) for w in range(least, N + 1) for d in range(1, N.bit_length()) if w**d == N]


@cache
def network(kind: str, w: int, d: int) -> Topology:
    """The ``"dense"`` or ``"sparse"`` BGHC, or the ``"binary"`` hypercube of d dimensions."""
    if kind == "binary":
        return Hypercube(d)
    return _KINDS[kind](w, d)


@cache
def arcs(kind: str, w: int, d: int) -> frozenset[tuple[int, int]]:
    """The directed links of a network, as pairs of node numbers."""
    topology = network(kind, w, d)
    return frozenset((node, other) for node in range(topology.nodes) for _, other, _ in topology.ends(node))


def links(kind: str, w: int, d: int) -> int:
    """The number of directed links of a network, which is its cost."""
    topology = network(kind, w, d)
    pairs = [(node, channel) for node in range(topology.nodes) for channel in range(topology.degree)]
    assert len(arcs(kind, w, d)) == len(pairs), "no two links are parallel"
    return len(pairs)


def cost_ratio(kind: str, w: int, d: int) -> Fraction:
    """How many times as many links a network has as the binary hypercube of as many nodes, a power of two."""
    return Fraction(links(kind, w, d), links("binary", 2, (w**d).bit_length() - 1))


@cache
def directed(kind: str, w: int, d: int) -> "networkx.DiGraph[int]":
    """The graph of a network."""
    graph: networkx.DiGraph[int] = networkx.DiGraph()
    graph.add_edges_from(sorted(arcs(kind, w, d)))
    return graph


@cache
def distances(kind: str, w: int, d: int) -> dict[int, dict[int, int]]:
    """Hops from each node to each, by breadth-first search from every node."""
    return {node: dict(hops) for node, hops in networkx.all_pairs_shortest_path_length(directed(kind, w, d))}


@cache
def levels(kind: str, w: int, d: int) -> list[int]:
    """How many nodes are how far from node 0, by distance."""
    hops = networkx.single_source_shortest_path_length(directed(kind, w, d), 0)
    found = [0] * (max(hops.values()) + 1)
    for distance in hops.values():
        found[distance] += 1
    return found


def address(node: int, w: int, d: int) -> Address:
    """The coordinates of a node number, x_{d-1} first."""
    return tuple(node // w**i % w for i in reversed(range(d)))


def _number(coordinates: Address, w: int) -> int:
    found = 0
    for digit in coordinates:
        found = found * w + digit
    return found


def exclusive_or(x: int, y: int) -> int:
    """Definition 1."""
    return 1 if x != y else 0


def modulated_sum(x: int, y: int, w: int) -> int:
    """Definition 2."""
    return x + y if x + y <= w - 1 else x + y - w


def difference(x: int, y: int, w: int) -> int:
    """Definition 3."""
    return x - y if x - y >= 0 else x - y + w


def moved(node: int, by: int, w: int, d: int) -> int:
    """The sum of two addresses by definition 2, coordinate by coordinate."""
    pairs = zip(address(node, w, d), address(by, w, d), strict=True)
    return _number(tuple(modulated_sum(x, y, w) for x, y in pairs), w)


def product_arcs(widths: Sequence[int], kind: str) -> set[tuple[Address, Address]]:
    """The links of a GHC of these widths, as pairs of coordinates x_0 to x_{d-1}."""
    topology = _KINDS[kind](tuple(widths), len(widths))
    nodes = [tuple(topology.coordinate(node, i) for i in range(topology.d)) for node in range(topology.nodes)]
    return {(nodes[node], nodes[other]) for node in range(topology.nodes) for _, other, _ in topology.ends(node)}


def orbits(widths: Sequence[int], links: Iterable[tuple[Address, Address]]) -> int:
    """Into how many classes the nodes fall by those additions of 1 in a coordinate, modulo its width, that keep links.

    If it is one, the links look the same from every node.
    """
    there = set(links)
    nodes = list(itertools.product(*map(range, widths)))
    graph: networkx.Graph[Address] = networkx.Graph()
    graph.add_nodes_from(nodes)
    for i, w in enumerate(widths):
        to = {node: (*node[:i], (node[i] + 1) % w, *node[i + 1 :]) for node in nodes}
        if {(to[u], to[v]) for u, v in there} == there:
            graph.add_edges_from(to.items())
    return networkx.number_connected_components(graph)
