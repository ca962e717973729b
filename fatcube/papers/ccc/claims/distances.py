"""Section 3: bisection widths, distances, result 1 and its corollaries."""

from fractions import Fraction
from math import comb

import networkx

from fatcube.papers.ccc import printed
from fatcube.papers.ccc.graphs import DOUBLE_LINK, SINGLE_LINK, ccc, cube, defined, hops, width
from fatcube.papers.ccc.paper import PAPER
from fatcube.papers.claim import Cases
from fatcube.papers.evidence import Evidence
from fatcube.papers.verdict import Case, about, case, deviation
from noc import measures
from noc.topology import Topology

_EXACTLY = "2 n is read as the exact number. As an upper bound it is right for n = 1 too."
_BY_HOPS = "counted on the graph from one node, since all nodes are equivalent: 2 n + floor(n / 2) - 2 from n = 4 on"


@PAPER.claim(
    "section 3, bisection width",
    printed="2^(n-1) or N / 2",
    evidence="a cut of the top dimension; no fewer: second eigenvalue of the Laplacian",
)
def cube_bisection(evidence: Evidence) -> Cases:
    """The bisection width of an n-cube is 2^(n-1)."""
    for n in range(1, 8):
        yield case(width(cube(n)), 1 << n - 1, n=n)


@PAPER.claim(
    "section 3, bisection width",
    printed="2^(d-1) = N / (2 n)",
    evidence="a cut of the top dimension; no fewer: halves separate N^2 / 4 pairs of nodes, and shortest paths "
    "between all pairs put no more than n N / 2 of them on a link",
    graph=DOUBLE_LINK,
)
def ccc_bisection(evidence: Evidence) -> Cases:
    """The bisection width of a CCC is 2^(d-1) = N / (2 n)."""
    for n in range(2, 7):
        yield case(width(ccc(n)), Fraction(n << n, 2 * n), n=n)


@PAPER.claim(
    "section 3, bisection width",
    printed="n",
    evidence="both widths counted, wherever there are both networks with so many nodes: n is a power of 2",
    reading="n is the size of the CCC; the hypercube with as many nodes has n + log n dimensions.",
    graph=DOUBLE_LINK,
)
def bisection_factor(evidence: Evidence) -> Cases:
    """For a given number of nodes the bisection width is less for the CCC by a factor of n."""
    for n in (1, 2, 4):
        nodes = n << n
        same = cube(nodes.bit_length() - 1)
        found = width(same) if n == 1 else f"{width(same)} and {width(ccc(n))}"
        yield Case({"n": n, "N": nodes}, n, found, _quotient(width(same), 1 if n == 1 else width(ccc(n))) == n)


def _quotient(one: int | str, other: int | str) -> Fraction | None:
    return Fraction(one, other) if isinstance(one, int) and isinstance(other, int) else None


@PAPER.claim("section 3, average distance", printed="C(n, i)", evidence="counted on the graph from one node")
def cube_nodes_at_distance(evidence: Evidence) -> Cases:
    """In an n-cube there are exactly C(n, i) nodes a distance i away."""
    for n in range(1, 11):
        away = list(networkx.single_source_shortest_path_length(cube(n).graph, 0).values())
        for i in range(n + 1):
            yield case(away.count(i), comb(n, i), n=n, i=i)


@PAPER.claim(
    "section 3, average distance",
    printed="(1 / n) sum of i C(n, i)",
    evidence="counted on the graph, from a node to all, itself included",
    misprint="1 / N must be meant: the printed value is 2^(n-1), more than the diameter from n = 3 on, and "
    "neither of the numbers that the paper derives from it",
    reading="The node itself is counted at distance 0. Without it the sum is divided by N - 1, and the printed "
    "formula fails too.",
)
def cube_average_distance(evidence: Evidence) -> Cases:
    """The average distance in an n-cube is (1 / n) sum of i C(n, i)."""
    for n in range(1, 9):
        yield case(str(_with_itself(cube(n))), str(Fraction(sum(i * comb(n, i) for i in range(1, n + 1)), n)), n=n)


@PAPER.claim(
    "section 3, average distance",
    printed="(1 / n) sum of i C(n, i)",
    evidence="counted on the graph, from a node to all, itself included",
    reading="1 / N is read for 1 / n; the node itself is then one of the N nodes.",
)
def cube_average_distance_over_all(evidence: Evidence) -> Cases:
    """The average distance in an n-cube is (1 / N) sum of i C(n, i)."""
    for n in range(1, 9):
        average = Fraction(sum(i * comb(n, i) for i in range(1, n + 1)), 1 << n)
        yield case(str(_with_itself(cube(n))), str(average), n=n)


