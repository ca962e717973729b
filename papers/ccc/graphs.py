"""The networks of the cube-connected cycles paper: as it defines them, and as this program builds them."""

from collections.abc import Mapping
from functools import cache

import networkx

from fatcube.noc import measures
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topology import Topology

__all__ = [
    "DOUBLE_LINK",
    "EITHER_LINK",
    "SINGLE_LINK",
    "Address",
    "ccc",
    "connectivity",
    "cube",
    "defined",
    "gray",
    "halves",
    "hops",
    "width",
]

SINGLE_LINK = "n = 2: the single-link CCC(2)"
"""Of a claim whose cases are of :func:`defined` or :func:`hops`."""
DOUBLE_LINK = "n = 2: the double-link CCC(2)"
"""Of a claim whose cases are of :func:`ccc`."""
EITHER_LINK = "n = 2: the single-link and the double-link CCC(2) alike"
"""Of a claim that counts nodes, or what does not depend on the number of links in a cycle."""

Address = tuple[int, int]
"""Number of the cycle, and position in it."""


@cache
def ccc(n: int) -> CubeConnectedCycles:
    """CCC(n, n), from n = 2 on; for n = 2 the double-link CCC(2)."""
    return CubeConnectedCycles(n)


@cache
def cube(n: int) -> Hypercube:
    """The n-cube."""
    return Hypercube(n)


@cache
def defined(n: int) -> "networkx.Graph[Address]":
    """CCC(n, n) as section 2 defines it, by pairs of addresses: no link twice, none from a node to itself.

    For n = 2 it is the single-link CCC(2).
    """
    graph: networkx.Graph[Address] = networkx.Graph()
    graph.add_nodes_from((i, j) for i in range(1 << n) for j in range(n))
    for i, j in list(graph):
        graph.add_edge((i, j), (i ^ 1 << j, j))
        graph.add_edges_from(((i, j), (i, m)) for m in range(n) if m != j and abs(j - m) in (1, n - 1))
    return graph


@cache
def hops(n: int) -> Mapping[Address, int]:
    """Hops from (0, 0) to every node. From any other node they are the same: a translation takes it to (0, 0)."""
    return networkx.single_source_shortest_path_length(defined(n), (0, 0))


@cache
def width(topology: Topology) -> int | str:
    """The bisection width, or the range that it lies in."""
    found = measures.bisection(topology, effort=0)
    return found.width if found.exact else f"{found.at_least} to {found.width}"


@cache
def connectivity(topology: Topology) -> int:
    """Node-disjoint paths between any two nodes (Menger)."""
    return measures.connectivity(topology)


def gray(number: int) -> int:
    """The word of the reflected Gray code with this number."""
    return number ^ number >> 1


def halves(n: int) -> bool:
    """Whether both halves of the n-cube are (n - 1)-cubes, with all their links."""
    half = 1 << n - 1
    smaller = networkx.Graph(cube(n - 1).graph.edges())
    whole = networkx.Graph(cube(n).graph.edges())
    return all(
        networkx.utils.graphs_equal(
            networkx.relabel_nodes(
                whole.subgraph(range(top * half, (top + 1) * half)),
                {node: node % half for node in range(top * half, (top + 1) * half)},
            ),
            smaller,
        )
        for top in (0, 1)
    )
