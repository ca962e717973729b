"""Sections 3.5, 3.6 and 8: edge-disjoint binomial trees and balanced n-trees."""

from collections import Counter
from fractions import Fraction
import functools
from math import comb
from typing import Any

from fatcube.papers.claim import columns, each, said
from fatcube.papers.spanning_graphs.claims.common import COUNTED, fact_case, in_words
from fatcube.papers.spanning_graphs.counts import edges_of, graph_of, level_of, loads_of, top_of, trees_of
from fatcube.papers.spanning_graphs.paper import PAPER
from fatcube.papers.verdict import Case, case, judged
from fatcube.schedules.spanning.graphs import base, period, rotated
from fatcube.schedules.spanning.loads import dimension

claim = functools.partial(PAPER.claim, evidence=COUNTED, over=each(n=range(2, 9)))


@functools.cache
def _links(n: int) -> Counter[tuple[int, int]]:
    """nESBT: in how many trees every link is."""
    return Counter(edge for tree in range(n) for edge in edges_of("nesbt", n, tree))


def _turned(kind: str, n: int, tree: int, steps: int) -> set[tuple[int, ...]]:
    """The edges of a tree, rotated to the left."""
    return {tuple(rotated(node, steps, n) for node in edge) for edge in edges_of(kind, n, tree)}


@claim(
    "{where}",
    "edge-disjoint",
    name="{name}",
    parameters=columns(
        "where name", [("theorem 3.1", "edge_disjoint_trees"), ("corollary 3.3", "embedding_of_disjoint_trees")]
    ),
)
def disjoint_trees(n: int) -> Case:
    """nESBT: its n trees are edge-disjoint, and each spans the cube."""
    spanning = all(len(level_of("nesbt", n, tree)) == 2**n for tree in range(n))
    shared = sum(count > 1 for count in _links(n).values())
    return fact_case(spanning and not shared, "all trees span the cube and share no edge")


@claim("corollary 3.4", "once")
def every_link_once(n: int) -> Case:
    """nESBT: every directed link of the cube appears precisely once, but for those to the source."""
    expected = Counter((node, node ^ 1 << d) for node in range(2**n) for d in range(n) if node != 1 << d)
    return fact_case(_links(n) == expected, f"each of {expected.total()} links once")


@claim("corollary 3.5", "n; 0 into the source, n - 1 out of its neighbours")
def degrees(n: int) -> Case:
    """nESBT: in-degrees and out-degrees are n, but 0 into the source and n - 1 out of its neighbours."""
    into, out = Counter(child for _, child in _links(n)), Counter(parent for parent, _ in _links(n))
    found = [(into[node], out[node]) for node in range(2**n)]
    expected = [(n if node else 0, n - (node.bit_count() == 1)) for node in range(2**n)]
    return fact_case(found == expected, "the degrees of all nodes are these")


@claim("section 3.5", "rotated, translated, one edge reversed")
def reversed_binomial_trees(n: int) -> Case:
    """nESBT: tree j is an SBT rotated j + 1 steps to the left and moved to 2^j, with its edge to the source reversed."""
    holds = all(
        set(edges_of("nesbt", n, tree))
        == {(parent ^ 1 << tree, child ^ 1 << tree) for parent, child in _turned("sbt", n, 0, tree + 1)}
        - {(1 << tree, 0)}
        | {(0, 1 << tree)}
        for tree in range(n)
    )
    return fact_case(holds, "every tree has exactly these edges")


@claim("section 3.5", "leaves if and only if bit j is 0")
def leaves_of_disjoint_trees(n: int) -> Case:
    """nESBT: the nodes with bit j = 0 are the leaves of tree j, but for the source; the others are internal."""
    graph = graph_of("nesbt", n)
    holds = all(
        bool(graph.children(node, tree)) == bool(node >> tree & 1) for tree in range(n) for node in range(1, 2**n)
    )
    return fact_case(holds, "exactly these are the leaves of every tree")


@claim("section 3.5", "n + 1")
def height_of_disjoint_trees(n: int) -> Case:
    """nESBT: its height is n + 1."""
    return case(loads_of("nesbt", n).height, n + 1)


@claim("section 3.5", "n (N - 1)")
def edges_of_disjoint_trees(n: int) -> Case:
    """nESBT: its trees have n (N - 1) edges in all."""
    return case(_links(n).total(), n * (2**n - 1))


