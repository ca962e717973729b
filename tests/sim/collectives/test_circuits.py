# amaranth: UnusedElaboratable=no
"""Schedules on networks with circuit switching: what monitors see of refusals, and lanes with components in them."""

import pytest

from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube
from fatcube.rtl.lanes.link import LinkRegister
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.construct import construct
from fatcube.schedules.cycles import lockstep_cycles
from fatcube.schedules.problem import Problem
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate_all

CUBE = FatCube(2, 2)
LENGTHS = (1, 4, 9)


def network(**options):
    return Network(CUBE, RouterOptions(**{"ports": "d", "width": 16, "switching": "circuit", **options}))


@pytest.mark.long(stays="tests/rtl/test_circuits.py::test_set_ups_in_a_ring")
@pytest.mark.parametrize(
    "simulator",
    [
        "verilator",
        pytest.param("icarus", marks=pytest.mark.long(stays="tests/rtl/test_circuits.py::test_set_ups_in_a_ring")),
    ],
)
def test_refusals_in_dataflow(simulator):
    """Every message is delivered, and every trace is that of the schedule, while headers cross lanes more than once.

    Catches a monitor that takes the header behind a refused one for payload.
    """
    schedule = construct(Problem(CUBE, "1", "AOG")).schedule
    runs = [Run(schedule=schedule, payload_flits=length, lockstep=False) for length in LENGTHS]
    waits, refuses = (
        simulate_all(fitting_machine(network(ports="1", setup_retry=retry)), runs, simulator=simulator)
        for retry in (0, 1)
    )
    for results in (waits, refuses):
        assert [result.failures for result in results] == [()] * len(runs)
    # Each router counts the headers that left it.
    assert all(again.flits > once.flits for again, once in zip(refuses, waits))


@pytest.mark.long(stays="tests/rtl/test_circuits.py::test_latency_without_load")
@pytest.mark.parametrize("retry", [0, 2])
def test_a_component_in_a_lane(retry):
    """A register takes a cycle of the header, of the answer and of the payload, in those steps that cross its lane."""
    schedule = construct(Problem(CUBE, "d", "AAB")).schedule.expanded()
    lane = (0, 0, 0)
    runs = [Run(schedule=schedule, payload_flits=length) for length in LENGTHS]
    net = network(setup_retry=retry)
    links = {lane: LinkRegister(net.options.width, 1, net.options.answers)}
    results = simulate_all(fitting_machine(net), runs, links=links)
    there = CUBE.neighbour(0, 0)[0]
    crossing = {
        one.step
        for one in schedule.transfers
        if one.lane is not None and (CUBE.node_of(one.src), CUBE.node_of(one.dst)) == (0, there)
    }
    assert crossing
    assert [result.failures for result in results] == [()] * len(runs)
    assert [result.cycles for result in results] == [
        lockstep_cycles(schedule, net, length) + 3 * len(crossing) for length in LENGTHS
    ]