@PAPER.each(
    "section 3, average distance",
    name="average_distance_{word}",
    parameters=[
        {
            "word": "3_cube",
            "network": "a 3-cube",
            "text": printed.AVERAGE_DISTANCE["3-cube"],
            "stated": "approximately 1.9",
        },
        {
            "word": "4_cube",
            "network": "a 4-cube",
            "text": printed.AVERAGE_DISTANCE["4-cube"],
            "stated": "approximately 2",
        },
        {"word": "ccc_3", "network": "CCC(3,3)", "text": printed.AVERAGE_DISTANCE["CCC(3,3)"], "stated": "3.25"},
    ],
    printed="{stated}",
    evidence="counted on the graph",
    reading="The value is right if it is so with the node itself counted at distance 0, or without it: to all "
    "printed digits, or within 10 % of the printed value where the paper says approximately.",
)
def average_distance(evidence: Evidence, word: str, text: str, stated: str) -> Cases:
    """The average distance in {network} is {stated}."""
    topology = ccc(3) if word == "ccc_3" else cube(int(word[0]))
    others, everybody = measures.average_distance(topology), _with_itself(topology)
    digits = len(text.partition(".")[2])
    found = f"{float(others):.3f} = {others}, with the node itself {float(everybody):.3f}"
    if stated == text:
        yield Case({}, text, found, any(f"{float(value):.{digits}f}" == text for value in (others, everybody)))
    else:
        off = min(deviation(float(value), float(text)) for value in (others, everybody))
        yield Case({}, stated, found, any(about(float(value), float(text)) for value in (others, everybody)), off=off)


def _with_itself(topology: Topology) -> Fraction:
    return measures.average_distance(topology) * (topology.nodes - 1) / topology.nodes


@PAPER.claim(
    "section 3, average distance",
    printed="increases when the number of links per node is small",
    conditions=["n >= 4"],
    evidence="counted on the definition; for n = 3, the size whose averages are printed, both networks have three links "
    "per node, and the CCC has three times the nodes",
    graph=SINGLE_LINK,
)
def fewer_links_per_node(evidence: Evidence) -> Cases:
    """The average distance is more in a CCC than in the n-cube, as it has fewer links per node."""
    for n in range(2, 9):
        links = max(degree for _, degree in defined(n).degree())
        farther = Fraction(sum(hops(n).values()), len(hops(n)) - 1) > measures.average_distance(cube(n))
        text = f"{'farther' if farther else 'not farther'}, {links} links for {n}"
        yield Case({"n": n}, "farther, fewer links", text, farther and links < n)


@PAPER.claim("section 3, average distance", printed="n", evidence="counted on the graph")
def cube_diameter(evidence: Evidence) -> Cases:
    """The diameter of an n-cube is n."""
    for n in range(1, 11):
        yield case(measures.diameter(cube(n)), n, n=n)


@PAPER.claim(
    "section 3, average distance", printed="twice", conditions=["2 <= n <= 5"], evidence=_BY_HOPS, graph=SINGLE_LINK
)
def diameter_is_twice_the_cubes(evidence: Evidence) -> Cases:
    """The diameter of a CCC of size d is twice that of a d-cube."""
    for n in range(1, 11):
        yield case(max(hops(n).values()), 2 * measures.diameter(cube(n)), n=n)


@PAPER.claim(
    "section 3, average distance",
    printed="result 4 and corollary 3; figure 1; result 11",
    evidence="each cited place, read",
    misprint="the place that is found must be meant where another is printed: here, and in the cases of figure 1 "
    "and result 11",
)
def cross_references(evidence: Evidence) -> Cases:
    """Each cross-reference names the place that has what the text refers to."""
    for place, cited, meant in printed.REFERENCES:
        yield Case({"place": place}, cited, meant, cited == meant)


@PAPER.claim(
    "result 1", printed="2 n", conditions=["2 <= n <= 5"], evidence=_BY_HOPS, reading=_EXACTLY, graph=SINGLE_LINK
)
def most_hops(evidence: Evidence) -> Cases:
    """The maximum number of hops required in order to reach a destination from a source is 2 n."""
    for n in range(1, 11):
        yield case(max(hops(n).values()), 2 * n, n=n)


@PAPER.claim("result 1, proof", printed="no more than 2 n", evidence="counted on the graph", graph=SINGLE_LINK)
def basis(evidence: Evidence) -> Cases:
    """In CCCs of size 1, 2 and 3 it takes no more than 2 n hops."""
    for n in (1, 2, 3):
        most = max(hops(n).values())
        yield Case({"n": n}, f"at most {2 * n}", most, most <= 2 * n)


