"""Section 2: arithmetic on coordinates, links by definition 4, trees and distances."""

from collections.abc import Callable, Container
from functools import partial
import itertools

import networkx

from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.ghc.networks import (
    SIZES,
    Address,
    address,
    arcs,
    difference,
    directed,
    distances,
    exclusive_or,
    modulated_sum,
    moved,
)
from fatcube.papers.ghc.paper import PAPER
from fatcube.papers.verdict import Case, case, judged

claim = partial(PAPER.claim, evidence="breadth-first search from every node", over=columns("w d", SIZES))


BOTH = each(kind=("dense", "sparse"))
WIDTHS = range(2, 17)


@claim("section 2", "6 (+) 2 = 1, 6 (+)7 3 = 2, 3 (-)7 6 = 4", evidence="definitions 1 to 3, applied literally")
def examples() -> Cases:
    """By the definitions, 6 (+) 2 = 1, 6 (+)7 3 = 2 and 3 (-)7 6 = 4."""
    yield case(exclusive_or(6, 2), 1, example="6 (+) 2")
    yield case(modulated_sum(6, 3, 7), 2, example="6 (+)7 3")
    yield case(difference(3, 6, 7), 4, example="3 (-)7 6")


@claim("section 2", "6 (-) 3 = 3", over=each(w=range(7, 17)))
@said(
    evidence="definition 3, applied literally",
    reading="the sign is printed without a base, and definition 3 has none without one: a misprint, of the paper or of "
    "its transcription. The base of its neighbours, 7, must be meant; with every base that has a digit 6 it is 3",
)
def example_without_base(w: int) -> Case:
    """By the definitions, 6 (-) 3 = 3."""
    return case(difference(6, 3, w), 3)


@claim("section 2", "(21)", over=columns("w d", [(4, 2)]), evidence="digits to the base w", words="digits %s and %s")
def example_of_a_number(w: int, d: int) -> Case:
    """With w = 4 and d = 2, node 9 is (21)."""
    return case(address(9, w, d), (2, 1))


@claim("section 2", "a spanning tree", parameters=BOTH)
@said(evidence="a breadth-first tree of node 0, moved to every node, edge by edge")
def tree_moved(kind: str, w: int, d: int) -> Case:
    """A spanning tree of the {kind} BGHC rooted at O becomes one rooted at X by sums of addresses modulo w."""
    tree = list(networkx.bfs_edges(directed(kind, w, d), 0))
    good = 0
    for root in range(w**d):
        to = [moved(node, root, w, d) for node in range(w**d)]
        edges = [(to[u], to[v]) for u, v in tree]
        there: networkx.DiGraph[int] = networkx.DiGraph(edges)
        good += (
            set(edges) <= arcs(kind, w, d)
            and len(there) == w**d
            and networkx.is_arborescence(there)
            and not there.in_degree(root)
        )
    return case(f"{good} roots", f"{w**d} roots")


@claim("section 2", "the set of nodes that are a distance i", parameters=BOTH)
def levels_moved(kind: str, w: int, d: int) -> Case:
    """In the {kind} BGHC the nodes at distance i from X are those at distance i from O, moved by sums modulo w."""
    hops = distances(kind, w, d)
    good = sum(all(hops[x][moved(node, x, w, d)] == far for node, far in hops[0].items()) for x in hops)
    return case(f"{good} nodes", f"{w**d} nodes")


_ALL_PAIRS = "so for every pair of coordinates", "not so for every pair of coordinates"


@claim("definition 2", "x + y, or x + y - w", over=each(w=WIDTHS))
@said(evidence="all pairs of coordinates", words=_ALL_PAIRS)
def sum_is_modular(w: int) -> Case:
    """The w-modulated sum of two coordinates is the one coordinate that x + y leaves modulo w."""
    pairs = itertools.product(range(w), repeat=2)
    return case(all(modulated_sum(x, y, w) == (x + y) % w for x, y in pairs), True)


@claim("definition 3", "x - y, or x - y + w", over=each(w=WIDTHS))
@said(evidence="all pairs of coordinates", words=_ALL_PAIRS)
def difference_undoes_the_sum(w: int) -> Case:
    """The w-modulated difference x (-)w y is the one coordinate to which y is added for x."""
    pairs = itertools.product(range(w), repeat=2)
    found = all([z for z in range(w) if modulated_sum(y, z, w) == x] == [difference(x, y, w)] for x, y in pairs)
    return case(found, True)


