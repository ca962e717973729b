"""Every collective on machines that have every pair of kinds of ports, nodes, links, switching and channels."""

import pytest

from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.cycles import lockstep_cycles
from fatcube.sim.collectives.simulate import Run, simulate_all
from tests.support.covering import Covering
from tests.support.machines import CHOICES, FLITS, MACHINES, Kind, machine, machine_for, plain
from tests.support.runs import expected_deliveries


def test_every_pair_is_there():
    covering = Covering(CHOICES, lambda chosen: machine_for(Kind(**chosen)), plain)
    there = set().union(*(covering.pairs(kind._asdict()) for kind in MACHINES.values()))
    assert covering.possible().keys() - there == set()


@pytest.mark.parametrize("name", MACHINES)
def test_every_collective(name):
    """In lockstep and in dataflow: every delivery and every wire, steps, no conflict, and cycles as they are predicted."""
    kind = MACHINES[name]
    schedules = [kind.schedule(collective.value) for collective in Collective]
    for schedule in schedules:
        check(schedule)
    shared = machine(name)
    runs = [
        Run(schedule=schedule, payload_flits=flits, lockstep=lockstep)
        for schedule in schedules
        for flits, lockstep in ((2, True), (FLITS, True), (5, False))
    ]
    for run, result in zip(runs, simulate_all(shared, runs), strict=True):
        assert result.failures == (), run.schedule.collective
        assert result.delivered == expected_deliveries(kind.topology, run.schedule.collective)
        if run.lockstep:
            assert (result.steps, result.conflicts) == (run.schedule.steps, 0)
            assert result.cycles == lockstep_cycles(run.schedule, shared.network, run.payload_flits)
