"""Sections 3.5, 3.6 and 8: edge-disjoint binomial trees and balanced n-trees."""

from collections import Counter
from fractions import Fraction
import functools
from math import comb
from typing import Any

from fatcube.papers.claim import Cases
from fatcube.papers.evidence import Evidence
from fatcube.papers.spanning_graphs.claims.common import COUNTED, fact_case, in_words, sizes, truth
from fatcube.papers.spanning_graphs.counts import edges_of, graph_of, level_of, loads_of, top_of, trees_of
from fatcube.papers.spanning_graphs.paper import PAPER
from fatcube.papers.verdict import Case, case
from schedules.spanning.graphs import base, period, rotated
from schedules.spanning.loads import dimension


@functools.cache
def _links(n: int) -> Counter[tuple[int, int]]:
    """nESBT: in how many trees every link is."""
    return Counter(edge for tree in range(n) for edge in edges_of("nesbt", n, tree))


def _turned(kind: str, n: int, tree: int, steps: int) -> set[tuple[int, ...]]:
    """The edges of a tree, rotated to the left."""
    return {tuple(rotated(node, steps, n) for node in edge) for edge in edges_of(kind, n, tree)}


@PAPER.each(
    "{where}",
    name="{name}",
    parameters=[
        {"where": "theorem 3.1", "name": "edge_disjoint_trees"},
        {"where": "corollary 3.3", "name": "embedding_of_disjoint_trees"},
    ],
    printed="edge-disjoint",
    evidence=COUNTED,
)
def disjoint_trees(evidence: Evidence) -> Cases:
    """nESBT: its n trees are edge-disjoint, and each spans the cube."""
    for n in range(2, 9):
        spanning = all(len(level_of("nesbt", n, tree)) == 2**n for tree in range(n))
        shared = sum(count > 1 for count in _links(n).values())
        yield fact_case(spanning and not shared, "all trees span the cube and share no edge", n=n)


@PAPER.claim("corollary 3.4", printed="once", evidence=COUNTED)
def every_link_once(evidence: Evidence) -> Cases:
    """nESBT: every directed link of the cube appears precisely once, but for those to the source."""
    for n in range(2, 9):
        expected = Counter((node, node ^ 1 << d) for node in range(2**n) for d in range(n) if node != 1 << d)
        yield fact_case(_links(n) == expected, f"each of {expected.total()} links once", n=n)


@PAPER.claim("corollary 3.5", printed="n; 0 into the source, n - 1 out of its neighbours", evidence=COUNTED)
def degrees(evidence: Evidence) -> Cases:
    """nESBT: in-degrees and out-degrees are n, but 0 into the source and n - 1 out of its neighbours."""
    for n in range(2, 9):
        into, out = Counter(child for _, child in _links(n)), Counter(parent for parent, _ in _links(n))
        found = [(into[node], out[node]) for node in range(2**n)]
        expected = [(n if node else 0, n - (node.bit_count() == 1)) for node in range(2**n)]
        yield fact_case(found == expected, "the degrees of all nodes are these", n=n)


@PAPER.claim("section 3.5", printed="rotated, translated, one edge reversed", evidence=COUNTED)
def reversed_binomial_trees(evidence: Evidence) -> Cases:
    """nESBT: tree j is an SBT rotated j + 1 steps to the left and moved to 2^j, with its edge to the source reversed."""
    return truth(_are_reversed, sizes(2, 8), "every tree has exactly these edges")


def _are_reversed(n: int) -> bool:
    return all(
        set(edges_of("nesbt", n, tree))
        == {(parent ^ 1 << tree, child ^ 1 << tree) for parent, child in _turned("sbt", n, 0, tree + 1)}
        - {(1 << tree, 0)}
        | {(0, 1 << tree)}
        for tree in range(n)
    )


@PAPER.claim("section 3.5", printed="leaves if and only if bit j is 0", evidence=COUNTED)
def leaves_of_disjoint_trees(evidence: Evidence) -> Cases:
    """nESBT: the nodes with bit j = 0 are the leaves of tree j, but for the source; the others are internal."""
    return truth(_leaves, sizes(2, 8), "exactly these are the leaves of every tree")