def _by_definition(w: int, d: int, joined: Container[tuple[int, int]]) -> set[tuple[int, int]]:
    """The arcs if exactly one coordinate of X and Y must be ``joined``, and the others may be anything."""
    addresses = [address(node, w, d) for node in range(w**d)]

    def one(x: Address, y: Address) -> bool:
        return sum(pair in joined for pair in zip(x, y, strict=True)) == 1

    return {(u, v) for u, x in enumerate(addresses) for v, y in enumerate(addresses) if one(x, y)}


@claim("definition 4 (a)", "exactly one coordinate i for which x_i (+) y_i = 1", evidence="all pairs of addresses")
def definition_dense(w: int, d: int) -> Case:
    """In a dense BGHC an arc leads from X to Y if exactly one coordinate has x_i (+) y_i = 1."""
    defined = _by_definition(w, d, {(x, y) for x in range(w) for y in range(w) if exclusive_or(x, y) == 1})
    return judged(len(defined), len(arcs("dense", w, d)), defined == arcs("dense", w, d))


@claim("definition 4 (b)", "exactly one coordinate i for which y_i = x_i (+)w 1")
@said(
    conditions=["w == 2", "w == 2 or d == 1"],
    evidence="all pairs of addresses; the definition gives d (w - 1)^(d - 1) arcs that leave a node",
    reading="taken literally, which requires of the other coordinates only that they are not one higher. If they must be equal, "
    "as section 1's d ports and proposition 1 (b) need, these are the links for all w and d",
)
def definition_sparse(w: int, d: int) -> Case:
    """In a sparse BGHC an arc leads from X to Y if exactly one coordinate has y_i = x_i (+)w 1."""
    defined = _by_definition(w, d, {(x, modulated_sum(x, 1, w)) for x in range(w)})
    return judged(len(defined), len(arcs("sparse", w, d)), defined == arcs("sparse", w, d))


def _distances_by(kind: str, w: int, d: int, hop: Callable[[int, int, int], int]) -> Case:
    """How many pairs of nodes are as far from each other as a sum over their coordinates says."""
    good = 0
    for x, hops in distances(kind, w, d).items():
        for y, far in hops.items():
            good += far == sum(hop(b, a, w) for a, b in zip(address(x, w, d), address(y, w, d), strict=True))
    return case(f"{good} pairs", f"{w ** (2 * d)} pairs")


def _differs(y: int, x: int, w: int) -> int:
    return exclusive_or(y, x)


@claim("proposition 1 (a)", "sum of y_i (+) x_i")
def distance_dense(w: int, d: int) -> Case:
    """The distance from X to Y in the dense BGHC is the sum of y_i (+) x_i."""
    return _distances_by("dense", w, d, _differs)


@claim("proposition 1 (b)", "sum of y_i (-)w x_i")
def distance_sparse(w: int, d: int) -> Case:
    """The distance from X to Y in the sparse BGHC is the sum of y_i (-)w x_i."""
    return _distances_by("sparse", w, d, difference)


@claim("figure 2", "w = 2 and d = 2, node (12)")
@said(
    evidence="digits to the base w",
    misprint="w = 4 must be meant, as in the text before (the tree of Z_4^2); there is one transcription, so whether "
    "it or the print is wrong is open",
)
def caption_of_figure_2() -> Cases:
    """The sparse BGHC with w = 2 and d = 2 has a node (12)."""
    has = (1, 2) in {address(node, 2, 2) for node in range(2**2)}
    yield case("a node (12)" if has else "no node (12)", "a node (12)", w=2, d=2)


def _range(kind: str, w: int, d: int) -> str:
    """The distances that occur, seen from every node."""
    found = sorted({far for hops in distances(kind, w, d).values() for far in hops.values()})
    same = all(set(hops.values()) == set(found) for hops in distances(kind, w, d).values())
    return f"0 to {found[-1]}" if same and found == list(range(found[-1] + 1)) else str(found)


@claim("proposition 2 (a)", "[0, 1, ..., d], diameter d")
def diameter_dense(w: int, d: int) -> Case:
    """In the dense BGHC there are nodes at all distances from 0 to the diameter, d, and at no other."""
    return case(_range("dense", w, d), f"0 to {d}")


@claim("proposition 2 (b)", "[0, 1, ..., (w - 1) d], diameter (w - 1) d")
def diameter_sparse(w: int, d: int) -> Case:
    """In the sparse BGHC there are nodes at all distances from 0 to the diameter, (w - 1) d, and at no other."""
    return case(_range("sparse", w, d), f"0 to {(w - 1) * d}")
