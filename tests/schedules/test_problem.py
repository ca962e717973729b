"""The problem of a schedule: what it refuses, and its normal form and the way back."""

import itertools
import pickle
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.damaged import Damaged, damaged
from fatcube.noc.topologies.grids import Mesh
from fatcube.noc.topologies.oriented_cube import OrientedCube
from fatcube.noc.topologies.survivors import Survivors
from fatcube.schedules.bounds import bound_of, lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import best, construct
from fatcube.schedules.participants import Participants
from fatcube.schedules.pipelined.best import best_in_parts
from fatcube.schedules.problem import Problem
from fatcube.schedules.search import program_digest, search
from fatcube.schedules.step_model import Links, StepModel
from tests.support.children import HANG

SIMPLEX, HALF_DUPLEX = StepModel(links="simplex"), StepModel(links="half-duplex")


@pytest.mark.parametrize(
    "changed, message",
    [
        ({"root": 4}, "root of OAB must be an integer from 0 to 3, not 4"),
        ({"collective": "OAS", "root": None}, "root of OAS must be an integer from 0 to 3, not None"),
        ({"collective": "AOG", "root": -1}, "root of AOG must be an integer from 0 to 3, not -1"),
        ({"ports": "2"}, "ports must be one of 1, b, d, * or one, broadcast, d-port, all-port, not '2'"),
        (
            {"collective": "all"},
            "collective must be one of OAB, OAS, AOG, AOR, AAB, AAR, AAS, all-reduce or broadcast, scatter, "
            "gather, reduce, all-gather, reduce-scatter, all-to-all, not 'all'",
        ),
        ({"parts": 0}, "parts must be an integer of at least 1, not 0"),
        ({"model": StepModel(dedicated_ports=True)}, "dedicated ports must be in model * (all-port), not in model 1"),
        (
            {"topology": Mesh(w=3, d=2), "model": SIMPLEX},
            "links must be full-duplex or half-duplex on the 3 × 3 mesh, as only cubes have simplex links",
        ),
        ({"among": Participants(targets=(9,))}, "processor of to must be an integer from 0 to 3, not 9"),
        ({"among": Participants(targets=(0,))}, "OAB must have something to move, which it has not to 0"),
        (
            {"topology": damaged(Hypercube(2), ["processor:0"])},
            "root of OAB must be a processor that works on the hypercube of 4 nodes without processor:0, not 0",
        ),
    ],
)
def test_refuses(changed, message):
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
        Problem(**{"topology": Hypercube(2), "ports": "1", "collective": "OAB"} | changed)


def test_equal_problems_are_one_key():
    """Catches a root that tells apart problems which have none, and a value that a worker process cannot be sent."""
    one, other = Problem(Hypercube(2), "one", "all-gather", 3), Problem(Hypercube(2), "1", "AAB")
    assert one == other and len({one, other, pickle.loads(pickle.dumps(one))}) == 1
    assert one.root is None and one.normal is one
    assert len({one, one.changed(parts=2), one.changed(ports="b"), one.changed(model=HALF_DUPLEX)}) == 4


NETWORKS = {
    "all": Hypercube(3),
    "fat": FatCube(2, 2),
    "failed link": damaged(Hypercube(3), ["link:0-1"]),
    "failed processor": damaged(FatCube(2, 2), ["processor:3"]),
    "one-way links": OrientedCube(3),
}


def problems():
    """Every network, with each type of links that it has, and every collective from another root, among all and some."""
    some = {"all": None, "some": (1, 4, 6)}
    for (name, topology), model, collective, (among, subset) in itertools.product(
        NETWORKS.items(), (StepModel(), SIMPLEX, HALF_DUPLEX), Collective, some.items()
    ):
        if model.links is Links.SIMPLEX and name not in ("all", "fat"):
            continue
        participants = collective.among(None, None, subset)
        yield pytest.param(
            Problem(topology, "d", collective, 5, model, participants),
            id=f"{name}-{model.links.value}-{collective.value}-{among}",
        )


@pytest.mark.parametrize("problem", [*problems()])
def test_the_way_back(problem):
    """Catches a root, a participant, a lane or a reason that stays numbered as in the normal problem."""
    normal = problem.normal
    assert not isinstance(normal.topology, Damaged) and normal.model.links is not Links.SIMPLEX
    assert normal.collective in (Collective.OAB, Collective.OAS, Collective.AAB, Collective.AAS, Collective.ALL_REDUCE)
    assert isinstance(problem.topology, Damaged) == isinstance(normal.topology, Survivors)
    found = construct(problem)
    assert Problem.of(found.found) == problem
    assert check(found.found).steps == found.steps >= found.bound.steps == bound_of(found.found).steps


@pytest.mark.parametrize("collective", ["AOG", "AAR"])
def test_a_search_knows_failures_and_participants(collective):
    """Catches `search` and `program_digest` without failures or participants, which knew only simplex links and reversal."""
    broken = Problem(damaged(Hypercube(2), ["link:0-1"]), "1", collective)
    least = lower_bound(broken).steps
    found = search(broken, steps=best(broken).steps, time_limit=HANG).schedule
    assert Problem.of(found) == broken and check(found).steps >= least
    among = Collective.parse(collective).among(None, None, (0, 1, 3))
    digests = {
        program_digest(one, steps=3)
        for one in (broken, broken.changed(topology=Hypercube(2)), broken.changed(among=among))
    }
    assert len(digests) == 3


def test_parts_know_failures():
    for collective in Collective:
        problem = Problem(NETWORKS["failed link"], "d", collective, parts=2)
        assert Problem.of(best_in_parts(problem).found) == problem


def test_reasons_of_reversed_links():
    """Catches a reason that speaks of the links of the network where those of its mirror image are meant."""
    reasons = {one: lower_bound(Problem(OrientedCube(3), "1", one)).reason for one in ("OAS", "AOG")}
    assert [one.endswith(", with all links reversed") for one in reasons.values()] == [False, True]
    assert "reversed" not in lower_bound(Problem(Hypercube(3), "1", "AOG")).reason