def _leaves(n: int) -> bool:
    graph = graph_of("nesbt", n)
    return all(
        bool(graph.children(node, tree)) == bool(node >> tree & 1) for tree in range(n) for node in range(1, 2**n)
    )


@PAPER.claim("section 3.5", printed="n + 1", evidence=COUNTED)
def height_of_disjoint_trees(evidence: Evidence) -> Cases:
    """nESBT: its height is n + 1."""
    for n in range(2, 9):
        yield case(loads_of("nesbt", n).height, n + 1, n=n)


@PAPER.claim("section 3.5", printed="n (N - 1)", evidence=COUNTED)
def edges_of_disjoint_trees(evidence: Evidence) -> Cases:
    """nESBT: its trees have n (N - 1) edges in all."""
    for n in range(2, 9):
        yield case(_links(n).total(), n * (2**n - 1), n=n)


@PAPER.claim(
    "theorem 3.2",
    printed="n + 1",
    evidence="counted: n (N - 1) edges are all links but the n to the source, so one that leaves node N - 1 is used, "
    "which is n away",
)
def least_height(evidence: Evidence) -> Cases:
    """No n edge-disjoint spanning trees have a height below n + 1."""
    for n in range(2, 9):
        spare = n * 2**n - n - n * (2**n - 1)
        text = "{} links beside those of the trees, height {}"
        yield case(text.format(spare, loads_of("nesbt", n).height), text.format(0, n + 1), n=n)


@PAPER.claim("lemma 3.22", printed="(j - i) mod n steps to the left", evidence=COUNTED)
def trees_are_rotations(evidence: Evidence) -> Cases:
    """nESBT: tree j is tree i rotated (j - i) mod n steps to the left."""
    return truth(_rotations, sizes(2, 8), "each tree is obtained from each other one in this way")


def _rotations(n: int) -> bool:
    trees: list[set[Any]] = [set(edges_of("nesbt", n, j)) for j in range(n)]
    return all(trees[j] == _turned("nesbt", n, i, (j - i) % n) for i in range(n) for j in range(n))


@PAPER.claim("lemma 3.23", printed="C(n, i - 1), but 1 at level 0 and n - 1 at level 2", evidence=COUNTED)
def levels_of_disjoint_trees(evidence: Evidence) -> Cases:
    """nESBT: a tree has C(n, i - 1) nodes at level i, but 1 at level 0 and n - 1 at level 2."""
    for n in range(2, 9):
        expected = {i: comb(n, i - 1) if i else 1 for i in range(n + 2)} | {2: n - 1}
        found = [Counter(level_of("nesbt", n, tree).values()) for tree in range(n)]
        yield fact_case(all(one == expected for one in found), "every tree has these levels", n=n)


@PAPER.claim("section 4.1.5", printed="|c| or |c| + 2", evidence=COUNTED)
def path_lengths_of_disjoint_trees(evidence: Evidence) -> Cases:
    """nESBT: a node of relative address c is |c| from the source in the trees of its ones, and |c| + 2 in the others."""
    return truth(_path_lengths, sizes(2, 8), "all paths have these lengths")


def _path_lengths(n: int) -> bool:
    return all(
        level == (node.bit_count() + (0 if node >> tree & 1 else 2) if node else 0)
        for tree in range(n)
        for node, level in level_of("nesbt", n, tree).items()
    )


@PAPER.claim(
    "section 3.6",
    printed="for a non-cyclic node, P_i < n",
    evidence="counted: of the addresses whose n rotations are all different, those whose period is below n",
    misprint='"cyclic": a node is non-cyclic if its period is n',
)
def period_of_non_cyclic_nodes(evidence: Evidence) -> Cases:
    """For a non-cyclic node i, P_i < n."""
    for n in range(2, 9):
        whole = [node for node in range(1, 2**n) if len({rotated(node, j, n) for j in range(n)}) == n]
        yield case(
            f"{sum(period(node, n) < n for node in whole)} of {len(whole)}", f"{len(whole)} of {len(whole)}", n=n
        )


