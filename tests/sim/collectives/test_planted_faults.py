# amaranth: UnusedElaboratable=no
"""Runs that are wrong on purpose: each must be caught, and the message must say where.

In every test the same runs without the fault come first. They have no failures, so what the others show is
the fault; and what they leave in the memories must not hide that the others do not deliver.
"""

import copy
import dataclasses
import random
import re

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.cubes import FatCube
from fatcube.schedules.checker import ScheduleError, check
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.sim.collectives.plan import Entry, compile_schedule
from fatcube.sim.collectives.simulate import Run, simulate_all
from tests.support.faults import FaultyLink
from tests.support.machines import machine
from tests.support.reductions import backwards, reduction
from tests.support.streams import Sink, Source
from tests.support.streams import simulate as simulate_streams

CUBE = FatCube(d=2, m=2, f=1)
MACHINE = machine("plain")

pytestmark = pytest.mark.xdist_group("fat-cube 2 2 1 d")
both_ways = pytest.mark.parametrize("lockstep", [True, False], ids=["lockstep", "dataflow"])


def broadcast(start):
    """From the first processor of node ``start``, the message goes through all nodes in three steps.

    In the second of them it crosses channel 0. In step 4 every node's second processor is given it.
    """
    nodes = [start, start ^ 2, start ^ 3, start ^ 1]
    root = 2 * start
    way = [
        Transfer(step, 2 * here, 2 * there, (root, None), 0)
        for step, (here, there) in enumerate(zip(nodes, nodes[1:]), start=1)
    ]
    return Schedule(CUBE, "d", "OAB", root, way + [Transfer(4, 2 * node, 2 * node + 1, (root, None)) for node in nodes])


def altered(schedule, *, without=(), plus=()):
    """The schedule with some transfers taken out and others put in; it may be wrong."""
    transfers = [transfer for transfer in schedule.transfers if transfer not in without]
    assert len(transfers) == len(schedule.transfers) - len(without)
    return dataclasses.replace(schedule, transfers=(*transfers, *plus))


def reprogrammed(plan, processor, port, index, **changes):
    """The plan with one program entry changed; what is expected of the wires and memories is not."""
    programs = copy.deepcopy(plan.programs)
    entry = programs[processor][port][index]
    programs[processor][port][index] = dataclasses.replace(entry, **changes)
    return dataclasses.replace(plan, programs=programs)


def failures(run, plan=None, *, well=None):
    """The failures of a run, after one that shall be well: ``well``, or the same run with its own plan."""
    good = compile_schedule((well or run).schedule, MACHINE.network, lockstep=run.lockstep)
    bad = plan or compile_schedule(run.schedule, MACHINE.network, lockstep=run.lockstep)
    first, second = simulate_all(MACHINE, [well or run, run], plans=[good, bad])
    assert first.failures == ()
    return second.failures


def unnumbered(lines, lockstep):
    """The lines of a run; in dataflow, where each lane has ports of its own, without the numbers of ports and banks: all are 0."""
    return tuple(lines) if lockstep else tuple(re.sub(r"\b(port|bank) \d", r"\1 0", line) for line in lines)


def matches(patterns, lines):
    """Whether each line is what the pattern at its place says."""
    return len(patterns) == len(lines) and all(map(re.fullmatch, patterns, lines))


