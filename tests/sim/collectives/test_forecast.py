"""The forecast of dataflow against the hardware: what was measured for the study, and runs with and without barriers."""

import json
from pathlib import Path

import pytest

from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh, Ring
from fatcube.noc.topologies.star import Star
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.construct import best, construct
from fatcube.schedules.cycles import lockstep_cycles
from fatcube.schedules.problem import Problem
from fatcube.sim.collectives.forecast import can_forecast, dataflow_cycles
from fatcube.sim.collectives.plan import compile_schedule
from fatcube.sim.collectives.planned import plan_of
from fatcube.sim.collectives.rounds import Rounds
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate_all
from fatcube.studies.result_record import network_of

STUDY = Path(__file__).parents[3] / "synth_reports" / "study.jsonl"


def forecast(schedule, network, flits, **options):
    return dataflow_cycles(compile_schedule(schedule, network, lockstep=False, **options), flits)


def test_the_forecast_is_what_the_study_has_measured():
    """Cycles that the hardware counted: processors that share lanes on routers of one port, that copy or not, and cubes of all ports.

    Catches turns of routers that copy that go on while an input asks, an arbiter that takes the first in number, an entry that takes two or four cycles, and lanes that are free as soon as
    the sender has sent.
    """
    records = [json.loads(line) for line in STUDY.read_text().splitlines()[1:]]
    cases = set()
    for record in records:
        given, measured = record["parameters"], record["measured"]
        network = network_of(given)
        topology = network.topology
        if topology.processors > 16:
            continue
        shared = given["ports"] == "1" or (
            given["ports"] == "b" and given["collective"] == "AAS" and topology.degree > 1
        )
        if shared or (given["ports"] != "b" and topology.m == 1):
            found = best(
                Problem(topology, network.options.ports, given["collective"], given["root"] or 0), seed=0
            ).found
            assert forecast(found, network, given["payload_flits"]) == measured["dataflow_cycles"], given
            cases.add((str(topology), given["ports"], given["collective"]))
    assert len(cases) > 30 and any("m=4" in topology for topology, _, _ in cases)


@pytest.mark.parametrize("topology", [Mesh(w=4, d=2), Mesh(w=3, d=2), Star(5), Ring(6), Hypercube(3)])
@pytest.mark.parametrize("collective", ["AOR", "AAR", "AAB", "AOG", "all-reduce"])
def test_dataflow_is_not_slower_where_lanes_have_ports(topology, collective):
    """Catches entries that only expect at the end of programs: 167 cycles, not 157, for a reduce-scatter of the 4 x 4 mesh."""
    network = Network(topology, RouterOptions(ports="d"))
    schedule = construct(Problem(topology, "d", collective, 0)).found.expanded()
    for flits in (1, 16):
        found = forecast(schedule, network, flits)
        assert found <= lockstep_cycles(schedule, network, flits)
        if (topology, collective, flits) == (Mesh(w=4, d=2), "AAR", 16):
            assert found == 157


def test_barriers_where_they_pay():
    """32 messages that cross lanes of two processors: 132 cycles without barriers, 120 with; with one flit 28, and 30."""
    network = Network(FatCube(3, 2, 1), RouterOptions(ports="d"))
    schedule = best(Problem(network.topology, PortModel.D_PORT, "AAB", 0), seed=0).found
    machine = fitting_machine(network)
    every = range(1, schedule.steps)
    for flits, without, with_barriers in ((1, 28, 30), (16, 132, 120)):
        assert forecast(schedule, network, flits) == without
        assert forecast(schedule, network, flits, barriers=every) == with_barriers
        assert lockstep_cycles(schedule, network, flits) == with_barriers
        plan = plan_of(machine, Run(schedule=schedule, payload_flits=flits, lockstep=False))
        assert list(plan.barriers) == ([] if without < with_barriers else [*every])
    assert not plan_of(machine, Run(schedule=schedule, payload_flits=16)).barriers


