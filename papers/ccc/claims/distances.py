"""Section 3: bisection widths, distances, result 1 and its corollaries."""

from fractions import Fraction
from functools import partial
from math import comb

import networkx

from fatcube.noc import measures
from fatcube.noc.topology import Topology
from fatcube.papers.ccc import printed
from fatcube.papers.ccc.graphs import DOUBLE_LINK, SINGLE_LINK, ccc, cube, defined, hops, width
from fatcube.papers.ccc.paper import PAPER
from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.verdict import Case, about, case, deviation, judged

claim = partial(PAPER.claim, evidence="counted on the graph", over=each(n=range(1, 11)), graph=SINGLE_LINK)


_EXACTLY = "2 n is read as the exact number. As an upper bound it is right for n = 1 too."
_BY_HOPS = "counted on the graph from one node, since all nodes are equivalent: 2 n + floor(n / 2) - 2 from n = 4 on"


@claim("section 3, bisection width", "2^(n-1) or N / 2", over=each(n=range(1, 8)))
@said(evidence="a cut of the top dimension; no fewer: second eigenvalue of the Laplacian", graph="")
def cube_bisection(n: int) -> Case:
    """The bisection width of an n-cube is 2^(n-1)."""
    return case(width(cube(n)), 1 << n - 1)


@claim("section 3, bisection width", "2^(d-1) = N / (2 n)", over=each(n=range(2, 7)))
@said(
    evidence="a cut of the top dimension; no fewer: halves separate N^2 / 4 pairs of nodes, and shortest paths "
    "between all pairs put no more than n N / 2 of them on a link",
    graph=DOUBLE_LINK,
)
def ccc_bisection(n: int) -> Case:
    """The bisection width of a CCC is 2^(d-1) = N / (2 n)."""
    return case(width(ccc(n)), Fraction(n << n, 2 * n))


@claim("section 3, bisection width", "n", over=each(n=(1, 2, 4)))
@said(
    evidence="both widths counted, wherever there are both networks with so many nodes: n is a power of 2",
    reading="n is the size of the CCC; the hypercube with as many nodes has n + log n dimensions.",
    graph=DOUBLE_LINK,
)
def bisection_factor(n: int) -> Case:
    """For a given number of nodes the bisection width is less for the CCC by a factor of n."""
    nodes = n << n
    same = cube(nodes.bit_length() - 1)
    found = width(same) if n == 1 else f"{width(same)} and {width(ccc(n))}"
    return judged(found, n, _quotient(width(same), 1 if n == 1 else width(ccc(n))) == n, N=nodes)


def _quotient(one: int | str, other: int | str) -> Fraction | None:
    return Fraction(one, other) if isinstance(one, int) and isinstance(other, int) else None


_LEVELS = columns("n i", [(n, i) for n in range(1, 11) for i in range(n + 1)])


@claim("section 3, average distance", "C(n, i)", over=_LEVELS, evidence="counted on the graph from one node", graph="")
def cube_nodes_at_distance(n: int, i: int) -> Case:
    """In an n-cube there are exactly C(n, i) nodes a distance i away."""
    away = networkx.single_source_shortest_path_length(cube(n).graph, 0).values()
    return case(list(away).count(i), comb(n, i))


@claim("section 3, average distance", "(1 / n) sum of i C(n, i)", over=each(n=range(1, 9)))
@said(
    evidence="counted on the graph, from a node to all, itself included",
    misprint="1 / N must be meant: the printed value is 2^(n-1), more than the diameter from n = 3 on, and "
    "neither of the numbers that the paper derives from it",
    reading="The node itself is counted at distance 0. Without it the sum is divided by N - 1, and the printed "
    "formula fails too.",
    graph="",
)
def cube_average_distance(n: int) -> Case:
    """The average distance in an n-cube is (1 / n) sum of i C(n, i)."""
    return case(str(_with_itself(cube(n))), str(Fraction(sum(i * comb(n, i) for i in range(1, n + 1)), n)))