class TestOccupiedLane:
    """Two transfers on one lane in one step."""

    def schedules(self):
        """A schedule in which processor 0 uses the lane to node 2 in steps 1 and 4, and one with both in step 1."""
        message = (0, None)
        good = altered(broadcast(0), without=[Transfer(4, 4, 5, message)], plus=[Transfer(4, 0, 5, message, 0)])
        bad = altered(good, without=[Transfer(4, 0, 5, message, 0)], plus=[Transfer(1, 0, 5, message, 0)])
        check(good)
        with pytest.raises(
            ScheduleError,
            match="^"
            + re.escape(
                "step 1: processor 0 sends message [0, null] over lane 0 from node 0 to node 2, which is taken "
                "in this step"
            )
            + "$",
        ):
            check(bad)
        return good, bad

    def test_lockstep(self):
        good, bad = self.schedules()
        first, second = simulate_all(MACHINE, [Run(schedule=good, payload_flits=8), Run(schedule=bad, payload_flits=8)])
        assert first.failures == () and first.conflicts == 0
        # They come together, so both wait for a cycle; then the second as long as the first one crosses: a header and
        # eight more flits.
        assert second.failures == ("router of node 0: packets waited for each other in 10 cycles of a lockstep run",)
        assert second.conflicts == 10
        assert second.delivered == first.delivered == 8

    def test_dataflow_reports_it_only(self):
        good, bad = self.schedules()
        first, second = simulate_all(
            MACHINE,
            [Run(schedule=good, payload_flits=8, lockstep=False), Run(schedule=bad, payload_flits=8, lockstep=False)],
        )
        assert first.failures == second.failures == ()
        assert second.conflicts >= 9


class TestMissingTransfer:
    @both_ways
    def test_of_the_schedule(self, lockstep):
        good = broadcast(0)
        bad = altered(good, without=[Transfer(4, 6, 7, (0, None))])
        lines = failures(
            Run(schedule=bad, payload_flits=8, lockstep=lockstep),
            well=Run(schedule=good, payload_flits=8, lockstep=lockstep),
        )
        assert matches(
            [
                r"processor 7, bank 0: message \[0, null\] differs in 8 of 8 words, first in word 0: "
                r"0x[0-9a-f]+, not 0x[0-9a-f]+"
            ],
            lines,
        )

    def test_of_the_schedule_on_the_way(self):
        """In lockstep the processor sends on what it has: that is wrong from there on, and only there."""
        good = broadcast(0)
        bad = altered(good, without=[Transfer(3, 6, 2, (0, None), 0)])
        lines = failures(Run(schedule=bad, payload_flits=8), well=Run(schedule=good, payload_flits=8))
        assert lines[:2] == (
            "sending port 0 of processor 2: the payload of message [0, null] in step 4 was not what was loaded",
            "receiving port 0 of processor 3: the payload of message [0, null] in step 4 was not what was loaded",
        )
        assert matches(
            [
                r"processor 2, bank 0: message \[0, null\] differs in 8 of 8 words, .*",
                r"processor 3, bank 0: message \[0, null\] differs in 8 of 8 words, .*",
            ],
            lines[2:],
        )

    def test_of_the_schedule_on_the_way_in_dataflow(self):
        """In dataflow the processor waits for it."""
        good = broadcast(0)
        bad = altered(good, without=[Transfer(3, 6, 2, (0, None), 0)])
        lines = failures(
            Run(schedule=bad, payload_flits=8, lockstep=False), well=Run(schedule=good, payload_flits=8, lockstep=False)
        )
        assert re.fullmatch(r"the run stalled in dataflow after \d+ cycles", lines[0])
        assert lines[1:5] == (
            "processor 2, sending port 0: waits for message [0, null], which it is to send",
            "processor 3, receiving port 0: waits in dataflow for 1 more of 1 packets",
            "sending port 0 of processor 2: message [0, null] is missing",
            "receiving port 0 of processor 3: message [0, null] is missing",
        )

    def test_of_the_program(self):
        """The others still expect it: the run stalls, and says who waits, where, when and for what."""
        run = Run(schedule=broadcast(0), payload_flits=8)
        plan = reprogrammed(compile_schedule(run.schedule, MACHINE.network), 6, 0, 2, send=False)
        lines = failures(run, plan)
        assert re.fullmatch(r"the run stalled in step 3 after \d+ cycles", lines[0])
        assert lines[1] == "processor 2, receiving port 0: waits in step 3 for message [0, null] from processor 6"
        for line in (
            "sending port 0 of processor 6: message [0, null] is missing in step 3",
            "lane 0 of channel 1 from node 3 to node 1: message [0, null] is missing in step 3",
            "receiving port 0 of processor 2: message [0, null] is missing in step 3",
        ):
            assert line in lines
        assert not any("processor 4" in line for line in lines if "step 4" not in line)

    @both_ways
    def test_every_one_of_an_all_gather(self, lockstep):
        """Whichever transfer is taken out, it is its receiver and its message that are named."""
        good = construct(Problem(CUBE, "d", "AAB")).schedule.expanded()
        runs = [
            Run(schedule=altered(good, without=[transfer]), payload_flits=3, lockstep=lockstep)
            for transfer in good.transfers
        ]
        first, *others = simulate_all(MACHINE, [Run(schedule=good, payload_flits=3, lockstep=lockstep), *runs])
        assert first.failures == ()
        assert len(others) == 56
        for transfer, result in zip(good.transfers, others):
            assert result.delivered < first.delivered
            assert any(
                re.fullmatch(
                    rf"processor {transfer.dst}, bank \d: message "
                    rf"{re.escape(str(transfer.message))} differs in 3 of 3 words, .*",
                    line,
                )
                for line in result.failures
            )