@PAPER.claim("section 3.6", printed="n / P_i", evidence="all rotations of every address compared")
def number_of_bases(evidence: Evidence) -> Cases:
    """|J_i| = n / P_i: this number of the n rotations of an address have its least value."""
    return truth(_bases, sizes(2, 8), "n / P_i rotations of every address have its least value")


def _bases(n: int) -> bool:
    turned = {node: [rotated(node, -j, n) for j in range(n)] for node in range(1, 2**n)}
    return all(values.count(min(values)) * period(node, n) == n for node, values in turned.items())


@PAPER.claim("section 3.6", printed="the same base", evidence=COUNTED)
def parent_has_the_base(evidence: Evidence) -> Cases:
    """SBnT, one path to a node: the parent's function preserves the base."""
    return truth(_base_kept, sizes(2, 8), "every parent has the base of its children")


def _base_kept(n: int) -> bool:
    return all(base(parent, n) == base(child, n) for parent, child in edges_of("sbnt", n) if parent)


@PAPER.claim("theorem 3.3", printed="a spanning tree", evidence="counted, SBnT and each tree of SBnTc")
def balanced_spanning_tree(evidence: Evidence) -> Cases:
    """SBnT: the parent's function defines a spanning tree, and the children's function the same."""
    graphs = [{"n": n, "graph": kind} for n in range(2, 9) for kind in ("sbnt", "sbntc")]
    return truth(_spans, graphs, "both functions give one tree of all nodes")


def _spans(n: int, graph: str) -> bool:
    made = graph_of(graph, n)
    return all(
        sorted(edges_of(graph, n, tree))
        == sorted((node, child) for node in range(2**n) for child in made.children(node, tree))
        and len(level_of(graph, n, tree)) == 2**n
        for tree in trees_of(graph, n)
    )


@PAPER.claim("lemma 3.26", printed="C(n, l)", evidence=COUNTED)
def levels_of_balanced_tree(evidence: Evidence) -> Cases:
    """SBnT, one path to a node: it has C(n, l) nodes at level l."""
    for n in range(2, 9):
        found = Counter(level_of("sbnt", n).values())
        expected = [comb(n, l) for l in range(n + 1)]
        yield case(in_words([found[l] for l in range(n + 1)]), in_words(expected), n=n)


def _part(n: int, j: int) -> set[tuple[int, ...]]:
    """The edges of the j-th subtree of SBnT, without node 11...1."""
    return {
        edge for edge in edges_of("sbnt", n) if edge[0] and edge[1] != 2**n - 1 and top_of("sbnt", n, edge[1]) == 1 << j
    }


@PAPER.claim("theorem 3.4", printed="rotations of each other", evidence=COUNTED)
def subtrees_rotate(evidence: Evidence) -> Cases:
    """SBnT, one path to a node: if n is prime, the subtrees without node 11...1 are rotations of each other."""
    for n in (2, 3, 5, 7):
        parts = [_part(n, j) for j in range(n)]
        turned = [{tuple(rotated(node, j, n) for node in edge) for edge in parts[0]} for j in range(n)]
        yield fact_case(parts == turned, "all subtrees are rotations of the first", n=n)


@PAPER.claim("section 8.3", printed="no longer isomorphic", evidence="counted without node 11...1: their sizes differ")
def subtrees_differ(evidence: Evidence) -> Cases:
    """SBnT, one path to a node: if n is not prime, the subtrees of the source are not isomorphic."""
    for n in (4, 6, 8):
        nodes = Counter(top_of("sbnt", n, node) for node in range(1, 2**n - 1))
        found = f"subtrees of {min(nodes.values())} to {max(nodes.values())} nodes"
        yield Case({"n": n}, "not isomorphic", found, len(set(nodes.values())) > 1)


@PAPER.claim("section 3.6", printed="n / P_i", evidence=COUNTED)
def paths_to_cyclic_nodes(evidence: Evidence) -> Cases:
    """SBnTc: there are n / P_i paths to a node i, by different ports of the source."""
    return truth(_by_bases, sizes(2, 8), "n / P_i ports lead to every node")


def _by_bases(n: int) -> bool:
    return all(
        len({top_of("sbntc", n, node, tree) for tree in range(n)}) * period(node, n) == n for node in range(1, 2**n)
    )


