"""Lower bounds of divided messages: beside schedules along trees, and beside values worked out by hand."""

import pytest

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.star import Star
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounds import lower_bound, through_nodes
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.problem import Problem
from fatcube.schedules.spanning.graphs import NESBT, SBT, TCBT, SBnT
from fatcube.schedules.spanning.trees import along
from fatcube.schedules.step_model import STANDARD, StepModel


@pytest.mark.parametrize("kind", [SBT, TCBT, NESBT, SBnT])
@pytest.mark.parametrize("ports", ["1", "d"])
@pytest.mark.parametrize("collective", ["OAB", "OAS", "AAB", "AAS"])
def test_no_schedule_is_below(kind, ports, collective):
    """Catches a bound that is none. The schedules come from trees, which know of no bound."""
    for n in (2, 3, 4):
        for parts in (1, 2, 3, 5):
            schedule = along(kind(n, 0), ports, collective, parts=parts, one_partner=ports == "1")
            bound = lower_bound(
                Problem(
                    Hypercube(n),
                    ports,
                    collective,
                    parts=parts,
                    model=StepModel(port_use="one-partner") if ports == "1" else STANDARD,
                )
            )
            assert bound.steps <= check(schedule).steps, (n, parts)


@pytest.mark.parametrize(
    ("topology", "ports", "collective", "parts", "steps"),
    [
        # Two processors on one link: a part a step.
        (Hypercube(1), "1", "OAB", 5, 5),
        (Hypercube(1), "1", "OAS", 5, 5),
        (Hypercube(1), "1", "AAS", 5, 5),
        # The last of 16 parts leaves in step 16 and takes 4 steps from there; 4 at a time it leaves in step 4.
        (Hypercube(4), "1", "OAB", 16, 19),
        (Hypercube(4), "d", "OAB", 16, 7),
        # 7 x 3 parts leave the root one by one, or three at a time.
        (Hypercube(3), "1", "OAS", 3, 21),
        (Hypercube(3), "d", "OAS", 3, 7),
        (Hypercube(3), "d", "AAB", 3, 7),
        # 12 hops for each part of all that a processor sends, on one port, or on three.
        (Hypercube(3), "1", "AAS", 2, 24),
        (Hypercube(3), "d", "AAS", 2, 8),
        # Four processors at a node of one link: 16 messages, each in 3 parts, over its one lane.
        (FatCube(1, 4), "1", "AAS", 3, 48),
        (FatCube(1, 4), "1", "AOG", 3, 21),
    ],
)
def test_by_hand(topology, ports, collective, parts, steps):
    assert lower_bound(Problem(topology, ports, collective, parts=parts)).steps == steps


@pytest.mark.parametrize("collective", list(Collective))
def test_undivided_is_one_part(collective):
    for ports in ("1", "b", "d", "*"):
        assert lower_bound(Problem(FatCube(2, 3), ports, collective, parts=1)) == lower_bound(
            Problem(FatCube(2, 3), ports, collective)
        )


def test_a_hub_passes_on_as_much_in_an_all_reduce_as_in_an_all_gather():
    """All but its last phase is bounded otherwise; the hub of a star of n leaves sends n (n - 1) messages, and its own n."""
    for n in (3, 5):
        found = {
            one: list(through_nodes(Problem(Star(n), PortModel.ONE, one)))
            for one in (Collective.AAB, Collective.ALL_REDUCE)
        }
        assert found[Collective.AAB] == found[Collective.ALL_REDUCE]
        assert [bound.steps for bound in found[Collective.AAB]] == [n * (n - 1) + n]
