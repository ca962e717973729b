"""Every collective on the RTL: what is measured is what the schedule says, and everything is delivered."""

import dataclasses
import re
import shutil

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.machines.machine import Machine
from fatcube.noc.network import Network
from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.generalized import SparseGHC
from fatcube.rtl.port_model import PortModel
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.sim.collectives.plan import compile_schedule
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate, simulate_all
from tests.support.copies import gossip
from tests.support.reductions import exchanged, reduction, wandering
from tests.support.runs import check_result

COLLECTIVES = list(Collective)

# Few, because each is a build: one and several processors on a node, one and several lanes, m no power of 2,
# one dimension, and every router model; copies meet several lanes too.
FEW = [
    (FatCube(2, 2, 1), "d"),
    (FatCube(2, 3, 2), "1"),
]
MORE = [(FatCube(1, 2, 1), "*"), (FatCube(1, 3, 1), "*"), (FatCube(1, 3, 2), "b"), (Hypercube(3), "d")]
ALL = [(FatCube(d, m, f), ports) for d in (1, 2, 3) for m in (1, 2, 3, 4) for f in (1, 2) for ports in "1bd*"]
ALL += [(Hypercube(d), ports) for d in (1, 2, 3) for ports in "1bd*"]


def networks(few):
    """The networks as test parameters; each is built by one worker only."""

    def parameter(one, *marks):
        topology, ports = one
        name = f"{topology.kind} {' '.join(map(str, topology.parameters.values()))} {ports}"
        return pytest.param(topology, ports, id=name, marks=(pytest.mark.xdist_group(name), *marks))

    parameters = [*map(parameter, FEW), *(parameter(one, pytest.mark.long) for one in MORE)]
    if not few:
        parameters += [parameter(one, pytest.mark.grid) for one in ALL if one not in FEW + MORE]
    return pytest.mark.parametrize("topology, ports", parameters)


def machine_of(topology, ports):
    # All of them can add, so that one build serves every test of a network.
    return fitting_machine(Network(topology, RouterOptions(ports=ports)), reductions=True)


@networks(few=False)
def test_every_collective(topology, ports):
    """In lockstep and in dataflow, with packets of several lengths, and from another root than 0."""
    runs = []
    for collective in COLLECTIVES:
        schedule = construct(Problem(topology, ports, collective, topology.processors - 1)).schedule.expanded()
        runs += [
            Run(schedule=schedule, payload_flits=length, lockstep=lockstep)
            for length in (1, 5, 16)
            for lockstep in (True, False)
        ]
    for run, result in zip(runs, simulate_all(machine_of(topology, ports), runs)):
        check_result(run, result)


@networks(few=False)
def test_every_reduction(topology, ports):
    """The hardware adds what was loaded, in lockstep and in dataflow, also where a processor sends and receives
    partial sums for the same root in the same step."""
    runs = []
    root = topology.processors - 1
    for collective in ("AOR", "AAR", "all-reduce"):
        schedule = reduction(topology, ports, collective, root)
        for one, length in ((schedule, 1), (schedule, 5), (exchanged(schedule, root), 16)):
            runs += [Run(schedule=one, payload_flits=length, lockstep=lockstep) for lockstep in (True, False)]
    for run, result in zip(runs, simulate_all(machine_of(topology, ports), runs)):
        check_result(run, result)


@networks(few=True)
@pytest.mark.parametrize("collective", ["AOR", pytest.param("AAR", marks=pytest.mark.long), "all-reduce"])
def test_wandering_sums(topology, ports, collective):
    """Processors send and receive for the same roots again and again: each sum goes from the right slot into the
    right slot, and the hardware's additions are those of the plan on every wire."""
    network = machine_of(topology, ports).network
    schedules = [
        wandering(reduction(topology, ports, collective, topology.processors - 1), seed, steps=1 + seed)
        for seed in range(4)
    ]
    ids = max(len(compile_schedule(schedule, network).messages) for schedule in schedules)
    assert ids > len(schedules[0].collective.messages(topology, schedules[0].root))
    runs = [
        Run(schedule=schedule, payload_flits=4, lockstep=lockstep)
        for schedule in schedules
        for lockstep in (True, False)
    ]
    for run, result in zip(runs, simulate_all(machine_of(topology, ports), runs)):
        check_result(run, result)


