"""The bound of an all-reduce whose halves share lanes, by hand, by another solver, and beside schedules that reach it."""

from collections import Counter
import itertools
import random

from ortools.sat.python import cp_model
import pytest

from fatcube.noc.topologies.generalized import SparseGHC
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topologies.grids import Mesh
from fatcube.noc.topologies.reversing import reversing
from fatcube.schedules.bounding.cuts import cut_of_sums
from fatcube.schedules.bounding.halves import halves_of_sums, steps_of_lengths
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.pipelined.best import best_in_parts
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import STANDARD, StepModel
from fatcube.schedules.symmetry import Link
from tests.support.large import ONE_WAY

RING = Graph(tuple("abc"), (1, 1, 1), ((0, 1), (1, 2), (2, 0)), one_way=True)


def test_a_ring_of_one_way_links_by_hand():
    """Each of 3 sums goes over 2 links as it is collected and over 2 as it is spread: 12 transfers over 3 links, 4 steps; sets
    of nodes have to send out 3 sums over one link."""
    assert halves_of_sums(RING, STANDARD).steps == 4
    assert cut_of_sums(RING, STANDARD).steps == 3


def test_the_one_way_graph_of_four_nodes():
    """96 steps of 64 sums are the fewest, of which cuts, ports and lanes showed 77."""
    found = best_in_parts(Problem(ONE_WAY, "d", "all-reduce", None, parts=16))
    assert found.steps == found.bound.steps == 96
    assert found.bound.reason == (
        "lanes share what is collected and what is spread of 64 sums, which takes them 96 steps"
    )


def reversible(seeds):
    """Random one-way graphs on which there are reductions."""
    for seed in seeds:
        dice = random.Random(seed)
        nodes = dice.randint(3, 5)
        links = [(node, (node + 1) % nodes) for node in range(nodes)]
        links += [tuple(dice.sample(range(nodes), 2)) for _ in range(dice.randint(1, nodes))]
        graph = Graph(tuple("abcde"[:nodes]), (1,) * nodes, tuple(links), one_way=True)
        if reversing(graph) is not None:
            yield graph


def test_never_above_a_schedule_and_mostly_equal():
    """Catches lengths that count a link twice, a distance the wrong way round, and a sum that belongs to another node."""
    equal = 0
    graphs = [*reversible(range(16))]
    for topology in graphs:
        found = best_in_parts(Problem(topology, "d", "all-reduce", None, parts=4))
        bound = halves_of_sums(topology, STANDARD, 4).steps
        assert cut_of_sums(topology, STANDARD, 4).steps <= bound <= found.bound.steps <= found.steps
        equal += bound == found.steps
    assert len(graphs) >= 8 and equal >= len(graphs) // 2


@pytest.mark.parametrize("topology", [RING, ONE_WAY, *reversible(range(4))], ids=str)
def test_against_another_solver(topology):
    """The least whole number of steps in which whole flows of both halves fit, by CP-SAT; fractions of flows may save one step."""
    nodes, count = range(topology.nodes), 2 * topology.processors * topology.processors
    model = cp_model.CpModel()
    steps = model.new_int_var(0, count, "steps")
    lanes = Counter(topology.links)
    halves = [{link: model.new_int_var(0, count, "") for link in lanes} for _ in range(2)]
    for link, carried in lanes.items():
        model.add(halves[0][link] + halves[1][link] <= carried * steps)
    for half, sink in itertools.product(range(2), nodes):
        flow = {link: model.new_int_var(0, count, "") for link in lanes}
        for link in lanes:
            model.add(flow[link] <= halves[half][link])
        for node in set(nodes) - {sink}:
            out = sum(one for (source, end), one in flow.items() if (source, end)[half] == node)
            into = sum(one for (source, end), one in flow.items() if (end, source)[half] == node)
            model.add(out - into == 1)
    model.minimize(steps)
    solver = cp_model.CpSolver()
    assert solver.solve(model) == cp_model.OPTIMAL
    assert solver.value(steps) - 1 <= halves_of_sums(topology, STANDARD).steps <= solver.value(steps)


def test_no_lengths_show_too_much():
    """On the ring of three 4 steps are enough; catches links that count for one half only, and distances that add up wrongly."""
    lanes, sums, nodes = {Link(*link): 1 for link in RING.links}, dict.fromkeys(range(3), 1), range(3)
    dice = random.Random(1)
    for most in [(1, 0), (0, 1), (1, 10), (10, 1), (1, 1), *[(5, 5)] * 50]:
        lengths = {
            (way, node): {link: dice.randint(0, one) for link in lanes}
            for way, one in zip((1, -1), most)
            for node in nodes
        }
        assert steps_of_lengths(lanes, sums, lengths) <= 4
    alone = {(way, node): dict.fromkeys(lanes, int(way == 1 and node == 0)) for way in (1, -1) for node in nodes}
    assert steps_of_lengths(lanes, sums, alone) == 1  # 1 and 2 links to a node, over three lanes


def test_where_it_says_nothing():
    """Links both ways, more nodes than it takes a second for, and packets without a limit."""
    assert halves_of_sums(Mesh(w=3, d=2), STANDARD).steps == 0
    assert halves_of_sums(SparseGHC(6, 2), STANDARD).steps == 0
    assert halves_of_sums(RING, StepModel(per_packet="unlimited")).steps == 0
    assert halves_of_sums(RING, StepModel(per_packet=2)).steps == 2
    assert lower_bound(Problem(RING, "d", "all-reduce")).steps == 4
