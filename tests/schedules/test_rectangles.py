"""Schedules for meshes and tori of unequal widths: accepted by the checker, and no shorter than bounds counted here."""

import itertools
import random

import networkx
import pytest

from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topologies.grids import Mesh, Torus
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import best, construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import StepModel
from tests.support.graphs import as_graph

MODELS = [
    StepModel(),
    StepModel(),
    StepModel(links="half-duplex"),
    StepModel(transfers="direct"),
    StepModel(per_packet=2),
]


def rectangles():
    """Some meshes and tori, drawn at random, of at most 12 nodes in two or three dimensions."""
    draw, found = random.Random(65), {}
    while len(found) < 8:
        widths = tuple(draw.randint(2, 6) for _ in range(draw.randint(2, 3)))
        topology = (Mesh, Torus)[len(found) % 2](w=widths)
        if topology.nodes <= 12 and len(set(widths)) > 1:
            found[topology] = True
    return list(found)


@pytest.mark.parametrize("topology", rectangles(), ids=str)
def test_every_collective(monkeypatch, topology):
    """The checker knows no family: it follows the links one by one."""
    for name in ("greedy", "direct", "packed", "packed_all_gather"):
        monkeypatch.setattr(f"fatcube.schedules.constructions.{name}.TRIES", 4)
    for collective, (number, model) in itertools.product(Collective, enumerate(MODELS)):
        problem = Problem(topology, "1d"[number % 2], collective, 0, model)
        found = construct(problem)
        steps = check(found.schedule.expanded()).steps
        assert steps == found.schedule.steps >= lower_bound(problem).steps == found.bound.steps > 0


@pytest.mark.parametrize(
    ("topology", "steps"),
    [(Torus(w=(4, 2)), 4), (Torus(w=(2, 4)), 4), (Torus(w=(2, 2)), 2), (Mesh(w=(4, 2)), 8), (Mesh(w=(2, 2)), 2)],
    ids=str,
)
def test_total_exchange(topology, steps):
    """Messages that cross a cut, over its lanes: counted by hand at a dimension's middle, and reached.

    On the torus of 4 by 2 nodes: 16 messages each way over 4 links around, as do the 16 over 8 parallel links, in 2 steps.
    """
    found = construct(Problem(topology, "d", "AAS"))
    assert check(found.schedule).steps == found.bound.steps == steps


def test_both_links_of_two_nodes_are_used():
    """Two nodes with two links exchange two parts of a message in a step; those of a mesh have one link, and take two."""
    assert [best(Problem(one, "d", "AAB", parts=2)).steps for one in (Torus(w=(2,)), Mesh(w=(2,)))] == [1, 2]


def test_the_order_of_widths_only_numbers_nodes():
    """Bounds on 3 by 2 and 2 by 3 nodes are the same, and those of the same graph without a family."""
    for kind, ports, collective in itertools.product((Mesh, Torus), "1d*", Collective):
        found = {
            lower_bound(Problem(one, ports, collective, 0)).steps
            for shape in ((3, 2), (2, 3))
            for one in (kind(w=shape), as_graph(kind(w=shape)))
        }
        assert len(found) == 1, (kind, ports, collective)


def test_with_failures():
    """One of two parallel links, or both: what is left is as networkx says, and its schedules keep to it."""
    whole = Torus(w=(4, 2))
    for failed, diameter in (([], 3), (["lane:0-4:1"], 3), (["link:0-4"], 3), (["node:5"], 3)):
        topology = damaged(whole, failed) if failed else whole
        left = networkx.Graph(topology.survivors.graph)
        assert networkx.diameter(left) == diameter
        for collective in (Collective.AAB, Collective.AAS):
            found = construct(Problem(topology, "d", collective))
            assert check(found.schedule.expanded()).steps >= found.bound.steps
    assert list(damaged(whole, ["lane:0-4:1"]).lanes_between(0, 4)) == [0]
    assert list(damaged(whole, ["link:0-4"]).lanes_between(0, 4)) == []
