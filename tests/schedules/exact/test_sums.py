"""All-reduces found by search: proved optima, in every step model, and the proofs of the bound that they meet."""

import pytest

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.exact import formulation
from fatcube.schedules.problem import Problem
from fatcube.schedules.search import Outcome, fewest, search
from fatcube.schedules.step_model import UNLIMITED, StepModel
from tests.support.children import HANG

MODELS = [
    StepModel(),
    StepModel(links="half-duplex"),
    StepModel(transfers="direct"),
    StepModel(per_packet=UNLIMITED),
    StepModel(port_use="one-partner"),
]


@pytest.mark.parametrize("topology", [FatCube(1, 2), Hypercube(2)], ids=str)
@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize("ports", ["1", "b", "*"])
def test_what_is_found_does_its_work(topology, model, ports):
    """Catches sums that are sent on before they are complete, and contributions that come when a sum has left."""
    if ports == "b" and model.combining:
        return
    problem = Problem(topology, ports, "all-reduce", model=model)
    finding = fewest(problem, time_limit=HANG)
    assert check(finding.found).steps == finding.steps >= lower_bound(problem).steps
    assert finding.proved


@pytest.mark.parametrize(
    "cube, steps", [((1, 2, 1), 6), ((1, 3, 2), 5), ((2, 2, 1), 7), ((2, 2, 2), 5), ((1, 5, 2), 7)], ids=str
)
def test_halves_that_share_a_step(cube, steps):
    """Each half at its bound takes a step more on these, in model *; the bound counts the ends in which lanes are idle."""
    problem = Problem(FatCube(*cube), "*", "all-reduce")
    assert lower_bound(problem).steps == steps
    found = search(problem, steps=steps, time_limit=HANG, symmetric=True).schedule
    assert found is not None and check(found).steps == steps


def test_a_pair_of_two_needs_six_steps():
    """(1, 2, 1) in model *: 4 and 5 steps are impossible, by search and by the bound alike."""
    problem = Problem(FatCube(1, 2), "*", "all-reduce")
    assert [search(problem, steps=steps, time_limit=HANG).outcome for steps in (4, 5)] == 2 * [Outcome.IMPOSSIBLE]
    assert (
        lower_bound(problem).reason == "8 crossings, at most 0 in the first step, 0 in the last and 2 in each other one"
    )


def test_without_the_order_of_the_sums_the_checker_refuses(monkeypatch):
    """Planted: totals that are sent before everything has come."""
    monkeypatch.setattr(formulation, "limit_sum", lambda model, total, processors, steps, moves: None)
    with pytest.raises(Exception, match="does not hold|has not received"):
        check(search(Problem(Hypercube(2), "1", "all-reduce"), steps=6, time_limit=HANG).schedule)