@PAPER.claim("lemma 3.28", printed="rotations", evidence="counted: SBnT r is SBnT 0 rotated r steps to the right")
def balanced_trees_are_rotations(evidence: Evidence) -> Cases:
    """SBnTc: the trees that it is composed of are n distinct rotations of one, as lemmas 3.2 and 3.7 need them."""
    return truth(_balanced_rotations, sizes(2, 8), "every tree is obtained from the first in this way")


def _balanced_rotations(n: int) -> bool:
    trees: list[set[Any]] = [set(edges_of("sbntc", n, tree)) for tree in range(n)]
    return all(trees[tree] == _turned("sbntc", n, 0, -tree) for tree in range(n))


@PAPER.claim("section 3.6", printed="(N - 1) M/n", evidence=f"{COUNTED}, M = 1")
def balanced_load(evidence: Evidence) -> Cases:
    """SBnTc: the load on every edge from the source is (N - 1) M/n."""
    for n in range(2, 9):
        found = {loads_of("sbntc", n).sw[0, d] for d in range(n)}
        yield case(in_words(found), in_words({Fraction(2**n - 1, n)}), n=n)


@PAPER.claim("section 8.2", printed="k + 1, ..., j - 1, and j if it is not k", evidence=COUNTED)
def ports_of_disjoint_trees(evidence: Evidence) -> Cases:
    """nESBT: a node that receives on the port of a 0 is a leaf; one that receives on port k of a 1 sends to the ports after k up to
    the next 1, bit j, and to that if it is not k."""
    return truth(_port_rule, sizes(2, 8), "every node sends on exactly these ports")


def _port_rule(n: int) -> bool:
    for tree in range(n):
        for parent, node in edges_of("nesbt", n, tree):
            k = dimension(parent, node)
            sent = {dimension(node, child) for child in graph_of("nesbt", n).children(node, tree)}
            expected: set[int] = set()
            if node >> k & 1:
                steps = next(step for step in range(1, n + 1) if node >> (k + step) % n & 1)
                expected = {(k + step) % n for step in range(1, steps + (steps != n))}
            if sent != expected:
                return False
    return True


@PAPER.claim(
    "section 8.3", printed="n - 3", conditions=("n >= 5",), evidence="counted on the graph: it is floor(n/2) for n >= 3"
)
def ports_of_a_subtree(evidence: Evidence) -> Cases:
    """SBnT: a node sends on at most n - 3 ports of a subtree."""
    for n in range(2, 11):
        found = max(len(graph_of("sbnt", n).children(node)) for node in range(1, 2**n))
        yield Case({"n": n}, f"at most {n - 3}", f"{found} ports", found <= n - 3)


@PAPER.claim("section 8.3", printed="N / n^(3/2)", evidence=COUNTED)
def nodes_of_a_subtree(evidence: Evidence) -> Cases:
    """SBnT: a subtree of the source has at most N / n^(3/2) nodes at any level."""
    for n in range(2, 11):
        levels = level_of("sbnt", n)
        found = max(Counter((top_of("sbnt", n, node), levels[node]) for node in range(1, 2**n)).values())
        yield Case({"n": n}, f"at most {2**n / n**1.5:.6g}", f"{found} nodes", found <= 2**n / n**1.5)


@PAPER.claim("section 8.3", printed="the first 1 to the left of the base", evidence=COUNTED)
def port_of_a_target(evidence: Evidence) -> Cases:
    """SBnT: a node sends on by the first 1 of (node XOR target) to the left of the base of the node."""
    return truth(_ports_lead_there, sizes(2, 8), "every edge of every path leaves by this port")


def _ports_lead_there(n: int) -> bool:
    return all(_next_port(n, node) for node in range(1, 2**n))


def _next_port(n: int, target: int) -> bool:
    """Whether every edge of the path to a target leaves by the port that the rule names."""
    graph, node = graph_of("sbnt", n), target
    while above := graph.parent(node):
        j = base(above, n)
        port = next(d for d in ((j + step) % n for step in range(1, n + 1)) if (above ^ target) >> d & 1)
        if port != dimension(above, node):
            return False
        node = above
    return True
