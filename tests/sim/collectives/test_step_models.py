"""Machines of every step model on the RTL: half duplex, simplex, several messages in a packet, direct transfers."""

import dataclasses

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.star import Star
from fatcube.rtl.lanes.half_duplex import HalfDuplexLane
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import ScheduleError, check
from fatcube.schedules.collective import Collective, Message
from fatcube.schedules.construct import best
from fatcube.schedules.cycles import lockstep_cycles
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.step_model import StepModel
from fatcube.schedules.wiring import check_fits, common_network, network_of, wired
from fatcube.sim.collectives.phases import phase_ends
from fatcube.sim.collectives.plan import compile_schedule
from fatcube.sim.collectives.simulate import Run, fitting_machine, longest_packet_of, simulate, simulate_all
from tests.support.cases import some
from tests.support.planted import plant
from tests.support.runs import expected_deliveries

LENGTHS = (1, 4, 9)
SQUARE, PAIR = Hypercube(2), FatCube(1, 2)
HALF = {"links": "half-duplex"}


def machine_for(*schedules, payload_flits=9, **options):
    """The machine that schedules run on."""
    longest = max(longest_packet_of(schedule, payload_flits) for schedule in schedules)
    network = common_network(schedules, RouterOptions(**options)).for_packets(longest)
    several = max(schedule.per_packet for schedule in schedules) > 1
    return fitting_machine(network, payload_flits=payload_flits, reductions=True, combining=several)


def run_all(*schedules, **options):
    """Check schedules, and run them in lockstep and dataflow; each run is without fault, as long as it is predicted."""
    for schedule in schedules:
        check(schedule)
    machine = machine_for(*schedules, **options)
    runs = [
        Run(schedule=schedule, payload_flits=length, lockstep=lockstep)
        for schedule in schedules
        for length in LENGTHS
        for lockstep in (True, False)
    ]
    for run, result in zip(runs, simulate_all(machine, runs), strict=True):
        schedule = run.schedule
        assert result.failures == ()
        assert result.delivered == expected_deliveries(schedule.topology, schedule.collective)
        if run.lockstep:
            assert (result.steps, result.conflicts) == (schedule.steps, 0)
            assert result.cycles == lockstep_cycles(schedule, machine.network, run.payload_flits)
    return machine


def found(topology, ports, collective, **model):
    return best(Problem(topology, ports, collective, 0, model=StepModel(**model)), time_limit=0).schedule


MODELS = {
    "half-duplex": HALF,
    "simplex": {"links": "simplex"},
    "combining": {"per_packet": 2},
    "direct": {"transfers": "direct"},
}


@pytest.mark.parametrize("collectives", some([["AAS", "all-reduce"], [one.value for one in Collective]], [0]), ids=len)
@pytest.mark.parametrize("model", some(MODELS, [2, 3]))  # the others are those of test_machines.py, too
def test_every_collective_in_every_model(collectives, model):
    """On a square: deliveries, traces, no conflict, and cycles; the mirrored collectives too."""
    run_all(*(found(SQUARE, "1", collective, **MODELS[model]) for collective in collectives))


@pytest.mark.parametrize(
    ("topology", "model", "steps"),
    [(SQUARE, HALF, 3), (Star(5), {"transfers": "direct"}, 5)],  # adjacent transfers on the star: 25
    ids=["Hamiltonian", "depth-first"],
)
def test_all_gathers_along_rings(topology, model, steps):
    """The ring that a schedule goes along is there in hardware, also one whose sections share nodes: P - 1 steps, no conflict."""
    schedule = found(topology, "1", "AAB", **model)
    assert schedule.steps == steps
    run_all(schedule)


