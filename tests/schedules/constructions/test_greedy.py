"""Greedy schedules are the shortest of all tries, whether a try is carried to its end or not."""

import functools
import random

import pytest

from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message
from fatcube.schedules.constructions import greedy as module
from fatcube.schedules.constructions.greedy import greedy
from fatcube.schedules.participants import EVERYBODY
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.symmetry import Symmetry

TRIES = 40


@pytest.mark.parametrize("collective", ["OAB", "OAS", "AAB", "AAS"])
@pytest.mark.parametrize("ports", ["1", "b", "d"])
@pytest.mark.parametrize("topology", [FatCube(2, 3), CubeConnectedCycles(3)], ids=str)
def test_tries_that_end_early_are_those_that_lose(monkeypatch, topology, ports, collective):
    """Catches a try that is given up though it would have been the shortest."""
    monkeypatch.setattr(module, "TRIES", TRIES)
    ports, collective = PortModel.parse(ports), Collective.parse(collective)
    root = 1 if collective.rooted else None
    symmetry = Symmetry.of(topology, collective)
    rules = module.StepRules(topology, ports, symmetry)
    messages = list(symmetry.representatives(collective, root))
    build = module._moves_to_one
    if messages[0].destination is None:
        build = functools.partial(module._moves_to_all, wanted=module._wanted(topology, messages, EVERYBODY))
    whole = [
        build(rules, messages, random.Random(number).random if number else int, shortest=[]) for number in range(TRIES)
    ]
    first = min(whole, key=lambda moves: moves[-1].step)
    assert {len(moves) for moves in whole} == {len(first)}
    expected = Schedule.from_moves(topology, ports, collective, root, first, symmetric=not symmetry.trivial)
    assert greedy(Problem(topology, ports, collective, root), 0) == expected


def test_tries_differ_where_neighbours_are_alike():
    """From node 0 of a square to node 3, either of the two others comes first."""
    rules = module.StepRules(Hypercube(2), PortModel.ONE, Symmetry.of(Hypercube(2), Collective.OAS))
    tries = [module._moves_to_one(rules, [Message(0, 3)], random.Random(n).random, shortest=[]) for n in range(20)]
    assert {tuple(move.dst for move in moves) for moves in tries} == {(1, 3), (2, 3)}
