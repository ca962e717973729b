"""The claims of the spanning-graphs paper (Johnsson and Ho), one row each, held against what is counted and executed.

Here are the graphs: sections 2, 3 and 8, and the labels of section 4, counted edge by edge from the parents of the
nodes. Prices are in fatcube/papers/spanning_graphs/prices.py (the tables) and fatcube/papers/spanning_graphs/texts.py (the text).
"""

from collections import Counter
from fractions import Fraction
from functools import cache
import itertools
from math import comb

import networkx

from fatcube.papers.audit import arithmetic, counted
from fatcube.papers.spanning_graphs import prices as audit_spanning_prices
from fatcube.papers.spanning_graphs import printed as printed
from fatcube.papers.spanning_graphs import texts as audit_spanning_texts
from noc import measures
from noc.topologies.cubes import Hypercube
from schedules.spanning.graphs import base, period, rotated, spanning_graph
from schedules.spanning.loads import below, dimension, edges, level, loads, top

__all__ = ["rows"]


SIZES = range(2, 9)
KINDS = {"brg": "BRG", "nrbrg": "nRBRG", "sbt": "SBT", "tcbt": "TCBT", "nrsbt": "nRSBT", "nesbt": "nESBT",
         "sbnt": "SBnT, one path to a node", "sbntc": "SBnT"}
GREEDY = ("sbt", "nrsbt", "sbnt", "sbntc")
ON_GRAPH = "counted on the graph, n = 2 to 8"

_graph = cache(spanning_graph)


def rows(evidence):
    """All rows of the audit; ``evidence`` is an :class:`Evidence`, and not needed: executions are made again."""
    return [*_cube(), *_table_1(), *_sums(), *_greedy(), *_paths(), *_binomial(), *_two_rooted(), *_rotated(),
            *_edge_disjoint(), *_balanced(), *_labels(), *audit_spanning_prices.rows(), *audit_spanning_texts.rows(),
            *_implementation()]


def _every(where, claim, text, holds, sizes=SIZES, conditions=(), evidence=ON_GRAPH):
    """The row of what is true or not for n dimensions."""
    return arithmetic(where, claim, text, list(sizes), holds, [
        *conditions, ("n >= 3", lambda n: n >= 3), ("n >= 4", lambda n: n >= 4), ("n >= 5", lambda n: n >= 5),
        ("n = 2", lambda n: n == 2)], evidence, lambda n: f"n = {n}")


def _edges(kind, n, tree):
    return edges(_graph(kind, n), tree)


def _level(kind, n, tree):
    return level(_graph(kind, n), tree)


def _below(kind, n, tree):
    return below(_graph(kind, n), tree)


def _top(kind, n, tree, node):
    return top(_graph(kind, n), tree, node)


def _loads(kind, n):
    return loads(_graph(kind, n))


def _trees(kind, n):
    return range(_graph(kind, n).trees)


def _cube():
    """Section 2."""
    yield counted("section 2", "nodes, diameter, fan-out and directed links of an n-cube", "2^n, n, n, n N",
                  list(SIZES),
                  lambda n: (Hypercube(n).nodes, measures.diameter(Hypercube(n)), Hypercube(n).degree,
                             Hypercube(n).nodes * Hypercube(n).degree), lambda n: (2 ** n, n, n, n * 2 ** n))
    yield _every("section 2", "nodes at distance i", "C(n, i)",
                 lambda n: [Hypercube(n).distances[0].count(i) for i in range(n + 1)] == [comb(n,
                                                                                               i)
                                                                                          for i in range(n + 1)])
    yield _every("section 2", "there are n node-disjoint paths between any two nodes", "n", _disjoint, range(2, 6),
                 evidence="maximum flow, n = 2 to 5")
    yield counted("section 2", "the period of (011011)", "3", [6], lambda n: period(0b011011, n), lambda n: 3)


def _disjoint(n):
    cube = networkx.hypercube_graph(n)
    zero = (0,) * n
    return all(networkx.node_connectivity(cube, zero, other) == n for other in cube
               if other != zero and other not in cube[zero]) and networkx.edge_connectivity(cube) == n


