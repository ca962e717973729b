"""Spanning graphs pruned to some processors: nothing but the paths to them, in as few steps as these take."""

import pytest

from fatcube.schedules.checker import check
from fatcube.schedules.participants import Participants
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.spanning.graphs import NESBT, SBT, SBnT
from fatcube.schedules.spanning.pruning import pruned
from fatcube.schedules.step_model import STANDARD, StepModel
from tests.support.along import made_along

SOME = (1, 6, 7)
PARTNER = StepModel(port_use="one-partner")


def links(schedule):
    return {(transfer.src, transfer.dst) for transfer in schedule.transfers}


def test_a_broadcast_takes_the_paths_to_its_targets():
    """The binomial tree from 0 to 6 and 7, by hand: the nodes on the ways to them, whose bits are set from the highest on."""
    whole = made_along(SBT(3), "1", "OAB").found
    found = made_along(SBT(3), "1", "OAB", among=Participants(targets=(6, 7))).found
    assert links(found) < links(whole) and {dst for _, dst in links(found)} >= {6, 7}
    parents = {dst: src for src, dst in links(whole)}
    ways = set()
    for target in (6, 7):
        while target:
            ways.add((parents[target], target))
            target = parents[target]
    assert links(found) == ways
    assert check(found).steps == 3


@pytest.mark.parametrize(
    "model", [STANDARD, PARTNER, StepModel(per_packet=2), StepModel(port_use="send-or-receive")], ids=str
)
@pytest.mark.parametrize("ports", ["1", "d"])
@pytest.mark.parametrize("kind", [SBT, NESBT, SBnT])
def test_every_collective_on_a_subset(kind, ports, model):
    """Valid, no longer than for all processors, no shorter than the bound; every transfer of a scatter is for a target."""
    for collective in ("OAB", "OAS", "AOG", "AOR", "AAB", "AAR", "AAS", "all-reduce"):
        root = collective[0] == "O" or collective in ("AOG", "AOR")
        among = Participants(*((SOME, SOME) if not root else (None, SOME) if collective[0] == "O" else (SOME, None)))
        graph = kind(3, 2 if root else 0)
        finding = made_along(graph, ports, collective, model=model, among=among)
        everyone = made_along(graph, ports, collective, model=model)
        assert check(finding.found, model).steps >= finding.bound.steps
        assert finding.steps <= everyone.steps
        assert finding.found.among == among
        if collective in ("OAS", "AAS"):
            assert {transfer.message.destination for transfer in finding.found.transfers} <= set(SOME)


def test_parts_are_pruned_each_by_itself():
    """Of a pipelined broadcast over edge-disjoint trees every part still reaches every target, over the tree that it is on."""
    among = Participants(targets=(7,))
    found = made_along(NESBT(3), "d", "OAB", parts=3, among=among).found
    assert check(found).steps < made_along(NESBT(3), "d", "OAB", parts=3).steps + 1
    arrived = [transfer.message.part for transfer in found.transfers if transfer.dst == 7]
    assert sorted(arrived) == [0, 1, 2]


def test_all_processors_are_nothing_to_prune():
    whole = made_along(SBT(3), "1", "OAB").found
    assert pruned(whole, Participants()) is whole
    named = pruned(whole, Participants(targets=tuple(range(8))))
    assert isinstance(named, Schedule) and links(named) == links(whole) and named.steps == whole.steps
