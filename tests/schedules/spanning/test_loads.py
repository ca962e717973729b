"""Loads of spanning graphs: the counts of small graphs by hand, and the shortest sequences of dimensions.

Table 1 is held against an independent count in tests/schedules/spanning/test_graphs.py, and against this one by the audit.
"""

from fractions import Fraction

import pytest

from fatcube.schedules.spanning.graphs import BRG, NESBT, NRBRG, NRSBT, SBT, TCBT, SBnT, SBnTc, SpanningGraph
from fatcube.schedules.spanning.loads import below, edges, fewest_dimensions, level, loads, top


def test_by_hand():
    """The binomial tree of the 2-cube: 0 -> 1, 0 -> 2, 1 -> 3."""
    found = loads(SBT(2))
    assert (dict(found.Ew), dict(found.E), found.height) == ({0: 1, 1: 2}, {0: 1, 1: 2}, 2)
    assert dict(found.ew) == {(0, 0): 1, (0, 1): 1, (1, 1): 1}
    assert dict(found.sw) == {(0, 0): 2, (0, 1): 1, (1, 1): 1}
    assert dict(found.rw) == {(0, 0): 1, (1, 0): 1, (0, 1): 2}


def test_weights():
    """Rotated paths of the 3-cube: 21 edges of weight 1/3, 18 of them different."""
    found = loads(NRBRG(3))
    assert set(found.Ew.values()) == {Fraction(7, 3)} and sum(found.E.values()) == 18


def test_from_any_source():
    for kind in (BRG, SBT, TCBT, NRSBT, NESBT, SBnTc):
        assert loads(kind(3, 5)) == loads(kind(3))
        assert fewest_dimensions(kind(3, 5)) == fewest_dimensions(kind(3))
    assert sorted(level(SBT(2, 3), 0).items()) == [(0, 2), (1, 1), (2, 1), (3, 0)]
    assert edges(SBT(2, 3), 0) == ((2, 0), (3, 1), (3, 2))
    assert top(SBT(3, 7), 0, 0) == 6 and below(SBT(2, 3), 0)[2] == {0: 1, 1: 1}


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_fewest_dimensions(n):
    """A path has no choice; each dimension but one is needed twice where all rotations are, all of them in an nESBT."""
    assert fewest_dimensions(BRG(n)) == 2**n - 1
    assert fewest_dimensions(SBT(n)) == n
    assert fewest_dimensions(NRSBT(n)) == fewest_dimensions(SBnTc(n)) == 2 * n - 1
    assert fewest_dimensions(NESBT(n)) == (2 * n if n > 1 else 1)
    assert fewest_dimensions(SBnT(n)) >= n


def test_a_cube_of_other_edges_is_seen():
    """Counts follow the parents: the mirrored binomial tree has its loads mirrored."""

    class Mirrored(SpanningGraph):
        def _parent(self, c, tree):
            return c & c - 1

        def _children(self, c, tree):
            return [c | 1 << m for m in range(self.n) if c == 0 or 1 << m < c & -c]

    assert [loads(Mirrored(3)).Ew[d] for d in range(3)] == [4, 2, 1] != [loads(SBT(3)).Ew[d] for d in range(3)]