def _table_1():
    """Table 1 and the lemmas it is from."""
    lemmas = {"BRG": ("3.10", "3.10", "3.11", "3.11"), "nRBRG": ("3.14", "3.14", "3.15", "3.15"),
              "SBT": ("3.17", "3.17", "3.18", "3.18"), "nRSBT": ("3.20", "3.20", "3.21", "3.21"),
              "nESBT": ("3.24", "3.24", "3.25", "3.25"), "SBnT": ("3.28",) * 4}
    for name, cells in printed.TABLE_1.items():
        kind = "sbntc" if name == "SBnT" else name.lower()
        for lemma, (quantity, (text, function)) in zip(lemmas[name], cells.items()):
            key = quantity.split("_")[0]

            def holds(n, kind=kind, key=key, function=function):
                found = _loads(kind, n)
                return all(getattr(found, key)[d if key == "Ew" else (l, d)] == function(n, 2 ** n, l, d)
                           for l in range(found.height) for d in range(n))
            yield _every(f"Table 1, lemma {lemma}", f"{name}: {quantity} is", text, holds)
    yield _every("lemma 3.14", "nRBRG: e_ld = 1 for l in [0, N - 1]", "1", lambda n: all(
        _loads("nrbrg", n).ew[l, d] * n == 1 for l in range(2 ** n) for d in range(n)),
        evidence="counted on the graph, n = 2 to 8: the last edge leaves level N - 2")
    yield _every("lemma 3.14", "nRBRG: E_d is", "3 N / 4",
                 lambda n: all(_loads("nrbrg", n).E[d] == 3 * 2 ** n // 4 for d in range(n)))
    yield _every("lemma 3.20", "nRSBT: E_d is", "N / 2",
                 lambda n: all(_loads("nrsbt", n).E[d] == 2 ** n // 2 for d in range(n)))
    yield _every("lemma 3.24", "nESBT: E_d is", "N - 1",
                 lambda n: all(_loads("nesbt", n).E[d] == 2 ** n - 1 for d in range(n)))


def _sums():
    """Lemmas 3.1 to 3.7."""
    yield _every("lemmas 3.1, 3.6", "nESBT: Ew_d is 1 / n of its distinct edges", "E_d / n", lambda n: all(
        _loads("nesbt", n).Ew[d] == Fraction(_loads("nesbt", n).E[d], n) for d in range(n)))
    for kind, one in (("nrbrg", "brg"), ("nrsbt", "sbt"), ("sbntc", "sbnt")):
        yield _every("lemma 3.2", f"{KINDS[kind]}: Ew_d = (N - 1) / n, ew_ld = (edges between levels l and l + 1 of "
                                  f"a tree) "
                     "/ n", "so", lambda n, kind=kind, one=one: all(
                         _loads(kind, n).Ew[d] == Fraction(2 ** n - 1, n) and all(
                             _loads(kind, n).ew[l, d] == Fraction(sum(
                                 _loads(one, n).ew[l, e] for e in range(n)), n)
                             for l in range(_loads(kind, n).height)) for d in range(n)))
        yield _every("lemma 3.7", f"{KINDS[kind]}: sw_ld = rw_ld = sum of ew_id, i = l to h - 1", "so",
                     lambda n, kind=kind: _rotated_sums(kind, n))
    yield _every("lemmas 3.3, 3.5", "of N translated graphs every link of dimension d carries E_d edges, e_ld of "
                                    "level l, and "
                 "the subtrees s_ld", "so", lambda n: all(_translated(kind, n) for kind in KINDS), range(2, 5),
                 evidence="counted on N translated graphs, n = 2 to 4, all graphs")
    yield _every("lemma 3.4", "if no child has more nodes at a distance than its parent, reverse-breadth-first "
                              "scheduling is "
                 "dominated by the source's edges", "dominated",
                 lambda n: all(_dominated(kind, n) for kind in ("brg", "sbt", "sbnt", "tcbt") if _narrower(kind, n)),
                 evidence="counted cycle by cycle, n = 2 to 8, for the trees with the property")


def _rotated_sums(kind, n):
    found = _loads(kind, n)
    return all(found.sw[l, d] == found.rw[l, d] == sum(found.ew[i, d] for i in range(l, found.height))
               for l in range(found.height) for d in range(n))


def _translated(kind, n):
    """Whether the loads of N translated graphs are the same on all links of a dimension, and as in one graph."""
    carried, by_level, subtrees = Counter(), Counter(), Counter()
    for source in range(2 ** n):
        for tree in _trees(kind, n):
            levels, nodes = _level(kind, n, tree), _below(kind, n, tree)
            for parent, child in _edges(kind, n, tree):
                link = parent ^ source, child ^ source
                carried[link] += 1
                by_level[link, levels[parent]] += 1
                subtrees[link, levels[parent]] += nodes[child].total()
    found, trees = _loads(kind, n), len(_trees(kind, n))
    return all(carried[link] == trees * found.Ew[d] and all(
        by_level[link, l] == trees * found.ew[l, d] and subtrees[link, l] == trees * found.sw[l, d]
        for l in range(found.height)) for node in range(2 ** n) for d in range(n) for link in [(node, node ^ 1 << d)])


def _narrower(kind, n):
    """Lemma 3.16: phi(i, j) >= phi(k, j) for every child k of i."""
    below = _below(kind, n, 0)
    return all(below[parent][distance] >= count for parent, child in _edges(kind, n, 0)
               for distance, count in below[child].items())


def _dominated(kind, n):
    """In cycle k an edge carries what is h - k - 1 below its end: of all edges most on one of the source."""
    below, height = _below(kind, n, 0), _loads(kind, n).height
    return all(max(below[child][height - k - 1] for _, child in _edges(kind, n, 0))
               == max(below[child][height - k - 1] for parent, child in _edges(kind, n, 0) if parent == 0)
               for k in range(height))


def _greedy():
    """Lemmas 3.8 and 3.9, corollary 3.1."""
    yield _every("lemma 3.8", "a spanning tree is greedy if and only if level l has C(n, l) nodes", "if and only if",
                 _greedy_by_levels, range(2, 4), evidence="all spanning trees of the 2-cube and of the 3-cube")
    yield _every("sections 3.2, 3.4, 3.6", "SBT, nRSBT and SBnT are greedy", "greedy",
                 lambda n: all(_is_greedy(kind, n) for kind in GREEDY))
    yield _every("corollary 3.1", "greedy graphs have the minimum height", "n",
                 lambda n: all(_loads(kind, n).height == n for kind in GREEDY))
    yield _every("section 3", "a two-rooted complete binary tree has minimum height but is not greedy", "so",
                 lambda n: _loads("tcbt", n).height == n and not _is_greedy("tcbt", n))
    yield _every("lemma 3.9", "greedy graphs are acyclic", "acyclic", lambda n: all(networkx.is_directed_acyclic_graph(
        networkx.DiGraph(edge for tree in _trees(kind, n) for edge in _edges(kind, n, tree))) for kind in GREEDY))


def _is_greedy(kind, n):
    return all(level == node.bit_count() for tree in _trees(kind, n) for node, level in _level(kind, n, tree).items())


def _greedy_by_levels(n):
    edges = [(node, node ^ 1 << d) for node in range(2 ** n) for d in range(n) if node < node ^ 1 << d]
    for chosen in itertools.combinations(edges, 2 ** n - 1):
        found = networkx.Graph(chosen)
        if len(found) == 2 ** n and networkx.is_connected(found):
            level = networkx.single_source_shortest_path_length(found, 0)
            greedy = all(level[node] == node.bit_count() for node in level)
            if greedy != all(list(level.values()).count(l) == comb(n, l) for l in range(2 ** n)):
                return False
    return True


def _paths():
    """Section 3.1, lemmas 3.12 to 3.14."""
    def paths(n):
        return [set(_edges("nrbrg", n, tree)) for tree in range(n)]

    yield _every("lemma 3.12", "nRBRG: the paths are not edge-disjoint for n > 2", "not disjoint", lambda n: len(
        set.union(*paths(n))) < sum(map(len, paths(n))), range(3, 9))
    yield _every("lemma 3.12, proof", "nRBRG: two paths or more have the edge 2 -> 6", "two",
                 lambda n: sum((2, 6) in path for path in paths(n)) >= 2, range(3, 9))
    yield _every("section 3.1", "nRBRG: paths i and j share 2^(n-alpha-1) + 2^(n-beta-1) - 2 edges, alpha = (i - j) "
                                "mod n, "
                 "beta = (j - i) mod n", "so", lambda n: all(
                     len(paths(n)[i] & paths(n)[j]) == 2 ** (n - (i - j) % n - 1) + 2 ** (n - (j - i) % n - 1) - 2
                     for i, j in itertools.permutations(range(n), 2)), range(2, 8), evidence="counted, n = 2 to 7")
    yield _every("section 3.1", "nRBRG: n edges are shared by n - 1 paths, from 2^j to 2^j + 2^((j+1) mod n)",
                 "n edges",
                 lambda n: {edge for edge, count in Counter(edge for path in paths(n) for edge in path).items()
                            if count == n - 1} == {(1 << j, 1 << j | 1 << (j + 1) % n) for j in range(n)}, range(3, 9),
                 evidence="counted on the graph, n = 3 to 8")
    yield _every("lemma 3.13", "nRBRG: edges between the same two levels are different", "edge-disjoint", lambda n: all(
        len({(parent, child) for tree in range(n) for parent, child in _edges("nrbrg", n, tree)
             if _level("nrbrg", n, tree)[parent] == l}) == n for l in range(2 ** n - 1)))
    yield _every("lemma 3.14, proof", "nRBRG: path j and those before it have N / 4 - 1 + floor(2^(j-2)) edges in "
                                      "common",
                 "so", lambda n: all(len(paths(n)[j] & set.union(*paths(n)[:j])) == 2 ** n // 4 - 1 + int(2 ** (j - 2))
                                     for j in range(1, n)))


def _binomial():
    """Section 3.2, lemmas 3.16 to 3.18."""
    yield _every("section 3.2", "SBT: C(n, i) nodes at level i, and subtrees of N / 2, N / 4, ..., 1 nodes", "so",
                 lambda n: [list(_level("sbt", n, 0).values()).count(i) for i in range(n + 1)] == [
                     comb(n, i) for i in range(n + 1)] and sorted(
                         _below("sbt", n, 0)[child].total() for child in _graph("sbt", n).children(0)) == [
                             2 ** k for k in range(n)])
    for kind, lemma in (("sbt", "3.16"), ("sbnt", "3.27"), ("tcbt", "3.16, read for TCBT")):
        if kind != "tcbt":
            yield _every(f"lemma {lemma}", f"{KINDS[kind]}: phi(i, j) >= phi(k, j) for every child k of i", "so",
                         lambda n, kind=kind: _narrower(kind, n))
    yield _every("lemma 3.18", "SBT: the largest s_ld is at d = min(2l, n - 1)", "min(2l, n - 1)", lambda n: all(
        _loads("sbt", n).sw[l, min(2 * l, n - 1)] == max(_loads("sbt", n).sw[l, d] for d in range(n))
        for l in range(n)))
    yield _every("lemma 3.18", "SBT: the largest s_ld is C(2l, l) 2^(n-2l-1) up to l = floor((n - 1) / 2), then C(n "
                               "- 1, l)",
                 "so", lambda n: all(max(_loads("sbt", n).sw[l, d] for d in range(n)) == (
                     comb(2 * l, l) * 2 ** (n - 2 * l - 1) if l <= (n - 1) // 2 else comb(n - 1, l)) for l in range(n)))
    yield _every("lemma 3.18", "SBT: r_ld = s_l(n-d-1)", "so", lambda n: all(
        _loads("sbt", n).rw[l, d] == _loads("sbt", n).sw[l, n - d - 1] for l in range(n) for d in range(n)))
    yield _every("section 3.6", "SBT: node i is in subtree j if and only if j is its lowest 1", "so", lambda n: all(
        _top("sbt", n, 0, node) == node & -node for node in range(1, 2 ** n)))


def _two_rooted():
    """Section 3.3."""
    yield _every("section 3.3", "a complete binary tree of 2^n - 1 nodes cannot be embedded with dilation 1", "cannot",
                 lambda n: max(sum(2 ** i for i in range(n) if i % 2 == odd) for odd in (0, 1)) > 2 ** (n - 1),
                 evidence="levels alternate between the cube's two halves of N / 2 nodes: one of them overflows from "
                          "n = 3 on; "
                 "for n = 2 it is a path of three nodes")
    yield _every("section 3.3", "TCBT: nodes at level i: 1, 2, 3 * 2^(i-2) for 2 <= i < n, and N / 4 at level n", "so",
                 lambda n: Counter(_level("tcbt", n, 0).values()) == {
                     0: 1, 1: 2, **{i: 3 * 2 ** (i - 2) for i in range(2, n)}, n: 2 ** n // 4})
    yield _every("section 5", "SBT and TCBT: the largest number of targets behind an edge is", "N / 2", lambda n: all(
        max(_below(kind, n, 0)[child].total() for child in _graph(kind, n).children(0)) == 2 ** n // 2
        for kind in ("sbt", "tcbt")))
    cases = [(kind, n) for kind in ("brg", "sbt", "tcbt", "sbnt") for n in range(3, 9)]
    yield arithmetic("section 5.1", "one-port, reverse-breadth-first: the sum of the levels of the source's "
                                    "subtrees, its "
                     "start-ups, is at least of order n^2 for all these graphs", "n^2 / 2 or more", cases,
                     lambda case: 2 * _sum_of_levels(*case) >= case[1] ** 2,
                     [("it is no TCBT", lambda case: case[0] != "tcbt"),
                      ("it is no TCBT, or n = 3", lambda case: case[0] != "tcbt" or case[1] == 3)], ON_GRAPH,
                     lambda case: f"{KINDS[case[0]]}, n = {case[1]}: {_sum_of_levels(*case)}, as n + (n - 1) for TCBT")


def _sum_of_levels(kind, n):
    level = _level(kind, n, 0)
    heights = Counter()
    for node in range(1, 2 ** n):
        top = _top(kind, n, 0, node)
        heights[top] = max(heights[top], level[node])
    return heights.total()


def _rotated():
    """Section 3.4, lemma 3.19, corollary 3.2."""
    def weights(n):
        return Counter(edge for tree in range(n) for edge in _edges("nrsbt", n, tree))

    def zeros(address, d, n):
        return next(k for k in range(n) if k == n - 1 or address >> (d + k + 1) % n & 1)

    yield _every("section 3.4", "nRSBT: it has all links from 0 to 1, half of all, and no others", "all",
                 lambda n: set(weights(n)) == {(node ^ 1 << d, node) for node in range(2 ** n) for d in range(n)
                                               if node >> d & 1})
    yield _every("lemma 3.19", "nRSBT: an incoming edge in dimension d weighs (k + 1) / n, k zeros being left of bit d",
                 "(k + 1) / n", lambda n: all(count == zeros(child, dimension(parent, child), n) + 1
                                              for (parent, child), count in weights(n).items()))
    yield _every("section 3.4", "nRSBT: so does an outgoing edge, with the same k", "(k + 1) / n", lambda n: all(
        count == zeros(parent, dimension(parent, child), n) + 1 for (parent, child), count in weights(n).items()))
    yield counted("section 3.4", "nRSBT: the weights of the edges into node (011001) in dimensions 0, 3 and 4",
                  "1/2, 1/6, 1/3", [6], lambda n: ", ".join(str(Fraction(weights(n)[0b011001 ^ 1 << d, 0b011001], 6))
                                                            for d in (0, 3, 4)), lambda n: "1/2, 1/6, 1/3")
    yield _every("section 3.4", "nRSBT: a node at level l has l parents and n - l children", "l and n - l",
                 lambda n: all(
        sum(child == node for _, child in weights(n)) == node.bit_count()
        and sum(parent == node for parent, _ in weights(n)) == n - node.bit_count() for node in range(2 ** n)),
                 range(2, 7),
        evidence="counted on the graph, n = 2 to 6")
    yield _every("corollary 3.2", "nRSBT: the weights of the edges into every node but the source add up to", "1",
                 lambda n: all(
        sum(weights(n)[node ^ 1 << d, node] for d in range(n)) == n for node in range(1, 2 ** n)), range(2, 7),
        evidence="counted on the graph, n = 2 to 6")


def _edge_disjoint():
    """Section 3.5, theorems 3.1 and 3.2, lemmas 3.22 and 3.23, corollaries 3.3 to 3.5."""
    def links(n):
        return Counter(edge for tree in range(n) for edge in _edges("nesbt", n, tree))

    yield _every("theorem 3.1, corollary 3.3", "nESBT: the n trees are edge-disjoint", "disjoint",
                 lambda n: set(links(n).values()) == {1})
    yield _every("corollary 3.4", "nESBT: every directed link appears once, but those to the source", "once",
                 lambda n: links(
        n) == Counter((node, node ^ 1 << d) for node in range(2 ** n) for d in range(n) if node != 1 << d))
    yield _every("corollary 3.5", "nESBT: in-degrees and out-degrees are n, but the source's 0 and its neighbours' n "
                                  "- 1",
                 "so", lambda n: Counter(child for _, child in links(n)) == dict.fromkeys(range(1, 2 ** n), n)
                 and Counter(parent for parent, _ in links(n)) == {
                     node: n - (node.bit_count() == 1) for node in range(2 ** n)})
    yield _every("section 3.5", "nESBT: an SBT rotated j + 1 steps to the left and moved to 2^j, its edge to the "
                                "source "
                 "reversed", "so", lambda n: all(set(_edges("nesbt", n, tree)) == {
                     tuple(rotated(node, tree + 1, n) ^ 1 << tree for node in edge) for edge in _edges("sbt", n, 0)}
                     - {(1 << tree, 0)} | {(0, 1 << tree)} for tree in range(n)))
    yield _every("section 3.5", "nESBT: nodes with bit j = 0 are leaves of tree j, but the source; the others are "
                                "internal",
                 "so", lambda n: all(bool(_graph("nesbt", n).children(node, tree)) == bool(node >> tree & 1)
                                     for tree in range(n) for node in range(1, 2 ** n)))
    yield _every("section 3.5", "nESBT: its height is", "n + 1", lambda n: _loads("nesbt", n).height == n + 1)
    yield _every("theorem 3.2", "n edge-disjoint trees use every link that does not lead to the source, those of "
                                "node N - 1 "
                 "too: their height is n + 1 at least", "n (N - 1) links", lambda n: n * (2 ** n - 1) == n * 2 ** n - n
                 == links(n).total() and any(parent == 2 ** n - 1 for parent, _ in links(n)))
    yield _every("lemma 3.22", "nESBT: tree j is tree i rotated (j - i) mod n steps to the left", "so", lambda n: all(
        set(_edges("nesbt", n, j)) == {tuple(rotated(node, j - i, n) for node in edge) for edge in _edges("nesbt", n,
                                                                                                          i)}
        for i in range(n) for j in range(n)))
    yield _every("lemma 3.23", "nESBT: nodes of a tree at level i: C(n, i - 1), but 1 at level 0 and n - 1 at level 2",
                 "so",
                 lambda n: all(Counter(_level("nesbt", n, tree).values()) == {
                     i: 1 if i == 0 else n - 1 if i == 2 else comb(n,
                                                                   i - 1) for i in range(n + 2)} for tree in range(n)))
    yield _every("section 4.1.5", "nESBT: a node is |c| from the source in the trees of its ones, |c| + 2 in the "
                                  "others", "so",
                 lambda n: all(level == (node.bit_count() + (0 if node >> tree & 1 else 2) if node else 0)
                               for tree in range(n) for node, level in _level("nesbt", n, tree).items()))


def _balanced():
    """Section 3.6, theorems 3.3 and 3.4, lemma 3.26."""
    yield _every("section 3.6", "for a non-cyclic node i, P_i < n", "P_i < n", lambda n: all(
        period(node, n) < n for node in range(1, 2 ** n) if len({rotated(node, j, n) for j in range(n)}) == n),
        evidence="counted, n = 2 to 8: a node is non-cyclic if P_i = n; it is said of cyclic ones")
    yield _every("section 3.6", "|J_i| = n / P_i", "n / P_i", lambda n: all(
        [rotated(node, -j, n) for j in range(n)].count(min(rotated(node, -j, n) for j in range(n))) * period(node,
                                                                                                             n) == n
        for node in range(1, 2 ** n)))
    yield _every("section 3.6", "SBnT, one path to a node: parent and child have the same base", "the same",
                 lambda n: all(
        base(parent, n) == base(child, n) for parent, child in _edges("sbnt", n, 0) if parent))
    yield _every("theorem 3.3", "SBnT: every tree is a spanning tree, the children's function says the same",
                 "spanning tree",
                 lambda n: all(sorted(_edges(kind, n, tree)) == sorted(
                     (node, child) for node in range(2 ** n) for child in _graph(kind, n).children(node, tree))
                     and len(_level(kind, n, tree)) == 2 ** n for kind in ("sbnt", "sbntc") for tree in _trees(kind,
                                                                                                               n)))
    yield _every("lemma 3.26", "SBnT, one path to a node: nodes at level l", "C(n, l)", lambda n: Counter(
        _level("sbnt", n, 0).values()) == {l: comb(n, l) for l in range(n + 1)})
    yield _every("theorem 3.4", "SBnT, one path to a node: without node 11...1 the subtrees are rotations of each "
                                "other, if n "
                 "is prime", "rotations", _subtrees_rotate, (2, 3, 5, 7))
    yield _every("section 8.3", "SBnT, one path to a node: if n is not prime the subtrees are not isomorphic",
                 "not isomorphic", lambda n: len(Counter(_top("sbnt", n, 0, node) for node in range(1, 2 ** n - 1)
                                                         ).values()) == n and len(set(Counter(
                                                             _top("sbnt", n, 0, node) for node in range(1, 2 ** n - 1)
                                                         ).values())) > 1, (4, 6, 8),
                 evidence="counted without node 11...1, n = 4, 6, 8: their sizes differ")
    yield _every("section 3.6", "SBnTc: node i is in the subtrees of n / P_i bases", "n / P_i", lambda n: all(
        len({_top("sbntc", n, tree, node) for tree in range(n)}) * period(node, n) == n for node in range(1, 2 ** n)))
    yield _every("section 3.6, lemma 3.28", "SBnTc: SBnT r is SBnT 0 rotated, r steps to the right", "a rotation",
                 lambda n: all(
        set(_edges("sbntc", n, tree)) == {tuple(rotated(node, -tree, n) for node in edge) for edge in _edges("sbntc",
                                                                                                             n, 0)}
        for tree in range(n)))
    yield _every("section 3.6", "SBnTc: the load on every edge from the source is", "(N - 1) / n",
                 lambda n: all(_loads("sbntc", n).sw[0, d] == Fraction(2 ** n - 1, n) for d in range(n)))


def _subtrees_rotate(n):
    parts = [{edge for edge in _edges("sbnt", n, 0) if edge[0] and edge[1] != 2 ** n - 1
              and _top("sbnt", n, 0, edge[1]) == 1 << j} for j in range(n)]
    return all(parts[j] == {tuple(rotated(node, j - i, n) for node in edge) for edge in parts[i]}
               for i in range(n) for j in range(n))


def _labels():
    """Theorem 4.1."""
    def label(n, node, tree):
        return _graph("nesbt", n).label(node, tree)

    def outputs(n, node, tree):
        return [label(n, child, tree) for child in _graph("nesbt", n).children(node, tree)]

    def inner(n):
        return [(node, tree) for node in range(1, 2 ** n) for tree in range(n) if outputs(n, node, tree)]

    yield _every("theorem 4.1", "property 1: output labels are greater than the input label", "greater", lambda n: all(
        min(outputs(n, node, tree)) > label(n, node, tree) for node, tree in inner(n)))
    yield _every("theorem 4.1", "property 2: the labels of a node's inputs are distinct modulo n", "distinct",
                 lambda n: all(
        len({label(n, node, tree) % n for tree in range(n)}) == n for node in range(1, 2 ** n)))
    yield _every("theorem 4.1", "property 3: the labels of a node's outputs are distinct modulo n", "distinct",
                 lambda n: all(
        len(found) == len({number % n for number in found}) for node in range(2 ** n)
        for found in [[number for tree in range(n) for number in outputs(n, node, tree)]]))
    yield _every("theorem 4.1", "property 4: labels that are the same modulo n are on edges between the same two nodes",
                 "the same dimension", lambda n: all(label(n, child, tree) % n == dimension(parent, child)
                                                     for tree in range(n) for parent, child in _edges("nesbt", n,
                                                                                                      tree)))
    yield _every("theorem 4.1, proof", "the largest label of the inputs is", "2n - 1", lambda n: max(
        label(n, node, tree) for node in range(1, 2 ** n) for tree in range(n)) == 2 * n - 1)

    def k(n, node, tree):
        return next(bit for bit in ((tree - step) % n for step in range(1, n + 1)) if node >> bit & 1)

    for claim, text, mine, expected in (
            ("c_j = 1, k >= j: output labels", "k + 1, ..., n + j, without n + j if k = j",
             lambda k, j: k >= j, lambda n, k, j: range(k + 1, n + j + (k != j))),
            ("c_j = 1, k < j: output labels", "k + 1 + n, ..., j - 1 + n",
             lambda k, j: k < j, lambda n, k, j: range(k + 1 + n, j + n))):
        cases = [(n, node, tree) for n in range(2, 7) for node in range(1, 2 ** n) for tree in range(n)
                 if node >> tree & 1 and mine(k(n, node, tree), tree)]
        yield arithmetic("theorem 4.1, proof", f"nodes with {claim}", text, cases,
                         lambda case, expected=expected: sorted(outputs(*case)) == list(
                             expected(case[0], k(*case), case[2])),
                         evidence="counted on the graph, n = 2 to 6",
                         show=lambda case: f"n = {case[0]}, node {case[1]:0{case[0]}b}, j = {case[2]}, k = {k(*case)}: "
                         f"{sorted(outputs(*case))}")


def _implementation():
    """Section 8, what it says of the graphs."""
    yield _every("section 8.2", "nESBT: who receives on a port of a 0 is a leaf; of a 1, on port k, with bit j the "
                                "next 1 to "
                 "the left, sends to ports k + 1, ..., j - 1, and j if it is not k", "so", _port_rule)
    yield _every("section 8.3", "SBnT: a node sends on so many ports of a subtree at most", "n - 3", lambda n: max(
        len(_graph("sbnt", n).children(node)) for node in range(1, 2 ** n)) <= n - 3,
        evidence="counted on the graph: floor(n / 2)" if all(max(
            len(_graph("sbnt", n).children(node)) for node in range(1, 2 ** n)) == n // 2 for n in SIZES) else
        "counted on the graph")
    yield _every("section 8.3", "SBnT: nodes of a subtree at one level are at most", "N / n^(3/2)", lambda n: max(
        Counter((_top("sbnt", n, 0, node), level) for node, level in _level("sbnt", n, 0).items() if node).values())
        <= 2 ** n / n ** 1.5)
    yield _every("section 8.3", "SBnT: the way to a target goes by the first 1 of (node XOR target) to the left of "
                                "the base of "
                 "the node", "so", lambda n: all(_next_port(n, node) for node in range(1, 2 ** n)))


def _port_rule(n):
    for tree in range(n):
        for parent, node in _edges("nesbt", n, tree):
            k, sent = dimension(parent, node), {dimension(node, child) for child in _graph("nesbt", n).children(node,
                                                                                                                tree)}
            if not node >> k & 1:
                expected = set()
            else:
                steps = next(step for step in range(1, n + 1) if node >> (k + step) % n & 1)
                j = (k + steps) % n
                expected = {(k + step) % n for step in range(1, steps)} | ({j} if j != k else set())
            if sent != expected:
                return False
    return True


def _next_port(n, target):
    """Whether every edge of the path to a target leaves by the port that the rule names."""
    graph, node = _graph("sbnt", n), target
    while graph.parent(node):
        above = graph.parent(node)
        j = base(above, n)
        port = next(d for d in ((j + step) % n for step in range(1, n + 1)) if (above ^ target) >> d & 1)
        if port != dimension(above, node):
            return False
        node = above
    return True
