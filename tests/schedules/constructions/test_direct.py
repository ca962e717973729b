"""The choice among the tries of a direct schedule; that they are valid is tested with all other constructions."""

import pytest

from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.topologies.grids import Ring
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.constructions import direct
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import StepModel


@pytest.mark.parametrize(
    ("tries", "least", "taken", "looked_at"),
    [
        ([5, 3, 4, 3], 1, 1, 4),  # neither the first nor the last, and of equal ones the first
        ([5, 3, 2, 3], 3, 1, 2),  # nothing is shorter than the bound
        ([3, 3, 4, 5], 1, 0, 4),
    ],
)
def test_the_shortest_of_all_tries(monkeypatch, tries, least, taken, looked_at):
    made = [[Move(last, 0, 1, Message(0, number + 1))] for number, last in enumerate(tries)]
    left = iter(made)
    monkeypatch.setattr(direct, "TRIES", len(tries))
    monkeypatch.setattr(direct, "_steps", lambda *asked: next(left))
    found = direct.direct(Problem(Ring(5), "d", "OAS", model=StepModel(transfers="direct")), least).transfers
    assert [(one.step, one.message) for one in found] == [(one.step, one.message) for one in made[taken]]
    assert len([*left]) == len(tries) - looked_at


@pytest.mark.parametrize(
    "model",
    [
        StepModel(transfers="direct", port_use="one-partner"),
        StepModel(transfers="direct", port_use="one-partner", dedicated_ports=True, links="half-duplex"),
        StepModel(transfers="direct", dedicated_ports=True),
    ],
    ids=str,
)
@pytest.mark.parametrize("topology", [Ring(5), FatCube(2, 2, 2)], ids=str)
def test_partners_and_dedicated_ports(topology, model):
    """Catches transfers of which two take one port or two partners."""
    found = direct.direct(Problem(topology, "*", "AAS", model=model), 1)
    assert check(found).steps
