"""Abstract and section 1: nodes, ports, links and symmetry; generalized hypercubes of unequal widths."""

from collections.abc import Iterator
import functools
import itertools
import math

import networkx

from fatcube.papers.claim import columns, each, said
from fatcube.papers.ghc.networks import SIZES, address, arcs, directed, distances, links, orbits, product_arcs
from fatcube.papers.ghc.paper import PAPER
from fatcube.papers.verdict import Case, case, judged

claim = functools.partial(
    PAPER.claim, evidence="links that leave and enter each node, counted on the graph", over=columns("w d", SIZES)
)


BOTH = each(kind=("dense", "sparse"))
DIMENSIONS = range(1, 8)
UNEQUAL = [(2, 3), (2, 4), (3, 4), (2, 5), (2, 2, 3), (2, 3, 3), (2, 3, 4), (2, 3, 5)]
"""Widths of GHCs, not all equal."""


@claim("abstract", "w^d", parameters=BOTH, evidence="nodes that a search reaches")
def nodes(kind: str, w: int, d: int) -> Case:
    """A {kind} BGHC has w nodes along each of d dimensions, for a total of w^d."""
    return case(len(distances(kind, w, d)[0]), w**d)


def _ports(kind: str, w: int, d: int) -> int | str:
    """How many links leave and enter each node, if these are the same numbers."""
    graph = directed(kind, w, d)
    found = {degree for _, degree in [*graph.in_degree(), *graph.out_degree()]}
    return found.pop() if len(found) == 1 else "different ones"


@claim("section 1", "d = log N", over=each(d=DIMENSIONS))
def hypercube_ports(d: int) -> Case:
    """The node degree of the binary hypercube is d, the logarithm of its N nodes."""
    return case(_ports("binary", 2, d), d)


@claim("section 1", "d = log N", over=each(d=DIMENSIONS), evidence="breadth-first search from every node")
def hypercube_diameter(d: int) -> Case:
    """The diameter of the binary hypercube is d, the logarithm of its N nodes."""
    return case(max(max(hops.values()) for hops in distances("binary", 2, d).values()), d)


