"""Processors that compute to whom they send, on the RTL: the steps, the cycles and every wire of the compiled programs."""

import dataclasses
from math import ceil
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.lanes import LaneEnd
from fatcube.noc.machines.machine import Machine
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.endpoint.distributed.rules import Rule, table_of_port
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.collective import Collective
from fatcube.schedules.cycles import lockstep_cycles
from fatcube.schedules.spanning.graphs import spanning_graph
from fatcube.schedules.step_model import StepModel
from fatcube.sim.collectives.distributed import check_computed, collective_of, distributed_plan
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate_all
from tests.support.along import made_along
from tests.support.faults import FaultyLink

KINDS = [("sbt", "1"), ("sbt", "d"), ("nesbt", "d"), ("sbnt", "d")]


def schedule(rule, n, source, ports, parts):
    return made_along(spanning_graph(rule, n, source), ports, collective_of(Rule(rule)), parts=parts).found


def of_paper(rule, n, ports, parts):
    """The steps, from the paper's formulas; of the scatter the longest table of a port."""
    if rule == "sbt":  # section 4.1.2
        return n * parts if ports == "1" else n + parts - 1
    if rule == "nesbt":  # section 4.1.5; the source's last part needs n more steps, or none but its own with n = 1
        return ceil(parts / n) + n if n > 1 else parts
    return max(len(table_of_port(n, port)) for port in range(n))


def _cases():
    for n in range(1, 6):
        for rule, ports in KINDS:
            parts = (1,) if rule == "sbnt" else tuple(sorted({1, 3 if n < 5 else 2, 2 * n + 1}))
            quick = (n, rule, ports) in ((2, "sbt", "1"), (2, "nesbt", "d"), (3, "sbnt", "d"))
            marks = () if quick else pytest.mark.long
            yield pytest.param(n, rule, ports, parts, id=f"{n}-cube {rule} {ports}", marks=marks)


@pytest.mark.parametrize("n, rule, ports, parts", list(_cases()))
def test_same_steps_cycles_and_wires_as_programs_from_every_source(n, rule, ports, parts):
    """One machine for all sources and parts. The wires are those of the schedule that programs are compiled from."""
    network = Network(Hypercube(n), RouterOptions(ports=ports), parts=max(parts))
    machine = fitting_machine(network, payload_flits=3, distributed=Rule(rule))
    runs = [
        Run(schedule=schedule(rule, n, source, ports, some), payload_flits=flits)
        for source in range(1 << n)
        for some in parts
        for flits in ((1, 3) if n < 5 else (2,))
    ]
    results = simulate_all(machine, runs)
    for run, result in zip(runs, results):
        assert result.failures == (), run.schedule.root
        assert result.steps == run.schedule.steps == of_paper(rule, n, ports, run.schedule.parts)
        assert result.cycles == lockstep_cycles(run.schedule, network, run.payload_flits)
        # A source has what it broadcasts.
        messages = run.schedule.parts << n if rule != "sbnt" else (1 << n) - 1
        assert (result.conflicts, result.delivered) == (0, messages)


def ran(change=None, links=None):
    """The result of a broadcast in three parts from node 0 of the 2-cube, and of one from there whose plan is changed."""
    network = Network(Hypercube(2), RouterOptions(), parts=3)
    machine = fitting_machine(network, payload_flits=3, distributed=Rule.SBT)
    run = Run(schedule=schedule("sbt", 2, 0, "1", 3), payload_flits=3)
    plan = distributed_plan(run.schedule, network, Rule.SBT)
    [result] = simulate_all(machine, [run], plans=[change(plan) if change else plan], links=links)
    return result


def test_a_lost_message_stalls_the_run():
    """The source gives up n + 1 steps after its last message, and does not go on for ever."""
    result = ran(links={LaneEnd(0, 0, 0): FaultyLink(32, "lose", 1)})
    assert re.fullmatch(r"the run stalled in step 9 after \d+ cycles", result.failures[0])
    assert result.steps == 2 * 3 + 2
    lost = [
        f"receiving port 0 of processor {node}: message [0, null, 1] is missing in step {step}"
        for node, step in ((1, 3), (3, 4))
    ]
    assert [one for one in result.failures if one in lost] == lost, result.failures


@pytest.mark.parametrize(
    ("assignments", "steps"),
    [
        ([(node == 3, 3) for node in range(4)], 6),  # the broadcast of another source
        ([(node == 0, 2) for node in range(4)], 4),  # too few parts
    ],
)
def test_wires_are_compared(assignments, steps):
    result = ran(lambda plan: dataclasses.replace(plan, assignments=assignments))
    assert result.steps == steps
    assert any("where the schedule has none" in one or "is missing" in one for one in result.failures)