@PAPER.claim(
    "result 1, proof",
    printed="a CCC of size n",
    conditions=["n <= 2"],
    evidence="link by link: the new node opens every cycle of three or more, and hops through the old CCC need the link "
    "that closed it",
    reading="The new nodes are at position n; at any other position the same follows by a rotation.",
    graph=SINGLE_LINK,
)
def smaller_cccs_remain(evidence: Evidence) -> Cases:
    """From a new node of a CCC of size n + 1 one hop leads into a CCC of size n."""
    for n in range(1, 8):
        links = list(defined(n).edges())
        missing = sum(not defined(n + 1).has_edge(u, v) for u, v in links)
        yield Case({"n": n}, "a CCC", f"{missing} of {len(links)} links missing", missing == 0)


@PAPER.claim("result 1, proof", printed="exactly 2", evidence="counted on the graph from a new node", graph=SINGLE_LINK)
def hops_to_the_other_half(evidence: Evidence) -> Cases:
    """It takes exactly 2 hops from a new node of C1 to an old node of C2, one jump and one shift."""
    for n in range(1, 8):
        away = networkx.single_source_shortest_path_length(defined(n + 1), (0, n), cutoff=4)
        yield case(min(count for (i, j), count in away.items() if i >> n and j != n), 2, n=n)


@PAPER.claim(
    "result 1, proof",
    printed="two",
    conditions=["n >= 2"],
    evidence="counted on the graph; in a cycle of two nodes the new one has one neighbour",
    graph=SINGLE_LINK,
)
def old_neighbours(evidence: Evidence) -> Cases:
    """Two old nodes are one hop away from any new node."""
    for n in range(1, 8):
        yield case(sum(j != n for _, j in defined(n + 1)[0, n]), 2, n=n)


@PAPER.claim(
    "result 1, proof",
    printed="less than 2 n",
    conditions=["n <= 4"],
    evidence="counted in a CCC of size n, from every node to the two between which a new one is added",
    graph=SINGLE_LINK,
)
def nearer_of_two(evidence: Evidence) -> Cases:
    """From any old node one of the two that are next to a new one can be reached in less than 2 n hops."""
    for n in range(2, 10):
        first, last = (networkx.single_source_shortest_path_length(defined(n), (0, j)) for j in (0, n - 1))
        most = max(min(first[node], last[node]) for node in first)
        yield Case({"n": n}, f"less than {2 * n}", most, most < 2 * n)


@PAPER.claim(
    "corollary 1",
    printed="bit-reversal",
    evidence="counted on the graph: address 0 reversed is 0, which is the node itself",
    misprint="inversion of all bits must be meant",
    graph=SINGLE_LINK,
)
def reversed_is_farthest(evidence: Evidence) -> Cases:
    """The node most distant from (0, 0) has the bits of the cube address reversed and the same position."""
    for n in range(1, 11):
        mirrored = int(f"{0:0{n}b}"[::-1], 2)
        yield case(hops(n)[mirrored, 0], max(hops(n).values()), n=n)


@PAPER.claim(
    "corollary 1",
    printed="bit-reversal",
    conditions=["n <= 5"],
    evidence="counted on the graph from (0, 0)",
    reading="Inversion of all bits is read for bit-reversal, which leaves address 0 as it is.",
    graph=SINGLE_LINK,
)
def inverted_is_farthest(evidence: Evidence) -> Cases:
    """No node is farther than that with all bits of the cube address inverted and the same position."""
    for n in range(1, 11):
        yield case(hops(n)[(1 << n) - 1, 0], max(hops(n).values()), n=n)


@PAPER.claim(
    "corollary 1",
    printed="the node",
    conditions=["n <= 3"],
    evidence="counted on the graph from (0, 0)",
    words="most distant: %s",
    reading='"The node most distant" is read as the only one. If it may be one of several, see inverted_is_farthest.',
    graph=SINGLE_LINK,
)
def only_inverted_is_farthest(evidence: Evidence) -> Cases:
    """The node with all bits inverted and the same position is the only most distant one."""
    for n in range(1, 11):
        most = max(hops(n).values())
        found = ["node ({}, {})".format(*node) for node, away in hops(n).items() if away == most]
        yield case(found, [f"node ({(1 << n) - 1}, 0)"], n=n)


@PAPER.claim(
    "corollary 2", printed="2 n", conditions=["2 <= n <= 5"], evidence=_BY_HOPS, reading=_EXACTLY, graph=SINGLE_LINK
)
def diameter(evidence: Evidence) -> Cases:
    """The diameter of a CCC is 2 n."""
    for n in range(1, 11):
        yield case(max(hops(n).values()), 2 * n, n=n)


@PAPER.claim(
    "corollary 2",
    printed="2 n",
    conditions=["2 <= n <= 5"],
    evidence="counted on the graph: the least distance of a node's farthest node, over all nodes",
    reading=_EXACTLY,
    graph=SINGLE_LINK,
)
def spanning_tree_depth(evidence: Evidence) -> Cases:
    """The minimal depth of a spanning tree within a CCC is 2 n."""
    for n in range(1, 8):
        yield case(networkx.radius(defined(n)), 2 * n, n=n)
