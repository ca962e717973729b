"""Direct all-to-all on cubes: the steps that its docstring proves, checked without it."""

import itertools
import math

import pytest

from fatcube.noc.topologies.cubes import FatCube
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.construct import construct
from fatcube.schedules.constructions.direct_all_to_all import direct_all_to_all
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import StepModel

DIRECT = StepModel(transfers="direct")
SHARED = StepModel(transfers="direct", links="half-duplex")
SIZES = [(1, 1, 1), (1, 3, 1), (1, 4, 2), (2, 2, 1), (2, 3, 2), (2, 4, 3), (3, 1, 1), (3, 2, 1), (3, 3, 3), (4, 1, 2)]
MANY = [size for size in itertools.product(range(1, 6), range(1, 6), range(1, 7)) if size[1] << size[0] <= 80]


def steps(size, ports, model):
    """The checked steps, and those of the proof for full duplex: where ports are scarce, one less may do."""
    d, m, f = size
    P, k = m << d, {"1": 1, "d": d, "*": d + m - 1}[ports]
    made = direct_all_to_all(FatCube(*size), PortModel.parse(ports), model)
    if made is None:
        return None, None
    halves = 2 if model is SHARED else 1
    scarce = math.ceil(halves * m * P / (2 * f))
    lanes = 2 * f < k * m if halves == 1 else f < halves * math.ceil(k * m / 2)
    proved = {scarce} if lanes else {math.ceil(P / k), math.ceil((P - 1) / k)}
    return check(made).steps, proved


@pytest.mark.parametrize(
    "size", [*SIZES, *(pytest.param(size, marks=pytest.mark.long) for size in MANY if size not in SIZES)], ids=str
)
@pytest.mark.parametrize("model", [DIRECT, SHARED], ids=str)
def test_steps_are_those_of_the_proof(size, model):
    """Catches a place that two of a step's slots have, and a dimension with too many messages: the checker refuses them."""
    for ports in "1d*":
        made, proved = steps(size, ports, model)
        if made is not None:
            assert made in proved, ports
            assert made - lower_bound(Problem(FatCube(*size), ports, "AAS", None, model)).steps <= 1


def test_what_the_proof_leaves_out():
    """Half duplex with f = k m odd, or k m - 1; and lanes for more than what one shift has to send."""
    left = [size for size in MANY if direct_all_to_all(FatCube(*size), PortModel.ONE, SHARED) is None]
    assert left == [size for size in MANY if size[2] == (size[1] if size[1] % 2 else size[1] - 1)]


@pytest.mark.parametrize("size", [(2, 2, 1), (1, 4, 1), (2, 2, 2), (3, 2, 1)], ids=str)
def test_the_fewest_steps(size):
    d, m, f = size
    P = m << d
    for ports, k in (("1", 1), ("d", d), ("*", d + m - 1)):
        finding = construct(Problem(FatCube(*size), ports, "AAS", None, DIRECT))
        assert check(finding.found).steps == max(math.ceil((P - 1) / k), math.ceil(m * P / (2 * f)))
        assert finding.proved


@pytest.mark.long(stays="tests/schedules/constructions/test_direct_all_to_all.py::test_steps_are_those_of_the_proof")
@pytest.mark.parametrize("size", [(6, 1, 1), (6, 4, 1), (6, 3, 2), (7, 2, 3)], ids=str)
def test_large_cubes(size):
    for ports, model in itertools.product("1d*", (DIRECT, SHARED)):
        finding = construct(Problem(FatCube(*size), ports, "AAS", None, model))
        assert check(finding.found).steps <= finding.bound.steps + 1
