"""Collectives among some processors on the RTL: what arrives, and every packet on every wire as planned."""

import pytest

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import check
from fatcube.schedules.construct import best
from fatcube.schedules.cycles import lockstep_cycles
from fatcube.schedules.participants import Participants
from fatcube.schedules.problem import Problem
from fatcube.schedules.spanning.graphs import SBT
from fatcube.schedules.step_model import StepModel
from fatcube.schedules.wiring import network_of
from fatcube.sim.collectives.plan import compile_schedule
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate_all
from tests.support.along import made_along

FLITS = 5
SOME = (0, 1, 2, 5)
#: The collective, its root, its participants, and the messages that must be somewhere in the end.
CASES = [
    ("OAB", 0, Participants(targets=(1, 2, 7)), 3),
    ("OAS", 3, Participants(targets=(1, 2, 7)), 3),
    ("AOG", 3, Participants(sources=(1, 2, 7)), 3),
    ("AOR", 0, Participants(sources=(1, 2, 7)), 1),
    ("AAB", None, Participants((0, 3), (1, 2, 7)), 6),
    ("AAB", None, Participants((0, 1), (1, 7)), 4),  # one of them is held where it begins
    ("AAS", None, Participants((0, 3), (1, 2, 3)), 5),
    ("AAR", None, Participants(SOME, (6, 7)), 2),
    ("all-reduce", None, Participants(SOME, SOME), 16),
    ("all-reduce", None, Participants(homes=(1, 6)), None),  # two sums at every processor
    ("all-reduce", None, Participants(SOME, SOME, (6,)), 4),  # where it is added up, nothing is from
]


@pytest.mark.parametrize(
    ("topology", "ports", "model"),
    [
        (FatCube(2, 2), "d", {}),
        pytest.param(Hypercube(3), "1", {}, marks=pytest.mark.long),
        pytest.param(FatCube(2, 2), "b", {}, marks=pytest.mark.long),
        pytest.param(Hypercube(3), "d", {}, marks=pytest.mark.long),
        pytest.param(FatCube(2, 2), "*", {}, marks=pytest.mark.long),
        pytest.param(Mesh(w=3, d=2), "1", {}, marks=pytest.mark.long),
        pytest.param(Hypercube(3), "1", {"links": "half-duplex"}, marks=pytest.mark.long),
        pytest.param(Hypercube(3), "d", {"links": "simplex"}, marks=pytest.mark.long),
    ],
    ids=str,
)
def test_on_the_rtl(topology, ports, model):
    """In lockstep and in dataflow. Catches a sum to which a processor adds that only passes it, and a receiver too many."""
    schedules, delivered = [], []
    for collective, root, among, messages in CASES:
        found = best(
            Problem(topology, ports, collective, root, among=among, model=StepModel(**model)), time_limit=0
        ).found
        check(found)
        schedules.append(found)
        delivered.append(2 * topology.processors if messages is None else messages)
    if isinstance(topology, Hypercube) and not model:
        among = Participants(targets=(1, 2, 7))
        schedules.append(made_along(SBT(3), ports, "OAB", among=among).found)
        delivered.append(3)
    network = network_of(schedules[0], RouterOptions())
    machine = fitting_machine(network, payload_flits=FLITS, reductions=True)
    runs = [
        Run(schedule=schedule, payload_flits=FLITS, lockstep=lockstep)
        for schedule in schedules
        for lockstep in (True, False)
    ]
    for number, (run, result) in enumerate(zip(runs, simulate_all(machine, runs))):
        assert result.failures == () and result.delivered == delivered[number // 2], run.schedule.work
        if run.lockstep:
            assert (result.steps, result.conflicts) == (run.schedule.steps, 0)
            assert result.cycles == lockstep_cycles(run.schedule, network, FLITS)


def test_what_is_loaded_and_compared():
    """A sum of 1 and 7 at 0: nothing of the processors between, which hold nothing before, is a term of it."""
    found = best(Problem(Hypercube(3), "1", "AOR", 0, among=Participants(sources=(1, 7)))).found
    plan = compile_schedule(found, network_of(found, RouterOptions()))
    assert [processor for processor, _ in plan.initial] == [1, 7]
    [delivery] = plan.final
    assert delivery.processor == 0 and sorted(processor for processor, _ in delivery.parts) == [1, 7]
