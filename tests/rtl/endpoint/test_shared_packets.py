# amaranth: UnusedElaboratable=no
"""Packets of several messages: in the processors, in schedules and their files, and on the RTL."""

import copy
import dataclasses
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.checker import Checked, ScheduleError, check
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.cycles import count_steps, lockstep_cycles
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.schedule_file import read_schedule, write_schedule
from fatcube.schedules.spanning.graphs import BRG, NESBT, NRBRG, NRSBT, SBT, TCBT, SBnTc
from fatcube.schedules.spanning.packets import N_PORT, ONE_PORT, check_execution, to_schedule
from fatcube.schedules.spanning.phases import by_level, by_size, farthest_first, in_phases
from fatcube.schedules.spanning.trees import along
from fatcube.schedules.step_model import StepModel
from fatcube.sim.collectives.plan import compile_schedule, most_entries
from fatcube.sim.collectives.simulate import Run, fitting_machine, simulate, simulate_all
from tests.support.processors import Host, ends, header, packet, processor, words
from tests.support.streams import cycles
from tests.support.streams import simulate as simulate_streams

SQUARE = Hypercube(2)


class TestProcessor:
    @pytest.mark.parametrize("stall", [0, 0.6])
    def test_sends(self, stall):
        """Catches a packet that ends too early or not, words of another message, and a pause between messages."""
        dut = processor(1, memory_words=64)
        sources, sinks = ends(dut, stall=stall)

        async def testbench(ctx):
            host = Host(ctx, dut, lockstep=1)
            for message in (5, 6, 7):
                await host.load(0, message, held=False)
            await host.program(
                [
                    {"header": header(5), "send": 1, "more": 1},
                    {"header": header(7), "send": 1},
                    {"header": header(6), "send": 1, "expect": 1},
                ]
            )
            for step in (1, 2):
                await host.go()
                await cycles(ctx, 40)
                assert len(sinks[0].packets) == step and ctx.get(dut.done) == (step == 1)

        simulate_streams(dut, testbench, *sinks)
        assert sinks[0].packets == [packet(5) + packet(7), packet(6)] and not sinks[0].part
        if not stall:
            times = sinks[0].times[:8]
            assert times == list(range(times[0], times[0] + 8))

    def test_messages_of_one_flit(self):
        """Three cycles from a header to the next, which is what the next entry takes to come."""
        dut = processor(1)
        _, sinks = ends(dut)

        async def testbench(ctx):
            host = Host(ctx, dut, lockstep=1, payload=1)
            for message in (5, 6, 7):
                await host.load(0, message, held=False)
            await host.program([{"header": header(message), "send": 1, "more": message < 7} for message in (5, 6, 7)])
            await host.go()
            await cycles(ctx, 40)
            assert ctx.get(dut.finished)

        simulate_streams(dut, testbench, *sinks)
        assert sinks[0].packets == [[word for message in (5, 6, 7) for word in packet(message)[:2]]]
        start = sinks[0].times[0]
        assert sinks[0].times == [start + cycle for cycle in (0, 1, 3, 4, 6, 7)]

    def test_receives(self):
        """Catches a message that is kept under the id of the one before it, and a packet that counts twice."""
        dut = processor(1)
        sources, sinks = ends(dut)

        async def testbench(ctx):
            host = Host(ctx, dut, lockstep=1)
            await host.program([{"expect": 1}, {"expect": 1}])
            await host.go()
            sources[0].add(packet(9, 0xFFFF) + packet(4) + packet(2))
            await host.until("done")
            await cycles(ctx, 10)
            assert not ctx.get(dut.finished)
            await host.go()
            await cycles(ctx, 10)
            assert not ctx.get(dut.done)
            sources[0].add(packet(3))
            await host.until("finished")
            for message in (9, 4, 2, 3):
                assert (await host.stored(0, message))[:3] == words(message)
            assert (await host.status(0))["received"] == 2

        simulate_streams(dut, testbench, *sources, *sinks)


