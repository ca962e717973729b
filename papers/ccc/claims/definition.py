"""Section 2, algorithm A1, and the numbers of links in section 3."""

from functools import partial

import networkx

from fatcube.noc import measures
from fatcube.papers.ccc.graphs import DOUBLE_LINK, SINGLE_LINK, ccc, cube, defined
from fatcube.papers.ccc.paper import PAPER
from fatcube.papers.claim import columns, each, said
from fatcube.papers.verdict import Case, case, judged
from fatcube.schedules.constructions.ccc import route

_BY_PAIRS = "the definition, pair by pair of addresses"

claim = partial(PAPER.claim, evidence=_BY_PAIRS, over=each(n=range(1, 11)))

_SMALL = (
    "Two nodes have one link or none: for n = 2 the next node of the cycle is also the previous one, for n = 1 it is the "
    "node itself. If next and previous count as two links, as in the double-link CCC(2), every n has three per node."
)


@claim("section 2", "k 2^d, with d = k = n", graph=SINGLE_LINK)
def processors(n: int) -> Case:
    """A CCC of size n has n 2^n processors."""
    return case(len(defined(n)), n << n)


@claim("section 2", "exactly three", conditions=["n >= 3"], reading=_SMALL, graph=SINGLE_LINK)
def links_per_processor(n: int) -> Case:
    """Each processor has exactly three links, irrespective of the dimension."""
    return case(", ".join(map(str, sorted({degree for _, degree in defined(n).degree()}))), "3")


_CYCLES = columns("k d", [(k, d) for k in range(3, 10) for d in range(2, k + 1)])


@claim("section 2", "|j - m| = 1 or |j - m| = d - 1", over=_CYCLES)
@said(
    conditions=["k == d"],
    evidence="one cycle, link by link as defined",
    misprint="|j - m| = k - 1 must be meant, which is the same for d = k, the paper's assumption",
)
def cycle_of_k(k: int, d: int) -> Case:
    """The k >= d processors of one cycle are linked as a cycle."""
    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_edges_from((j, m) for j in range(k) for m in range(j) if j - m in (1, d - 1))
    ring = networkx.is_connected(graph) and all(degree == 2 for _, degree in graph.degree())
    return case("a cycle" if ring else "no cycle", "a cycle")


@claim("algorithm A1", "from any source to any destination", over=each(n=range(1, 8)))
@said(
    conditions=["n == 1"],
    evidence="executed from node 0 to all others; in the destination's cycle at another position no bit is left "
    "to change, and no rule says what follows",
    reading="A bit leaves the difference vector when it has been changed. Taken literally, the vector is computed "
    "only once, in step 1, and a message that has not arrived goes back over the link by which it came.",
    graph=DOUBLE_LINK,
)
def a1_defined(n: int) -> Case:
    """Algorithm A1 routes a message from any source to any destination."""
    ways = [] if n == 1 else [route(ccc(n), 0, node) for node in range(1, n << n)]
    stuck = sum(any(node != way[-1] and node // n == way[-1] // n for node in way) for way in ways)
    return judged(f"no rule for {stuck} of {(n << n) - 1} destinations", f"0 of {(n << n) - 1}", stuck == 0)


@claim("algorithm A1", "2 n (result 1)", over=each(n=range(2, 9)))
@said(
    conditions=["n <= 5"],
    evidence="executed from node 0 to all others; no algorithm does better for n > 5, where the diameter is more",
    reading="In the destination's cycle it takes the shorter way round, which A1 does not say; of two bits that are equally "
    "close it goes to the one from which fewer hops are left. If it always goes to the next position, n = 4 and 5 take 9 "
    "and 11 hops. Result 1 states 2 n as the number of hops that are required, not as that of A1.",
    graph=DOUBLE_LINK,
)
def a1_hops(n: int) -> Case:
    """Algorithm A1 takes no more than 2 n hops."""
    most = max(len(route(ccc(n), 0, node)) - 1 for node in range(n << n))
    return judged(most, 2 * n, most <= 2 * n)


@claim("section 3", "n 2^n / 2", evidence="counted on the graph")
def cube_links(n: int) -> Case:
    """An n-cube has n 2^n / 2 links."""
    return case(measures.links(cube(n)), n * 2**n // 2)


@claim("section 3", "3 n 2^n / 2", conditions=["n >= 3"], reading=_SMALL, graph=SINGLE_LINK)
def ccc_links(n: int) -> Case:
    """A CCC has 3 n 2^n / 2 links."""
    return case(defined(n).number_of_edges(), 3 * n * 2**n // 2)


@claim("section 3", "n times more processors but only 3 times more links")
@said(conditions=["n >= 3"], evidence="both counted on graphs", reading=_SMALL, graph=SINGLE_LINK)
def links_and_processors(n: int) -> Case:
    """For the same dimension there are n times more processors in the CCC but only 3 times more links."""
    links = defined(n).number_of_edges() / measures.links(cube(n))
    return case(f"{len(defined(n)) / cube(n).nodes:g} and {links:g}", f"{n} and 3")