HARDWARE = [
    ({"turn_round": 0}, HALF),
    ({"turn_round": 9}, HALF),
    ({"pipeline": 2, "link_stages": 1}, HALF),
    ({"switching": "store-and-forward"}, HALF),
    ({"switching": "circuit"}, HALF),
    ({"virtual_channels": 2}, HALF),
    ({"virtual_channels": 2, "link_stages": 1}, HALF),
    ({"virtual_channels": 2, "ejection_channels": 2}, HALF),
    ({"virtual_channels": 2, "ejection_channels": 2}, {"transfers": "direct", "per_packet": 2}),
    ({"virtual_channels": 2}, {"transfers": "direct", "per_packet": 3}),
    ({"virtual_channels": 2, "pipeline": 2}, {"transfers": "direct", "per_packet": 3}),
    ({"virtual_channels": 2, "link_stages": 1}, {"transfers": "direct", "per_packet": 3}),
    ({"switching": "virtual-cut-through"}, {"transfers": "direct"}),
    ({"switching": "circuit", "pipeline": 2, "link_stages": 1}, {"transfers": "direct"}),
    ({"turn_round": 2}, {"transfers": "direct", **HALF}),
    ({"switching": "circuit"}, {"transfers": "direct", "per_packet": 2, **HALF}),
    ({"switching": "store-and-forward"}, {"per_packet": 4}),
    ({"pipeline": 2}, {"per_packet": 2}),
]


@pytest.mark.parametrize(
    ("options", "model"),
    [
        pytest.param(
            *one,
            id=str(one),
            marks=pytest.mark.long(stays="tests/sim/collectives/test_machines.py::test_every_collective"),
        )
        for one in HARDWARE
    ],
)
def test_hardware(options, model):
    """Cycles are predicted exactly, whatever the routers and lanes are."""
    run_all(found(Hypercube(3), "1", "AAS", **model), **options)


@pytest.mark.long(stays="tests/sim/collectives/test_step_models.py::test_every_collective_in_every_model")
@pytest.mark.parametrize("ports", ["1", "b", "d", "*"])
@pytest.mark.parametrize(
    "model", [HALF, {"transfers": "direct"}, {"transfers": "direct", **HALF}, {"links": "simplex"}], ids=str
)
def test_router_models(ports, model):
    """Copies and several ports, on lanes of every kind."""
    run_all(*(found(FatCube(2, 2), ports, collective, **model) for collective in ("OAB", "AAB", "AAS")))


def test_simplex_lanes_are_those_of_a_smaller_network():
    """By hand: of two lanes the first leaves the node whose bit is 0 and the second enters it, so each is lane 0 there."""
    topology = FatCube(1, 1, 2)
    transfers = [
        Transfer(1, 0, 1, Message(0, 1), 0),
        Transfer(1, 1, 0, Message(1, 0), 1),
    ]
    schedule = Schedule(topology, "1", "AAS", None, transfers, model=StepModel(links="simplex"))
    check(schedule)
    assert wired(schedule).topology == FatCube(1)
    assert [one.lane for one in wired(schedule).transfers] == [0, 0]
    run_all(schedule)


# What must not pass.


def test_both_directions_of_a_lane_in_one_step():
    """The checker refuses it, and on hardware of half-duplex lanes it is counted."""
    schedule = found(SQUARE, "1", "AAS")
    with pytest.raises(ScheduleError, match="half duplex"):
        check(schedule, StepModel(**HALF))
    with pytest.raises(
        ParameterError, match="^links must be full-duplex for this schedule, or wider, not half-duplex$"
    ):
        network_of(schedule, RouterOptions(), links="half-duplex")
    half = fitting_machine(Network(SQUARE, RouterOptions(**HALF)))
    plan = compile_schedule(schedule, Network(SQUARE))
    [result] = simulate_all(half, [Run(schedule=schedule)], plans=[plan])
    assert any("packets waited for each other in" in line for line in result.failures)
    assert result.delivered == 12  # it is slower, and nothing is lost


def test_two_paths_over_one_lane():
    """The checker names the lane, and routers count that one packet waits."""
    transfers = [
        Transfer(1, 0, 3, Message(0, 3), path=((1, 0), (3, 0))),
        Transfer(1, 1, 2, Message(1, 2), path=((3, 0), (2, 0))),
    ]
    schedule = Schedule(SQUARE, "1", "AAS", None, transfers, model=StepModel(transfers="direct"))
    with pytest.raises(ScheduleError, match="lane 0 from node 1 to node 3"):
        check(schedule)
    result = simulate(machine_for(schedule), Run(schedule=schedule))
    assert any("packets waited for each other in" in line for line in result.failures)


