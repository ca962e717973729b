"""Spanning graphs counted edge by edge against what the paper's definitions, lemmas and theorems state.

Everything here is counted from the edges parent -> child; what the paper prints stands beside it as it is printed.
"""

from collections import Counter
from fractions import Fraction
from math import comb

import networkx
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.schedules.spanning.graphs import (
    BRG,
    NESBT,
    NRBRG,
    NRSBT,
    SBT,
    TCBT,
    SBnT,
    SBnTc,
    base,
    period,
    rotated,
    spanning_graph,
)

KINDS = [BRG, NRBRG, SBT, TCBT, NRSBT, NESBT, SBnT, SBnTc]
GREEDY = [SBT, NRSBT, SBnT, SBnTc]
SIZES = range(2, 9)

every_kind = pytest.mark.parametrize("kind", KINDS)
every_size = pytest.mark.parametrize("n", [*SIZES[:-1], pytest.param(SIZES[-1], marks=pytest.mark.long)])


def edges(graph, tree):
    """The edges (parent, child) of a tree, by the children."""
    return [(node, child) for node in range(2**graph.n) for child in graph.children(node, tree)]


def dimension(one, other):
    assert (one ^ other).bit_count() == 1
    return (one ^ other).bit_length() - 1


def depths(graph, tree):
    """The level of every node that is reached from the source over the edges of a tree."""
    return networkx.single_source_shortest_path_length(networkx.DiGraph(edges(graph, tree)), graph.source)


def descendants(graph, tree):
    """For every node, how many nodes of its subtree are how far from it."""
    found = {node: Counter() for node in range(2**graph.n)}
    for node in range(2**graph.n):
        above, distance = node, 0
        while above is not None:
            found[above][distance] += 1
            above, distance = graph.parent(above, tree), distance + 1
    return found


class Quantities:
    """Ew_d, ew_ld, sw_ld and rw_ld of section 3, counted; l and d in that order, 0 where there is nothing."""

    def __init__(self, graph):
        self.E, self.e, self.s, self.r = Counter(), Counter(), Counter(), Counter()
        for tree in range(graph.trees):
            level, below = depths(graph, tree), descendants(graph, tree)
            for parent, child in edges(graph, tree):
                d = dimension(parent, child)
                self.E[d] += 1
                self.e[level[parent], d] += 1
                self.s[level[parent], d] += below[child].total()
                for distance, count in below[child].items():
                    self.r[distance, d] += count
        self.height = max(max(depths(graph, tree).values()) for tree in range(graph.trees))
        self.weight = Fraction(1, graph.trees)

    def check(self, n, *, Ew, ew, sw, rw):
        """Compares with formulas of d or of (l, d), for all levels from which edges lead on."""
        for d in range(n):
            assert self.weight * self.E[d] == Ew(d)
            for l in range(self.height):
                assert self.weight * self.e[l, d] == ew(l, d)
                assert self.weight * self.s[l, d] == sw(l, d)
                assert self.weight * self.r[l, d] == rw(l, d)