class TestWrongRoute:
    def plan(self, route, lockstep):
        """A broadcast from node 0 in which processor 4, on node 2, sends by another route than to processor 6."""
        plan = compile_schedule(broadcast(0), MACHINE.network, lockstep=lockstep)
        index = 1 if lockstep else 0
        header = MACHINE.network.router().header
        assert plan.programs[4][0][index].header == header.pack([4, 0], 0)
        return reprogrammed(plan, 4, 0, index, header=header.pack(route, 0))

    def run(self, lockstep):
        return Run(schedule=broadcast(0), payload_flits=8, lockstep=lockstep)

    @both_ways
    def test_to_another_processor(self, lockstep):
        lines = failures(self.run(lockstep), self.plan([4, 2], lockstep))
        where, step = ("in step 2", " in step 2") if lockstep else ("in dataflow", "")
        assert re.fullmatch(rf"the run stalled {where} after \d+ cycles", lines[0])
        # The right lane, the wrong processor behind it.
        assert not any(line.startswith("lane 0 of channel 0 from node 2") for line in lines)
        assert f"receiving port 0 of processor 6: message [0, null] is missing{step}" in lines
        if lockstep:
            assert lines[1:3] == (
                "processor 6, receiving port 0: waits in step 2 for message [0, null] from processor 4",
                "processor 7, receiving port 0: received 1 packets where 0 were to arrive",
            )
            assert (
                "receiving port 0 of processor 7: message [0, null] crossed it in step 2, where the schedule has none"
            ) in lines
        else:
            # Processor 7 is given its message early, and not by processor 6, which waits for its own.
            assert "processor 6, sending port 0: waits for message [0, null], which it is to send" in lines

    @both_ways
    def test_to_another_node(self, lockstep):
        lines = failures(self.run(lockstep), self.plan([5, 1], lockstep))
        step = " in step 2" if lockstep else ""
        for line in (
            f"lane 0 of channel 0 from node 2 to node 3: message [0, null] is missing{step}",
            f"lane 0 of channel 1 from node 2 to node 0: message [0, null] crossed it{step}, where the "
            f"schedule has none",
            f"receiving port 1 of processor 0: message [0, null] crossed it{step}, where the schedule has none",
            f"receiving port 0 of processor 6: message [0, null] is missing{step}",
        ):
            assert line in lines

    def test_that_the_router_does_not_have(self):
        """No packet may go back to its own processor: the router discards it, and its receiver waits."""
        lines = failures(self.run(True), self.plan([0, 0], True))
        assert "router of node 2: 1 header requested a turn that does not exist" in lines
        assert "processor 6, receiving port 0: waits in step 2 for message [0, null] from processor 4" in lines

    @both_ways
    def test_every_packet_of_an_all_gather(self, lockstep):
        """Each is sent by a wrong route, one a run; none goes unnoticed."""
        schedule = construct(Problem(CUBE, "d", "AAB")).schedule.expanded()
        plan = compile_schedule(schedule, MACHINE.network, lockstep=lockstep)
        router = MACHINE.network.router()
        dice = random.Random(0)
        plans, senders = [plan], [None]
        for processor, ports in enumerate(plan.programs):
            for port, entries in enumerate(ports):
                for index, entry in enumerate(entries):
                    while entry.send:
                        route = [dice.randrange(router.crossbar_ports) for _ in range(2)]
                        header = router.header.pack(route, router.header.unpack_message(entry.header))
                        # The second selector is not read within a node.
                        same = router.header.selector_bits * (1 if route[0] < router.processor_ports else 2)
                        if (header ^ entry.header) & (1 << same) - 1:
                            plans.append(reprogrammed(plan, processor, port, index, header=header))
                            senders.append(processor)
                            break
        run = Run(schedule=schedule, payload_flits=3, lockstep=lockstep, timeout=100)
        first, *others = simulate_all(MACHINE, [run] * len(plans), plans=plans)
        assert first.failures == ()
        assert len(others) == 56
        for result in others:
            assert result.failures