def scatter(per_packet=2, *changes):
    """On 4 nodes: 0 sends 1 what is for 1 and 3 together, then 2 its own, while 1 passes on."""
    transfers = [
        Transfer(1, 0, 1, (0, 3), 0),
        Transfer(1, 0, 1, (0, 1), 0),
        Transfer(2, 0, 2, (0, 2), 0),
        Transfer(2, 1, 3, (0, 3), 0),
        *changes,
    ]
    return Schedule(SQUARE, "1", "OAS", 0, transfers, model=StepModel(per_packet=per_packet))


class TestSchedule:
    def test_good(self):
        assert check(scatter()) == Checked(2, 4)
        assert scatter().packets(scatter().transfers[:2]) == [[*scatter().transfers[:2]]]
        assert most_entries(scatter()) == 4  # two steps, and a message that is sent and waited for

    def test_moves_share_packets(self):
        """Also over two lanes, and not more than fit into one."""
        topology = FatCube(1, 1, 2)
        moves = [Move(1, 0, 1, Message(0, None, part)) for part in range(4)]
        made = Schedule.from_moves(topology, "*", "OAB", 0, moves, parts=4, model=StepModel(per_packet=2))
        assert [transfer.lane for transfer in made.transfers] == [0, 0, 1, 1]
        assert [len(packet) for packet in made.packets(made.transfers)] == [2, 2]

    def test_file(self, tmp_path):
        write_schedule(scatter(), tmp_path / "mine.json")
        assert '"per_packet": 2' in (tmp_path / "mine.json").read_text()
        assert read_schedule(tmp_path / "mine.json") == scatter()

    @pytest.mark.parametrize(
        ("schedule", "message"),
        [
            (
                scatter(1),
                "step 1: processor 0 sends message [0, 3] over lane 0 from node 0 to node 1, which is taken in "
                "this step",
            ),
            (
                scatter(2, Transfer(2, 1, 3, (0, 1), 0), Transfer(2, 1, 3, (0, 2), 0)),
                "step 2: processor 1 sends message [0, 2], which it does not hold at the start of the step",
            ),
            (
                scatter(2, Transfer(1, 0, 1, (0, 2), 0)),
                "step 1: processor 0 sends message [0, 3] over lane 0 from node 0 to node 1, which is taken in this step",
            ),
            (
                scatter(2, Transfer(1, 0, 2, (0, 2), 0)),
                "step 1: processor 0 sends message [0, 2], but all of its ports (1) are taken in this step",
            ),
            (scatter(2, Transfer(1, 0, 1, (0, 1), 0)), "step 1: processor 1 receives message [0, 1] twice"),
        ],
    )
    def test_rules(self, schedule, message):
        """Every rule that a packet of several messages can break."""
        with pytest.raises(ScheduleError, match=f"^{re.escape(message)}$"):
            check(schedule)

    @pytest.mark.parametrize(
        ("ports", "collective", "per_packet", "message"),
        [
            ("1", "AAB", 0, 'per_packet must be an integer of at least 1 or "unlimited", not 0'),
            ("1", "AAB", "two", "per_packet must be an integer of at least 1 or \"unlimited\", not 'two'"),
            ("b", "AAB", 2, "per_packet must be 1 on routers of model b, which copy packets, not 2"),
        ],
    )
    def test_refused(self, ports, collective, per_packet, message):
        with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
            Schedule(SQUARE, ports, collective, None, [], model=StepModel(per_packet=per_packet))

    def test_no_dataflow_on_a_machine_that_does_not_wait(self):
        machine = fitting_machine(Network(SQUARE, RouterOptions(ports="1")))
        message = "combining must be True for a machine that runs packets of several messages in dataflow, not False"
        with pytest.raises(ParameterError, match=f"^{message}$"):
            simulate(machine, Run(schedule=scatter(), lockstep=False))