@networks(few=True)
def test_more_than_needed(topology, ports):
    """Every other step is empty, and processor 0 sends its message to a neighbour in the first and last step too."""
    schedule = construct(Problem(topology, ports, "AAB")).schedule.expanded()
    transfers = [dataclasses.replace(transfer, step=2 * transfer.step) for transfer in schedule.transfers]
    transfers += [Transfer(step, 0, topology.m, (0, None), 0) for step in (1, 2 * schedule.steps + 1)]
    stretched = dataclasses.replace(schedule, transfers=transfers)
    check(stretched)
    runs = [Run(schedule=stretched, lockstep=lockstep) for lockstep in (True, False)]
    for run, result in zip(runs, simulate_all(machine_of(topology, ports), runs)):
        check_result(run, result)


@pytest.mark.parametrize(
    "topology, group",
    [
        pytest.param(topology, group, marks=(pytest.mark.xdist_group(group), *marks), id=group)
        for topology, group, *marks in (
            (FatCube(1, 3, 2), "fat-cube 1 3 2 b"),
            (FatCube(2, 3, 1), "fat-cube 2 3 1 b", pytest.mark.long),
        )
    ],
)
def test_copies_of_several_messages(topology, group):
    """Catches copies that hold what others wait for, across routers: packets shorter and longer than buffers."""
    schedules = [gossip(topology, seed, copied=copied) for seed in range(3) for copied in (0.3, 1)]
    schedules.append(gossip(topology, 3, after=reduction(topology, "b", "AAR")))
    for schedule in schedules:
        check(schedule)
    runs = [
        Run(schedule=schedule, payload_flits=length, lockstep=lockstep)
        for schedule in schedules
        for length in (1, 5, 16, 40)
        for lockstep in (True, False)
    ]
    for run, result in zip(runs, simulate_all(machine_of(topology, "b"), runs)):
        check_result(run, result)


CUBE = FatCube(2, 2, 1)
MACHINE = machine_of(CUBE, "d")
GATHER = construct(Problem(CUBE, "d", "AAB")).schedule.expanded()
ALL_TO_ALL = construct(Problem(CUBE, "d", "AAS")).schedule.expanded()
on_the_cube = pytest.mark.xdist_group("fat-cube 2 2 1 d")


@on_the_cube
def test_same_again():
    """Equal runs give equal results, whatever ran before on the same hardware."""
    runs = [
        Run(schedule=schedule, payload_flits=length, lockstep=lockstep)
        for schedule, length, lockstep in (
            (ALL_TO_ALL, 4, False),
            (GATHER, 9, True),
            (ALL_TO_ALL, 16, True),
            (GATHER, 2, False),
        )
    ]
    results = simulate_all(MACHINE, runs)
    assert results == simulate_all(MACHINE, runs)
    assert results == simulate_all(MACHINE, runs[::-1])[::-1]
    assert results == [simulate(MACHINE, run) for run in runs]


@on_the_cube
def test_seed():
    """It is the payload that it changes; a delivery that fails tells what the payload was."""
    last = GATHER.transfers[-1]
    schedule = dataclasses.replace(GATHER, transfers=GATHER.transfers[:-1])

    def loaded(seed):
        [line] = simulate(MACHINE, Run(schedule=schedule, payload_flits=4, seed=seed)).failures
        assert line.startswith(f"processor {last.dst}, ")
        return line.split()[-1]

    assert loaded(1) == loaded(1) != loaded(2)


@on_the_cube
def test_patience():
    """A stall is when nothing moves; a run that moves may be longer."""
    run = Run(schedule=GATHER, payload_flits=200, timeout=16)
    check_result(run, simulate(MACHINE, run))


@on_the_cube
def test_patience_ends():
    schedule = dataclasses.replace(
        GATHER,
        transfers=[transfer for transfer in GATHER.transfers if transfer.message != (0, None, 0) or transfer.step > 1],
    )
    for timeout in (16, 300):
        run = Run(schedule=schedule, payload_flits=4, lockstep=False, timeout=timeout)
        result = simulate(MACHINE, run)
        assert result.failures[0] == f"the run stalled in dataflow after {result.cycles} cycles"
        assert timeout < result.cycles < timeout + 100


@pytest.mark.grid
@pytest.mark.parametrize("topology, ports", [(FatCube(4, 4), "1"), (FatCube(4, 4), "d"), (Hypercube(6), "d")], ids=str)
def test_64_processors(topology, ports):
    runs = []
    for collective in ("AAB", "AAS", "all-reduce"):
        runs.append(Run(schedule=construct(Problem(topology, ports, collective)).schedule.expanded(), payload_flits=4))
    network = Network(topology, RouterOptions(ports=ports))
    machine = fitting_machine(network, payload_flits=4, steps=max(run.schedule.steps for run in runs), reductions=True)
    for run, result in zip(runs, simulate_all(machine, runs)):
        check_result(run, result)


