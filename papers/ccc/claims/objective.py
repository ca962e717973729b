"""Section 1: what the paper counts among the hypercube's virtues."""

from math import log2

import networkx

from fatcube.noc import measures
from fatcube.papers.ccc.graphs import connectivity, cube, gray
from fatcube.papers.ccc.paper import PAPER
from fatcube.papers.claim import each, said
from fatcube.papers.verdict import Case, case, judged

claim = PAPER.claim


@claim(
    "section 1",
    "subsumes",
    parameters=each(pattern=("ring", "mesh", "tree", "X-tree")),
    over=each(n=range(2, 8)),
    conditions=["n == 2"],
    evidence="placed by Gray codes; where impossible, shown by parity: a cube has no ring of odd length, and as "
    "many nodes with an even as with an odd number of ones",
    reading="A pattern is subsumed if it can be placed on the cube with neighbours on neighbouring nodes, and "
    "has as many nodes as the cube, or one fewer for a complete binary tree or an X-tree. A tree of one level "
    "less can be placed, an X-tree of more than one level cannot; if neighbours may be two hops apart, both "
    "can (cube_has_trees_within_two_hops, cube_has_x_trees_within_two_hops).",
)
def cube_subsumes(pattern: str, n: int) -> Case:
    """The n-cube subsumes the {pattern} of its size."""
    graph = _pattern(pattern, n)
    apart = _apart(graph)
    possible = True if apart == 1 else None if _even(graph, 1 << n - 1) else False
    found = "placed" if possible else "impossible" if possible is False else "unknown"
    return judged(f"{pattern} {found}", f"{pattern} placed", possible)


@claim("section 1", "subsumes", over=each(n=range(2, 7)))
@said(
    evidence="found by matching graphs, neighbour by neighbour",
    reading="A complete binary tree of n - 1 levels has 2^(n-1) - 1 nodes. For n levels see cube_subsumes_trees.",
)
def cube_subsumes_smaller_trees(n: int) -> Case:
    """The n-cube subsumes the complete binary tree of n - 1 levels."""
    tree = networkx.balanced_tree(2, n - 2)
    matcher = networkx.isomorphism.GraphMatcher(networkx.Graph(cube(n).graph), tree)
    return case(f"tree {'placed' if matcher.subgraph_is_monomorphic() else 'impossible'}", "tree placed")


@claim(
    "section 1",
    "subsumes",
    name="cube_has_{pattern}_within_two_hops",
    parameters=each(pattern=("tree", "X-tree")),
    over=each(n=range(2, 11)),
    evidence="placed at the address that is the Gray code of a node's number in its level, followed by a one and zeros",
    reading="Neighbours in the pattern may be two hops apart in the cube; for one hop see cube_subsumes_trees "
    "and cube_subsumes_x_trees.",
)
def cube_has_within_two_hops(pattern: str, n: int) -> Case:
    """The n-cube has the {pattern} of its size with neighbours at most two hops apart."""
    apart = _apart(_pattern(pattern, n))
    return judged(f"{apart} hops", "2 hops", apart <= 2)


@claim("section 1", "logarithmically related", over=each(n=range(1, 11)), evidence="counted on the graph")
def cube_diameter_is_logarithmic(n: int) -> Case:
    """The diameter of a hypercube is logarithmically related to its number of nodes."""
    return case(measures.diameter(cube(n)), round(log2(cube(n).nodes)))


@claim("section 1", "alternate paths", over=each(n=range(2, 8)), evidence="counted on the graph (Menger)")
def cube_alternate_paths(n: int) -> Case:
    """There are alternate paths between any two nodes of an n-cube, n > 1."""
    paths = connectivity(cube(n))
    return judged(paths, "2 or more", paths >= 2)


@claim("section 1", "logarithmically", over=each(n=range(1, 11)), evidence="counted on the graph")
def cube_links_per_node(n: int) -> Case:
    """The number of links per node of a hypercube increases as the logarithm of the number of nodes."""
    links = {len(cube(n).graph[node]) for node in range(cube(n).nodes)}
    return case(max(links), round(log2(cube(n).nodes)))


def _pattern(pattern: str, n: int) -> "networkx.Graph[int]":
    """The pattern with every node at the number of its node in the n-cube."""
    graph: networkx.Graph[int] = networkx.Graph()
    if pattern == "ring":
        networkx.add_cycle(graph, map(gray, range(1 << n)))
    elif pattern == "mesh":
        rows = n // 2
        columns = n - rows
        for (a, b), (c, d) in networkx.grid_2d_graph(1 << rows, 1 << columns).edges():
            graph.add_edge(gray(a) << columns | gray(b), gray(c) << columns | gray(d))
    else:
        for level in range(n):
            for number in range(1 << level):
                here = _in_tree(n, level, number)
                if level + 1 < n:
                    graph.add_edges_from((here, _in_tree(n, level + 1, 2 * number + child)) for child in (0, 1))
                if pattern == "X-tree" and number:
                    graph.add_edge(_in_tree(n, level, number - 1), here)
    return graph


def _in_tree(n: int, level: int, number: int) -> int:
    return (gray(number) << 1 | 1) << n - 1 - level


def _apart(graph: "networkx.Graph[int]") -> int:
    """The most hops in the cube between neighbours in the pattern."""
    return max((u ^ v).bit_count() for u, v in graph.edges())


def _even(graph: "networkx.Graph[int]", half: int) -> bool:
    """Whether the pattern has no odd ring, and no more nodes of one parity than the cube."""
    if not networkx.is_bipartite(graph):
        return False
    first, second = networkx.bipartite.sets(graph)
    return max(len(first), len(second)) <= half