@claim("theorem 3.2", "n + 1")
@said(
    evidence="counted: n (N - 1) edges are all links but the n to the source, so one that leaves node N - 1 is used, "
    "which is n away"
)
def least_height(n: int) -> Case:
    """No n edge-disjoint spanning trees have a height below n + 1."""
    spare = n * 2**n - n - n * (2**n - 1)
    text = "{} links beside those of the trees, height {}"
    return case(text.format(spare, loads_of("nesbt", n).height), text.format(0, n + 1))


@claim("lemma 3.22", "(j - i) mod n steps to the left")
def trees_are_rotations(n: int) -> Case:
    """nESBT: tree j is tree i rotated (j - i) mod n steps to the left."""
    trees: list[set[Any]] = [set(edges_of("nesbt", n, j)) for j in range(n)]
    holds = all(trees[j] == _turned("nesbt", n, i, (j - i) % n) for i in range(n) for j in range(n))
    return fact_case(holds, "each tree is obtained from each other one in this way")


@claim("lemma 3.23", "C(n, i - 1), but 1 at level 0 and n - 1 at level 2")
def levels_of_disjoint_trees(n: int) -> Case:
    """nESBT: a tree has C(n, i - 1) nodes at level i, but 1 at level 0 and n - 1 at level 2."""
    expected = {i: comb(n, i - 1) if i else 1 for i in range(n + 2)} | {2: n - 1}
    found = [Counter(level_of("nesbt", n, tree).values()) for tree in range(n)]
    return fact_case(all(one == expected for one in found), "every tree has these levels")


@claim("section 4.1.5", "|c| or |c| + 2")
def path_lengths_of_disjoint_trees(n: int) -> Case:
    """nESBT: a node of relative address c is |c| from the source in the trees of its ones, and |c| + 2 in the others."""
    holds = all(
        level == (node.bit_count() + (0 if node >> tree & 1 else 2) if node else 0)
        for tree in range(n)
        for node, level in level_of("nesbt", n, tree).items()
    )
    return fact_case(holds, "all paths have these lengths")


@claim("section 3.6", "for a non-cyclic node, P_i < n")
@said(
    evidence="counted: of the addresses whose n rotations are all different, those whose period is below n",
    misprint='"cyclic": a node is non-cyclic if its period is n',
)
def period_of_non_cyclic_nodes(n: int) -> Case:
    """For a non-cyclic node i, P_i < n."""
    whole = [node for node in range(1, 2**n) if len({rotated(node, j, n) for j in range(n)}) == n]
    return case(f"{sum(period(node, n) < n for node in whole)} of {len(whole)}", f"{len(whole)} of {len(whole)}")


@claim("section 3.6", "n / P_i", evidence="all rotations of every address compared")
def number_of_bases(n: int) -> Case:
    """|J_i| = n / P_i: this number of the n rotations of an address have its least value."""
    turned = {node: [rotated(node, -j, n) for j in range(n)] for node in range(1, 2**n)}
    holds = all(values.count(min(values)) * period(node, n) == n for node, values in turned.items())
    return fact_case(holds, "n / P_i rotations of every address have its least value")


@claim("section 3.6", "the same base")
def parent_has_the_base(n: int) -> Case:
    """SBnT, one path to a node: the parent's function preserves the base."""
    holds = all(base(parent, n) == base(child, n) for parent, child in edges_of("sbnt", n) if parent)
    return fact_case(holds, "every parent has the base of its children")


@claim("theorem 3.3", "a spanning tree", over=each(n=range(2, 9), graph=("sbnt", "sbntc")))
@said(evidence="counted, SBnT and each tree of SBnTc")
def balanced_spanning_tree(n: int, graph: str) -> Case:
    """SBnT: the parent's function defines a spanning tree, and the children's function the same."""
    made = graph_of(graph, n)
    holds = all(
        sorted(edges_of(graph, n, tree))
        == sorted((node, child) for node in range(2**n) for child in made.children(node, tree))
        and len(level_of(graph, n, tree)) == 2**n
        for tree in trees_of(graph, n)
    )
    return fact_case(holds, "both functions give one tree of all nodes")


@claim("lemma 3.26", "C(n, l)")
def levels_of_balanced_tree(n: int) -> Case:
    """SBnT, one path to a node: it has C(n, l) nodes at level l."""
    found = Counter(level_of("sbnt", n).values())
    expected = [comb(n, l) for l in range(n + 1)]
    return case(in_words([found[l] for l in range(n + 1)]), in_words(expected))


