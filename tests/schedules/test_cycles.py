"""The cycles of a lockstep run are known before it: held against the RTL, and against what was measured before."""

import dataclasses
import json
from pathlib import Path

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.topologies import topology_from_json
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.construct import best, construct
from fatcube.schedules.constructions.combining import gather_scatter
from fatcube.schedules.cycles import StepKinds, count_steps, largest_packets, lockstep_cycles
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import UNLIMITED, StepModel
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate_all

CUBE = FatCube(1, 2)


def delayed(schedule):
    """The schedule with a step before it in which nothing happens."""
    return Schedule(
        schedule.topology,
        schedule.ports,
        schedule.collective,
        schedule.root,
        [dataclasses.replace(one, step=one.step + 1) for one in schedule.expanded().transfers],
    )


@pytest.mark.parametrize(
    ("topology", "largest"),
    # Dimension by dimension, everything that is known; and for gather-scatter one message of the other processor of a node, the
    # two of it, the four of two nodes, and the other six.
    [(Hypercube(3), [1, 2, 4]), (FatCube(2, 2), [1, 2, 4, 7])],
    ids=str,
)
def test_largest_packets_by_hand(topology, largest):
    schedule = gather_scatter(Problem(topology, PortModel.ONE, Collective.AAB, model=StepModel(per_packet=UNLIMITED)))
    assert largest_packets(schedule) == largest_packets(schedule.expanded()) == largest
    assert largest_packets(delayed(construct(Problem(CUBE, "1", "AAB")).found)) == [0, 1, 1, 1]


def test_largest_of_several_packets():
    """Two messages to a neighbour, which passes one of them on, and one to the other."""
    moves = [(1, 0, 1, 1), (1, 0, 1, 3), (1, 0, 2, 2), (2, 1, 3, 3)]
    schedule = Schedule.from_moves(
        Hypercube(2),
        PortModel.D_PORT,
        Collective.OAS,
        0,
        [Move(step, src, dst, Message(0, target)) for step, src, dst, target in moves],
        model=StepModel(per_packet=2),
    )
    assert check(schedule).steps == 2 and largest_packets(schedule) == [2, 1]


@pytest.mark.xdist_group("cycles")
@pytest.mark.parametrize(
    ("ports", "hardware"),
    [
        *(
            pytest.param(
                *one, marks=pytest.mark.long(stays="tests/sim/collectives/test_machines.py::test_every_collective")
            )
            for one in (
                ("1", {"buffer_depth": 5, "virtual_channels": 2, "link_stages": 1, "ejection_channels": 2}),
                ("1", {"buffer_depth": 5, "virtual_channels": 2, "link_stages": 1}),
                ("d", {"virtual_channels": 2, "injection_channels": 2, "ejection_channels": 2, "pipeline": 2}),
                ("*", {"buffer_depth": 6, "switching": "store-and-forward", "longest_packet": 6}),
                ("b", {"buffer_depth": 1}),
                ("1", {"switching": "circuit"}),
                ("d", {}),
                ("d", {"link_stages": 1, "ejection_stages": 1}),
                ("1", {"switching": "circuit", "ejection_stages": 1}),
                ("d", {"buffer_depth": 1, "pipeline": 2, "link_stages": 1}),
                ("*", {"switching": "circuit", "pipeline": 2, "longest_packet": 6, "stop_timeout": 50}),
                ("d", {"switching": "circuit", "link_stages": 2, "setup_retry": 1}),
                ("1", {"pipeline": 2}),
                ("1", {"buffer_depth": 3, "pipeline": 2}),
                ("*", {"buffer_depth": 3, "pipeline": 2}),
                ("b", {"buffer_depth": 4, "pipeline": 2, "buffer_memory": "block"}),
                ("b", {"buffer_depth": 6, "switching": "virtual-cut-through", "longest_packet": 6, "stop_timeout": 50}),
            )
        ),
    ],
)
def test_rtl_takes_as_many_cycles(ports, hardware):
    """Both kinds of steps, in a node and over links, steps in which nothing happens, copies, and sums."""
    network = Network(CUBE, RouterOptions(ports=ports, width=12, **hardware))
    schedules = [construct(Problem(CUBE, ports, collective)).schedule for collective in Collective]
    schedules += [delayed(schedules[0])]
    runs = [Run(schedule=schedule, payload_flits=length) for schedule in schedules for length in (1, 2, 5)]
    results = simulate_all(fitting_machine(network, reductions=True), runs)
    assert [result.failures for result in results] == [()] * len(runs)
    assert [result.cycles for result in results] == [
        lockstep_cycles(run.schedule, network, run.payload_flits) for run in runs
    ]


def test_cycles_of_the_main_job():
    """All 32 cells of synth_reports/reproduce.json."""
    cells = json.loads((Path(__file__).parents[2] / "synth_reports" / "reproduce.json").read_text())["table_6"]
    assert len(cells) == 32
    for cell in cells:
        topology, measured = topology_from_json(cell["parameters"]["topology"]), cell["measured"]
        network = Network(topology, RouterOptions(ports=measured["ports"]))
        schedule = best(Problem(topology, network.options.ports, measured["collective"])).schedule
        assert lockstep_cycles(schedule, network, measured["payload_flits"]) == measured["cycles"], cell["key"]


def test_formula_by_hand():
    """One message over a link and then on to a peer: a step of two routers, and one of one."""
    schedule = construct(Problem(CUBE, "1", "OAB")).schedule
    assert [one.lane for one in schedule.transfers].count(None) == 2 and schedule.steps == 2
    # In a node of two stages the sender is held up for a cycle, unless its buffer has room for that.
    lengths = {(1, 2): 2 * 20, (2, 2): 22 + 21, (2, 3): 22 + 20, (1, 1): 2 * 36}
    for (pipeline, depth), cycles in lengths.items():
        network = Network(CUBE, RouterOptions(pipeline=pipeline, buffer_depth=depth))
        assert lockstep_cycles(schedule, network, 16) == cycles, (pipeline, depth)
    assert lockstep_cycles(delayed(schedule), Network(CUBE), 16) == 44


def test_steps_by_kind():
    """Over a link, then within both nodes; before them one in which nothing moves."""
    schedule = construct(Problem(CUBE, "1", "OAB")).schedule
    assert count_steps(delayed(schedule)) == StepKinds(1, 1, 1) and count_steps(schedule).steps == 2
    several = gather_scatter(Problem(Hypercube(2), PortModel.ONE, Collective.AAB, model=StepModel(per_packet=2)))
    with pytest.raises(ParameterError, match="^per_packet must be 1 for steps to be counted by kind, not 2$"):
        count_steps(several)


def test_refused():
    schedule = construct(Problem(CUBE, "1", "OAB")).schedule
    with pytest.raises(ParameterError, match="^payload flits must be an integer from 1 to 65534, not 0$"):
        lockstep_cycles(schedule, Network(CUBE), 0)
    with pytest.raises(ParameterError, match=r"^schedule must be for the hypercube of 4 nodes, not for the fat cube"):
        lockstep_cycles(schedule, Network(Hypercube(2)), 4)
