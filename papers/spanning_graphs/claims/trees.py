"""Sections 3.1 to 3.4: Hamiltonian paths, binomial trees, two-rooted trees, rotated binomial trees."""

from collections import Counter
from fractions import Fraction
import functools
import itertools
from math import comb

import networkx

from fatcube.papers.claim import columns, each, said
from fatcube.papers.spanning_graphs.claims.common import COUNTED, fact_case, in_words
from fatcube.papers.spanning_graphs.claims.cube import GREEDY, is_greedy, is_narrower
from fatcube.papers.spanning_graphs.counts import below_of, edges_of, graph_of, level_of, loads_of, top_of
from fatcube.papers.spanning_graphs.paper import PAPER
from fatcube.papers.verdict import Case, case, judged
from fatcube.schedules.spanning.loads import dimension

claim = functools.partial(PAPER.claim, evidence=COUNTED, over=each(n=range(2, 9)))


@functools.cache
def _paths(n: int) -> list[set[tuple[int, int]]]:
    return [set(edges_of("nrbrg", n, tree)) for tree in range(n)]


@claim("section 3.1", "2^(n - alpha - 1) + 2^(n - beta - 1) - 2", over=each(n=range(2, 8)))
def shared_by_two_paths(n: int) -> Case:
    """nRBRG: paths i and j share 2^(n-alpha-1) + 2^(n-beta-1) - 2 edges, alpha = (i - j) mod n, beta = (j - i) mod n."""
    pairs = list(itertools.permutations(range(n), 2))
    found = [len(_paths(n)[i] & _paths(n)[j]) for i, j in pairs]
    expected = [2 ** (n - (i - j) % n - 1) + 2 ** (n - (j - i) % n - 1) - 2 for i, j in pairs]
    return case(f"{in_words(found)} edges", f"{in_words(expected)} edges")


@claim(
    "section 3.1",
    "n edges, from (0...01_j 0..0) to (0...01_(j+1) 1_j 0..0), 0 <= j <= n - 1",
    over=each(n=range(3, 9)),
    reading="j + 1 is counted modulo n",
)
def shared_by_almost_all_paths(n: int) -> Case:
    """nRBRG: n edges are shared by n - 1 paths, those from 2^j to 2^j + 2^((j+1) mod n)."""
    counted = Counter(edge for path in _paths(n) for edge in path)
    found = sorted(edge for edge, count in counted.items() if count == n - 1)
    expected = sorted((1 << j, 1 << j | 1 << (j + 1) % n) for j in range(n))
    return case(*(", ".join(f"{one} -> {other}" for one, other in edges) for edges in (found, expected)))


@claim("lemma 3.12", "not edge-disjoint", over=each(n=range(3, 9)))
def rotated_paths_share_edges(n: int) -> Case:
    """nRBRG: the paths are not edge-disjoint for n > 2."""
    holds = len(set.union(*_paths(n))) < sum(map(len, _paths(n)))
    return fact_case(holds, "paths share edges")


@claim("lemma 3.12", "in two paths", over=each(n=range(3, 9)))
def edge_of_two_paths(n: int) -> Case:
    """nRBRG, in the proof: the edge 2 -> 6 is used in two paths for n = 3, and in two at least for n > 3."""
    return case(min(2, sum((2, 6) in path for path in _paths(n))), 2)


@claim("lemma 3.13", "edge-disjoint")
def rotated_paths_level_by_level(n: int) -> Case:
    """nRBRG: the edges between levels l and l + 1 are different ones, 0 <= l < N - 1."""
    by_level: dict[int, set[tuple[int, int]]] = {}
    for tree in range(n):
        levels = level_of("nrbrg", n, tree)
        for edge in edges_of("nrbrg", n, tree):
            by_level.setdefault(levels[edge[0]], set()).add(edge)
    holds = all(len(by_level[l]) == n for l in range(2**n - 1))
    return fact_case(holds, "n edges at every level")