def _part(n: int, j: int) -> set[tuple[int, ...]]:
    """The edges of the j-th subtree of SBnT, without node 11...1."""
    return {
        edge for edge in edges_of("sbnt", n) if edge[0] and edge[1] != 2**n - 1 and top_of("sbnt", n, edge[1]) == 1 << j
    }


@claim("theorem 3.4", "rotations of each other", over=each(n=(2, 3, 5, 7)))
def subtrees_rotate(n: int) -> Case:
    """SBnT, one path to a node: if n is prime, the subtrees without node 11...1 are rotations of each other."""
    parts = [_part(n, j) for j in range(n)]
    turned = [{tuple(rotated(node, j, n) for node in edge) for edge in parts[0]} for j in range(n)]
    return fact_case(parts == turned, "all subtrees are rotations of the first")


@claim("section 8.3", "no longer isomorphic", over=each(n=(4, 6, 8)))
@said(evidence="counted without node 11...1: their sizes differ")
def subtrees_differ(n: int) -> Case:
    """SBnT, one path to a node: if n is not prime, the subtrees of the source are not isomorphic."""
    nodes = Counter(top_of("sbnt", n, node) for node in range(1, 2**n - 1))
    found = f"subtrees of {min(nodes.values())} to {max(nodes.values())} nodes"
    return judged(found, "not isomorphic", len(set(nodes.values())) > 1)


@claim("section 3.6", "n / P_i")
def paths_to_cyclic_nodes(n: int) -> Case:
    """SBnTc: there are n / P_i paths to a node i, by different ports of the source."""
    holds = all(
        len({top_of("sbntc", n, node, tree) for tree in range(n)}) * period(node, n) == n for node in range(1, 2**n)
    )
    return fact_case(holds, "n / P_i ports lead to every node")


@claim("lemma 3.28", "rotations", evidence="counted: SBnT r is SBnT 0 rotated r steps to the right")
def balanced_trees_are_rotations(n: int) -> Case:
    """SBnTc: the trees that it is composed of are n distinct rotations of one, as lemmas 3.2 and 3.7 need them."""
    trees: list[set[Any]] = [set(edges_of("sbntc", n, tree)) for tree in range(n)]
    holds = all(trees[tree] == _turned("sbntc", n, 0, -tree) for tree in range(n))
    return fact_case(holds, "every tree is obtained from the first in this way")


@claim("section 3.6", "(N - 1) M/n", evidence=f"{COUNTED}, M = 1")
def balanced_load(n: int) -> Case:
    """SBnTc: the load on every edge from the source is (N - 1) M/n."""
    found = {loads_of("sbntc", n).sw[0, d] for d in range(n)}
    return case(in_words(found), in_words({Fraction(2**n - 1, n)}))


@claim("section 8.2", "k + 1, ..., j - 1, and j if it is not k")
def ports_of_disjoint_trees(n: int) -> Case:
    """nESBT: a node that receives on the port of a 0 is a leaf; one that receives on port k of a 1 sends to the ports after k up to
    the next 1, bit j, and to that if it is not k."""
    return fact_case(_port_rule(n), "every node sends on exactly these ports")


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


@claim("section 8.3", "n - 3", over=each(n=range(2, 11)))
@said(conditions=("n >= 5",), evidence="counted on the graph: it is floor(n/2) for n >= 3")
def ports_of_a_subtree(n: int) -> Case:
    """SBnT: a node sends on at most n - 3 ports of a subtree."""
    found = max(len(graph_of("sbnt", n).children(node)) for node in range(1, 2**n))
    return judged(f"{found} ports", f"at most {n - 3}", found <= n - 3)


@claim("section 8.3", "N / n^(3/2)", over=each(n=range(2, 11)))
def nodes_of_a_subtree(n: int) -> Case:
    """SBnT: a subtree of the source has at most N / n^(3/2) nodes at any level."""
    levels = level_of("sbnt", n)
    found = max(Counter((top_of("sbnt", n, node), levels[node]) for node in range(1, 2**n)).values())
    return judged(f"{found} nodes", f"at most {2**n / n**1.5:.6g}", found <= 2**n / n**1.5)


@claim("section 8.3", "the first 1 to the left of the base")
def port_of_a_target(n: int) -> Case:
    """SBnT: a node sends on by the first 1 of (node XOR target) to the left of the base of the node."""
    holds = all(_next_port(n, node) for node in range(1, 2**n))
    return fact_case(holds, "every edge of every path leaves by this port")


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