def reduce(start):
    """The broadcast, run backwards: in step 1 every node's second processor sends to its first, then the sum goes
    from node to node in three steps."""
    return backwards(broadcast(start), "AOR")


class TestSum:
    """Contributions that are left out or counted twice. The way is 2, 6, 4, 0; in step 1 from 1, 3, 5, 7."""

    def run(self, lockstep, schedule=None):
        return Run(schedule=schedule or reduce(0), payload_flits=8, lockstep=lockstep)

    def plan(self, lockstep, schedule=None):
        return compile_schedule(schedule or reduce(0), MACHINE.network, lockstep=lockstep)

    @both_ways
    def test_transfer_left_out(self, lockstep):
        lines = failures(
            self.run(lockstep, altered(reduce(0), without=[Transfer(1, 7, 6, (None, 0))])), well=self.run(lockstep)
        )
        assert matches(
            [
                r"processor 0, all banks: message \[null, 0\] differs in 8 of 8 words, first in word 0: "
                r"0x[0-9a-f]+, not 0x[0-9a-f]+ \(the contribution of processor 7 is not in it\)"
            ],
            lines,
        )

    def test_nothing_is_added(self):
        """Arriving data replace the sum. Every wire behind the first addition shows it, and none before."""
        lines = failures(self.run(True), dataclasses.replace(self.plan(True), reduced=0))
        wires = [line for line in lines if not line.startswith("processor")]

        def wrong(place, step, processors):
            return (
                f"{place}: the payload of message [null, 0] in step {step} was not the sum of what processors "
                f"{processors} contribute"
            )

        assert set(wires) == {
            wrong("sending port 0 of processor 2", 2, "2 and 3"),
            wrong("receiving port 0 of processor 6", 2, "2 and 3"),
            wrong("sending port 0 of processor 6", 3, "6, 7, 2 and 3"),
            wrong("receiving port 0 of processor 4", 3, "6, 7, 2 and 3"),
            wrong("sending port 0 of processor 4", 4, "4, 5, 6, 7, 2 and 3"),
            wrong("receiving port 0 of processor 0", 4, "4, 5, 6, 7, 2 and 3"),
            wrong("lane 0 of channel 1 from node 1 to node 3", 2, "2 and 3"),
            wrong("lane 0 of channel 0 from node 3 to node 2", 3, "6, 7, 2 and 3"),
            wrong("lane 0 of channel 1 from node 2 to node 0", 4, "4, 5, 6, 7, 2 and 3"),
        }
        assert lines[len(wires) :] and lines[-1].startswith("processor 0, all banks: message [null, 0] differs in 8")

    def test_nothing_is_added_in_dataflow(self):
        """A processor that waits for two contributions waits for ever."""
        lines = failures(self.run(False), dataclasses.replace(self.plan(False), reduced=0))
        assert re.fullmatch(r"the run stalled in dataflow after \d+ cycles", lines[0])
        assert lines[1] == "processor 0, receiving port 1: waits in dataflow for 1 more of 1 packets"
        waits = "processor 2, sending port 0: waits for message [null, 0], which it is to send"
        assert waits in unnumbered(lines, lockstep=False)

    def test_sent_before_it_is_complete(self):
        """In dataflow, a processor that does not wait: what it does not send is lost."""
        lines = failures(self.run(False), reprogrammed(self.plan(False), 6, 0, 0, need=1))
        assert (
            "sending port 0 of processor 6: the payload of message [null, 0] was not the sum of what processors "
            "6, 7, 2 and 3 contribute"
        ) in lines
        assert lines[-1].startswith("processor 0, all banks: message [null, 0] differs in 8 of 8 words")

    def test_waits_for_more_than_comes(self):
        lines = failures(self.run(False), reprogrammed(self.plan(False), 6, 0, 0, need=4))
        assert re.fullmatch(r"the run stalled in dataflow after \d+ cycles", lines[0])
        assert "processor 6, sending port 0: waits for message [null, 0], which it is to send" in lines

    @both_ways
    def test_counted_twice(self, lockstep):
        """Processor 7 has nothing more to send in step 2, and sends what it has sent before."""
        schedule = altered(reduce(0), plus=[Transfer(2, 7, 6, (None, 0))])
        plan = self.plan(lockstep, schedule)
        lines = failures(self.run(lockstep, schedule), reprogrammed(plan, 7, 0, 1, source=0))
        step = " in step 2" if lockstep else ""
        right = "an empty sum" if lockstep else "what was loaded or an empty sum"
        assert (f"sending port 0 of processor 7: the payload of message [null, 0]{step} was not {right}") in lines
        assert re.fullmatch(
            r"processor 0, all banks: message \[null, 0\] differs in 8 of 8 words, .* "
            r"\(the contribution of processor 7 is in it twice\)",
            lines[-1],
        )

    @pytest.mark.parametrize("collective", ["AAR", "all-reduce"])
    @both_ways
    def test_every_sum_from_another_slot(self, collective, lockstep):
        """Wherever a sum is to be sent, the one for another root is sent, one a run; none goes unnoticed."""
        schedule = reduction(CUBE, "d", collective)
        plan = compile_schedule(schedule, MACHINE.network, lockstep=lockstep)
        plans, places = [plan], [None]
        for processor, ports in enumerate(plan.programs):
            for port, entries in enumerate(ports):
                for index, entry in enumerate(entries):
                    if entry.send and entry.combine and entry.need > 1:
                        plans.append(reprogrammed(plan, processor, port, index, source=entry.source ^ 1))
                        places.append(processor)
        run = Run(schedule=schedule, payload_flits=3, lockstep=lockstep, timeout=100)
        first, *others = simulate_all(MACHINE, [run] * len(plans), plans=plans)
        assert first.failures == ()
        assert len(others) > 8
        for processor, result in zip(places[1:], others):
            assert any(
                f"of processor {processor}: the payload of message" in line or "stalled" in line
                for line in result.failures
            )
            assert result.delivered < first.delivered