@claim("section 3, average distance", "(1 / n) sum of i C(n, i)", over=each(n=range(1, 9)))
@said(
    evidence="counted on the graph, from a node to all, itself included",
    reading="1 / N is read for 1 / n; the node itself is then one of the N nodes.",
    graph="",
)
def cube_average_distance_over_all(n: int) -> Case:
    """The average distance in an n-cube is (1 / N) sum of i C(n, i)."""
    average = Fraction(sum(i * comb(n, i) for i in range(1, n + 1)), 1 << n)
    return case(str(_with_itself(cube(n))), str(average))


@claim(
    "section 3, average distance",
    "{stated}",
    parameters=columns(
        "key network stated",
        [
            ("3-cube", "a 3-cube", "approximately 1.9"),
            ("4-cube", "a 4-cube", "approximately 2"),
            ("CCC(3,3)", "CCC(3,3)", "3.25"),
        ],
    ),
    over=({},),
    reading="The value is right if it is so with the node itself counted at distance 0, or without it: to all "
    "printed digits, or within 10 % of the printed value where the paper says approximately.",
    graph="",
)
def average_distance(key: str, stated: str) -> Case:
    """The average distance in {network} is {stated}."""
    topology, text = ccc(3) if key == "CCC(3,3)" else cube(int(key[0])), printed.AVERAGE_DISTANCE[key]
    others, everybody = measures.average_distance(topology), _with_itself(topology)
    digits = len(text.partition(".")[2])
    found = f"{float(others):.3f} = {others}, with the node itself {float(everybody):.3f}"
    values = float(others), float(everybody)
    if stated == text:
        return judged(found, text, any(f"{value:.{digits}f}" == text for value in values))
    off = min(deviation(value, float(text)) for value in values)
    return Case({}, stated, found, any(about(value, float(text)) for value in values), off=off)


def _with_itself(topology: Topology) -> Fraction:
    return measures.average_distance(topology) * (topology.nodes - 1) / topology.nodes


@claim("section 3, average distance", "increases when the number of links per node is small", over=each(n=range(2, 9)))
@said(
    conditions=["n >= 4"],
    evidence="counted on the definition; for n = 3, the size whose averages are printed, both networks have three links "
    "per node, and the CCC has three times the nodes",
)
def fewer_links_per_node(n: int) -> Case:
    """The average distance is more in a CCC than in the n-cube, as it has fewer links per node."""
    links = max(degree for _, degree in defined(n).degree())
    farther = Fraction(sum(hops(n).values()), len(hops(n)) - 1) > measures.average_distance(cube(n))
    text = f"{'farther' if farther else 'not farther'}, {links} links for {n}"
    return judged(text, "farther, fewer links", farther and links < n)


@claim("section 3, average distance", "n", graph="")
def cube_diameter(n: int) -> Case:
    """The diameter of an n-cube is n."""
    return case(measures.diameter(cube(n)), n)


@claim("section 3, average distance", "twice", conditions=["2 <= n <= 5"], evidence=_BY_HOPS)
def diameter_is_twice_the_cubes(n: int) -> Case:
    """The diameter of a CCC of size d is twice that of a d-cube."""
    return case(max(hops(n).values()), 2 * measures.diameter(cube(n)))


@claim("section 3, average distance", "result 4 and corollary 3; figure 1; result 11")
@said(
    evidence="each cited place, read",
    misprint="the place that is found must be meant where another is printed: here, and in the cases of figure 1 "
    "and result 11",
    graph="",
)
def cross_references() -> Cases:
    """Each cross-reference names the place that has what the text refers to."""
    for place, cited, meant in printed.REFERENCES:
        yield Case({"place": place}, cited, meant, cited == meant)


@claim("result 1", "2 n", conditions=["2 <= n <= 5"], evidence=_BY_HOPS, reading=_EXACTLY)
def most_hops(n: int) -> Case:
    """The maximum number of hops required in order to reach a destination from a source is 2 n."""
    return case(max(hops(n).values()), 2 * n)


@claim("result 1, proof", "no more than 2 n", over=each(n=(1, 2, 3)))
def basis(n: int) -> Case:
    """In CCCs of size 1, 2 and 3 it takes no more than 2 n hops."""
    most = max(hops(n).values())
    return judged(most, f"at most {2 * n}", most <= 2 * n)


