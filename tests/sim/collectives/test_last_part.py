"""Messages whose last part is shorter, on the RTL: cycles as the formula says, every word and every wire."""

import dataclasses

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.cycles import lockstep_cycles
from fatcube.schedules.pipelined.best import best_in_parts, best_number_of_parts
from fatcube.schedules.pipelined.build import lengths_of_parts
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import STANDARD, StepModel
from fatcube.schedules.wiring import network_of
from fatcube.sim.collectives.forecast import can_forecast, dataflow_cycles
from fatcube.sim.collectives.plan import compile_schedule, most_entries
from fatcube.sim.collectives.planned import plan_of
from fatcube.sim.collectives.run import Run
from fatcube.sim.collectives.simulate import fitting_machine, longest_packet_of, simulate, simulate_all

LINE = Graph(tuple("abc"), (1, 1, 1), ((0, 1), (1, 2)))
ALL = ("OAB", "AOR", "AAB", "AAR", "all-reduce", "AAS")
SIZES = (2, 7, 10, 12)  # of undivided messages: parts of 1, 1, 1, of 3, 3, 1, of 4, 4, 2 and of 4, 4, 4 flits


def runs_on(topology, ports, collectives, model=STANDARD, sizes=SIZES, **options):
    """A machine, and runs on it in three parts of all sizes, in lockstep and in dataflow."""
    schedules = [best_in_parts(Problem(topology, ports, one, 0, parts=3, model=model)).schedule for one in collectives]
    longest = max(lengths_of_parts(size, 3)[0] for size in sizes)
    network = network_of(schedules[0], RouterOptions(ports=ports, **options))
    machine = fitting_machine(
        network.for_packets(max(longest_packet_of(one, longest) for one in schedules)),
        payload_flits=longest,
        messages=2 * max(len(one.messages) for one in schedules),
        steps=max(map(most_entries, schedules)),
        reductions=True,
        combining=model.per_packet > 1,
    )
    runs = []
    for schedule in schedules:
        for size in sizes:
            flits, last = lengths_of_parts(size, 3)
            runs += [
                Run(schedule=schedule, payload_flits=flits, last_flits=last, lockstep=lockstep, seed=size)
                for lockstep in (True, False)
            ]
    return machine, runs


@pytest.mark.parametrize(
    ("topology", "ports", "collectives", "model", "options"),
    [
        (LINE, "d", ALL, {}, {}),
        pytest.param(Mesh(w=3, d=2), "d", ALL, {}, {}, marks=pytest.mark.long),
        *(pytest.param(FatCube(1, 2, 1), one, ALL, {}, {}, marks=pytest.mark.long) for one in ("1", "b", "*")),
        pytest.param(FatCube(1, 2, 1), "d", ("AAB", "AAS", "OAS"), {"per_packet": 2}, {}, marks=pytest.mark.long),
        pytest.param(Mesh(w=3, d=1), "d", ("OAB", "AAR"), {"links": "half-duplex"}, {}, marks=pytest.mark.long),
        pytest.param(
            Mesh(w=3, d=1), "d", ("OAB", "all-reduce"), {}, {"pipeline": 2, "buffer_depth": 2}, marks=pytest.mark.long
        ),
        pytest.param(
            Mesh(w=3, d=1), "d", ("OAB", "AAR"), {}, {"switching": "store-and-forward"}, marks=pytest.mark.long
        ),
    ],
    ids=str,
)
def test_on_the_rtl(topology, ports, collectives, model, options):
    """Catches a port that counts the wrong flits, ids of last parts out of their row, and a formula that takes any step for a long one."""
    model = StepModel(**model)
    if "links" in model.given:
        options = {**options, "links": model.links.value}
    machine, runs = runs_on(topology, ports, collectives, model, **options)
    for run, result in zip(runs, simulate_all(machine, runs)):
        assert not result.failures, (run.schedule.collective, run.payload_flits, result.failures[0])
        assert result.delivered > 0
        if run.lockstep:
            cycles = lockstep_cycles(run.schedule, machine.network, run.payload_flits, run.last_flits)
            assert result.cycles == cycles, (run.schedule.collective, run.payload_flits)
        elif topology == LINE:
            plan = plan_of(machine, run)
            assert can_forecast(plan) and result.cycles == dataflow_cycles(plan, run.payload_flits, run.last_flits)


@pytest.mark.parametrize(("collective", "flits"), [("OAB", 29), ("AOR", 11)])
def test_the_number_of_parts_that_auto_takes(collective, flits):
    """The cycles that are printed for ``--parts auto`` are those of the hardware, of a number that does not divide the flits."""
    empty = Network(LINE, RouterOptions(ports="d"))
    schedule = best_number_of_parts(Problem(LINE, empty.options.ports, collective, 0), empty, flits).schedule
    long, last = lengths_of_parts(flits, schedule.parts)
    assert last < long
    network = network_of(schedule, RouterOptions(ports="d"))
    machine = fitting_machine(network.for_packets(long + 1), payload_flits=long, reductions=True)
    result = simulate(machine, Run(schedule=schedule, payload_flits=long, last_flits=last))
    assert not result.failures and result.cycles == lockstep_cycles(schedule, machine.network, long, last)


def test_a_last_part_that_is_filled_up_is_found():
    """The hardware is told that no message is shorter: packets then have flits that they should not have."""
    machine, runs = runs_on(LINE, "d", ["OAB"], sizes=[7])
    [run, _] = runs

    blind = compile_schedule(run.schedule, machine.network)
    vars(blind)["last_parts"] = range(0)
    [result] = simulate_all(machine, [run], plans=[blind])
    assert any("had 4 flits, not 2" in failure for failure in result.failures)


def test_a_machine_for_whole_messages():
    machine, runs = runs_on(LINE, "d", ["OAB"], sizes=[7])
    whole = dataclasses.replace(machine, network=dataclasses.replace(machine.network, parts=1))
    with pytest.raises(
        ParameterError, match="^parts of the network must be more than 1 for a shorter last part, not 1$"
    ):
        simulate(whole, runs[0])