class TestSteps:
    """The steps are those that the barrier ended, not those that the schedule has."""

    def results(self, programs):
        """A run as it is planned, and one with each port's program changed."""
        run = Run(schedule=broadcast(0), payload_flits=8)
        plan = compile_schedule(run.schedule, MACHINE.network)
        other = dataclasses.replace(
            plan, programs=[[programs(port) for port in processor] for processor in plan.programs]
        )
        first, second = simulate_all(MACHINE, [run, run], plans=[plan, other])
        assert first.steps == 4 and first.failures == ()
        return second

    def test_one_less(self):
        result = self.results(lambda entries: entries[:-1])
        assert result.steps == 3
        assert result.failures[0] == "the hardware counted 3 steps, the schedule has 4"

    def test_one_more(self):
        result = self.results(lambda entries: [*entries, Entry()])
        assert result.steps == 5
        assert result.failures == ("the hardware counted 5 steps, the schedule has 4",)

    def test_one_later(self):
        """The number of steps alone would not tell that everything happens a step late."""
        result = self.results(lambda entries: [Entry(), *entries])
        assert result.steps == 5
        assert "lane 0 of channel 1 from node 0 to node 2: message [0, null] is missing in step 1" in result.failures
        assert (
            "lane 0 of channel 1 from node 0 to node 2: message [0, null] crossed it in step 2, where the "
            "schedule has none" in result.failures
        )