def test_a_fitting_machine_fits():
    for topology, messages in (
        (FatCube(1), 2),
        (FatCube(3, 3, 2), 24 * 23),
        (FatCube(4, 4), 64 * 63),
        (FatCube(5, 4), 128),
    ):
        for length in (1, 16, 17, 1000):
            machine = fitting_machine(Network(topology, RouterOptions(ports="1")), payload_flits=length, steps=600)
            assert machine.memory_words >= messages * length
            assert machine.program_entries > 600
        divided = fitting_machine(Network(topology, RouterOptions(ports="1"), parts=5), payload_flits=17)
        assert divided.memory_words >= 5 * messages * 17


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"payload_flits": 0}, "payload flits must be an integer from 1 to 65534, not 0"),
        ({"payload_flits": 1 << 16}, "payload flits must be an integer from 1 to 65534, not 65536"),
        ({"payload_flits": "8"}, "payload flits must be an integer from 1 to 65534, not '8'"),
        ({"timeout": 0}, "timeout must be an integer from 1 to 4294967295, not 0"),
    ],
)
def test_run_refused(arguments, message):
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
        Run(schedule=GATHER, **arguments)


class TestRefused:
    """Errors are found before anything is built."""

    @pytest.fixture(autouse=True)
    def nothing_is_built(self, monkeypatch):
        def refuse(*arguments, **keywords):
            raise AssertionError("a build")

        monkeypatch.setattr("fatcube.sim.builds.build.cached_folder", refuse)
        monkeypatch.setenv("FATCUBE_CACHE", "/nowhere")

    def refuses(self, message, machine, run, **others):
        with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
            simulate(machine, run, **others)

    def machine(self, **parameters):
        return Machine(network=MACHINE.network, **parameters)

    @pytest.mark.parametrize("collective", ["AOR", "AAR", "all-reduce"])
    def test_reduction_without_adders(self, collective):
        self.refuses(
            f"reductions must be True for a machine that runs {collective}, not False",
            fitting_machine(MACHINE.network),
            Run(schedule=reduction(CUBE, "d", collective)),
        )

    def test_more_partial_sums_than_ids(self):
        """Processors 0 and 1 play ping-pong with what they have for each other, and each time need a new slot."""
        machine = machine_of(FatCube(1, 1, 1), "1")
        moves = [
            Move(step, src, 1 - src, Message(None, root)) for step in (1, 2) for src in (0, 1) for root in (step - 1,)
        ]
        schedule = Schedule.from_moves(machine.network.topology, "1", "all-reduce", None, moves)
        self.refuses(
            "message ids must be at most 4, which is what a header of this network can distinguish, not 6: "
            "a processor that is sent partial sums after it has sent its own needs more ids",
            machine,
            Run(schedule=schedule),
        )

    def test_payload_longer_than_the_memory(self):
        self.refuses(
            "payload flits must be an integer from 1 to 256 for 56 messages in a memory of 16384 words, not 257",
            self.machine(memory_words=1 << 14),
            Run(schedule=ALL_TO_ALL, payload_flits=257),
        )

    def test_payload_longer_than_an_odd_memory(self):
        self.refuses(
            "payload flits must be an integer from 1 to 8 for 8 messages in a memory of 100 words, not 9",
            self.machine(memory_words=100),
            Run(schedule=GATHER, payload_flits=9),
        )

    def test_more_messages_than_words(self):
        self.refuses(
            "memory words must be an integer of at least 56 for 56 messages, not 32",
            self.machine(memory_words=32),
            Run(schedule=ALL_TO_ALL, payload_flits=1),
        )

    def test_more_steps_than_entries(self):
        assert GATHER.steps == 4
        self.refuses(
            "program entries must be an integer of at least 5 for 4 steps, not 4",
            self.machine(program_entries=4),
            Run(schedule=GATHER),
        )

    @pytest.mark.parametrize("topology, ports", [(FatCube(2, 2, 2), "d"), (FatCube(3, 1, 1), "d"), (CUBE, "1")])
    def test_schedule_for_another_network(self, topology, ports):
        self.refuses(
            f"schedule must be for the fat cube d = 2, m = 2, model d, not for the {topology.name}{PortModel(ports).suffix}",
            MACHINE,
            Run(schedule=construct(Problem(topology, ports, "AAB")).schedule),
        )

    def test_simulator(self):
        self.refuses(
            "simulator must be one of verilator, verilator-flat, icarus, not 'questa'",
            MACHINE,
            Run(schedule=GATHER),
            simulator="questa",
        )

    def test_simulator_that_is_not_installed(self, monkeypatch):
        monkeypatch.setattr(shutil, "which", lambda program: None)
        self.refuses(
            "simulator must be verilator where Icarus Verilog (iverilog) is not installed, not 'icarus'",
            MACHINE,
            Run(schedule=GATHER),
            simulator="icarus",
        )