def network(*, topology=None, parts=1, **options):
    return Network(topology or Hypercube(3), RouterOptions(**options), parts=parts)


@pytest.mark.parametrize(
    ("rule", "options", "message"),
    [
        ("sbt", {"topology": FatCube(3)}, "topology must be a hypercube .*, not the fat cube.*"),
        ("nesbt", {"ports": "1"}, r"ports must be d or \* .* of nesbt, not 1"),
        ("sbnt", {"ports": "1"}, r"ports must be d or \* .* of sbnt, not 1"),
        ("sbt", {"ports": "b"}, r"ports must be 1, d or \* .* of sbt, not b"),
        ("sbt", {"switching": "circuit"}, "switching must be wormhole or virtual-cut-through .*, not circuit"),
        ("sbt", {"links": "half-duplex"}, "links must be full-duplex .*, not half-duplex"),
        ("sbt", {"hops": 2}, "hops must be 1 .*, not 2"),
        ("sbt", {"width": 12}, "width must be an integer of at least 13, .* address of the source .*, not 12"),
    ],
)
def test_networks_that_are_refused(rule, options, message):
    with pytest.raises(ParameterError, match=f"^{message}$"):
        Machine(network=network(**options), distributed=Rule(rule))


@pytest.mark.parametrize(
    ("rule", "given", "message"),
    [
        ("sbt", {"collective": Collective.OAS}, "collective must be OAB .* of sbt, not OAS"),
        ("sbnt", {"collective": Collective.OAB}, "collective must be OAS .* of sbnt, not OAB"),
        ("sbnt", {"collective": Collective.OAS, "parts": 2}, "parts must be 1 .* of sbnt, not 2"),
        ("sbt", {"collective": Collective.OAB, "lockstep": False}, "mode must be lockstep .*, not dataflow"),
        (
            "sbt",
            {"collective": Collective.OAB, "model": StepModel(per_packet=2)},
            "step model must be the default .*, not .*",
        ),
    ],
)
def test_what_is_refused(rule, given, message):
    with pytest.raises(ParameterError, match=f"^{message}$"):
        check_computed(Rule(rule), **given)


def test_processors_add_nothing():
    for name in ("reductions", "combining"):
        with pytest.raises(ParameterError, match=f"^{name} must be false .*, not true$"):
            Machine(network=network(), distributed=Rule.SBT, **{name: True})


SLOWER = [{"pipeline": 2}, {"link_stages": 2}, {"switching": "virtual-cut-through", "longest_packet": 8}]


@pytest.mark.parametrize(
    "rule, ports, options",
    [
        pytest.param(
            *kind, options, id=f"{kind[0]} {kind[1]} {next(iter(options))}", marks=() if first else pytest.mark.long
        )
        for options in SLOWER
        for kind in KINDS
        for first in [options is SLOWER[0] and kind is KINDS[0]]
    ],
)
def test_other_routers(rule, ports, options):
    """A header is longer under way than a sender takes to its next entry; steps and cycles are those of programs."""
    parts = 1 if rule == "sbnt" else 4
    made = Network(Hypercube(3), RouterOptions(ports=ports, **options).for_packets(4), parts=parts)
    machine = fitting_machine(made, payload_flits=3, distributed=Rule(rule))
    runs = [Run(schedule=schedule(rule, 3, 5, ports, parts), payload_flits=flits) for flits in (1, 3)]
    for run, result in zip(runs, simulate_all(machine, runs)):
        assert result.failures == () and result.steps == run.schedule.steps
        assert result.cycles == lockstep_cycles(run.schedule, made, run.payload_flits)


@pytest.mark.long(
    stays="tests/sim/collectives/test_distributed.py::test_same_steps_cycles_and_wires_as_programs_from_every_source"
)
@pytest.mark.parametrize("simulator", ["verilator-flat"])
def test_whole_system(simulator):
    """As one module, whose host writes the assignments over the bus, as a board does."""
    made = Network(Hypercube(2), RouterOptions(ports="d"), parts=3)
    machine = fitting_machine(made, payload_flits=3, distributed=Rule.NESBT)
    runs = [Run(schedule=schedule("nesbt", 2, source, "d", 3), payload_flits=3) for source in range(4)]
    for run, result in zip(runs, simulate_all(machine, runs, simulator=simulator)):
        assert result.failures == () and result.steps == run.schedule.steps
