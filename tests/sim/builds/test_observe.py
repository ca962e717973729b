"""Runs that share one call of the simulator know nothing of each other."""

import pytest

from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube
from fatcube.rtl.endpoint.host import Region
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.sim.builds.build import build
from fatcube.sim.builds.observe import observe
from fatcube.sim.collectives.simulate import Run, jobs_of
from fatcube.sim.traffic.traffic import Traffic, run_traffic
from tests.support.machines import machine

CUBE = FatCube(d=2, m=2, f=1)
MACHINE = machine("plain")
PAIR = TrafficMachine(network=Network(FatCube(1, 2), RouterOptions(width=32)))
ENDS = ("finished", "stalled", "steps", "cycles")


@pytest.fixture(scope="module")
def jobs():
    """Collectives of every kind of end, one of which is cut by resets, and one that does not get to its end."""
    schedules = [construct(Problem(CUBE, "d", collective, 0)).found for collective in ("AAB", "AOR", "AAS", "OAB")]
    runs = [
        Run(schedule=schedule, payload_flits=length, lockstep=lockstep)
        for schedule, length, lockstep in zip(schedules, (4, 9, 1, 16), (True, False, False, True))
    ]
    found = jobs_of(MACHINE, runs)
    found[1]["cuts"] = [20, 33]
    stalls = {**found[2], "settings": {**found[2]["settings"], "timeout": 30}}
    stalls["writes"] = [one for one in stalls["writes"] if one[2] != Region.HELD.value or one[0] == 0xFFFF]
    return [*found, stalls]


def test_every_order_gives_the_same(jobs):
    """Traces, counters, payloads and cycles; with what is read where a run wrote nothing."""
    for job in jobs:
        job["reads"] = [*job["reads"], *((node, 0, Region.PAYLOAD.value, 0, 0, 512) for node in range(CUBE.nodes))]
    built = build(MACHINE)
    forward, backward = observe(built, jobs, ends=ENDS), observe(built, jobs[::-1], ends=ENDS)[::-1]
    assert [one.ends["stalled"] for one in forward] == [0, 0, 0, 0, 1]
    assert forward == backward
    assert len({str(one.traces) for one in forward}) == len(jobs)


def test_traffic_in_every_order():
    """The counts of sinks, and the senders of packets."""
    runs = [
        Traffic(rate=rate, packet_flits=flits, measured=400, seed=seed)
        for rate, flits, seed in ((3000, 5, 0), (65535, 6, 1), (500, 20, 2))
    ]
    assert run_traffic(PAIR, runs) == run_traffic(PAIR, runs[::-1])[::-1]
