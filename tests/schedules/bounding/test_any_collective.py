"""The bound that holds for any collective, against those that are proved for one alone and against searches."""

import itertools

import pytest

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh, Ring
from fatcube.noc.topologies.star import Star
from fatcube.schedules.bounding.any_collective import bound_of_any
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.participants import Participants
from fatcube.schedules.problem import Problem
from fatcube.schedules.search import fewest
from fatcube.schedules.step_model import StepModel
from tests.support.children import HANG

MODELS = [{}, {"transfers": "direct"}, {"links": "half-duplex"}, {"per_packet": 2}, {"per_packet": "unlimited"}]


@pytest.mark.parametrize("topology", [Hypercube(2), FatCube(1, 2), Ring(5), Star(3), Mesh(w=3, d=2)], ids=str)
@pytest.mark.parametrize("collective", ["OAB", "OAS", "AAB", "AAS"])
def test_no_higher_than_a_bound_of_the_collective_alone(topology, collective):
    """Catches messages that are counted for a processor which has them, and a distance of other transfers."""
    for ports, fields, parts, some in itertools.product("1d*", MODELS, (1, 3), (None, (1, 2))):
        among = Participants(targets=some)
        problem = Problem(topology, ports, collective, model=StepModel(**fields), among=among, parts=parts)
        assert bound_of_any(problem).steps <= lower_bound(problem).steps, problem.to_json()


@pytest.mark.parametrize(
    ("topology", "collective", "steps"), [(Hypercube(2), "OAS", 3), (Ring(5), "OAB", 2), (FatCube(1, 2), "AAS", 3)]
)
def test_it_is_high_where_that_is_easy(topology, collective, steps):
    """Catches a bound that is 1 whatever is asked."""
    problem = Problem(topology, "1", collective)
    assert bound_of_any(problem).steps == steps <= fewest(problem, time_limit=HANG).steps


def test_the_reason():
    bound = bound_of_any(Problem(Hypercube(3), "1", "OAS", 5))
    assert str(bound.reason) == ("7 messages leave processor 5, at most 1 a step; there is no bound for OAS alone")