EXECUTIONS = [
    in_phases(SBT(2), ONE_PORT, 4, 8, by_size(SBT(2)), personalized=True, everybody=False),
    in_phases(SBT(2), ONE_PORT, 4, 8, by_size(SBT(2)), personalized=True, everybody=True),
    in_phases(NRSBT(2), ONE_PORT, 2, 3, by_size(NRSBT(2), lambda tree: tree), personalized=False, everybody=True),
    in_phases(SBT(2, 3), N_PORT, 3, 6, farthest_first(SBT(2, 3)), personalized=True, everybody=False),
    in_phases(NRSBT(2), N_PORT, 4, 2, farthest_first(NRSBT(2)), personalized=True, everybody=True),
    in_phases(NRSBT(2), N_PORT, 4, 4, by_level(NRSBT(2)), personalized=False, everybody=True),
    in_phases(NESBT(2), N_PORT, 2, 9, by_level(NESBT(2)), personalized=False, everybody=False),
]


PARTS = max(to_schedule(execution)[0].parts for execution in EXECUTIONS)


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_schedule_of_an_execution(execution):
    """The checker of executions and that of schedules agree on what costs what."""
    made, unit = to_schedule(execution)
    model = made.model.changed(port_use="one-partner") if execution.ports == ONE_PORT else made.model
    price = check_execution(execution)
    assert check(made, model).steps == price.startups
    largest = [0] * made.steps
    for step in range(made.steps):
        packets = made.packets([transfer for transfer in made.transfers if transfer.step == step + 1])
        largest[step] = max(map(len, packets)) * unit
    assert sum(largest) == price.elements
    assert made.parts * unit == execution.M


@pytest.mark.xdist_group("shared packets")
@pytest.mark.parametrize("ports", [pytest.param("1", marks=pytest.mark.long), "d"])
def test_on_the_rtl(ports):
    """Every delivery, every wire, no conflict, and as many cycles as are foretold."""
    made = [to_schedule(execution) for execution in EXECUTIONS if (execution.ports == N_PORT) == (ports == "d")]
    network = Network(SQUARE, RouterOptions(ports=ports), parts=PARTS)
    runs = [Run(schedule=schedule, payload_flits=length) for schedule, unit in made for length in {1, 2, unit, 7}]
    results = simulate_all(fitting_machine(network, memory_words=1 << 10), runs)
    for run, result in zip(runs, results):
        assert result.failures == () and result.conflicts == 0
        assert result.steps == run.schedule.steps
        assert result.cycles == lockstep_cycles(run.schedule, network, run.payload_flits)
        messages = run.schedule.collective.messages(SQUARE, run.schedule.root, run.schedule.parts)
        assert result.delivered == sum(len(message.destinations(SQUARE)) for message in messages)


@pytest.mark.xdist_group("shared packets")
def test_planted_faults():
    """Two messages of a packet in the other order, one of them not sent, and one from the wrong slot."""
    network = Network(SQUARE, RouterOptions(ports="1"), parts=PARTS)  # that of the test above: one build
    machine = fitting_machine(network, memory_words=1 << 10)
    run = Run(schedule=scatter(), payload_flits=3)
    good = compile_schedule(run.schedule, network)

    def faulty(change):
        plan = dataclasses.replace(good, programs=copy.deepcopy(good.programs))
        change(plan.programs[0][0])
        return simulate_all(machine, [run], plans=[plan])[0]

    def exchanged(program):
        first, second = program[0].header, program[1].header
        ids = (1 << network.message_bits) - 1 << network.router().header.route_bits
        program[0].header, program[1].header = first & ~ids | second & ids, second & ~ids | first & ids

    def left_out(program):
        program[0].more = False
        del program[1]

    def another(program):
        program[1].header = program[2].header & ~((1 << network.router().header.route_bits) - 1)

    assert simulate(machine, run).failures == ()
    [*exchanged_failures] = faulty(exchanged).failures
    assert any("message [0, 1] is missing in step 1" in line for line in exchanged_failures), exchanged_failures
    failures = faulty(left_out).failures
    assert any("had 4 flits, not 8" in line for line in failures), failures
    assert any("message [0, 3] differs in 3 of 3 words" in line for line in failures), failures
    failures = faulty(another).failures
    assert any("was not what was loaded for its 2 messages" in line for line in failures), failures


