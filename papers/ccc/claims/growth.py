"""Section 3: scalability, result 2, embeddings."""

from functools import partial

import networkx

from fatcube.papers.ccc.graphs import DOUBLE_LINK, SINGLE_LINK, ccc, cube, defined, halves
from fatcube.papers.ccc.paper import PAPER
from fatcube.papers.claim import each, said
from fatcube.papers.verdict import Case, case, judged

claim = partial(PAPER.claim, over=each(n=range(1, 9)))


@claim("section 3, scalability", "an (n + 1)-cube", evidence="both halves, link by link")
def cube_of_two_cubes(n: int) -> Case:
    """Two n-cubes can be combined to form an (n + 1)-cube."""
    return case("two n-cubes" if halves(n + 1) else "not two n-cubes", "two n-cubes")


@claim("section 3, scalability", "increases", evidence="counted on the graph")
def cube_links_grow(n: int) -> Case:
    """When an n-cube becomes an (n + 1)-cube, the number of links of each node increases."""
    before, after = (len(cube(size).graph[0]) for size in (n, n + 1))
    return judged(f"{before}, then {after}", "more", after > before)


@claim("result 2", "two CCCs of size n", over=each(n=range(1, 8)))
@said(
    evidence="built as printed and compared link by link; the new node replaces the link that closes the cycle",
    reading="A node is added to a cycle between its last and its first node. Taken literally, only new nodes are "
    "connected to each other.",
    graph=SINGLE_LINK,
)
def ccc_of_two_cccs(n: int) -> Case:
    """A CCC of size n + 1 is two of size n, with a node added to each cycle, and these connected pair by pair."""
    grown: networkx.Graph[tuple[int, int]] = networkx.Graph()
    for top in (0, 1):
        for (i, j), (k, m) in defined(n).edges():
            if not (n > 2 and {j, m} == {0, n - 1}):
                grown.add_edge((i + (top << n), j), (k + (top << n), m))
    for i in range(1 << n + 1):
        grown.add_edges_from([((i, n - 1), (i, n)), ((i, n), (i, 0)), ((i, n), (i ^ 1 << n, n))])
    same = networkx.utils.graphs_equal(grown, defined(n + 1))
    return case(f"{'the' if same else 'not the'} CCC of size {n + 1}", f"the CCC of size {n + 1}")


@claim("result 2", "a constant number of links", over=each(n=range(1, 10)))
@said(
    conditions=["n >= 3"],
    evidence="counted on the definition",
    words="%s links before, %s after",
    reading="Not affected is read as: the number of links of a node stays. Two nodes of every cycle get another "
    "neighbour.",
    graph=SINGLE_LINK,
)
def ccc_links_stay(n: int) -> Case:
    """The nodes of a CCC are not affected by an increase of its size: three links each, before and after."""
    before, after = (max(degree for _, degree in defined(size).degree()) for size in (n, n + 1))
    return case((before, after), (3, 3))


@claim("section 3, embeddings", "logically present", evidence="counted on the graph", graph=SINGLE_LINK)
def cube_is_present(n: int) -> Case:
    """A hypercube is logically present in a CCC: its cycles, each taken for one node."""
    merged: networkx.Graph[int] = networkx.Graph()
    merged.add_edges_from((i, k) for (i, _), (k, _) in defined(n).edges() if i != k)
    present = networkx.utils.graphs_equal(merged, networkx.Graph(cube(n).graph.edges()))
    return case(f"{'the' if present else 'not the'} {n}-cube", f"the {n}-cube")


@claim("section 3, embeddings", "by default")
@said(
    conditions=["n == 1"],
    evidence="hops counted from the arrival at a cycle by one dimension to the node that is reached by another",
    reading="A mapping holds if neighbours stay neighbours, one hop apart. If a whole cycle represents a node of "
    "the hypercube (cube_is_present), all mappings hold.",
    graph=DOUBLE_LINK,
)
def mappings_hold(n: int) -> Case:
    """All mappings onto the hypercube hold in the CCC by default: neighbours are one hop apart."""
    around = 0 if n == 1 else max(ccc(n).distances[0][j] for j in range(n))
    return case(f"{1 + around} hops", "1 hops")