class TestTrees:
    @every_kind
    @every_size
    def test_spanning(self, kind, n):
        """From any source every tree is a spanning tree of the cube, and parents and children say the same."""
        for source in {0, 1, 2**n - 1, 0b10110101 >> 8 - n}:
            graph = kind(n, source)
            assert graph.trees == (n if kind in (NRBRG, NRSBT, NESBT, SBnTc) else 1)
            for tree in range(graph.trees):
                found = edges(graph, tree)
                assert sorted(child for _, child in found) == [node for node in range(2**n) if node != source]
                assert all(graph.parent(child, tree) == parent for parent, child in found)
                assert graph.parent(source, tree) is None
                assert all(dimension(*edge) in range(n) for edge in found)
                level = depths(graph, tree)
                assert len(level) == 2**n
                assert sorted(map(sorted, graph.levels(tree))) == sorted(
                    sorted(node for node in level if level[node] == l) for l in set(level.values())
                )

    @every_kind
    @every_size
    def test_translation(self, kind, n):
        """The graph of another source is that of node 0 with every address XORed."""
        source = 2**n - 2
        for tree in range(kind(n).trees):
            assert sorted(edges(kind(n, source), tree)) == sorted(
                (u ^ source, v ^ source) for u, v in edges(kind(n), tree)
            )

    @every_kind
    @every_size
    def test_heights(self, kind, n):
        graph = kind(n)
        height = max(max(depths(graph, tree).values()) for tree in range(graph.trees))
        assert height == {BRG: 2**n - 1, NRBRG: 2**n - 1, NESBT: n + 1}.get(kind, n)

    @every_kind
    @every_size
    def test_greedy(self, kind, n):
        """Every node is reached over a shortest path exactly if level l has C(n, l) nodes (lemma 3.8).

        In print a two-rooted complete binary tree is not greedy; that of the 2-cube (levels of 1, 2 and 1) is.
        """
        for tree in range(kind(n).trees):
            level = depths(kind(n), tree)
            greedy = all(level[node] == node.bit_count() for node in level)
            assert greedy == (kind in GREEDY or kind is TCBT and n == 2)
            assert greedy == all(Counter(level.values())[l] == comb(n, l) for l in range(2**n))

    @pytest.mark.parametrize("kind", [NRBRG, NRSBT])
    @every_size
    def test_trees_are_rotations_to_the_left(self, kind, n):
        graph, one = kind(n), (BRG if kind is NRBRG else SBT)(n)
        for tree in range(n):
            assert sorted(edges(graph, tree)) == sorted(
                tuple(rotated(node, tree, n) for node in edge) for edge in edges(one, 0)
            )


