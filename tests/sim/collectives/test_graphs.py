"""Graphs whose nodes differ, on the RTL: every collective in lockstep and in dataflow, and packets that go nowhere."""

import copy

import pytest

from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.network import Network
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.sim.collectives.plan import compile_schedule
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate_all
from fatcube.sim.traffic.traffic import Traffic, run_traffic
from tests.support.cases import some
from tests.support.networks import IRREGULAR, MESH, TRIANGLE
from tests.support.runs import check_result


@pytest.mark.parametrize(
    ("topology", "ports"), some([(IRREGULAR, "1"), (IRREGULAR, "b"), (MESH, "1"), (TRIANGLE, "d")], [1]), ids=str
)
def test_every_collective(topology, ports):
    """On one-way links too, where gathers and reductions go over the mirror image that is found."""
    machine = fitting_machine(Network(topology, RouterOptions(ports=ports)), payload_flits=3, reductions=True)
    runs = [
        Run(
            schedule=construct(Problem(topology, ports, collective, topology.processors - 1)).found,
            payload_flits=3,
            lockstep=how,
        )
        for collective in Collective
        for how in (True, False)
    ]
    for run, result in zip(runs, simulate_all(machine, runs)):
        check(run.schedule)
        check_result(run, result)


@pytest.mark.parametrize("simulator", some(["verilator", "verilator-flat"], [0]))
def test_packets_to_nowhere(simulator):
    """A header changed to another output: its node counts an error, the receiver is said to wait, and the run ends.

    Processor 3 on node 3 sends by channel 2, which it has not, and processor 0 on node 1 to node 0, which has none.
    """
    network = Network(IRREGULAR)
    router = network.router()
    machine = fitting_machine(network, payload_flits=3)
    schedule = construct(Problem(IRREGULAR, "1", "AAB")).found
    run = Run(schedule=schedule, payload_flits=3, timeout=100)
    plan = copy.deepcopy(compile_schedule(schedule, network))
    for processor, channel in ((3, 2), (0, 0)):
        entry = next(entry for entry in plan.programs[processor][0] if entry.send)
        entry.header = router.header.pack([router.lane_port(channel, 0), 0], router.header.unpack_message(entry.header))
    [result] = simulate_all(machine, [run], plans=[plan], simulator=simulator)
    errors = [failure for failure in result.failures if "header" in failure]
    assert errors == [f"router of node {node}: 1 header requested a turn that does not exist" for node in (0, 3)]
    assert any("waits in step 1 for message" in failure for failure in result.failures)
    # The next run on the same machine finds nothing of it.
    [result] = simulate_all(machine, [run], simulator=simulator)
    check_result(run, result)


@pytest.mark.long(stays="tests/sim/collectives/test_graphs.py::test_every_collective")
def test_traffic():
    """Random packets between the ports of processors that are there: none is lost, and nobody else sends."""
    machine = TrafficMachine(network=Network(IRREGULAR, RouterOptions(ports="1", width=32)))
    assert machine.places == [(1, 0), (2, 0), (2, 1), (3, 0)]
    assert {way.destination for way in machine.destinations(3)} == {0, 1, 2}
    [result] = run_traffic(machine, [Traffic(rate=2000, packet_flits=10, measured=4000)])
    assert result.failures == () and result.arrived == result.sent > 300