def _factorizations(N: int, least: int = 2) -> Iterator[tuple[int, ...]]:
    """The ways to write N as a product of factors of at least 2, the smallest first."""
    if N >= least:
        yield (N,)
    for w in range(least, math.isqrt(N) + 1):
        if N % w == 0:
            yield from ((w, *others) for others in _factorizations(N // w, w))


@claim("section 1", "for any N", over=each(N=range(2, 101)))
@said(
    evidence="all products searched",
    words=("there is a product", "there is no product"),
    reading="N from 2 on: N = 1 has none, since every w_i is at least 2 and there is at least one",
)
def any_number_of_nodes(N: int) -> Case:
    """For any number of nodes N there are d >= 1 and w_i >= 2 of which it is the product."""
    found = any(math.prod(widths) == N for widths in _factorizations(N))
    return case(found, True)


@claim("section 1", "asymmetric", parameters=BOTH, over=each(w=UNEQUAL))
@said(
    evidence="additions of 1 in a coordinate, modulo its w_i, keep all links, and lead from each node to every other",
    reading="lines are complete graphs in the GHC of reference [6], and rings in a sparse one. Symmetric means what section 2 uses it for, every node to every other. In the stricter sense, every link to "
    "every other, the claim holds: links of two dimensions of unequal w lie in cliques, or on shortest cycles, of "
    "different sizes",
)
def unequal_w_asymmetric(kind: str, w: tuple[int, ...]) -> Case:
    """If the numbers of nodes along two dimensions are not equal, the {kind} GHC is an asymmetric graph."""
    found = "symmetric" if orbits(w, product_arcs(w, kind)) == 1 else "asymmetric"
    return case(f"the graph is {found}", "the graph is asymmetric")


def _sizes(kind: str) -> list[dict[str, int]]:
    return columns("w d", [(w, d) for w, d in SIZES if kind != "binary" or w == 2])


@claim(
    "section 1",
    "symmetric",
    parameters=columns(
        "kind network", [("binary", "binary hypercube"), ("dense", "dense BGHC"), ("sparse", "sparse BGHC")]
    ),
    over=_sizes,
    evidence="additions of 1 in a coordinate, modulo w, keep all links, and lead from each node to every other",
    reading="symmetric is read as section 2 uses it: an automorphism takes any node to any other; every link goes to every other too, "
    "because coordinates can be exchanged, and in the dense BGHC digits",
)
def symmetric(kind: str, w: int, d: int) -> Case:
    """The {network} is a symmetric graph."""
    pairs = {(address(u, w, d), address(v, w, d)) for u, v in arcs(kind, w, d)}
    found = "symmetric" if orbits([w] * d, pairs) == 1 else "asymmetric"
    return case(f"the graph is {found}", "the graph is symmetric")


@claim("section 1", "(w - 1) d")
def ports_dense(w: int, d: int) -> Case:
    """A dense BGHC requires (w - 1) d input/output ports per node."""
    return case(_ports("dense", w, d), (w - 1) * d)


@claim("section 1", "(w - 1) d w^d", evidence="counted on the graph")
def links_dense(w: int, d: int) -> Case:
    """A dense BGHC has (w - 1) d w^d directed links."""
    return case(links("dense", w, d), (w - 1) * d * w**d)


@claim("section 1", "d")
def ports_sparse(w: int, d: int) -> Case:
    """A sparse BGHC requires d input/output ports per node."""
    return case(_ports("sparse", w, d), d)


@claim("section 1", "d w^d", evidence="counted on the graph")
def links_sparse(w: int, d: int) -> Case:
    """A sparse BGHC has d w^d directed links."""
    return case(links("sparse", w, d), d * w**d)


def _on_lines(kind: str, w: int, d: int) -> set[int]:
    """The numbers of links among the nodes of a line, which differ in one coordinate, over all lines."""
    lines: dict[tuple[int, int], int] = {}
    for u, v in arcs(kind, w, d):
        [i] = [i for i in range(d) if u // w**i % w != v // w**i % w]
        line = i, u - u // w**i % w * w**i
        lines[line] = lines.get(line, 0) + 1
    return set(lines.values())


@claim("section 1", "maximal", evidence="links counted on every line; pairs of different nodes listed")
def dense_is_maximal(w: int, d: int) -> Case:
    """A dense BGHC uses a maximal number of non-parallel directed links along each dimension."""
    most = sum(1 for _ in itertools.permutations(range(w), 2))
    found = _on_lines("dense", w, d)
    return judged(min(found), most, found == {most})


@functools.cache
def _fewest_that_connect(w: int) -> int:
    """The fewest directed links by which each of w nodes reaches every other; all sets of links are tried."""
    pairs = list(itertools.permutations(range(w), 2))
    for number in range(len(pairs) + 1):
        for chosen in itertools.combinations(pairs, number):
            graph: networkx.DiGraph[int] = networkx.DiGraph()
            graph.add_nodes_from(range(w))
            graph.add_edges_from(chosen)
            if networkx.is_strongly_connected(graph):
                return number
    raise AssertionError("all pairs connect them")


@claim("section 1", "minimal", over=columns("w d", [(w, d) for w, d in SIZES if w < 6]))
@said(
    evidence="links counted on every line; all sets of links among w nodes tried",
    reading="each line by itself is connected. If lines of one dimension may differ, a ring through all nodes is fewer: "
    "w^d links in all",
)
def sparse_is_minimal(w: int, d: int) -> Case:
    """A sparse BGHC maintains connectivity by a minimal number of directed links along each dimension."""
    fewest, found = _fewest_that_connect(w), _on_lines("sparse", w, d)
    return judged(max(found), fewest, found == {fewest})


@claim("footnote 1", "a binary hypercube, which is simultaneously dense and sparse", over=each(d=DIMENSIONS))
@said(evidence="sets of links compared")
def binary_is_both(d: int) -> Case:
    """A BGHC with w = 2 is a binary hypercube, which is simultaneously dense and sparse."""
    found = arcs("dense", 2, d) == arcs("binary", 2, d) and arcs("sparse", 2, d) == arcs("binary", 2, d)
    return case("the same" if found else "different", "the same")