class TestHamiltonianPath:
    @every_size
    def test_table_1(self, n):
        """Lemmas 3.10 and 3.11."""

        def t(l):  # the rightmost 0 of l
            return next(d for d in range(n + 1) if not l >> d & 1)

        N = 2**n
        Quantities(BRG(n)).check(
            n,
            Ew=lambda d: 2 ** (n - d - 1),
            ew=lambda l, d: int(d == t(l)),
            sw=lambda l, d: N - l - 1 if d == t(l) else 0,
            rw=lambda l, d: N // 2 ** (d + 1) - -(-(l - 2**d + 1) // 2 ** (d + 1)),
        )

    @every_size
    def test_rotated_table_1(self, n):
        """Lemmas 3.14 and 3.15. In print l goes to N - 1, but the last edge leaves level N - 2."""
        N = 2**n
        Quantities(NRBRG(n)).check(
            n,
            Ew=lambda d: Fraction(N - 1, n),
            ew=lambda l, d: Fraction(1, n),
            sw=lambda l, d: Fraction(N - l - 1, n),
            rw=lambda l, d: Fraction(N - l - 1, n),
        )
        assert Quantities(NRBRG(n)).e[N - 1, 0] == 0

    @every_size
    def test_shared_edges(self, n):
        """Lemmas 3.12, 3.13 and 3.14, and what is said after 3.12."""
        graph, N = NRBRG(n), 2**n
        paths = [set(edges(graph, tree)) for tree in range(n)]
        union = set.union(*paths)
        assert (len(union) < sum(map(len, paths))) == (n > 2)
        assert Counter(dimension(*edge) for edge in union) == dict.fromkeys(range(n), 3 * N // 4)
        for j in range(1, n):
            assert len(paths[j] & set.union(*paths[:j])) == N // 4 - 1 + int(2 ** (j - 2))
        for i in range(n):
            for j in range(n):
                if i != j:
                    alpha, beta = (i - j) % n, (j - i) % n
                    assert len(paths[i] & paths[j]) == 2 ** (n - alpha - 1) + 2 ** (n - beta - 1) - 2
        times = Counter(edge for path in paths for edge in path)
        if n > 2:
            most = {edge for edge in times if times[edge] == n - 1}
            assert most == {(1 << j, 1 << j | 1 << (j + 1) % n) for j in range(n)}
        levels = [[(depths(graph, tree)[edge[0]], edge) for edge in paths[tree]] for tree in range(n)]
        assert max(Counter(edge for path in levels for edge in path).values()) == 1


class TestBinomialTree:
    @every_size
    def test_table_1(self, n):
        """Lemmas 3.17 and 3.18."""
        quantities = Quantities(SBT(n))
        quantities.check(
            n,
            Ew=lambda d: 2**d,
            ew=lambda l, d: comb(d, l),
            sw=lambda l, d: comb(d, l) * 2 ** (n - d - 1),
            rw=lambda l, d: comb(n - d - 1, l) * 2**d,
        )
        for l in range(n):
            most = max(quantities.s[l, d] for d in range(n))
            assert most == quantities.s[l, min(2 * l, n - 1)]
            assert most == (comb(2 * l, l) * 2 ** (n - 2 * l - 1) if l <= (n - 1) // 2 else comb(n - 1, l))
            assert all(quantities.r[l, d] == quantities.s[l, n - d - 1] for d in range(n))

    @every_size
    def test_subtrees(self, n):
        """Of N/2, N/4, ..., 1 nodes; node i is in subtree j if j is its lowest 1 (section 3.6)."""
        graph = SBT(n)
        sizes = descendants(graph, 0)
        assert sorted(sizes[child].total() for child in graph.children(0)) == [2**k for k in range(n)]
        for node in range(1, 2**n):
            top = node
            while graph.parent(top):
                top = graph.parent(top)
            assert top == node & -node

    @pytest.mark.parametrize("kind", [SBT, SBnT])
    @every_size
    def test_narrower_below(self, kind, n):
        """Lemmas 3.16 and 3.27: at no distance has a child more nodes below it than its parent."""
        below = descendants(kind(n), 0)
        for parent, child in edges(kind(n), 0):
            assert all(below[parent][distance] >= count for distance, count in below[child].items())

    @every_size
    def test_rotated_table_1(self, n):
        """Lemmas 3.20 and 3.21."""
        N = 2**n
        rest = [Fraction(sum(comb(n, i) for i in range(l + 1, n + 1)), n) for l in range(n)]
        Quantities(NRSBT(n)).check(
            n,
            Ew=lambda d: Fraction(N - 1, n),
            ew=lambda l, d: Fraction(comb(n, l + 1), n),
            sw=lambda l, d: rest[l],
            rw=lambda l, d: rest[l],
        )

    @every_size
    def test_rotated_weights(self, n):
        """Lemma 3.19 and its corollaries: edges lead from 0 to 1 only, all of them, with a weight from the zeros."""
        weights = Counter(edge for tree in range(n) for edge in edges(NRSBT(n), tree))
        assert set(weights) == {(node ^ 1 << d, node) for node in range(2**n) for d in range(n) if node >> d & 1}
        assert set(Counter(dimension(*edge) for edge in weights).values()) == {2**n // 2}
        for (parent, child), count in weights.items():
            d, zeros = dimension(parent, child), 0
            while zeros < n - 1 and not child >> (d + zeros + 1) % n & 1:
                zeros += 1
            assert count == zeros + 1
        for node in range(1, 2**n):
            assert sum(count for (_, child), count in weights.items() if child == node) == n


class TestTwoRootedTree:
    @every_size
    def test_levels(self, n):
        """Section 3.3: a complete binary tree of N - 1 nodes with its root split into two."""
        graph = TCBT(n)
        sizes = Counter(depths(graph, 0).values())
        assert sizes == {0: 1, 1: 2, **{i: 3 * 2 ** (i - 2) for i in range(2, n)}, n: 2**n // 4 or 1}
        below = descendants(graph, 0)
        # Below the source the other root, with half of all nodes, and a complete binary tree with one less.
        other, child = sorted(graph.children(0), key=lambda node: -below[node].total())
        assert (below[other].total(), below[child].total()) == (2 ** (n - 1), 2 ** (n - 1) - 1)
        queue = [child, *graph.children(other)]
        assert len(queue) == 2
        for node in queue:
            ways = graph.children(node)
            assert len(ways) in (0, 2) and len({below[way].total() for way in ways}) <= 1
            queue += ways


class TestEdgeDisjointTrees:
    @every_size
    def test_edge_disjoint(self, n):
        """Theorem 3.1 and corollaries 3.4 and 3.5: every directed edge but those to the source exactly once."""
        for source in (0, 2**n - 1):
            graph = NESBT(n, source)
            found = Counter(edge for tree in range(n) for edge in edges(graph, tree))
            assert found == Counter(
                (node, node ^ 1 << d) for node in range(2**n) for d in range(n) if node ^ 1 << d != source
            )
            out = Counter(parent for parent, _ in found)
            assert all(out[node] == n - ((node ^ source).bit_count() == 1) for node in range(2**n))

    @every_size
    def test_table_1(self, n):
        """Lemmas 3.23 to 3.25; Table 1 has its formulas for l of 2 and more."""
        N = 2**n
        nodes = [1, 1, n - 1, *(comb(n, i - 1) for i in range(3, n + 2))]
        for tree in range(n):
            assert Counter(depths(NESBT(n), tree).values()) == dict(enumerate(nodes))
        e = [1, n - 1, *(comb(n, l) for l in range(2, n + 1))]
        rest = [N - 1, N - 2, *(sum(comb(n, i) for i in range(l, n + 1)) for l in range(2, n + 1))]
        Quantities(NESBT(n)).check(
            n,
            Ew=lambda d: Fraction(N - 1, n),
            ew=lambda l, d: Fraction(e[l], n),
            sw=lambda l, d: Fraction(rest[l], n),
            rw=lambda l, d: Fraction(rest[l], n),
        )

    @every_size
    def test_made_of_binomial_trees(self, n):
        """Section 3.5: a binomial tree rotated j + 1 steps, moved to 2^j, its edge to the source turned round."""
        for tree in range(n):
            moved = {tuple(rotated(node, tree + 1, n) ^ 1 << tree for node in edge) for edge in edges(SBT(n), 0)}
            assert (1 << tree, 0) in moved
            assert set(edges(NESBT(n), tree)) == moved - {(1 << tree, 0)} | {(0, 1 << tree)}

    @every_size
    def test_trees_are_rotations(self, n):
        """Lemma 3.22."""
        for i in range(n):
            for j in range(n):
                assert set(edges(NESBT(n), j)) == {
                    tuple(rotated(node, (j - i) % n, n) for node in edge) for edge in edges(NESBT(n), i)
                }

    @every_size
    def test_path_lengths(self, n):
        """After theorem 4.1: a node is |c| from the source in the trees of its ones, |c| + 2 in the others."""
        for tree in range(n):
            for node, level in depths(NESBT(n), tree).items():
                assert level == (node.bit_count() + (0 if node >> tree & 1 else 2) if node else 0)

    @every_size
    def test_one_port_labels(self, n):
        """Theorem 4.1: its four conditions, which allow a new packet for every tree every n cycles."""
        for source in (0, 2**n - 2):
            graph = NESBT(n, source)
            partners, received, sent = {}, set(), set()
            for tree in range(n):
                assert graph.label(source, tree) is None
                for parent, child in edges(graph, tree):
                    label = graph.label(child, tree)
                    assert 0 <= label < 2 * n
                    assert parent == source or graph.label(parent, tree) < label
                    cycle = label % n
                    assert (cycle, child) not in received and (cycle, parent) not in sent
                    received.add((cycle, child))
                    sent.add((cycle, parent))
                    for node, other in ((parent, child), (child, parent)):
                        assert partners.setdefault((cycle, node), other) == other
            assert (
                max(graph.label(node, tree) for node in range(2**n) for tree in range(n) if node != source) == 2 * n - 1
            )


class TestBalancedTree:
    @every_size
    def test_base(self, n):
        """Section 3.6: the least number of right rotations to the least value; cyclic nodes have n / P of them."""
        for node in range(1, 2**n):
            values = [rotated(node, -j, n) for j in range(n)]
            bits = format(node, f"0{n}b")
            assert values == [int(bits[n - j :] + bits[: n - j], 2) for j in range(n)]
            assert base(node, n) == values.index(min(values))
            assert values.count(min(values)) == n / period(node, n)
        assert n != 6 or period(0b011011, 6) == 3

    @pytest.mark.parametrize("kind", [SBnT, SBnTc])
    @every_size
    def test_subtrees_are_bases(self, kind, n):
        """Node i is in the subtree of the source that its base names; parents keep the base."""
        graph = kind(n)
        for tree in range(graph.trees):
            for parent, child in edges(graph, tree):
                assert base(child, n, tree) == (base(parent, n, tree) if parent else dimension(0, child))

    @pytest.mark.parametrize("n", [2, 3, 5, 7])
    def test_of_a_prime_number_of_dimensions(self, n):
        """Theorem 3.4: without node 11...1, the subtrees are rotations of each other."""
        graph, everything = SBnT(n), 2**n - 1
        parts = [
            {edge for edge in edges(graph, 0) if edge[0] and edge[1] != everything and base(edge[1], n) == j}
            for j in range(n)
        ]
        for i in range(n):
            for j in range(n):
                assert parts[j] == {tuple(rotated(node, (j - i) % n, n) for node in edge) for edge in parts[i]}

    @every_size
    def test_split_table_1(self, n):
        """Lemma 3.28."""
        N = 2**n
        rest = [Fraction(sum(comb(n, i) for i in range(l + 1, n + 1)), n) for l in range(n)]
        Quantities(SBnTc(n)).check(
            n,
            Ew=lambda d: Fraction(N - 1, n),
            ew=lambda l, d: Fraction(comb(n, l + 1), n),
            sw=lambda l, d: rest[l],
            rw=lambda l, d: rest[l],
        )

    @every_size
    def test_split_is_balanced(self, n):
        """1/n of all that leaves the source goes by each edge; a node is in the subtrees of its n / P bases alike.

        One tree alone is not balanced where n > 1: its subtrees differ by what is cyclic.
        """
        load = Counter()
        for tree in range(n):
            below = descendants(SBnTc(n), tree)
            for child in SBnTc(n).children(0, tree):
                load[child] += below[child].total()
        assert set(load.values()) == {2**n - 1}
        for node in range(1, 2**n):
            times = Counter(base(node, n, tree) for tree in range(n))
            assert set(times.values()) == {period(node, n)} and len(times) == n / period(node, n)
        below = descendants(SBnT(n), 0)
        assert len({below[child].total() for child in SBnT(n).children(0)}) > 1


def test_translated_load():
    """Lemma 3.3: of N translated graphs E_d edges lie on every directed edge of dimension d."""
    for kind in KINDS:
        load = Counter(
            edge for source in range(16) for tree in range(kind(4).trees) for edge in edges(kind(4, source), tree)
        )
        counted = Quantities(kind(4)).E
        assert all(load[node, node ^ 1 << d] == counted[d] for node in range(16) for d in range(4))


def test_of_one_dimension():
    """All trees are the one edge; theorem 3.2's height of n + 1 for nESBT begins with two dimensions."""
    for kind in KINDS:
        assert edges(kind(1), 0) == [(0, 1)] and kind(1, 1).parent(0) == 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SBT(0), "SBT n must be an integer from 1 to 16, not 0"),
        (lambda: NESBT(3, 8), "NESBT source must be an integer from 0 to 7, not 8"),
        (lambda: SBT(3).parent(8), "SBT node must be an integer from 0 to 7, not 8"),
        (lambda: NRSBT(3).children(0, 3), "NRSBT tree must be an integer from 0 to 2, not 3"),
    ],
)
def test_refusals(make, message):
    with pytest.raises(ParameterError) as caught:
        make()
    assert str(caught.value) == message


def test_refuses_an_unknown_graph():
    """Other tests add graphs of their own to the end of the list."""
    with pytest.raises(
        ParameterError,
        match="^spanning graph must be one of brg, nrbrg, sbt, nrsbt, tcbt, nesbt, sbntc, sbnt(, .*)?, not 'oak'$",
    ):
        spanning_graph("oak", 3)


def test_by_name():
    assert spanning_graph("nESBT", 3, 5) == NESBT(3, 5) != NESBT(3, 4)
