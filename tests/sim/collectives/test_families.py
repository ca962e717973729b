"""Grids and generalized hypercubes of unequal widths, longer cycles and butterflies on the RTL: every wire shows what is planned."""

import pytest

from fatcube.noc.network import Network
from fatcube.noc.topologies.butterflies import Butterfly, WrappedButterfly
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.noc.topologies.grids import Mesh, Torus
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import check
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate_all
from tests.support.cases import some
from tests.support.runs import check_result

FEW = [
    (SparseGHC((2, 3), 2), "d", "AAS"),
    (CubeConnectedCycles(2, k=3), "d", "AAB"),
    (Butterfly(2), "d", "AAB"),
    (WrappedButterfly(2), "d", "AAS"),
    (Mesh(w=(2, 3)), "d", "AAB"),
    (Torus(w=(4, 2)), "d", "AAS"),
]
MORE = [
    DenseGHC((3, 2, 2), 3),
    DenseGHC((2, 3), 2, 2, 2),
    SparseGHC((3, 4), 2),
    SparseGHC((2, 3), 2, 2, 1),
    SparseGHC((3, 4, 2), 3),
    CubeConnectedCycles(2, 2, 2, k=4),
    CubeConnectedCycles(3, k=4),
    Butterfly(2, 2, 2),
    Butterfly(3),
    WrappedButterfly(3),
    WrappedButterfly(2, 2, 2),
    Mesh(w=(3, 2), m=2, f=2),
    Mesh(w=(2, 4, 2)),
    Torus(w=(2, 3), m=2),
    Torus(w=(5, 3)),
]


def run_all(topology, ports, collectives):
    """In lockstep, with the trace of the plan on every wire, and in dataflow."""
    schedules = [
        construct(Problem(topology, ports, one, topology.processors - 1)).schedule.expanded() for one in collectives
    ]
    for schedule in schedules:
        check(schedule)
    machine = fitting_machine(
        Network(topology, RouterOptions(ports=ports)),
        payload_flits=3,
        reductions=True,
        steps=max(schedule.steps for schedule in schedules),
    )
    runs = [Run(schedule=one, payload_flits=3, lockstep=lockstep) for one in schedules for lockstep in (True, False)]
    for run, result in zip(runs, simulate_all(machine, runs)):
        check_result(run, result)


@pytest.mark.parametrize(("topology", "ports", "collective"), some(FEW, [0, 3, 5]), ids=str)
def test_one_of_each(topology, ports, collective):
    run_all(topology, ports, [collective])


@pytest.mark.long(stays="tests/sim/collectives/test_families.py::test_one_of_each")
@pytest.mark.parametrize("topology", MORE, ids=str)
@pytest.mark.parametrize("ports", ["1", "d"])
def test_more(topology, ports):
    run_all(topology, ports, ["OAB", "AOR", "AAB", "AAS"])