@on_the_cube
@pytest.mark.long(stays="tests/sim/collectives/test_simulate.py::test_every_collective")
@pytest.mark.parametrize("monitors", ["none", "lanes"])
def test_fewer_monitors(monitors):
    """Catches a monitor that has a part in what it watches, and a wire that is said to be watched and is not."""
    machine = dataclasses.replace(MACHINE, monitors=monitors)
    run = Run(schedule=GATHER.expanded(), payload_flits=4)
    full, result = simulate(MACHINE, run), simulate(machine, run)
    check_result(run, full)
    lanes = {"lane_flits": None, "lane_utilisation": None} if monitors == "none" else {}
    assert result == dataclasses.replace(full, **lanes)
    # The payload of one packet is expected to be another: whoever watches the wires must say so.
    plan = compile_schedule(run.schedule, machine.network)
    crossings = {
        wire: [dataclasses.replace(crossing, step=crossing.step + 1) for crossing in expected]
        for wire, expected in plan.crossings.items()
    }
    [wrong] = simulate_all(machine, [run], plans=[dataclasses.replace(plan, crossings=crossings)])
    places = {line.split(" ")[0] for line in wrong.failures}
    assert places == (set() if monitors == "none" else {"lane"})


@pytest.mark.parametrize(
    ("topology", "ports"),
    [
        (SparseGHC(3, 1, 1, 2), "1"),
        pytest.param(SparseGHC(3, 1, 2, 2), "d", marks=pytest.mark.long),
        pytest.param(FatCube(1, 4), "b", marks=pytest.mark.long),  # built for the next test too
        pytest.param(FatCube(1, 3, 2), "b", marks=pytest.mark.long),
        pytest.param(FatCube(2), "1", marks=pytest.mark.long),
        pytest.param(CubeConnectedCycles(3), "1", marks=pytest.mark.grid),
    ],
    ids=str,
)
def test_whole_system_shows_the_same(topology, ports):
    """Catches nodes that are put together in another way than the Verilog says: lanes, channels, processors, timing.

    In the one program the nodes are joined by a list of lanes and their memories are written where they lie; in the
    other the system is compiled as it is written, and every word goes over its bus.
    """
    machine = machine_of(topology, ports)
    runs = [
        Run(
            schedule=construct(Problem(topology, ports, collective)).found.expanded(),
            payload_flits=flits,
            lockstep=lockstep,
        )
        for collective, flits in (("OAS", 5), ("all-reduce", 3))
        for lockstep in (True, False)
    ]
    results = simulate_all(machine, runs)
    for run, result in zip(runs, results):
        check_result(run, result)
    assert simulate_all(machine, runs, simulator="verilator-flat") == results


@pytest.mark.long(stays="tests/sim/collectives/test_simulate.py::test_same_again")
def test_runs_do_not_hang_on_how_long_loading_takes():
    """In model b it goes round with the cycles whose turn it is, so what came before a run could change its conflicts."""
    cube = FatCube(1, 4)
    run = Run(schedule=construct(Problem(cube, "b", "AAS")).found.expanded(), payload_flits=16, lockstep=False)
    machine = machine_of(cube, "b")
    [result] = simulate_all(machine, [run])
    assert result.conflicts == 502
    assert simulate_all(machine, [run], simulator="verilator-flat") == [result]


@on_the_cube
@pytest.mark.skipif(shutil.which("iverilog") is None, reason="Icarus Verilog (iverilog) is not installed")
def test_icarus_sees_the_same():
    runs = [Run(schedule=GATHER, payload_flits=4), Run(schedule=ALL_TO_ALL, payload_flits=3, lockstep=False)]
    results = simulate_all(MACHINE, runs)
    for run, result in zip(runs, results):
        check_result(run, result)
    assert simulate_all(MACHINE, runs, simulator="icarus") == results
