"""Communication in phases: the checker accepts every discipline, at one source and at all of them written out."""

from math import comb

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.schedules.spanning.graphs import BRG, NESBT, NRBRG, NRSBT, SBT, TCBT, SBnT, SBnTc
from fatcube.schedules.spanning.packets import N_PORT, ONE_PORT, Price, check_execution
from fatcube.schedules.spanning.phases import (
    by_label,
    by_level,
    by_size,
    farthest_first,
    in_phases,
    paths,
    rotating,
    shares,
)


def staggered(graph):
    return by_size(graph, lambda tree: tree)


ONE = [
    (BRG, by_size),
    (SBT, by_size),
    (SBT, rotating),
    (TCBT, by_size),
    (NRSBT, staggered),
    (NESBT, by_label),
    (SBnT, rotating),
    (SBnTc, rotating),
    (BRG, by_level),
]
ALL = [
    (kind, when) for kind in (BRG, NRBRG, SBT, TCBT, NRSBT, NESBT, SBnT, SBnTc) for when in (by_level, farthest_first)
] + [(NRSBT, by_size)]


def run(kind, n, ports, M, B, when, *, personalized, everybody, source=0):
    graph = kind(n, source)
    return in_phases(graph, ports, M, B, when(graph), personalized=personalized, everybody=everybody)


@pytest.mark.parametrize("personalized", [False, True])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_everybody_is_one_source_translated(n, personalized):
    """The all-to-all execution, which lists one source, costs the same with all N sources written out."""
    for ports, disciplines in ((ONE_PORT, ONE), (N_PORT, ALL)):
        for kind, when in disciplines:
            if (kind, when) in ((TCBT, by_size), (NRBRG, by_size), (SBT, rotating)) and ports == ONE_PORT:
                continue  # edges of different dimensions in a phase: for one source only
            if not personalized and when is farthest_first:
                continue  # of personalized communication
            for M, B in ((1, 1), (n + 1, 3), (2 * n, 1000)):
                execution = run(kind, n, ports, M, B, when, personalized=personalized, everybody=True)
                price = check_execution(execution)
                assert price == check_execution(execution.expanded())
                assert execution.largest == execution.expanded().largest <= B


@pytest.mark.parametrize("personalized", [False, True])
def test_one_source(personalized):
    """From another node than 0."""
    for ports, disciplines in (
        (ONE_PORT, [(BRG, by_size), (SBT, by_size), (TCBT, by_size), (NRSBT, staggered)]),
        (N_PORT, ALL),
    ):
        for kind, when in disciplines:
            if personalized or when is not farthest_first:
                check_execution(run(kind, 4, ports, 5, 2, when, personalized=personalized, everybody=False, source=11))


def test_prices():
    """By hand for n = 3: binomial trees of 4, 2 and 1 nodes, and what 7 nodes are on 3 edges."""
    assert check_execution(run(SBT, 3, ONE_PORT, 2, 4, by_size, personalized=True, everybody=False)) == Price(
        2 + 1 + 1, 14
    )
    assert check_execution(run(SBT, 3, ONE_PORT, 3, 2, by_size, personalized=False, everybody=False)) == Price(6, 9)
    assert check_execution(run(SBT, 3, ONE_PORT, 3, 100, rotating, personalized=False, everybody=True)) == Price(3, 21)
    assert check_execution(run(SBT, 3, N_PORT, 1, 100, farthest_first, personalized=True, everybody=False)) == Price(
        3, 4
    )
    assert check_execution(run(SBnTc, 3, N_PORT, 3, 100, farthest_first, personalized=True, everybody=False)) == Price(
        3, 7
    )
    assert check_execution(run(NRSBT, 3, N_PORT, 3, 100, by_size, personalized=True, everybody=True)) == Price(3, 12)
    assert check_execution(run(TCBT, 3, ONE_PORT, 1, 100, by_size, personalized=True, everybody=False)) == Price(4, 9)
    assert check_execution(run(BRG, 3, ONE_PORT, 1, 100, by_level, personalized=True, everybody=True)) == Price(7, 28)
    assert run(BRG, 3, ONE_PORT, 1, 100, by_level, personalized=True, everybody=True).largest == 7


def test_reverse_breadth_first_by_level():
    """On an SBT the source's widest edge carries C(n-1, i) targets in a cycle, the farthest first."""
    execution = run(SBT, 5, N_PORT, 1, 100, farthest_first, personalized=True, everybody=False)
    largest = [max(packet.size for packet in cycle) for cycle in execution.cycles]
    assert largest == [comb(4, 4 - cycle) for cycle in range(5)]
    assert {piece.target for packet in execution.cycles[0] for piece in packet.pieces} == {31}


def test_phases_of_reverse_breadth_first_order():
    """By hand on an SBT of height 3: what is for level 3 leaves the source at once, for level 1 last, and is never delayed."""
    when = farthest_first(SBT(3))
    assert [when(1, 0, target) for target in (1, 3, 7)] == [2, 1, 0]
    assert [when(node, 0, 7) for node in (1, 3, 7)] == [0, 1, 2]


def test_shares():
    assert shares(7, 3) == [(0, 0, 3), (1, 3, 5), (2, 5, 7)]
    assert shares(2, 3) == [(0, 0, 1), (1, 1, 2)]
    assert sorted(paths(SBT(2), 0)) == [(0, 1), (0, 1, 3), (0, 2)]


def test_refusals():
    with pytest.raises(ParameterError) as caught:
        run(SBT, 3, ONE_PORT, 1, 1, by_size, personalized=False, everybody=True, source=2)
    assert str(caught.value) == "graph source must be 0 if every node is a source, not 2"