def test_barriers_pay_where_routers_copy_too():
    """The all-to-all of 32 processors, four on a node, which has no copies: 1,380 cycles as measured, and 1,280 with barriers."""
    network = Network(FatCube(3, 4, 1), RouterOptions(ports="b"))
    schedule = best(Problem(network.topology, PortModel.BROADCAST, "AAS", 0), seed=0).found
    assert forecast(schedule, network, 16) == 1380
    plan = plan_of(fitting_machine(network), Run(schedule=schedule, lockstep=False))
    assert list(plan.barriers) == [*range(1, schedule.steps)] and dataflow_cycles(plan, 16) == 1280


def test_where_barriers_can_be():
    """Where processors with several ports share lanes, or lanes ports; and copies are not forecast."""
    cases = {
        (FatCube(2, 2, 1), "d"): True,
        (FatCube(2, 2, 1), "*"): True,
        (FatCube(2, 2, 1), "1"): False,
        (Hypercube(3), "d"): False,
        (Hypercube(3), "b"): True,
        (Mesh(w=3, d=2), "d"): False,
    }
    for (topology, ports), barriers in cases.items():
        assert fitting_machine(Network(topology, RouterOptions(ports=ports))).barriers is barriers
    copied = construct(Problem(Hypercube(2), "b", "OAB", 0)).schedule
    assert not can_forecast(compile_schedule(copied, Network(Hypercube(2), RouterOptions(ports="b")), lockstep=False))


def test_rounds_by_hand():
    """Port 0 of processor 0 sends in rounds 1 and 4: what it sends then comes over two others, one after the other."""
    rounds = Rounds()
    for step, moves in enumerate([[(1, 2)], [(0, 1)], [(2, 0)], [(0, 3)]], 1):
        for src, dst in moves:
            rounds.add((src, 0), [(src, "held" if step in (1, 2) else "passed")], [(dst, "passed")])
        rounds.end(step)
    assert rounds.waits == {(1, 0, 1): 0, (0, 0, 2): 0, (2, 0, 3): 1, (0, 0, 4): 1}


def test_no_round_waits_over_a_barrier():
    """A packet of the step after a barrier waits for nothing, however late the barrier is."""
    rounds = Rounds([2])
    for step, (src, dst) in enumerate([(0, 1), (1, 2), (2, 3)], 1):
        rounds.add((src, 0), [(src, 0)], [(dst, 0)])
        rounds.end(step)
    assert rounds.waits == {(0, 0, 1): 0, (1, 0, 2): 1, (2, 0, 3): 0}


@pytest.mark.long(stays="tests/sim/collectives/test_forecast.py::test_the_forecast_is_what_the_study_has_measured")
def test_the_forecast_is_what_the_hardware_counts():
    """Two processors on a node, with barriers and without: every cycle, but for one in the all-to-all of packets of one flit."""
    network = Network(FatCube(3, 2, 1), RouterOptions(ports="d"))
    machine = fitting_machine(network)
    found = [best(Problem(network.topology, PortModel.D_PORT, name, 0), seed=0).found for name in ("AAB", "AAS")]
    runs = [Run(schedule=one, payload_flits=flits, lockstep=False) for one in found for flits in (1, 4, 16)]
    plans = [compile_schedule(run.schedule, network, lockstep=False) for run in runs]
    without = simulate_all(machine, runs, plans=plans)
    assert [result.failures for result in without] == [()] * len(runs)
    assert [result.cycles for result in without] == [
        dataflow_cycles(plan, run.payload_flits) - (place == 3) for place, (plan, run) in enumerate(zip(plans, runs))
    ]
    chosen = simulate_all(machine, runs)
    assert [result.failures for result in chosen] == [()] * len(runs)
    assert [result.cycles for result in chosen] == [28, 48, 120, *(result.cycles for result in without[3:])]
    assert [len(result.barriers) for result in chosen] == [0, 0, 5, 0, 0, 0]
