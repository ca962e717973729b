"""All-reduces of undivided messages whose halves overlap: steps, and where they stay one after the other."""

import dataclasses

import pytest

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.graph import Link, make_graph
from fatcube.noc.topologies.grids import Mesh
from fatcube.noc.topologies.star import Star
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.constructions.known_all_reduce import doubling
from fatcube.schedules.participants import Participants
from fatcube.schedules.pipelined import build
from fatcube.schedules.pipelined.overlap import overlapped
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import STANDARD

ONE_WAY = make_graph(
    [(name, 1) for name in "abcde"],
    [Link(one, other, True, 1) for one, other in ("ab", "bc", "cd", "de", "ea", "ca", "db")],
)
"""A directed ring of five nodes with two short cuts."""


def made(topology, ports, among=None, model=STANDARD):
    """The schedule that is constructed, checked, and the steps of its two halves one after the other."""
    some = Collective.ALL_REDUCE.among(None, None, among)
    problem = Problem(topology, ports, Collective.ALL_REDUCE, 0, model, some)
    schedule, *halves = (
        construct(problem.changed(collective=one)).found
        for one in (Collective.ALL_REDUCE, Collective.AAR, Collective.AAB)
    )
    check(schedule, model)
    return schedule, sum(half.steps for half in halves)


@pytest.mark.parametrize(
    ("topology", "ports", "among", "steps", "one_after_the_other"),
    [
        (Star(8), "d", None, 12, 16),
        (Star(8), "1", None, 80, 128),
        (FatCube(1, 3, 2), "*", None, 5, 6),
        (Mesh(w=3, d=2), "d", None, 8, 8),  # the bound
        (Hypercube(3), "d", None, 6, 6),  # the bound, with a symmetric schedule
        (ONE_WAY, "d", None, 8, 8),
        (Hypercube(3), "d", [0, 1, 2, 7], 7, 8),
        (Mesh(w=3, d=2), "d", [0, 1, 2, 4, 7, 8], 9, 10),
    ],
    ids=str,
)
def test_steps(topology, ports, among, steps, one_after_the_other):
    schedule, before = made(topology, ports, among)
    assert (schedule.steps, before) == (steps, one_after_the_other)


@pytest.mark.parametrize(
    "given",
    [{"links": "half-duplex"}, {"port_use": "one-partner"}, {"port_use": "send-or-receive"}],
    ids=str,
)
def test_halves_follow_each_other_in_other_step_models(given):
    """Overlapping halves are only known to keep to the default model."""
    schedule, before = made(Star(4), "d", model=STANDARD.changed(**given))
    assert schedule.steps == before


def test_whole_paths_follow_each_other():
    """A transfer over several links in a step is no task of one lane: halving and doubling on a line of 8."""
    line = Mesh(w=8, d=1)
    both = doubling(line, PortModel.D_PORT)
    half = both.steps // 2
    transfers = (
        [one for one in both.transfers if one.step <= half],
        [dataclasses.replace(one, step=one.step - half) for one in both.transfers if one.step > half],
    )
    collect, spread = (
        dataclasses.replace(both, collective=collective, transfers=tuple(some))
        for collective, some in zip((Collective.AAR, Collective.AAB), transfers)
    )
    problem = Problem(line, "d", Collective.ALL_REDUCE, 0, both.model)
    assert any(one.path for one in both.transfers) and lower_bound(problem).steps < both.steps
    assert build.shortest_all_reduce(problem, collect, spread) == both


def test_sums_with_homes():
    """A sum is complete at its home, one of four leaves here, and spread from there."""
    homes = Participants(homes=(0, 1, 2, 3))
    problem = Problem(Star(8), "d", Collective.ALL_REDUCE, 0, among=homes)
    schedule = construct(problem).found
    check(schedule)
    assert schedule.among == homes
    assert (schedule.steps, sum(construct(one).found.steps for one in problem.phases)) == (7, 8)


def test_trees_to_all_processors_are_none_of_some(monkeypatch):
    def refuse(*_):
        raise AssertionError("trees to all processors")

    monkeypatch.setattr(build, "all_reduce_along_trees", refuse)
    assert made(Mesh(w=3, d=2), "d", [0, 1, 2, 4, 7, 8])[0].steps == 9
    with pytest.raises(AssertionError, match="trees to all processors"):
        made(Star(8), "d")


def test_halves_of_many_transfers_follow_each_other(monkeypatch):
    monkeypatch.setattr(build, "MANY", 100)
    schedule, before = made(Star(8), "d")
    assert schedule.steps == before == 16


class TestTries:
    @pytest.fixture
    def halves(self) -> tuple[Schedule, Schedule]:
        problem = Problem(Star(8), "d", Collective.AAB, 0)
        collect, spread = (construct(problem.changed(collective=one)).found for one in (Collective.AAR, Collective.AAB))
        return collect, spread

    def test_each_begins_in_another_order(self, halves):
        """The first alone is a step longer; what is found is the same in every run."""
        collect, spread = halves
        found = [overlapped(collect, spread, 9, tries=tries) for tries in (1, 10, 10)]
        assert [one.steps for one in found] == [13, 12, 12]
        assert found[1] == found[2]

    def test_they_end_with_the_steps_that_are_enough(self, halves):
        collect, spread = halves
        assert overlapped(collect, spread, 13, tries=10) == overlapped(collect, spread, 13)