class TestFaultyLink:
    """The links do what they are to do, and nothing else, whatever the ends of the stream do."""

    packets = [[10, 11, 12], [20, 21], [30, 31, 32, 33], [40, 41]]

    @pytest.mark.parametrize(
        "kind, number, expected",
        [
            ("flip", 0, [[10, 10, 12], [20, 21], [30, 31, 32, 33], [40, 41]]),
            ("flip", 2, [[10, 11, 12], [20, 20], [30, 31, 32, 33], [40, 41]]),
            ("drop", 0, [[11, 12], [20, 21], [30, 31, 32, 33], [40, 41]]),
            ("drop", 6, [[10, 11, 12], [20, 21], [30, 32, 33], [40, 41]]),
            ("drop", 8, [[10, 11, 12], [20, 21], [30, 31, 32, 40, 41]]),
            ("double", 0, [[10, 11, 12], [10, 11, 12], [20, 21], [30, 31, 32, 33], [40, 41]]),
            ("double", 2, [[10, 11, 12], [20, 21], [30, 31, 32, 33], [30, 31, 32, 33], [40, 41]]),
            ("endless", 1, [[10, 11, 12], [20, 21, 30, 31, 32, 33], [40, 41]]),
            ("flip", 99, packets),
        ],
    )
    @pytest.mark.parametrize("pause, stall", [(0, 0), (0.4, 0), (0, 0.4), (0.4, 0.4)])
    def test_fault(self, kind, number, expected, pause, stall):
        link = FaultyLink(8, kind, number)
        source = Source(link.i, self.packets, pause=pause)
        sink = Sink(link.o, stall=stall, name=f"link with fault {kind}")

        async def testbench(ctx):
            await ctx.tick().repeat(100)

        simulate_streams(link, testbench, source, sink)
        assert sink.packets == expected
        assert sink.part == []

    @pytest.mark.parametrize(
        "arguments, message",
        [
            (("melt", 0), "kind of fault must be one of flip, drop, lose, double, swap, endless, not 'melt'"),
            (("flip", -1), "number must be an integer from 0 to 65534, not -1"),
        ],
    )
    def test_refused(self, arguments, message):
        with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
            FaultyLink(8, *arguments)


# Every lane of channel 0 has its own fault, so that one build is enough: a broadcast crosses one of them.
FAULTS = {
    (2, 0, 0): ("flip", 2),  # crossed by the broadcast that starts at node 0
    (3, 0, 0): ("drop", 4),  # 1
    (0, 0, 0): ("double", 0),  # 2
    (1, 0, 0): ("endless", 0),  # 3
}


def faulty(runs, delivered=CUBE.processors):
    """The results of runs on the machine with the faults; without them the same runs are well."""
    for result in simulate_all(MACHINE, runs):
        assert result.failures == () and result.delivered == delivered
    links = {place: FaultyLink(MACHINE.network.options.width, *fault) for place, fault in FAULTS.items()}
    return simulate_all(MACHINE, runs, links=links)


