"""Constructions with every pair of the fields of a step model: a valid schedule, or a refusal that says why."""

import dataclasses
import itertools

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.damaged import damaged
from fatcube.noc.topologies.grids import Ring
from fatcube.noc.topologies.oriented_cube import OrientedCube
from fatcube.noc.topologies.star import Star
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.pipelined.best import best_in_parts
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import StepModel

FIELDS = {
    "transfers": ("direct",),
    "links": ("half-duplex", "simplex"),
    "per_packet": (2, "unlimited"),
    "port_use": ("one-partner", "send-or-receive"),
    "dedicated_ports": (True,),
}
#: The default model, each value that differs from it, and every pair of values of two fields.
MODELS = [
    StepModel(**dict(zip(fields, values)))
    for count in (0, 1, 2)
    for fields in itertools.combinations(FIELDS, count)
    for values in itertools.product(*(FIELDS[field] for field in fields))
]
NETWORKS = [
    Hypercube(3),
    FatCube(1, 2, 2),
    Ring(5),
    Star(3),
    OrientedCube(2),
    damaged(FatCube(2, 2), ["processor:3", "link:0-1"]),
]
#: Why a problem means nothing, which is seen before anything is built.
MEANINGLESS = (
    "dedicated ports must be in model * (all-port), not in model ",
    "per_packet must be 1 on routers of model b, which copy packets, not ",
    "links must be full-duplex or half-duplex on ",
)


@pytest.fixture(autouse=True)
def _few_tries(monkeypatch):
    """Every schedule is valid, not only the shortest of many tries."""
    for name, tries in (("greedy", 20), ("direct", 10), ("packed", 8), ("packed_all_gather", 8)):
        monkeypatch.setattr(f"fatcube.schedules.constructions.{name}.TRIES", tries)


def outcome(topology, ports, collective, model, parts):
    """ "refused" before anything is built, or "valid"."""
    try:
        problem = Problem(topology, ports, collective, model=model, parts=parts)
    except ParameterError as error:
        assert str(error).startswith(MEANINGLESS), error
        return "refused"
    found = construct(problem) if parts == 1 else best_in_parts(problem)
    assert found.schedule is not None, f"{problem.to_json()}: {found.by}"
    assert check(found.schedule, model).steps == found.steps >= found.bound.steps, problem.to_json()
    assert Problem.of(found.schedule).normal == problem.normal, problem.to_json()
    return "valid"


@pytest.mark.parametrize("number", range(len(MODELS)), ids=lambda number: str(MODELS[number]) or "default")
def test_a_network_with_each_model(number):
    """Catches two fields of which a construction keeps to one; networks and parts take turns."""
    topology = NETWORKS[number % len(NETWORKS)]
    for at, (collective, ports) in enumerate(itertools.product(Collective, "1bd*")):
        outcome(topology, ports, collective, MODELS[number], 1 + 2 * ((at + at // 4) % 2))


def test_what_can_be_is_made():
    """Catches a test that refuses everything: few problems mean nothing."""
    made = [outcome(Ring(4), "*", "OAB", model, 1) for model in MODELS]
    assert made.count("refused") == sum(model.links == "simplex" for model in MODELS) < len(MODELS) / 3


@pytest.mark.long(stays="tests/schedules/test_pairs_of_fields.py::test_a_network_with_each_model")
@pytest.mark.parametrize("topology", NETWORKS, ids=str)
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_every_network_with_each_model(topology, model):
    for ports, collective, parts in itertools.product("1bd*", Collective, (1, 3)):
        outcome(topology, ports, collective, model, parts)


def test_every_field_is_here():
    assert [*FIELDS] == [field.name for field in dataclasses.fields(StepModel)]
