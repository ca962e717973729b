"""Section 3: scalability, result 2, embeddings."""

import networkx

from fatcube.papers.ccc.graphs import DOUBLE_LINK, SINGLE_LINK, ccc, cube, defined, halves
from fatcube.papers.ccc.paper import PAPER
from fatcube.papers.claim import Cases
from fatcube.papers.evidence import Evidence
from fatcube.papers.verdict import Case, case


@PAPER.claim("section 3, scalability", printed="an (n + 1)-cube", evidence="both halves, link by link")
def cube_of_two_cubes(evidence: Evidence) -> Cases:
    """Two n-cubes can be combined to form an (n + 1)-cube."""
    for n in range(1, 9):
        yield case("two n-cubes" if halves(n + 1) else "not two n-cubes", "two n-cubes", n=n)


@PAPER.claim("section 3, scalability", printed="increases", evidence="counted on the graph")
def cube_links_grow(evidence: Evidence) -> Cases:
    """When an n-cube becomes an (n + 1)-cube, the number of links of each node increases."""
    for n in range(1, 9):
        before, after = (len(cube(size).graph[0]) for size in (n, n + 1))
        yield Case({"n": n}, "more", f"{before}, then {after}", after > before)


@PAPER.claim(
    "result 2",
    printed="two CCCs of size n",
    evidence="built as printed and compared link by link; the new node replaces the link that closes the cycle",
    reading="A node is added to a cycle between its last and its first node. Taken literally, only new nodes are "
    "connected to each other.",
    graph=SINGLE_LINK,
)
def ccc_of_two_cccs(evidence: Evidence) -> Cases:
    """A CCC of size n + 1 is two of size n, with a node added to each cycle, and these connected pair by pair."""
    for n in range(1, 8):
        grown: networkx.Graph[tuple[int, int]] = networkx.Graph()
        for top in (0, 1):
            for (i, j), (k, m) in defined(n).edges():
                if not (n > 2 and {j, m} == {0, n - 1}):
                    grown.add_edge((i + (top << n), j), (k + (top << n), m))
        for i in range(1 << n + 1):
            grown.add_edges_from([((i, n - 1), (i, n)), ((i, n), (i, 0)), ((i, n), (i ^ 1 << n, n))])
        same = networkx.utils.graphs_equal(grown, defined(n + 1))
        yield case(f"{'the' if same else 'not the'} CCC of size {n + 1}", f"the CCC of size {n + 1}", n=n)


@PAPER.claim(
    "result 2",
    printed="a constant number of links",
    conditions=["n >= 3"],
    evidence="counted on the definition",
    words="%s links before, %s after",
    reading="Not affected is read as: the number of links of a node stays. Two nodes of every cycle get another "
    "neighbour.",
    graph=SINGLE_LINK,
)
def ccc_links_stay(evidence: Evidence) -> Cases:
    """The nodes of a CCC are not affected by an increase of its size: three links each, before and after."""
    for n in range(1, 10):
        before, after = (max(degree for _, degree in defined(size).degree()) for size in (n, n + 1))
        yield case((before, after), (3, 3), n=n)


@PAPER.claim("section 3, embeddings", printed="logically present", evidence="counted on the graph", graph=SINGLE_LINK)
def cube_is_present(evidence: Evidence) -> Cases:
    """A hypercube is logically present in a CCC: its cycles, each taken for one node."""
    for n in range(1, 9):
        merged: networkx.Graph[int] = networkx.Graph()
        merged.add_edges_from((i, k) for (i, _), (k, _) in defined(n).edges() if i != k)
        present = networkx.utils.graphs_equal(merged, networkx.Graph(cube(n).graph.edges()))
        yield case(f"{'the' if present else 'not the'} {n}-cube", f"the {n}-cube", n=n)


@PAPER.claim(
    "section 3, embeddings",
    printed="by default",
    conditions=["n == 1"],
    evidence="hops counted from the arrival at a cycle by one dimension to the node that is reached by another",
    reading="A mapping holds if neighbours stay neighbours, one hop apart. If a whole cycle represents a node of "
    "the hypercube (cube_is_present), all mappings hold.",
    graph=DOUBLE_LINK,
)
def mappings_hold(evidence: Evidence) -> Cases:
    """All mappings onto the hypercube hold in the CCC by default: neighbours are one hop apart."""
    for n in range(1, 9):
        around = 0 if n == 1 else max(ccc(n).distances[0][j] for j in range(n))
        yield case(f"{1 + around} hops", "1 hops", n=n)