def test_a_message_that_is_missing_from_a_packet():
    """It is not delivered, and the wire that it should have crossed is named."""
    schedule = found(SQUARE, "1", "AAS", per_packet=2)
    machine = machine_for(schedule)
    plan = compile_schedule(schedule, machine.network)
    for processor in plan.programs:
        for entries in processor:
            for first, second in zip(entries, entries[1:]):
                if first.more:
                    first.more = second.send = False
    [result] = simulate_all(machine, [Run(schedule=schedule, payload_flits=4)], plans=[plan])
    assert any(" had 5 flits, not 10" in line for line in result.failures)


def test_a_header_that_leaves_early_stalls():
    """It holds the lane over which its second message has to come: the processor that waits is named."""
    transfers = [
        Transfer(1, 2, 0, Message(2, 3), 0),
        Transfer(2, 0, 3, Message(0, 3), 0),
        Transfer(2, 0, 3, Message(2, 3), 0),
    ]
    schedule = Schedule(PAIR, "1", "AAS", None, transfers, model=StepModel(per_packet=2, **HALF))
    machine = machine_for(schedule)
    run = Run(schedule=schedule, lockstep=False, timeout=200)
    early = compile_schedule(schedule, machine.network, lockstep=False)
    assert any(not entry.send and entry.more for entry in early.programs[0][0])
    early.programs[0][0] = [entry for entry in early.programs[0][0] if entry.send]
    early.programs[0][0][0].expect = True
    stalled, waits = simulate_all(
        machine, [run, run], plans=[early, compile_schedule(schedule, machine.network, lockstep=False)]
    )
    assert not any("stalled" in line for line in waits.failures)
    assert any("the run stalled in dataflow" in line for line in stalled.failures)
    assert "processor 0, sending port 0: waits for message [2, 3], which it is to send" in stalled.failures


def test_an_idle_cycle_too_few_is_counted(monkeypatch):
    """The monitor of a lane looks at its ends and not at what the lane knows."""
    schedule = found(SQUARE, "1", "AAS", **HALF)
    machine = machine_for(schedule, turn_round=9)
    plant(monkeypatch, HalfDuplexLane, "(idle == self.turn_round)", "(idle + 1 >= self.turn_round)")
    result = simulate(machine, Run(schedule=schedule, lockstep=False))
    assert any("too soon after one in the other direction" in line for line in result.failures)


def around():
    """Each node sends to the one opposite, around the square in the same sense, one after the other."""
    ring = [0, 1, 3, 2]
    transfers = [
        Transfer(
            step,
            here,
            ring[(step + 1) % 4],
            Message(here, ring[(step + 1) % 4]),
            path=((ring[step % 4], 0), (ring[(step + 1) % 4], 0)),
        )
        for step, here in enumerate(ring, 1)
    ]
    return Schedule(SQUARE, "1", "AAS", None, transfers, model=StepModel(transfers="direct"))


def test_paths_that_could_wait_for_each_other_have_a_barrier():
    """Four packets of four steps hold a lane each and wait for the next, without the barrier that the plan has."""
    schedule = around()
    machine = machine_for(schedule)
    assert phase_ends(schedule, machine.network) == [3]
    run = Run(schedule=schedule, lockstep=False, payload_flits=9, timeout=300)
    apart, together = (compile_schedule(schedule, machine.network, lockstep=False) for _ in range(2))
    for processor in together.programs:
        for entries in processor:
            entries.sort(key=lambda entry: not entry.send)  # so that all four leave in the same cycle
            entries[:] = [dataclasses.replace(entry, sync=False) for entry in entries]
    with_barrier, without = simulate_all(machine, [run, run], plans=[apart, together])
    assert not any("stalled" in line for line in with_barrier.failures)
    assert any("stalled" in line for line in without.failures)


