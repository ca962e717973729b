"""Networks with failures on the RTL: collectives with their traces, and lanes that are cut indeed."""

import dataclasses

import pytest

from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.damaged import damaged
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import check
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.spanning.graphs import NESBT
from fatcube.sim.builds.lanes import described
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate_all
from tests.support.along import made_along

CUBE = FatCube(1, 3, 3)
FAILED = damaged(CUBE, ["lane:0-1:0:out", "lane:0-1:1", "processor:1"])


def test_failed_lanes_are_not_connected():
    """The lanes in the harness: of the three lanes to node 1 one is left, of the three back two."""
    machine = fitting_machine(Network(FAILED, RouterOptions(ports="d")))
    assert described(machine, [])["leads_to"] == [-1, -1, 5, 0, -1, 2]


@pytest.mark.long(stays="tests/sim/collectives/test_damaged.py::test_failed_lanes_are_not_connected")
def test_a_failed_lane_carries_nothing():
    """Collectives run with the traces that they must have; one that takes a lane that has failed stalls, as it is cut."""
    machine = fitting_machine(Network(FAILED, RouterOptions(ports="d")), payload_flits=4, reductions=True)
    schedules = [construct(Problem(FAILED, "d", one, None)).found for one in ("AAB", "all-reduce")]
    for schedule, result in zip(
        schedules, simulate_all(machine, [Run(schedule=one, payload_flits=4) for one in schedules])
    ):
        assert (result.steps, result.conflicts, result.failures) == (check(schedule).steps, 0, ())
    [first] = [one for one in schedules[0].transfers if one.lane == 2 and one.src < 3][:1]
    wrong = tuple(dataclasses.replace(one, lane=0) if one == first else one for one in schedules[0].transfers)
    [result] = simulate_all(
        machine, [Run(schedule=dataclasses.replace(schedules[0], transfers=wrong), payload_flits=4)]
    )
    assert result.failures


@pytest.mark.long(stays="tests/schedules/spanning/test_degraded.py::test_broadcasts")
def test_a_broadcast_along_the_trees_that_are_left():
    """nESBT with one direction of a link at the source failed, both, and both of another link."""
    for failed in ("link:0-1:out", "link:0-1", "link:2-3"):
        network = damaged(Hypercube(3), [failed])
        schedule = made_along(NESBT(3, 0), "d", "OAB", parts=6, network=network).found
        machine = fitting_machine(Network(network, RouterOptions(ports="d"), parts=6), payload_flits=2)
        for result in simulate_all(
            machine, [Run(schedule=schedule, payload_flits=2, lockstep=mode) for mode in (True, False)]
        ):
            assert result.failures == () and result.steps in (0, check(schedule).steps)