@pytest.mark.parametrize(
    ("kind", "ports", "collective", "per_packet", "steps"),
    [
        (SBT, "1", "OAS", 8, 4),
        (SBT, "1", "AAS", 8, 4),
        (SBT, "1", "AAB", 8, 4),
        (SBT, "d", "OAS", 6, 4),
        (NRSBT, "d", "AAB", 6, 4),
        (NRSBT, "1", "AAB", 15, 7),
        (NESBT, "1", "AAB", 15, 8),
        (SBnTc, "1", "AAB", 15, 7),
        (BRG, "1", "AAB", 2, 15),
        (TCBT, "d", "AAS", 64, 4),
        (SBT, "1", "OAB", 4, 4),
        (SBT, "1", "AAS", 4, 8),
    ],
)
def test_along_a_graph(kind, ports, collective, per_packet, steps):
    """On 16 nodes in large packets, the start-ups of Tables 8, 12, 14 and 16: n, 2n - 1, 2n, N - 1; in half, twice."""
    made = along(kind(4), ports, collective, one_partner=ports == "1", parts=4, per_packet=4 * per_packet)
    assert made.per_packet <= 4 * per_packet and made.parts == 4
    assert check(made).steps == steps
    assert made.model.port_use == ("one-partner" if ports == "1" else "send-and-receive")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"graph": NRBRG(3)}, "per_packet must be 1 for AAB with one port along NRBRG, not 2"),
        ({"tree": 0}, "tree must be None with an order or several messages in a packet, not 0"),
        ({"per_packet": 0}, "per_packet must be an integer from 1 to 65535, not 0"),
        ({"graph": SBT(3, 1)}, "graph source must be 0 if every node is a source, not 1"),
    ],
)
def test_refused_along_a_graph(arguments, message):
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
        along(**{"graph": SBT(3), "ports": "1", "collective": "AAB", "per_packet": 2, **arguments})


def test_no_packet_is_longer_than_a_monitor_counts():
    """Catches a run that fails though all was delivered, as a count of 16 bits begins again at 0."""
    made = along(SBT(1), "1", "OAS", parts=5, per_packet=5)
    machine = fitting_machine(
        Network(Hypercube(1), RouterOptions(ports="1"), parts=5), payload_flits=13_106, messages=10
    )
    with pytest.raises(
        ParameterError, match="^packets must have at most 65535 flits, which is what a monitor counts, not 65540$"
    ):
        simulate(machine, Run(schedule=made, payload_flits=13_107))
    with pytest.raises(ParameterError, match="^payload flits must be an integer from 1 to 65534, not 65535$"):
        Run(schedule=made, payload_flits=65_535)


def test_no_message_is_torn_apart():
    """Catches elements that are lost when packets of 4 are said to hold messages of 3."""
    execution = in_phases(SBT(2), N_PORT, 4, 4, by_level(SBT(2)), personalized=False, everybody=True)
    assert to_schedule(execution, unit=2)[0].parts == 2
    for unit in (3, 0, -1):
        with pytest.raises(ParameterError, match=f"^unit must be a divisor of 4, or .* apart, not {unit}$"):
            to_schedule(execution, unit=unit)


def test_steps_of_shared_packets_are_not_of_three_kinds():
    with pytest.raises(ParameterError, match="^per_packet must be 1 for steps to be counted by kind, not 2$"):
        count_steps(along(SBT(2), "1", "AAS", per_packet=2))