class TestOnTheWire:
    def broadcast_failures(self, start, lockstep, *, payload_flits=8):
        [result] = faulty([Run(schedule=broadcast(start), payload_flits=payload_flits, lockstep=lockstep)])
        return unnumbered(result.failures, lockstep)

    @both_ways
    def test_no_fault_no_failure(self, lockstep):
        """Where the fault never shows the links are as good as wires."""
        runs = [
            Run(schedule=broadcast(start), payload_flits=length, lockstep=lockstep)
            for start, length in ((0, 1), (0, 2), (1, 1), (1, 3))
        ]
        for _run, result in zip(runs, faulty(runs)):
            assert result.failures == () and result.delivered == CUBE.processors

    @both_ways
    def test_payload_bit_flipped(self, lockstep):
        lines = self.broadcast_failures(0, lockstep)
        # The way is 0, 4, fault, 6, 2; in step 4 to 1, 5, 7, 3. All before the fault, and beside it, is clean.
        wires = [
            ("sending port 0 of processor 2", 4),
            ("receiving port 0 of processor 2", 3),
            ("receiving port 0 of processor 3", 4),
            ("sending port 0 of processor 6", 3),
            ("sending port 0 of processor 6", 4),
            ("receiving port 0 of processor 6", 2),
            ("receiving port 0 of processor 7", 4),
            ("lane 0 of channel 1 from node 3 to node 1", 3),
        ]
        assert lines[:8] == tuple(
            f"{wire}: the payload of message [0, null]{f' in step {step}' if lockstep else ''} was not what was loaded"
            for wire, step in wires
        )
        assert matches(
            [
                rf"processor {processor}, bank 0: message \[0, null\] differs in 1 of 8 words, first in "
                rf"word 2: 0x[0-9a-f]+, not 0x[0-9a-f]+"
                for processor in (2, 3, 6, 7)
            ],
            lines[8:],
        )
        for line in lines[8:]:
            found, loaded = (int(word, 16) for word in re.findall("0x[0-9a-f]+", line))
            assert found ^ loaded == 1

    @both_ways
    def test_payload_flit_dropped(self, lockstep):
        lines = self.broadcast_failures(1, lockstep)
        # The way is 2, 6, fault, 4, 0. Processor 4 fills up with what its memory held, and sends that on.
        wires = [line for line in lines if "bank" not in line]
        assert [line for line in wires if "flits" in line] == [
            "receiving port 0 of processor 4: the packet with message [2, null]"
            f"{' in step 2' if lockstep else ''} had 8 flits, not 9"
        ]
        assert {line.split(":")[0] for line in wires} == {
            "receiving port 0 of processor 4",
            "sending port 0 of processor 4",
            "receiving port 0 of processor 5",
            "lane 0 of channel 1 from node 2 to node 0",
            "receiving port 0 of processor 0",
            "sending port 0 of processor 0",
            "receiving port 0 of processor 1",
        }
        # The flits after the one that is gone have moved up, and the last word is missing.
        assert matches(
            [
                rf"processor {processor}, bank 0: message \[2, null\] differs in 5 of 8 words, first in "
                rf"word 3: 0x[0-9a-f]+, not 0x[0-9a-f]+"
                for processor in (0, 1, 4, 5)
            ],
            lines[len(wires) :],
        )

    @both_ways
    def test_last_flit_dropped(self, lockstep):
        self.check_endless(
            self.broadcast_failures(1, lockstep, payload_flits=4), lockstep, "[2, null]", sender=6, receiver=4, flits=4
        )

    @both_ways
    def test_last_not_marked(self, lockstep):
        self.check_endless(
            self.broadcast_failures(3, lockstep), lockstep, "[6, null]", sender=2, receiver=0, flits=9, whole=True
        )

    def check_endless(self, lines, lockstep, message, *, sender, receiver, flits, whole=False):
        """Of a packet that never ends nothing is seen but the flits; everybody behind it waits.

        If its message is ``whole`` it is held, and in dataflow sent on: another could follow in the same packet.
        """
        if lockstep:
            assert re.fullmatch(r"the run stalled in step 2 after \d+ cycles", lines[0])
            assert lines[1] == (
                f"processor {receiver}, receiving port 0: waits in step 2 for message {message} from processor {sender}"
            )
            assert not lines[2].startswith("processor")
        else:
            assert re.fullmatch(r"the run stalled in dataflow after \d+ cycles", lines[0])
            assert (
                f"processor {receiver}, receiving port 0: waits in dataflow for 1 more of 1 packets"
                if whole
                else f"processor {receiver}, sending port 0: waits for message {message}, which it is to send"
            ) in lines
        step = " in step 2" if lockstep else ""
        assert f"receiving port 0 of processor {receiver}: message {message} is missing{step}" in lines
        assert (f"receiving port 0 of processor {receiver}: {flits} flits after the last whole packet") in lines
        # The lane is watched where it leaves the node, before the fault.
        assert not any(line.startswith("lane 0 of channel 0") for line in lines)

    @both_ways
    def test_packet_doubled(self, lockstep):
        lines = self.broadcast_failures(2, lockstep)
        where, step = ("in step 3", " in step 2") if lockstep else ("in dataflow", "")
        assert re.fullmatch(rf"the run stalled {where} after \d+ cycles", lines[0])
        assert lines[1] == "processor 2, receiving port 0: received 2 packets where 1 were to arrive"
        crossed = f"receiving port 0 of processor 2: message [4, null] crossed it{step}, where the schedule has none"
        assert crossed in lines
        if not lockstep:  # nobody waits for anything
            assert lines[2:] == (crossed,)

    @both_ways
    def test_packet_doubled_at_the_end(self, lockstep):
        """All have what they are to have when the second packet arrives: it is seen all the same."""
        message = (0, None)
        schedule = altered(broadcast(0), plus=[Transfer(5, 0, 2, message, 0)])
        check(schedule)
        [result] = faulty([Run(schedule=schedule, payload_flits=2, lockstep=lockstep)])
        step = " in step 5" if lockstep else ""
        assert (
            f"receiving port 0 of processor 2: message [0, null] crossed it{step}, where the schedule has none"
            in result.failures
        )
        assert result.delivered == CUBE.processors

    @both_ways
    def test_partial_sum_bit_flipped(self, lockstep):
        """The way is 0, 4, fault, 6, 2."""
        [result] = faulty([Run(schedule=reduce(1), payload_flits=8, lockstep=lockstep)], delivered=1)
        wires = [line for line in unnumbered(result.failures, lockstep) if not line.startswith("processor")]
        assert [line.split(":")[0] for line in wires] == [
            "receiving port 0 of processor 2",
            "sending port 0 of processor 6",
            "receiving port 0 of processor 6",
            "lane 0 of channel 1 from node 3 to node 1",
        ]
        [line] = result.failures[len(wires) :]
        assert re.fullmatch(
            r"processor 2, all banks: message \[null, 2\] differs in 1 of 8 words, first in word 2: "
            r"0x[0-9a-f]+, not 0x[0-9a-f]+",
            line,
        )

    @both_ways
    def test_partial_sum_doubled(self, lockstep):
        """The way is 4, 0, fault, 2, 6: what 0, 1, 4 and 5 contribute arrives twice and is added twice."""
        [result] = faulty([Run(schedule=reduce(3), payload_flits=8, lockstep=lockstep)], delivered=1)
        step = " in step 3" if lockstep else ""
        assert result.failures[1] == "processor 2, receiving port 0: received 3 packets where 2 were to arrive"
        assert (
            f"receiving port 0 of processor 2: message [null, 6] crossed it{step}, where the schedule has none"
            in result.failures
        )
        assert not any(
            "payload" in line for line in result.failures if "port 0 of processor 2" in line and "receiving" in line
        )
