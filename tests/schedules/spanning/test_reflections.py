"""Rotated and reflected trees for parts that are left over: loads against all choices and the paper's formulas, and steps."""

from collections import Counter
from fractions import Fraction
import itertools

import pytest

from fatcube.noc.topologies.cubes import Hypercube
from fatcube.schedules.checker import check
from fatcube.schedules.problem import Problem
from fatcube.schedules.spanning.construct import construct_along
from fatcube.schedules.spanning.graphs import NRSBT
from fatcube.schedules.spanning.phases import paths
from fatcube.schedules.spanning.reflections import Turn, better_than_first, busiest, divided, turns_left_over
from fatcube.schedules.spanning.trees import along

LEFT_OVER = [(n, k) for n in range(2, 8) for k in range(1, n)]


@pytest.mark.parametrize(("n", "k"), LEFT_OVER)
def test_no_choice_of_trees_loads_links_less(n, k):
    """Of rotations alone, and of all 2 n trees; in one case of the latter there is a better choice."""
    rotations = [Turn(steps) for steps in range(n)]
    trees = [*rotations, *(Turn(steps, True) for steps in range(n))]
    for reflected, choices in ((False, rotations), (True, trees)):
        least = min(busiest(n, chosen) for chosen in itertools.combinations(choices, k))
        found = busiest(n, turns_left_over(n, k, reflected=reflected))
        assert (found, least) == (118, 107) if (n, k, reflected) == (7, 5, True) else found == least


def test_the_formulas_of_the_paper():
    """Section 5.1.4: rotations n / k steps apart, and k / 2 of them with their reflections 2 n / k steps apart."""
    for n in range(2, 17):
        others = (1 << n) - 1
        for k in (k for k in range(1, n) if n % k == 0):
            expected = Fraction(others * 2 ** (n // k - 1), 2 ** (n // k) - 1)
            assert busiest(n, turns_left_over(n, k, reflected=False)) == expected
        for k in (k for k in range(2, n, 2) if 2 * n % k == 0):
            apart = 2 * n // k
            assert busiest(n, turns_left_over(n, k)) == Fraction(others * (2 ** (apart - 1) + 1), 2**apart - 1)
    first = [Turn(0), Turn(1)]
    rotated, reflected = turns_left_over(4, 2, reflected=False), turns_left_over(4, 2)
    assert [busiest(4, turns) for turns in (first, rotated, reflected)] == [12, 10, 9]


@pytest.mark.parametrize(("n", "parts", "source"), [(3, 2, 5), (4, 6, 0), (5, 3, 9), (5, 8, 31)])
def test_trees(n, parts, source):
    """Each reaches all nodes by shortest paths; together they load the source's links and the dimensions as was counted."""
    for spreads in (False, True):
        others = better_than_first(n, parts, spreads=spreads)
        graph = divided(NRSBT(n, source), parts, others)
        assert graph.trees == parts
        dimensions, links = Counter[int](), Counter[int]()
        for tree in range(parts):
            ways = {way[-1]: way for way in paths(graph, tree)}
            assert ways.keys() == {*range(1 << n)} - {source}
            for node, way in ways.items():
                assert len(way) - 1 == (node ^ source).bit_count()
                assert graph.parent(node, tree) == way[-2]
                dimensions[way[-1] ^ way[-2]] += 1
                links[way[1] ^ source] += 1
        load = parts // n * ((1 << n) - 1) + busiest(n, turns_left_over(n, parts % n))
        assert max((dimensions if spreads else links).values()) == load


@pytest.mark.parametrize("n", [3, 4, 5])
@pytest.mark.parametrize("collective", ["OAS", "AOG", "AAB", "AAR"])
def test_steps_are_the_load_of_the_busiest_link(n, collective):
    """From one to two parts for each tree; never more than with the parts over all trees in turn."""
    before = []
    for parts in range(2, 2 * n + 1):
        finding = construct_along(NRSBT(n), Problem(Hypercube(n), "d", collective, 0, parts=parts))
        assert finding.schedule is not None
        check(finding.schedule)
        rounds, k = divmod(parts, n)
        load = rounds * ((1 << n) - 1) + (busiest(n, turns_left_over(n, k)) if k else 0)
        forward = "OAS" if collective in ("OAS", "AOG") else "AAB"
        before.append(along(NRSBT(n), "d", forward, parts=parts).steps)
        assert finding.steps == load <= before[-1]
        assert ("reflected" in finding.by) == (load < before[-1])
    if n == 4:
        assert before[0] == 12


def test_the_trees_in_turn_are_kept_where_others_are_no_shorter():
    """A broadcast puts a part on each link of a tree once; with one port the source's is the only limit."""
    broadcast = construct_along(NRSBT(4), Problem(Hypercube(4), "d", "OAB", 0, parts=2))
    scatter = construct_along(NRSBT(4), Problem(Hypercube(4), "1", "OAS", 0, parts=2))
    assert broadcast.steps == 5 and scatter.steps == 30
    problem = Problem(Hypercube(4), "1", "AAB", 0, parts=2)
    gather = construct_along(NRSBT(4), problem.changed(model=problem.model.changed(per_packet=2)))
    assert gather.steps == along(NRSBT(4), "1", "AAB", parts=2, per_packet=2).steps
    assert "reflected" not in broadcast.by + scatter.by + gather.by


def test_packets_of_several_messages():
    """Two messages a packet: 6 steps, of 7 with the first two rotations."""
    problem = Problem(Hypercube(4), "d", "OAS", 0, parts=2)
    model = problem.model.changed(per_packet=2)
    finding = construct_along(NRSBT(4), problem.changed(model=model))
    assert finding.schedule is not None
    check(finding.schedule, model)
    assert (finding.steps, along(NRSBT(4), "d", "OAS", parts=2, per_packet=2).steps) == (6, 7)