@claim("lemma 3.14", "N/4 - 1 + floor(2^(j-2))")
def shared_with_those_before(n: int) -> Case:
    """nRBRG, in the proof: path j and those before it have N/4 - 1 + floor(2^(j-2)) edges in common, 1 <= j < n."""
    found = [len(_paths(n)[j] & set.union(*_paths(n)[:j])) for j in range(1, n)]
    expected = [2**n // 4 - 1 + int(2 ** (j - 2)) for j in range(1, n)]
    return case(f"{in_words(found)} edges", f"{in_words(expected)} edges")


@claim("section 3.2", "C(n, i), and N/2, N/4, ..., 1")
def binomial_tree(n: int) -> Case:
    """SBT: it has C(n, i) nodes at level i, and its source's subtrees have N/2, N/4, ..., 1 nodes."""
    levels, below = Counter(level_of("sbt", n).values()), below_of("sbt", n)
    subtrees = sorted(below[child].total() for child in graph_of("sbt", n).children(0))
    holds = levels == {i: comb(n, i) for i in range(n + 1)} and subtrees == [2**k for k in range(n)]
    return fact_case(holds, "all levels and subtrees have these sizes")


@claim(
    "section 3.2",
    "a k-level tree of (n - k)-level trees",
    over=columns("n k", [(n, k) for n in range(2, 7) for k in range(n)]),
    evidence="isomorphism of rooted trees",
)
def binomial_recursion(n: int, k: int) -> Case:
    """An n-level binomial tree is a k-level one, k < n, each node of which is replaced by an (n - k)-level one."""
    outer, inner = edges_of("sbt", k) if k else (), edges_of("sbt", n - k)
    replaced = [(one << n - k, other << n - k) for one, other in outer]
    replaced += [(top << n - k | one, top << n - k | other) for top in range(2**k) for one, other in inner]
    made, tree = networkx.DiGraph(replaced), networkx.DiGraph(edges_of("sbt", n))
    return fact_case(_shape(made, 0) == _shape(tree, 0), "both trees have one shape")


def _shape(tree: networkx.DiGraph, root: int) -> str:
    """The shape of a rooted tree, the same for isomorphic ones only."""
    return "(" + "".join(sorted(_shape(tree, child) for child in tree[root])) + ")"


@claim("section 3.2", "if and only if", over=each(n=range(2, 8)))
@said(evidence="all pairs of nodes, as the two functions are printed")
def children_and_parent_of_binomial_tree(n: int) -> Case:
    """SBT: j is a child of i, which complements one of the leading zeros of i, if and only if i is the parent of j."""
    parents = {(node ^ 1 << node.bit_length() - 1, node) for node in range(1, 2**n)}
    children = {(node, node | 1 << m) for node in range(2**n) for m in range(node.bit_length(), n)}
    same = children == set(edges_of("sbt", n)) == parents
    return fact_case(same, "both functions give the same edges")


@claim("section 3.2", "greedy", over=each(n=range(2, 9), graph=GREEDY), evidence="counted on SBT, nRSBT and SBnT")
def greedy_graphs(n: int, graph: str) -> Case:
    """SBT is greedy, and so are nRSBT (section 3.4) and SBnT (section 3.6)."""
    holds = is_greedy(graph, n)
    return fact_case(holds, "every path is a shortest one")


@claim(
    "{where}",
    "phi(i, j) >= phi(k, j)",
    name="narrower_{graph}",
    parameters=columns("where graph kind", [("lemma 3.16", "SBT", "sbt"), ("lemma 3.27", "SBnT", "sbnt")]),
)
def narrower(kind: str, n: int) -> Case:
    """{graph}, one path to a node: no child k of a node i has more nodes at distance j than i has."""
    return fact_case(is_narrower(kind, n), "no child has more nodes at a distance than its parent")


@claim("section 3.6", "if and only if")
def subtrees_of_binomial_tree(n: int) -> Case:
    """SBT: node i is in the j-th subtree if and only if j is its lowest 1."""
    holds = all(top_of("sbt", n, node) == node & -node for node in range(1, 2**n))
    return fact_case(holds, "all nodes are in the subtree of their lowest 1")


@claim("section 3.3", "cannot")
@said(
    conditions=("n >= 3",),
    evidence="all embeddings for n = 2 and 3; beyond, levels alternate between the two halves of N/2 nodes of the cube, "
    "and one half overflows",
)
def complete_tree_cannot_be_embedded(n: int) -> Case:
    """A complete binary tree of 2^n - 1 nodes cannot be embedded in an n-cube with dilation 1."""
    if n <= 3:
        tree = networkx.balanced_tree(2, n - 1)
        possible = networkx.isomorphism.GraphMatcher(networkx.hypercube_graph(n), tree).subgraph_is_monomorphic()
    else:
        possible = max(sum(2**i for i in range(n) if i % 2 == odd) for odd in (0, 1)) <= 2 ** (n - 1)
    return case("can be embedded" if possible else "cannot be embedded", "cannot be embedded")


@claim("section 3.3", "1, 2, 3 2^(i-2) for 2 <= i < n, and N/4 at level n")
def levels_of_two_rooted_tree(n: int) -> Case:
    """TCBT: it can be embedded, and has 1, 2, 3 2^(i-2) nodes at level i < n, and N/4 at level n."""
    found = Counter(level_of("tcbt", n).values())
    links = all((parent ^ child).bit_count() == 1 for parent, child in edges_of("tcbt", n))
    expected = {0: 1, 1: 2, **{i: 3 * 2 ** (i - 2) for i in range(2, n)}, n: 2**n // 4}
    counted = in_words([found[i] for i in range(n + 1)])
    return judged(counted, in_words([expected[i] for i in range(n + 1)]), links and found == expected)


@functools.cache
def _weights(n: int) -> Counter[tuple[int, int]]:
    """nRSBT: in how many trees every link is, n times its weight."""
    return Counter(edge for tree in range(n) for edge in edges_of("nrsbt", n, tree))


def _zeros(address: int, d: int, n: int) -> int:
    """The zeros to the left of bit d, cyclically."""
    return next(k for k in range(n) if k == n - 1 or address >> (d + k + 1) % n & 1)


@claim("section 3.4", "all links from 0 to 1, and no others")
def links_away_from_the_source(n: int) -> Case:
    """nRSBT: it has all links from a 0 to a 1, half of all, and none towards the source."""
    away = {(node ^ 1 << d, node) for node in range(2**n) for d in range(n) if node >> d & 1}
    return fact_case(set(_weights(n)) == away, f"exactly these {len(away)} links")


@claim("lemma 3.19", "(k + 1)/n")
def weight_of_incoming_edge(n: int) -> Case:
    """nRSBT: an incoming edge in dimension d has the weight (k + 1)/n, k being the zeros immediately left of bit d."""
    return _weighed(n, end=1)


@claim("section 3.4", "(k + 1)/n")
def weight_of_outgoing_edge(n: int) -> Case:
    """nRSBT: an outgoing edge in dimension d has the weight (k + 1)/n with the same k."""
    return _weighed(n, end=0)


def _weighed(n: int, end: int) -> Case:
    holds = all(count == _zeros(edge[end], dimension(*edge), n) + 1 for edge, count in _weights(n).items())
    return fact_case(holds, "all edges have this weight")


@claim("section 3.4", "1/2, 1/6, 1/3", over=each(n=(6,)))
def weights_of_an_example(n: int) -> Case:
    """nRSBT: the edges into node (011001) in dimensions 0, 3 and 4 have the weights 1/2, 1/6 and 1/3."""
    found = [_weights(n)[0b011001 ^ 1 << d, 0b011001] for d in (0, 3, 4)]
    return case(", ".join(str(Fraction(count, n)) for count in found), "1/2, 1/6, 1/3")


@claim("section 3.4", "l and n - l")
def parents_and_children(n: int) -> Case:
    """nRSBT: a node at level l has l parents and n - l children."""
    into, out = Counter(child for _, child in _weights(n)), Counter(parent for parent, _ in _weights(n))
    found = [(into[node], out[node]) for node in range(2**n)]
    expected = [(node.bit_count(), n - node.bit_count()) for node in range(2**n)]
    return fact_case(found == expected, "these numbers at every node")


@claim("corollary 3.2", "1")
def weights_into_a_node(n: int) -> Case:
    """nRSBT: the weights of the edges into every node but the source add up to 1."""
    into: Counter[int] = Counter()
    for (_, child), count in _weights(n).items():
        into[child] += count
    return case(in_words({Fraction(count, n) for count in into.values()}), "1")


@claim("lemma 3.20", "N/2")
def last_dimension_of_binomial_tree(n: int) -> Case:
    """SBT, in the proof: it has N/2 edges in dimension n - 1."""
    return case(loads_of("sbt", n).Ew[n - 1], 2**n // 2)
