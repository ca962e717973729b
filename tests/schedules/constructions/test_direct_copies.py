"""Direct broadcasts by routers that copy packets: fewer steps than copies alone, and near the bound."""

import pytest

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.checker import check
from fatcube.schedules.construct import construct
from fatcube.schedules.constructions.direct_copies import direct_copies
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import StepModel


@pytest.mark.parametrize("links", ["full-duplex", "half-duplex"])
def test_the_3_cube_by_hand(links):
    """In step 1 the root copies to its three neighbours. In step 2 these copy to the three nodes two hops away, a lane each, and
    the root sends to the opposite node over three of the lanes that are left."""
    finding = construct(Problem(Hypercube(3), "b", "OAB", 5, StepModel(transfers="direct", links=links)))
    assert check(finding.found).steps == 2 and finding.proved


@pytest.mark.parametrize("size", [(3, 1, 1), (3, 3, 1), (4, 1, 1)], ids=str)
def test_it_keeps_to_the_model(size):
    """Catches a single packet over a lane that a copy takes."""
    for links in ("full-duplex", "half-duplex"):
        model = StepModel(transfers="direct", links=links)
        made = direct_copies(FatCube(*size), PortModel.BROADCAST, 0, 2, size[0] + 1, model)
        assert check(made, model).steps <= 3


@pytest.mark.parametrize(
    ("size", "steps"),
    [
        ((4, 1, 1), 3),
        pytest.param((5, 1, 1), 3, marks=pytest.mark.long),
        pytest.param((6, 1, 1), 4, marks=pytest.mark.long),
        pytest.param((6, 2, 1), 4, marks=pytest.mark.long),
    ],
    ids=str,
)
def test_cubes(size, steps):
    """Copies alone take d steps. In two, 1 + 4 holders of the 4-cube reach 11 nodes by copies, and 13 if two of them send."""
    finding = construct(Problem(FatCube(*size), "b", "OAB", 0, StepModel(transfers="direct")))
    assert check(finding.found).steps == steps <= finding.bound.steps + 1
