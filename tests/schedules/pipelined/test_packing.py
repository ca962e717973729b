"""Packings of trees on random one-way graphs, against all sets of nodes; collectives along them, checked, beside bounds."""

from collections import Counter
from fractions import Fraction
import random

import networkx
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topologies.grids import Mesh, Ring
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounding.cuts import ratio_of_all_gather, ways_to_all
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.pipelined.along_trees import (
    all_gather_along_trees,
    all_reduce_along_trees,
    broadcast_along_trees,
    lanes_limit,
)
from fatcube.schedules.pipelined.packing import pack
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import StepModel
from fatcube.schedules.symmetry import Link
from tests.support.large import DUMBBELL, ONE_WAY, lanes, sets


def random_graph(seed, most=6):
    """A one-way graph in which all nodes reach all others: a ring, and more links of several lanes between any two nodes."""
    dice = random.Random(seed)
    nodes = dice.randint(2, most)
    links = [(node, (node + 1) % nodes) for node in range(nodes)]
    while dice.random() < 0.85:
        links.append(tuple(dice.sample(range(nodes), 2)))
    return Graph(tuple(f"n{node}" for node in range(nodes)), (1,) * nodes, tuple(links), one_way=True)


def checked(trees, capacities, roots):
    """Every tree spans all nodes from its root on, there are as many as wanted, and no link is used more often than it can be."""
    nodes = {node for link in capacities for node in link}
    used, found = Counter(), Counter()
    for tree in trees:
        graph = networkx.DiGraph(tree.links)
        assert networkx.is_arborescence(graph) and set(graph) == nodes and not graph.in_degree(tree.root)
        used.update(dict.fromkeys(tree.links, tree.copies))
        found[tree.root] += tree.copies
    assert found == Counter(roots)
    assert all(times <= capacities[link] for link, times in used.items())


@pytest.mark.parametrize("together", [False, True])
def test_as_many_trees_as_the_worst_set_lets_out(together):
    """Edmonds' theorem, for a root and for all nodes: as many as the sets of nodes allow are found, and one more is refused."""
    for seed in range(25):
        topology = random_graph(seed)
        capacities = {Link(*link): count for link, count in lanes(topology).items()}
        most = min(leaving for inside, leaving in sets(topology) if 0 in inside)
        assert ways_to_all(topology, 0) == most
        checked(pack(capacities, {0: most}, together=together), capacities, {0: most})
        with pytest.raises(ParameterError, match="^trees must be at most as many as can come to node "):
            pack(capacities, {0: most + 1}, together=together)
        ratio = max(Fraction(len(inside), leaving) for inside, leaving in sets(topology))
        assert ratio_of_all_gather(topology) == ratio
        roots = dict.fromkeys(range(topology.nodes), ratio.denominator)
        wide = {link: count * ratio.numerator for link, count in capacities.items()}
        checked(pack(wide, roots, together=together), wide, roots)
        with pytest.raises(ParameterError):
            pack(wide, {**roots, 0: ratio.denominator + 1, 1: ratio.denominator + 1}, together=together)


def grown(dice, nodes, root):
    """The links of a tree at random from ``root`` to all nodes."""
    reached, left = [root], dice.sample([node for node in range(nodes) if node != root], nodes - 1)
    links = []
    for node in left:
        links.append(Link(dice.choice(reached), node))
        reached.append(node)
    return links


@pytest.mark.parametrize("together", [False, True])
def test_links_that_are_just_enough(together):
    """The links of some trees at random: every one is needed, so that a link that is taken too soon leaves another tree without."""
    for seed in range(40):
        dice = random.Random(seed)
        nodes = dice.randint(4, 8)
        roots = [0] * dice.randint(2, 4) if seed % 2 else dice.sample(range(nodes), dice.randint(2, nodes))
        capacities = Counter(link for root in roots for link in grown(dice, nodes, root))
        checked(pack(capacities, Counter(roots), together=together), capacities, Counter(roots))


def test_roots_of_different_numbers():
    """Trees from two nodes only, for which the condition is about sets that lack one of them."""
    capacities = {Link(0, 1): 2, Link(1, 2): 3, Link(2, 0): 1, Link(0, 2): 1}
    checked(pack(capacities, {0: 2, 1: 1}), capacities, {0: 2, 1: 1})
    with pytest.raises(ParameterError):
        pack(capacities, {0: 1, 1: 2})


@pytest.mark.parametrize(
    "topology", [ONE_WAY, DUMBBELL, Ring(5), Mesh(w=3, d=2), *map(random_graph, range(6))], ids=str
)
def test_collectives_along_trees(topology):
    """They are what the checker takes for the collective, and a broadcast takes no more than all its trees one after the other."""
    for parts in (1, 5):
        for root in (0, topology.processors - 1):
            made = broadcast_along_trees(topology, PortModel.D_PORT, root, parts)
            assert check(made).steps >= lower_bound(Problem(topology, "d", "OAB", root, parts=parts)).steps
            assert made.steps <= -(-parts // ways_to_all(topology, root)) + topology.processors - 1
        least = lower_bound(Problem(topology, "d", "AAB", parts=parts)).steps
        assert check(all_gather_along_trees(topology, PortModel.D_PORT, parts, least)).steps >= least
    if topology in (ONE_WAY, DUMBBELL):
        least = lower_bound(Problem(topology, "d", "all-reduce", parts=3)).steps
        assert check(all_reduce_along_trees(topology, PortModel.D_PORT, 3, least)).steps >= least


def test_lanes_are_loaded_no_more_than_the_bound():
    """Of an all-gather along trees no lane carries more than the worst set of nodes has to send out over each of its lanes."""
    for topology in (DUMBBELL, *(random_graph(seed) for seed in range(8))):
        schedule = all_gather_along_trees(topology, PortModel.D_PORT, 4, 0)
        worst = max(Fraction(4 * len(inside), leaving) for inside, leaving in sets(topology))
        steps = -(-worst.numerator // worst.denominator)
        carried = Counter((one.src, one.dst) for one in schedule.transfers)
        assert all(times <= steps * lanes(topology)[link] for link, times in carried.items())


def test_where_lanes_are_not_all_that_limits():
    assert lanes_limit(DUMBBELL, PortModel.D_PORT)
    assert not lanes_limit(DUMBBELL, PortModel.ONE) and not lanes_limit(DUMBBELL, PortModel.BROADCAST)
    assert not lanes_limit(Ring(5, m=2), PortModel.D_PORT) and not lanes_limit(Ring(5, f=2), PortModel.D_PORT)
    assert not lanes_limit(DUMBBELL, PortModel.D_PORT, StepModel(links="half-duplex"))


def test_what_is_too_large_is_left_out():
    assert all_gather_along_trees(Mesh(w=9, d=2), PortModel.D_PORT, 2, 1) is None
    assert all_reduce_along_trees(Mesh(w=6, d=2), PortModel.D_PORT, 2, 1) is None
