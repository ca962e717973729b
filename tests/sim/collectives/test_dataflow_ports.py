"""The ports of lanes in dataflow: packets of different steps do not wait for each other, so it takes no longer than lockstep."""

import itertools

import pytest

from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.construct import construct
from fatcube.schedules.pipelined.best import best_in_parts
from fatcube.schedules.problem import Problem
from fatcube.schedules.routes import at_ports_of_lanes, lanes_of
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate_all


def test_each_lane_has_its_ports():
    """On both ends of a lane always the same port; within a node, and where a port is taken, a free one."""
    for topology, ports in ((Mesh(w=3, d=2), 4), (FatCube(2, 2, 1), 3)):
        schedule = construct(Problem(topology, "*", "AAB")).schedule.expanded()
        seen = {}
        for _, step in itertools.groupby(schedule.transfers, key=lambda transfer: transfer.step):
            used = set()
            for packet in at_ports_of_lanes([[one] for one in step], topology, ports):
                transfer = packet.transfers[0]
                places = ("sends", transfer.src, packet.sending), ("receives", transfer.dst, packet.receiving)
                assert used.isdisjoint(places)
                used.update(places)
                for lane in lanes_of(transfer, topology) if topology.m == 1 else ():
                    assert seen.setdefault((transfer.src, lane), packet.sending) == packet.sending == lane.channel
                    assert seen.setdefault((transfer.dst, lane), packet.receiving) == packet.receiving
                assert max(packet.sending, packet.receiving) < ports


@pytest.mark.long(
    stays="tests/sim/collectives/test_dataflow_ports.py::test_dataflow_takes_as_long_as_lockstep_on_a_cube"
)
def test_dataflow_is_not_slower_than_lockstep():
    """Catches ports in the order of a step, with which the all-reduce takes 5,425 cycles; the cases of issue 37."""
    mesh = Mesh(w=4, d=2)
    network = Network(mesh, RouterOptions(ports=PortModel.D_PORT), parts=26)
    machine = fitting_machine(network, payload_flits=256, messages=512, reductions=True)
    cases = [(construct(Problem(mesh, "d", name)).schedule, 256) for name in ("AAB", "all-reduce", "AAS")]
    cases.append((best_in_parts(Problem(mesh, "d", "OAB", 0, parts=26)).schedule, 10))
    runs = [Run(schedule=one, payload_flits=flits, lockstep=mode) for one, flits in cases for mode in (True, False)]
    results = simulate_all(machine, runs)
    assert [result.failures for result in results] == [()] * len(runs)
    assert [result.conflicts for result in results[:4]] == [0] * 4
    cycles = [result.cycles for result in results]
    assert cycles[2] == 4160 and cycles[6] == 252
    for lockstep, dataflow in zip(cycles[::2], cycles[1::2]):
        assert dataflow <= lockstep


def test_dataflow_takes_as_long_as_lockstep_on_a_cube():
    """75 cycles, not 60, with ports in the order of a step: a reduce-scatter of the 3-cube that has all lanes in use."""
    cube = Hypercube(3)
    machine = fitting_machine(Network(cube, RouterOptions(ports=PortModel.D_PORT)), reductions=True)
    schedule = construct(Problem(cube, "d", "AAR")).schedule
    runs = [Run(schedule=schedule, payload_flits=16, lockstep=mode) for mode in (True, False)]
    results = simulate_all(machine, runs)
    assert [(result.cycles, result.conflicts, result.failures) for result in results] == [(60, 0, ())] * 2