@claim("result 1, proof", "a CCC of size n", over=each(n=range(1, 8)))
@said(
    conditions=["n <= 2"],
    evidence="link by link: the new node opens every cycle of three or more, and hops through the old CCC need the link "
    "that closed it",
    reading="The new nodes are at position n; at any other position the same follows by a rotation.",
)
def smaller_cccs_remain(n: int) -> Case:
    """From a new node of a CCC of size n + 1 one hop leads into a CCC of size n."""
    links = list(defined(n).edges())
    missing = sum(not defined(n + 1).has_edge(u, v) for u, v in links)
    return judged(f"{missing} of {len(links)} links missing", "a CCC", missing == 0)


@claim("result 1, proof", "exactly 2", over=each(n=range(1, 8)), evidence="counted on the graph from a new node")
def hops_to_the_other_half(n: int) -> Case:
    """It takes exactly 2 hops from a new node of C1 to an old node of C2, one jump and one shift."""
    away = networkx.single_source_shortest_path_length(defined(n + 1), (0, n), cutoff=4)
    return case(min(count for (i, j), count in away.items() if i >> n and j != n), 2)


@claim("result 1, proof", "two", over=each(n=range(1, 8)))
@said(conditions=["n >= 2"], evidence="counted on the graph; in a cycle of two nodes the new one has one neighbour")
def old_neighbours(n: int) -> Case:
    """Two old nodes are one hop away from any new node."""
    return case(sum(j != n for _, j in defined(n + 1)[0, n]), 2)


@claim("result 1, proof", "less than 2 n", over=each(n=range(2, 10)))
@said(
    conditions=["n <= 4"],
    evidence="counted in a CCC of size n, from every node to the two between which a new one is added",
)
def nearer_of_two(n: int) -> Case:
    """From any old node one of the two that are next to a new one can be reached in less than 2 n hops."""
    first, last = (networkx.single_source_shortest_path_length(defined(n), (0, j)) for j in (0, n - 1))
    most = max(min(first[node], last[node]) for node in first)
    return judged(most, f"less than {2 * n}", most < 2 * n)


@claim("corollary 1", "bit-reversal")
@said(
    evidence="counted on the graph: address 0 reversed is 0, which is the node itself",
    misprint="inversion of all bits must be meant",
)
def reversed_is_farthest(n: int) -> Case:
    """The node most distant from (0, 0) has the bits of the cube address reversed and the same position."""
    mirrored = int(f"{0:0{n}b}"[::-1], 2)
    return case(hops(n)[mirrored, 0], max(hops(n).values()))


@claim("corollary 1", "bit-reversal")
@said(
    conditions=["n <= 5"],
    evidence="counted on the graph from (0, 0)",
    reading="Inversion of all bits is read for bit-reversal, which leaves address 0 as it is.",
)
def inverted_is_farthest(n: int) -> Case:
    """No node is farther than that with all bits of the cube address inverted and the same position."""
    return case(hops(n)[(1 << n) - 1, 0], max(hops(n).values()))


@claim("corollary 1", "the node")
@said(
    conditions=["n <= 3"],
    evidence="counted on the graph from (0, 0)",
    words="most distant: %s",
    reading='"The node most distant" is read as the only one. If it may be one of several, see inverted_is_farthest.',
)
def only_inverted_is_farthest(n: int) -> Case:
    """The node with all bits inverted and the same position is the only most distant one."""
    most = max(hops(n).values())
    found = ["node ({}, {})".format(*node) for node, away in hops(n).items() if away == most]
    return case(found, [f"node ({(1 << n) - 1}, 0)"])


@claim("corollary 2", "2 n", conditions=["2 <= n <= 5"], evidence=_BY_HOPS, reading=_EXACTLY)
def diameter(n: int) -> Case:
    """The diameter of a CCC is 2 n."""
    return case(max(hops(n).values()), 2 * n)


@claim("corollary 2", "2 n", over=each(n=range(1, 8)))
@said(
    conditions=["2 <= n <= 5"],
    evidence="counted on the graph: the least distance of a node's farthest node, over all nodes",
    reading=_EXACTLY,
)
def spanning_tree_depth(n: int) -> Case:
    """The minimal depth of a spanning tree within a CCC is 2 n."""
    return case(networkx.radius(defined(n)), 2 * n)
