"""Sections 2 and 3: the cube, and what is true of spanning graphs in general."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
import functools
import itertools
from math import comb

import networkx

from fatcube.noc import measures
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.spanning_graphs.claims.common import COUNTED, fact_case, in_words
from fatcube.papers.spanning_graphs.counts import KINDS, below_of, edges_of, level_of, loads_of, top_of, trees_of
from fatcube.papers.spanning_graphs.paper import PAPER
from fatcube.papers.verdict import Case, case
from fatcube.schedules.spanning.graphs import period

__all__ = ["GREEDY", "is_narrower"]

claim = functools.partial(PAPER.claim, evidence=COUNTED, over=each(n=range(2, 9)))


GREEDY = ("sbt", "nrsbt", "sbnt", "sbntc")
_ROTATED = columns("graph kind one", [("nRBRG", "nrbrg", "brg"), ("nRSBT", "nrsbt", "sbt"), ("SBnT", "sbntc", "sbnt")])


@claim("section 2", "2^n, n, n and n N", evidence="the generated network")
def cube_size(n: int) -> Case:
    """The n-cube has 2^n nodes, diameter n, fan-out n and n N directed links."""
    cube = Hypercube(n)
    found = (cube.nodes, measures.diameter(cube), cube.degree, cube.nodes * cube.degree)
    text = "{} nodes, diameter {}, fan-out {}, {} directed links"
    return case(text.format(*found), text.format(2**n, n, n, n * 2**n))


@claim("section 2", "C(n, i)", evidence="distances in the generated network")
def nodes_at_distance(n: int) -> Case:
    """There are C(n, i) nodes at distance i from a node."""
    distances = Counter(Hypercube(n).distances[0])
    expected = [comb(n, i) for i in range(n + 1)]
    return case(in_words([distances[i] for i in range(n + 1)]), in_words(expected))


@claim("section 2", "n", over=each(n=range(2, 6)), evidence="maximum flow between all pairs with node 0, and of edges")
def disjoint_paths(n: int) -> Case:
    """There are n disjoint paths between any pair of nodes."""
    return case(_disjoint(n), n)


def _disjoint(n: int) -> int:
    cube = networkx.hypercube_graph(n)
    zero = (0,) * n
    apart = [other for other in cube if other != zero and other not in cube[zero]]
    flows = [networkx.node_connectivity(cube, zero, other) for other in apart]
    return int(min(*flows, networkx.edge_connectivity(cube)))


_DISTANCES = columns("n distance", [(n, distance) for n in range(2, 6) for distance in range(1, n + 1)])


@claim("section 2", "|i XOR j|, or |i XOR j| + 2", over=_DISTANCES)
@said(evidence="a flow of n paths of the least total length", reading="of n disjoint paths of the least total length")
def disjoint_path_lengths(n: int, distance: int) -> Case:
    """The n disjoint paths have the length of the Hamming distance, which are as many as it is, or that plus two."""
    shortest, others = distance, n - distance
    return case(_total_length(n, distance), shortest * distance + others * (distance + 2))


def _total_length(n: int, distance: int) -> int:
    """The least total length of n paths between two nodes that share no other node."""
    network = networkx.DiGraph()
    source, target = 0, (1 << distance) - 1
    for node in range(1 << n):
        network.add_edge((node, "in"), (node, "out"), capacity=n if node in (source, target) else 1, weight=0)
        for d in range(n):
            network.add_edge((node, "out"), (node ^ 1 << d, "in"), capacity=1, weight=1)
    network.nodes[source, "out"]["demand"] = -n
    network.nodes[target, "in"]["demand"] = n
    return int(networkx.min_cost_flow_cost(network))


@claim("section 2", "3", over=each(n=(6,)), evidence="rotated until the address is itself again")
def period_of_an_example(n: int) -> Case:
    """The period of (011011) is 3."""
    return case(period(0b011011, n), 3)


@claim("section 3", "Ew_d", over=each(n=range(2, 8), graph=KINDS), evidence=f"{COUNTED}s of all kinds")
def edges_by_level_add_up(n: int, graph: str) -> Case:
    """The weights ew_ld of all levels l add up to Ew_d."""
    found = loads_of(graph, n)
    holds = all(sum(found.ew[l, d] for l in range(found.height)) == found.Ew[d] for d in range(n))
    return fact_case(holds, "the levels add up to Ew_d in every dimension")


@claim("section 3", "minimum height, not greedy", conditions=("n >= 3",))
def two_rooted_is_not_greedy(n: int) -> Case:
    """A two-rooted complete binary tree has minimum height, but is not greedy."""
    found = f"height {loads_of('tcbt', n).height}, {'greedy' if is_greedy('tcbt', n) else 'not greedy'}"
    return case(found, f"height {n}, not greedy")


def is_greedy(kind: str, n: int) -> bool:
    """Whether every node of every tree is as far from the source as in the cube."""
    return all(
        level == node.bit_count() for tree in trees_of(kind, n) for node, level in level_of(kind, n, tree).items()
    )


@claim("lemma 3.1", "E_d / n and e_ld / n")
def edge_disjoint_weights(n: int) -> Case:
    """For n edge-disjoint trees, as in nESBT, Ew_d is 1/n of the edges in dimension d, and ew_ld of those by level."""
    found = loads_of("nesbt", n)
    counted = Counter((level, d) for level, d, _ in _distinct(n))
    holds = all(
        found.Ew[d] == Fraction(sum(counted[l, d] for l in range(found.height)), n)
        and all(found.ew[l, d] == Fraction(counted[l, d], n) for l in range(found.height))
        for d in range(n)
    )
    return fact_case(holds, "all weights are 1/n of the counted edges")


def _distinct(n: int) -> Iterator[tuple[int, int, int]]:
    """Level, dimension and subtree of every edge of nESBT, each link once."""
    seen = set()
    for tree in range(n):
        levels, nodes = level_of("nesbt", n, tree), below_of("nesbt", n, tree)
        for parent, child in edges_of("nesbt", n, tree):
            if (parent, child) not in seen:
                seen.add((parent, child))
                yield levels[parent], (parent ^ child).bit_length() - 1, nodes[child].total()


@claim(
    "lemma 3.2",
    "(N - 1)/n, and 1/n of a tree's edges between the levels",
    parameters=_ROTATED,
)
def rotated_weights(kind: str, one: str, n: int) -> Case:
    """{graph}: for n rotated trees Ew_d is (N - 1)/n, and ew_ld is 1/n of the edges between l and l + 1 in a tree."""
    found, single = loads_of(kind, n), loads_of(one, n)
    levels = [sum(single.ew[l, e] for e in range(n)) for l in range(found.height)]
    holds = all(
        found.Ew[d] == Fraction(2**n - 1, n)
        and all(found.ew[l, d] == Fraction(levels[l], n) for l in range(found.height))
        for d in range(n)
    )
    return fact_case(holds, "all weights are 1/n of the edges of a tree")


@claim("lemma 3.3", "E_d and e_ld", over=each(n=range(2, 5), graph=KINDS))
@said(evidence="counted on N translated graphs of every kind")
def translated_edges(n: int, graph: str) -> Case:
    """N translated graphs put E_d edges on every link of dimension d, e_ld of them from level l."""
    carried, by_level, _ = _translated(graph, n)
    found, trees = loads_of(graph, n), len(trees_of(graph, n))
    holds = all(
        carried[link, d] == trees * found.Ew[d]
        and all(by_level[link, d, l] == trees * found.ew[l, d] for l in range(found.height))
        for link, d in itertools.product(range(2**n), range(n))
    )
    return fact_case(holds, "every link carries E_d edges, e_ld of them from level l")


@functools.cache
def _translated(kind: str, n: int) -> tuple[Counter[tuple], Counter[tuple], Counter[tuple]]:
    """Edges, edges by level, and nodes below them, of N translated graphs, by sender, dimension and level."""
    carried: Counter[tuple] = Counter()
    by_level: Counter[tuple] = Counter()
    subtrees: Counter[tuple] = Counter()
    for source, tree in itertools.product(range(2**n), trees_of(kind, n)):
        levels, nodes = level_of(kind, n, tree), below_of(kind, n, tree)
        for parent, child in edges_of(kind, n, tree):
            link = parent ^ source, (parent ^ child).bit_length() - 1
            carried[link] += 1
            by_level[*link, levels[parent]] += 1
            subtrees[*link, levels[parent]] += nodes[child].total()
    return carried, by_level, subtrees


@claim("lemma 3.4", "dominated", evidence="counted cycle by cycle, for the trees with the property")
def source_dominates() -> Cases:
    """If no child has more nodes at a distance than its parent, the source's edges carry most in reverse-breadth-first
    order."""
    for n, graph in itertools.product(range(2, 9), ("brg", "sbt", "sbnt", "tcbt")):
        if is_narrower(graph, n):
            shows = "in every cycle no edge carries more than one of the source"
            yield fact_case(_dominated(n, graph), shows, n=n, graph=graph)


def is_narrower(kind: str, n: int) -> bool:
    """Whether phi(i, j) >= phi(k, j) for every child k of i (lemma 3.16)."""
    below = below_of(kind, n)
    return all(
        below[parent][distance] >= count
        for parent, child in edges_of(kind, n)
        for distance, count in below[child].items()
    )


def _dominated(n: int, graph: str) -> bool:
    """In cycle k an edge carries what is h - k - 1 below its end: of all edges most on one of the source."""
    below, height = below_of(graph, n), loads_of(graph, n).height
    carried = [[(below[child][left], parent) for parent, child in edges_of(graph, n)] for left in range(height)]
    return all(
        max(count for count, _ in cycle) == max(count for count, parent in cycle if parent == 0) for cycle in carried
    )


@claim("lemma 3.5", "s_ld", over=each(n=range(2, 5), graph=KINDS))
@said(evidence="counted on N translated graphs of every kind")
def translated_subtrees(n: int, graph: str) -> Case:
    """N translated graphs have s_ld nodes of subtrees behind every link of dimension d and level l."""
    _, _, subtrees = _translated(graph, n)
    found, trees = loads_of(graph, n), len(trees_of(graph, n))
    holds = all(
        subtrees[node, d, l] == trees * found.sw[l, d]
        for node, d, l in itertools.product(range(2**n), range(n), range(found.height))
    )
    return fact_case(holds, "s_ld nodes are behind every link")


@claim("lemma 3.6", "s_ld / n")
def edge_disjoint_subtrees(n: int) -> Case:
    """For n edge-disjoint trees, as in nESBT, sw_ld is 1/n of the nodes below the edges of level l and dimension d."""
    found = loads_of("nesbt", n)
    counted: Counter[tuple[int, int]] = Counter()
    for level, d, nodes in _distinct(n):
        counted[level, d] += nodes
    holds = all(found.sw[l, d] == Fraction(counted[l, d], n) for l in range(found.height) for d in range(n))
    return fact_case(holds, "all sw_ld are 1/n of the counted nodes")


@claim("lemma 3.7", "sum of ew_id, i = l to h - 1", parameters=_ROTATED)
def rotated_subtrees(kind: str, n: int) -> Case:
    """{graph}: for n rotated trees sw_ld = rw_ld = the sum of ew_id, i = l to h - 1."""
    found = loads_of(kind, n)
    holds = all(
        found.sw[l, d] == found.rw[l, d] == sum(found.ew[i, d] for i in range(l, found.height))
        for l in range(found.height)
        for d in range(n)
    )
    return fact_case(holds, "sw_ld and rw_ld are the sum for every l and d")


@claim("lemma 3.8", "if and only if", over=each(n=range(2, 4)), evidence="all spanning trees of the cube")
def greedy_by_levels(n: int) -> Case:
    """A spanning tree is greedy if and only if level l has C(n, l) nodes."""
    return fact_case(_greedy_by_levels(n), "both or neither, of every spanning tree")


def _greedy_by_levels(n: int) -> bool:
    links = [(node, node ^ 1 << d) for node in range(2**n) for d in range(n) if node < node ^ 1 << d]
    for chosen in itertools.combinations(links, 2**n - 1):
        found = networkx.Graph(chosen)
        if len(found) == 2**n and networkx.is_connected(found):
            level = networkx.single_source_shortest_path_length(found, 0)
            greedy = all(level[node] == node.bit_count() for node in level)
            if greedy != all(list(level.values()).count(l) == comb(n, l) for l in range(2**n)):
                return False
    return True


@claim("corollary 3.1", "minimum height")
def greedy_height(n: int) -> Case:
    """The greedy graphs of the paper, SBT, nRSBT and SBnT, have height n, the minimum."""
    return case(in_words({loads_of(kind, n).height for kind in GREEDY}), str(n))


@claim("lemma 3.9", "acyclic", over=each(n=range(2, 9), graph=GREEDY), evidence="counted on SBT, nRSBT and SBnT")
def greedy_graphs_are_acyclic(n: int, graph: str) -> Case:
    """A greedy spanning graph is acyclic."""
    links = [edge for tree in trees_of(graph, n) for edge in edges_of(graph, n, tree)]
    holds = is_greedy(graph, n) and networkx.is_directed_acyclic_graph(networkx.DiGraph(links))
    return fact_case(holds, "the graph has no cycle")


def largest_subtree(kind: str, n: int) -> int:
    """The most targets behind an edge of the source."""
    return max(Counter(top_of(kind, n, node) for node in range(1, 2**n)).values())
