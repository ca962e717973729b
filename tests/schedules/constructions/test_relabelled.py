"""Schedules of larger collectives, relabelled: they do the work, in no more steps, and only where this follows."""

import itertools

import pytest

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.noc.topologies.star import Star
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.constructions.relabelled import contained, contains, larger, relabelled
from fatcube.schedules.participants import Participants
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import UNLIMITED, StepModel

NAMES = ("OAB", "OAS", "AAB", "AAS")
PAIRS = {("AAS", "AAB"), ("AAS", "OAS"), ("AAS", "OAB"), ("AAB", "OAB"), ("OAS", "OAB")}
FREE = PAIRS | {("AAB", "AAS"), ("AAB", "OAS"), ("OAB", "OAS")}  # with packets of any size
MODELS = [
    StepModel(),
    StepModel(per_packet=2),
    StepModel(per_packet=UNLIMITED),
    StepModel(links="half-duplex", per_packet=UNLIMITED),
    StepModel(links="simplex", per_packet=UNLIMITED),
    StepModel(transfers="direct"),
    StepModel(transfers="direct", per_packet=UNLIMITED),
    StepModel(port_use="send-or-receive"),
]


def test_what_contains_what():
    """An all-gather is an all-to-all only where packets have no limit."""
    for one, other in itertools.permutations(NAMES, 2):
        pair = Collective.parse(one), Collective.parse(other)
        assert contains(*pair, StepModel()) == contains(*pair, StepModel(per_packet=2)) == ((one, other) in PAIRS)
        assert contains(*pair, StepModel(per_packet=UNLIMITED)) == ((one, other) in FREE)
    problem = Problem(Hypercube(2), "1", "AAS")
    assert {one.collective.value for one in contained(problem)} == {"AAB", "OAS", "OAB"}
    assert {one.collective.value for one in larger(problem.changed(collective="OAB", root=2))} == {"AAB", "OAS", "AAS"}
    some = problem.changed(collective="OAB", root=0, among=Participants(targets=(1, 2)))
    assert not [*contained(some), *larger(some)]


@pytest.mark.parametrize("topology", [FatCube(2, 2, 2), FatCube(1, 3), Mesh(w=3, d=2), Star(4)], ids=str)
@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize("ports", ["1", "b", "d"])
def test_every_larger_schedule_is_one(topology, model, ports):
    """Catches messages of other roots left in, a message that is sent twice, and ways on which nothing is brought."""
    if model.combining and ports == "b" or model.links == "simplex" and topology != FatCube(2, 2, 2):
        return
    count = 0
    for name in NAMES:
        problem = Problem(topology, ports, name, 1, model)
        for other in larger(problem):
            made = construct(other).found
            mine = relabelled(made, problem)
            assert (mine.collective, mine.root, mine.model) == (problem.collective, problem.root, model)
            assert check(mine).steps <= made.steps
            count += 1
    assert count == len(FREE if model.per_packet == UNLIMITED else PAIRS)


@pytest.mark.parametrize("topology, alone", [(Hypercube(3), 3), (Mesh(w=3, d=2), 4)], ids=str)
def test_a_shorter_schedule_of_a_larger_collective_is_taken(topology, alone, monkeypatch):
    """A scatter in packets of any size takes the 2 steps of a broadcast; its own construction takes more."""
    problem = Problem(topology, "d", "OAS", 0, StepModel(transfers="direct", per_packet=UNLIMITED))
    finding = construct(problem)
    assert (finding.steps, check(finding.found).steps, finding.proved) == (2, 2, True)
    monkeypatch.setattr("fatcube.schedules.construct.larger", lambda _: [])
    assert construct(problem).steps == alone