def test_half_duplex_links_that_are_held_are_one_vertex():
    """Two packets that go one way and the other over the same two links: in one phase only with cut-through."""
    transfers = [
        Transfer(1, 0, 3, Message(0, 3), path=((1, 0), (3, 0))),
        Transfer(2, 3, 0, Message(3, 0), path=((1, 0), (0, 0))),
    ]
    schedule = Schedule(SQUARE, "1", "AAS", None, transfers, model=StepModel(transfers="direct", **HALF))
    check_fits(schedule, network_of(schedule, RouterOptions()))
    ends = {
        switching: phase_ends(schedule, network_of(schedule, RouterOptions(switching=switching)))
        for switching in ("wormhole", "virtual-cut-through", "circuit")
    }
    assert ends == {"wormhole": [1], "virtual-cut-through": [], "circuit": [1]}


@pytest.mark.parametrize(
    ("schedule", "options", "message"),
    [
        (
            around,
            {"switching": "store-and-forward"},
            "switching must be another one than store-and-forward for packets that cross several links in a step",
        ),
        (lambda: found(SQUARE, "1", "AAS", per_packet=4), {"ports": "b"}, None),
    ],
)
def test_refused(schedule, options, message):
    if message is None:
        with pytest.raises(ParameterError, match="per_packet must be 1 on routers of model b"):
            dataclasses.replace(schedule(), ports="b")
        return
    with pytest.raises(ParameterError, match=f"^{message}$"):
        network_of(schedule(), RouterOptions(**options))


def test_a_turn_that_the_machine_lacks():
    """The schedule is refused; if it runs all the same, its packet is discarded where it would turn."""
    apart = [dataclasses.replace(around(), transfers=[one]) for one in around().transfers]
    machine = machine_for(apart[0])
    with pytest.raises(ParameterError, match="not that from processor0_send0 to channel1_lane0_out$"):
        simulate(machine, Run(schedule=apart[1]))
    plan = compile_schedule(apart[1], Network(SQUARE, machine.network.options))
    kept, lost = simulate_all(
        machine,
        [Run(schedule=apart[0]), Run(schedule=apart[1], timeout=200)],
        plans=[compile_schedule(apart[0], machine.network), plan],
    )
    assert not any("stalled" in line for line in kept.failures)
    assert any("stalled" in line for line in lost.failures)


def test_a_path_longer_than_routes():
    with pytest.raises(ParameterError, match="^hops must be at least 2 for the paths of the schedule, not 1$"):
        check_fits(around(), Network(SQUARE))


def table_3(d, ports, collective):
    """The steps of the fat-cube paper's Table 3 in its column for wormhole switching, of the hypercube."""
    others = (1 << d) - 1
    if ports == "1":
        return d if collective == "OAB" else others
    spread = next(steps for steps in range(1, d + 1) if (d + 1) ** steps > others)
    return {"OAB": spread, "AAB": -(-others // d), "OAS": -(-others // d), "AAS": 1 << d - 1}[collective]


@pytest.mark.parametrize("ports", ["1", "d"])
@pytest.mark.parametrize("d", [2, pytest.param(3, marks=pytest.mark.long), pytest.param(4, marks=pytest.mark.long)])
def test_table_3(d, ports):
    """FC Table 3, wormhole: as many steps as it says, executed."""
    schedules = [
        found(Hypercube(d), ports, collective, transfers="direct") for collective in ("OAB", "AAB", "OAS", "AAS")
    ]
    assert [one.steps for one in schedules] == [table_3(d, ports, one.collective.value) for one in schedules]
    run_all(*schedules)


@pytest.mark.long(stays="tests/sim/collectives/test_step_models.py::test_table_3")
@pytest.mark.parametrize("d", [3, 4, 5])
def test_broadcast_in_two_steps(d):
    """With all ports and paths of any length, two steps reach up to (d + 1)^2 nodes."""
    schedule = found(Hypercube(d), "d", "OAB", transfers="direct")
    assert schedule.steps == 2
    run_all(schedule, width=64)
