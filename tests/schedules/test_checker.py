from dataclasses import dataclass
import random
import re

from hypothesis import given, settings
from hypothesis import strategies as st
import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topology import Topology
from fatcube.schedules.checker import Checked, ScheduleError, check
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.schedule_file import schedule_from_json, schedule_to_json
from fatcube.schedules.step_model import StepModel


@dataclass(frozen=True)
class Loop(Topology, kind="checker test loop"):
    """Nodes in a circle. Where there are two, both channels join them."""

    length: int
    m: int = 1
    f: int = 1

    nodes = property(lambda self: self.length)
    degree = 2

    def neighbour(self, node, channel):
        return (node + (1, -1)[channel]) % self.length, 1 - channel


class TestRules:
    """Every rule, broken once; the message is the whole line."""

    def schedule(self, topology, ports, collective, root, *transfers):
        return Schedule(topology, ports, collective, root, [Transfer(*transfer) for transfer in transfers])

    def refuses(self, message, *schedule):
        with pytest.raises(ScheduleError, match=f"^{re.escape(message)}$"):
            check(self.schedule(*schedule))

    def accepts(self, *schedule):
        schedule = self.schedule(*schedule)
        assert check(schedule) == Checked(schedule.steps, len(schedule.transfers))

    def test_the_error_is_a_value_error(self):
        assert issubclass(ScheduleError, ValueError)

    def test_good(self):
        self.accepts(Hypercube(1), "1", "AAB", None, (1, 0, 1, (0, None), 0), (1, 1, 0, (1, None), 0))

    def test_source_exists(self):
        self.refuses(
            "step 1: processor 2 of the transfer of message [0, null] does not exist, the last one is 1",
            Hypercube(1),
            "1",
            "OAB",
            0,
            (1, 2, 1, (0, None), 0),
        )

    def test_target_exists(self):
        self.refuses(
            "step 1: processor 2 of the transfer of message [0, null] does not exist, the last one is 1",
            Hypercube(1),
            "1",
            "OAB",
            0,
            (1, 0, 2, (0, None), 0),
        )

    def test_target_differs_from_source(self):
        self.refuses(
            "step 1: processor 0 sends message [0, null] to itself",
            Hypercube(1),
            "1",
            "OAB",
            0,
            (1, 0, 0, (0, None), None),
        )

    @pytest.mark.parametrize(
        "collective, root, message, text",
        [
            ("OAB", 0, (1, None), "[1, null]"),
            ("OAB", 0, (0, 1), "[0, 1]"),
            ("OAB", 0, (None, 0), "[null, 0]"),
            ("OAB", 0, (None, None), "[null, null]"),
            ("OAS", 0, (0, None), "[0, null]"),
            ("OAS", 0, (1, 0), "[1, 0]"),
            ("OAS", 0, (0, 0), "[0, 0]"),
            ("OAS", 0, (0, 2), "[0, 2]"),
            ("AOG", 1, (1, 0), "[1, 0]"),
            ("AOG", 1, (0, None), "[0, null]"),
            ("AAB", None, (0, 1), "[0, 1]"),
            ("AAB", None, (2, None), "[2, null]"),
            ("AAS", None, (0, None), "[0, null]"),
            ("AAS", None, (1, 1), "[1, 1]"),
            ("AAS", None, (0, 2), "[0, 2]"),
        ],
    )
    def test_message_is_one_of_the_collective(self, collective, root, message, text):
        self.refuses(
            f"step 1: processor 0 sends message {text}, which is none of {collective}",
            Hypercube(1),
            "1",
            collective,
            root,
            (1, 0, 1, message, 0),
        )

    def test_sender_holds_the_message(self):
        self.refuses(
            "step 1: processor 1 sends message [0, null], which it does not hold at the start of the step",
            Hypercube(2),
            "*",
            "OAB",
            0,
            (1, 0, 1, (0, None), 0),
            (1, 1, 3, (0, None), 0),
        )

    def test_nothing_is_sent_before_it_arrives(self):
        self.refuses(
            "step 1: processor 1 sends message [0, null], which it does not hold at the start of the step",
            Hypercube(2),
            "*",
            "OAB",
            0,
            (1, 1, 3, (0, None), 0),
            (2, 0, 1, (0, None), 0),
        )

    def test_a_sender_keeps_the_message(self):
        self.accepts(
            Hypercube(2), "1", "OAB", 0, (1, 0, 1, (0, None), 0), (2, 0, 2, (0, None), 0), (3, 1, 3, (0, None), 0)
        )

    def test_lane_within_a_node(self):
        self.refuses(
            "step 1: processor 0 sends message [0, null] to processor 1 of its own node over "
            "lane 0, the lane must be null",
            FatCube(1, 2),
            "1",
            "OAB",
            0,
            (1, 0, 1, (0, None), 0),
        )

    def test_nodes_are_adjacent(self):
        self.refuses(
            "step 1: processor 0 sends message [0, null] to processor 7, but their nodes 0 and 3 are not adjacent",
            FatCube(2, 2),
            "1",
            "OAB",
            0,
            (1, 0, 7, (0, None), 0),
        )

    @pytest.mark.parametrize("lane, text", [(None, "null"), (2, "2"), (3, "3")])
    def test_lane_exists(self, lane, text):
        self.refuses(
            f"step 1: processor 0 sends message [0, null] to processor 1 over lane {text}, the lane "
            f"must be from 0 to 1",
            FatCube(1, 1, 2),
            "1",
            "OAB",
            0,
            (1, 0, 1, (0, None), lane),
        )

    def test_the_last_lane_exists(self):
        self.accepts(FatCube(1, 1, 2), "1", "OAB", 0, (1, 0, 1, (0, None), 1))

    def test_lanes_of_two_channels_between_the_same_nodes(self):
        for lane in range(6):
            self.accepts(Loop(2, 1, 3), "1", "OAB", 0, (1, 0, 1, (0, None), lane))
        self.refuses(
            "step 1: processor 0 sends message [0, null] to processor 1 over lane 6, the lane must be from 0 to 5",
            Loop(2, 1, 3),
            "1",
            "OAB",
            0,
            (1, 0, 1, (0, None), 6),
        )

    LOCAL = ((1, 0, 1, (0, None), None), (1, 1, 0, (1, None), None))
    REST = (
        (2, 0, 2, (0, None), 0),
        (3, 0, 2, (1, None), 0),
        (4, 2, 3, (0, None), None),
        (5, 2, 3, (1, None), None),
        (1, 2, 3, (2, None), None),
        (1, 3, 2, (3, None), None),
        (2, 2, 0, (2, None), 0),
        (3, 2, 0, (3, None), 0),
        (4, 0, 1, (2, None), None),
        (5, 0, 1, (3, None), None),
    )

    def test_a_lane_carries_one_message_each_way(self):
        self.accepts(FatCube(1, 2), "1", "AAB", None, *self.LOCAL, *self.REST)

    def test_a_lane_carries_one_message(self):
        self.refuses(
            "step 2: processor 1 sends message [1, null] over lane 0 from node 0 to node 1, which "
            "is taken in this step",
            FatCube(1, 2),
            "1",
            "AAB",
            None,
            *self.LOCAL,
            *self.REST,
            (2, 1, 3, (1, None), 0),
        )

    def test_another_lane_carries_another_message(self):
        self.accepts(FatCube(1, 2, 2), "1", "AAB", None, *self.LOCAL, *self.REST, (2, 1, 3, (1, None), 1))

    def test_a_receiver_has_one_port(self):
        self.refuses(
            "step 1: processor 3 receives message [2, null], but all of its ports (1) are taken in this step",
            FatCube(1, 2),
            "1",
            "AAB",
            None,
            (1, 0, 3, (0, None), 0),
            (1, 2, 3, (2, None), None),
        )

    @pytest.mark.parametrize(
        "ports, topology, k",
        [
            ("1", FatCube(2, 3, 3), 1),
            ("b", FatCube(2, 3, 3), 1),
            ("d", FatCube(2, 3, 3), 2),
            ("*", FatCube(2, 3, 3), 4),
            ("d", FatCube(3, 2, 2), 3),
            ("*", FatCube(1, 5, 5), 5),
            ("d", Loop(5, 2, 2), 2),
            ("*", Loop(5, 2, 2), 3),
        ],
    )
    def test_a_processor_has_k_ports(self, ports, topology, k):
        """Processor 0 exchanges messages with k others at once, but not with k + 1."""
        nodes = [0, *topology.graph[0]]
        others = [processor for processor in range(1, topology.processors) if topology.node_of(processor) in nodes]
        taken = rf"but all of its ports \({k}\) are taken in this step$"

        def schedule(count, *, sending):
            return Schedule(
                topology,
                ports,
                "AAS",
                None,
                [
                    Transfer(
                        1,
                        *((0, other) if sending else (other, 0)),
                        (0, other) if sending else (other, 0),
                        None if other < topology.m else other % topology.m,
                    )
                    for other in others[:count]
                ],
            )

        for sending in (True, False):
            with pytest.raises(ScheduleError, match="^after step 1: "):
                check(schedule(k, sending=sending))
        sends = rf"^step 1: processor 0 sends message \[0, {others[k]}\], {taken}"
        with pytest.raises(ScheduleError, match=sends):
            check(schedule(k + 1, sending=True))
        receives = rf"^step 1: processor 0 receives message \[{others[k]}, 0\], {taken}"
        with pytest.raises(ScheduleError, match=receives):
            check(schedule(k + 1, sending=False))

    def test_a_sender_has_one_port(self):
        self.refuses(
            "step 1: processor 0 sends message [0, 2], but all of its ports (1) are taken in this step",
            Hypercube(2),
            "1",
            "OAS",
            0,
            (1, 0, 1, (0, 1), 0),
            (1, 0, 2, (0, 2), 0),
        )

    def test_a_sender_needs_a_port_for_every_copy(self):
        self.refuses(
            "step 1: processor 0 sends message [0, null], but all of its ports (1) are taken in this step",
            Hypercube(2),
            "1",
            "OAB",
            0,
            (1, 0, 1, (0, None), 0),
            (1, 0, 2, (0, None), 0),
        )
        self.refuses(
            "step 1: processor 0 sends message [0, null], but all of its ports (2) are taken in this step",
            FatCube(2, 2),
            "d",
            "OAB",
            0,
            (1, 0, 1, (0, None)),
            (1, 0, 2, (0, None), 0),
            (1, 0, 4, (0, None), 0),
        )

    def test_a_router_that_copies_needs_none(self):
        self.accepts(
            Hypercube(2), "b", "OAB", 0, (1, 0, 1, (0, None), 0), (1, 0, 2, (0, None), 0), (2, 1, 3, (0, None), 0)
        )

    def test_a_router_copies_one_message_of_a_processor(self):
        self.refuses(
            "step 1: processor 0 sends message [0, 2], but all of its ports (1) are taken in this step",
            Hypercube(2),
            "b",
            "OAS",
            0,
            (1, 0, 1, (0, 1), 0),
            (1, 0, 2, (0, 2), 0),
        )

    def test_a_router_copies_one_message_of_each_processor(self):
        self.accepts(
            FatCube(1, 2, 2),
            "b",
            "AAB",
            None,
            (1, 0, 1, (0, None)),
            (1, 0, 2, (0, None), 0),
            (1, 1, 0, (1, None)),
            (1, 1, 3, (1, None), 1),
            (2, 2, 3, (2, None)),
            (2, 2, 0, (2, None), 0),
            (2, 3, 2, (3, None)),
            (2, 3, 1, (3, None), 1),
            (3, 2, 3, (0, None)),
            (3, 3, 2, (1, None)),
            (3, 0, 1, (2, None)),
            (3, 1, 0, (3, None)),
        )

    def test_a_router_copies_to_a_lane_once(self):
        self.refuses(
            "step 1: processor 0 sends message [0, null] over lane 0 from node 0 to node 1, which "
            "is taken in this step",
            FatCube(1, 2),
            "b",
            "OAB",
            0,
            (1, 0, 2, (0, None), 0),
            (1, 0, 3, (0, None), 0),
        )

    def test_a_router_copies_over_two_lanes_to_two_processors(self):
        self.accepts(
            FatCube(1, 2, 2), "b", "OAB", 0, (1, 0, 1, (0, None)), (1, 0, 2, (0, None), 0), (1, 0, 3, (0, None), 1)
        )

    def test_a_receiver_has_one_port_where_routers_copy(self):
        self.refuses(
            "step 1: processor 3 receives message [2, null], but all of its ports (1) are taken in this step",
            FatCube(1, 2),
            "b",
            "AAB",
            None,
            (1, 0, 3, (0, None), 0),
            (1, 2, 3, (2, None), None),
        )

    @pytest.mark.parametrize("ports", ["b", "d", "*"])
    def test_nothing_is_received_twice_in_a_step(self, ports):
        self.refuses(
            "step 1: processor 1 receives message [0, null] twice",
            FatCube(2, 1, 2),
            ports,
            "OAB",
            0,
            (1, 0, 1, (0, None), 0),
            (1, 0, 1, (0, None), 1),
        )

    def test_nothing_is_received_twice_from_two_senders(self):
        self.refuses(
            "step 3: processor 3 receives message [0, null] twice",
            FatCube(2, 1, 1),
            "*",
            "OAB",
            0,
            (1, 0, 1, (0, None), 0),
            (1, 0, 2, (0, None), 0),
            (3, 1, 3, (0, None), 0),
            (3, 2, 3, (0, None), 0),
        )

    def test_something_may_be_received_again(self):
        self.accepts(
            Hypercube(1), "1", "OAB", 0, (1, 0, 1, (0, None), 0), (2, 0, 1, (0, None), 0), (3, 1, 0, (0, None), 0)
        )

    def test_a_step_may_be_empty(self):
        self.accepts(
            Hypercube(2), "*", "OAB", 0, (2, 0, 1, (0, None), 0), (2, 0, 2, (0, None), 0), (9, 1, 3, (0, None), 0)
        )

    def test_delivery(self):
        self.refuses(
            "after step 1: processor 3 has not received message [0, null]",
            Hypercube(2),
            "*",
            "OAB",
            0,
            (1, 0, 1, (0, None), 0),
            (1, 0, 2, (0, None), 0),
        )

    def test_delivery_of_a_message_for_one(self):
        self.refuses(
            "after step 2: processor 3 has not received message [0, 3]",
            Hypercube(2),
            "*",
            "OAS",
            0,
            (1, 0, 1, (0, 1), 0),
            (1, 0, 2, (0, 2), 0),
            (2, 0, 1, (0, 3), 0),
        )

    def test_delivery_of_all_parts(self):
        moves = [Move(part + 1, 0, 1, Message(0, None, part)) for part in range(3)]

        def divided(moves, parts):
            return Schedule.from_moves(Hypercube(1), "1", "OAB", 0, moves, parts=parts)

        assert check(divided(moves, 3)) == Checked(3, 3)
        for parts, message in (
            (2, "step 3: processor 0 sends message [0, null, 2], which is none of OAB"),
            (4, "after step 3: processor 1 has not received message [0, null, 3]"),
        ):
            with pytest.raises(ScheduleError, match=f"^{re.escape(message)}$"):
                check(divided(moves, parts))
        with pytest.raises(
            ScheduleError, match=r"^step 1: processor 1 sends message \[0, null, 1\], which it does not"
        ):
            check(divided([Move(1, 1, 0, Message(0, None, 1)), *moves], 3))

    def test_delivery_of_a_message_that_never_moves(self):
        self.refuses("after step 0: processor 1 has not received message [0, null]", Hypercube(2), "*", "AAB", None)

    def test_delivery_on_a_network_too_large_to_list_its_messages(self):
        self.refuses("after step 0: processor 1 has not received message [0, 1]", FatCube(1, 10**9), "*", "AAS", None)


class TestReductions:
    """Partial sums: what is moved is gone, and nothing is counted twice. Hypercube(2), model * unless it says so."""

    refuses, accepts, schedule = TestRules.refuses, TestRules.accepts, TestRules.schedule

    GOOD = (1, 3, 1, (None, 0), 0), (1, 2, 0, (None, 0), 0), (2, 1, 0, (None, 0), 0)

    def test_good(self):
        self.accepts(Hypercube(2), "1", "AOR", 0, *self.GOOD)

    def test_a_missing_contribution(self):
        self.refuses(
            "after step 2: processor 0 has not received the contribution of processor 2 to message [null, 0]",
            Hypercube(2),
            "1",
            "AOR",
            0,
            *(transfer for transfer in self.GOOD if transfer[1] != 2),
        )

    def test_a_contribution_that_comes_too_late(self):
        self.refuses(
            "after step 3: processor 0 has not received the contribution of processor 3 to message [null, 0]",
            Hypercube(2),
            "1",
            "AOR",
            0,
            (1, 2, 0, (None, 0), 0),
            (2, 1, 0, (None, 0), 0),
            (3, 3, 1, (None, 0), 0),
        )

    def test_what_arrives_in_a_step_is_not_sent_in_it(self):
        self.refuses(
            "after step 2: processor 0 has not received the contribution of processor 3 to message [null, 0]",
            Hypercube(2),
            "1",
            "AOR",
            0,
            (1, 2, 0, (None, 0), 0),
            (2, 3, 1, (None, 0), 0),
            (2, 1, 0, (None, 0), 0),
        )

    def test_counted_twice_in_one_step(self):
        self.refuses(
            "step 1: processor 3 sends message [null, 0] to processor 2 too, so what it has accumulated "
            "would be counted twice",
            Hypercube(2),
            "*",
            "AOR",
            0,
            *self.GOOD,
            (1, 3, 2, (None, 0), 0),
        )

    def test_a_router_that_copies_would_count_twice(self):
        self.refuses(
            "step 1: processor 3 sends message [null, 0] to processor 2 too, so what it has accumulated "
            "would be counted twice",
            Hypercube(2),
            "b",
            "AOR",
            0,
            (1, 3, 1, (None, 0), 0),
            (1, 3, 2, (None, 0), 0),
            (2, 1, 0, (None, 0), 0),
            (3, 2, 0, (None, 0), 0),
        )

    def test_counted_twice_in_another_step(self):
        self.refuses(
            "step 2: processor 3 sends message [null, 0], of which it has nothing left at the start of the "
            "step: all that it had has been sent",
            Hypercube(2),
            "1",
            "AOR",
            0,
            *self.GOOD,
            (2, 3, 2, (None, 0), 0),
        )

    def test_more_may_be_sent_when_more_has_arrived(self):
        self.accepts(
            Hypercube(2),
            "1",
            "AOR",
            0,
            (1, 1, 0, (None, 0), 0),
            (2, 3, 1, (None, 0), 0),
            (3, 1, 0, (None, 0), 0),
            (4, 2, 0, (None, 0), 0),
        )

    def test_the_root_may_not_keep_what_it_sends(self):
        self.refuses(
            "after step 3: processor 0 has not received the contribution of processor 0 to message [null, 0]",
            Hypercube(2),
            "1",
            "AOR",
            0,
            *self.GOOD,
            (3, 0, 1, (None, 0), 0),
        )

    def test_sums_of_one_root_may_meet(self):
        self.accepts(
            Hypercube(2), "*", "AOR", 0, (1, 3, 1, (None, 0), 0), (2, 1, 0, (None, 0), 0), (2, 2, 0, (None, 0), 0)
        )

    def test_all_reduce(self):
        self.accepts(
            Hypercube(1),
            "1",
            "all-reduce",
            None,
            (1, 0, 1, (None, 1), 0),
            (1, 1, 0, (None, 0), 0),
            (2, 0, 1, (0, None), 0),
            (2, 1, 0, (1, None), 0),
        )

    def test_a_sum_before_it_is_complete(self):
        self.refuses(
            "step 1: processor 0 sends message [0, null], which it does not hold at the start of the step",
            Hypercube(1),
            "1",
            "all-reduce",
            None,
            (1, 1, 0, (None, 0), 0),
            (1, 0, 1, (0, None), 0),
            (2, 0, 1, (None, 1), 0),
            (3, 1, 0, (1, None), 0),
        )


class TestOptions:
    """Each accepted without the option and refused with it, with the whole line."""

    def refuses(self, message, model, *case):
        schedule = TestRules().schedule(*case)
        check(schedule)
        with pytest.raises(ScheduleError, match=f"^{re.escape(message)}$"):
            check(schedule, model)

    def test_half_duplex(self):
        self.refuses(
            "step 1: processor 1 sends message [1, null] over lane 0 from node 1 to node 0, which carries a "
            "message in the opposite direction in this step (half duplex)",
            StepModel(links="half-duplex"),
            Hypercube(1),
            "1",
            "AAB",
            None,
            (1, 0, 1, (0, None), 0),
            (1, 1, 0, (1, None), 0),
        )

    def test_half_duplex_lane_of_two_channels(self):
        """On a loop of two, channel 0 of one node is channel 1 of the other."""
        case = Loop(2), "d", "AAB", None, (1, 0, 1, (0, None), 0)
        check(TestRules().schedule(*case, (1, 1, 0, (1, None), 0)), StepModel(links="half-duplex"))
        self.refuses(
            "step 1: processor 1 sends message [1, null] over lane 1 from node 1 to node 0, which carries a "
            "message in the opposite direction in this step (half duplex)",
            StepModel(links="half-duplex"),
            *case,
            (1, 1, 0, (1, None), 1),
        )

    def test_half_duplex_symmetric(self):
        """The images of one transfer go both ways."""
        schedule = Schedule(Hypercube(1), "1", "AAB", None, [Transfer(1, 0, 1, (0, None), 0)], symmetric=True)
        check(schedule)
        with pytest.raises(ScheduleError, match="half duplex"):
            check(schedule, StepModel(links="half-duplex"))

    def test_one_partner(self):
        self.refuses(
            "step 1: processor 0 exchanges message [0, 2] with processor 2, but it has another partner in this step",
            StepModel(port_use="one-partner"),
            Hypercube(2),
            "d",
            "OAS",
            0,
            (1, 0, 1, (0, 3), 0),
            (1, 0, 2, (0, 2), 0),
            (2, 1, 3, (0, 3), 0),
            (2, 0, 1, (0, 1), 0),
        )

    def test_one_partner_to_send_to_and_to_receive_from(self):
        case = Hypercube(2), "1", "AOG", 3, (1, 0, 1, (0, 3), 0)
        TestRules().accepts(*case, (2, 1, 3, (0, 3), 0), (3, 1, 3, (1, 3), 0), (4, 2, 3, (2, 3), 0))
        self.refuses(
            "step 2: processor 1 exchanges message [0, 3] with processor 3, but it has another partner in this step",
            StepModel(port_use="one-partner"),
            *case,
            (2, 0, 1, (0, 3), 0),
            (2, 1, 3, (0, 3), 0),
            (3, 1, 3, (1, 3), 0),
            (4, 2, 3, (2, 3), 0),
        )

    def test_dedicated_ports(self):
        self.refuses(
            "step 1: processor 0 sends message [0, 3], but its port for it is taken in this step (dedicated ports)",
            StepModel(dedicated_ports=True),
            FatCube(1, 2, 2),
            "*",
            "OAS",
            0,
            (1, 0, 2, (0, 2), 0),
            (1, 0, 3, (0, 3), 1),
            (2, 0, 1, (0, 1)),
        )

    def test_dedicated_ports_of_a_receiver(self):
        self.refuses(
            "step 1: processor 0 receives message [3, 0], but its port for it is taken in this step (dedicated ports)",
            StepModel(dedicated_ports=True),
            FatCube(1, 2, 2),
            "*",
            "AOG",
            0,
            (1, 2, 0, (2, 0), 0),
            (1, 3, 0, (3, 0), 1),
            (2, 1, 0, (1, 0)),
        )

    def test_dedicated_ports_need_model_all_port(self):
        with pytest.raises(ParameterError, match=r"^dedicated ports must be in model \* \(all-port\), not in model d$"):
            check(construct(Problem(Hypercube(2), "d", "OAB")).schedule, StepModel(dedicated_ports=True))

    def test_in_words(self):
        assert str(StepModel(links="half-duplex", port_use="one-partner")) == "half-duplex, one-partner"
        assert str(StepModel()) == ""


# The same rules again, written from the step model (docs/ideas/steps.md) alone: on the bare JSON, with sets and
# loops, and with nothing of the code under test but the neighbours of a node.


def works(topology, value, options=()):
    """Whether the schedule that ``value`` describes keeps to the step model and delivers every message.

    For reductions every single contribution is followed: where it is, or ``None`` once it was copied.
    """
    m = topology.m
    everybody = range(topology.nodes * m)
    root = value["root"]
    wanted = {  # (message, processor) that must be held in the end
        "OAB": {((root, None), p) for p in everybody},
        "OAS": {((root, p), p) for p in everybody if p != root},
        "AOG": {((p, root), root) for p in everybody if p != root},
        "AOR": {((None, root), root)},
        "AAB": {((o, None), p) for o in everybody for p in everybody},
        "AAR": {((None, p), p) for p in everybody},
        "AAS": {((o, p), p) for o in everybody for p in everybody if o != p},
        "all-reduce": {((o, None), p) for o in everybody for p in everybody} | {((None, p), p) for p in everybody},
    }[value["collective"]]
    sums = {message: list(everybody) for message, _ in wanted if message[0] is None}
    received = set()
    transfers = [(t["step"], t["src"], t["dst"], tuple(t["message"]), t["lane"]) for t in value["transfers"]]
    for step in range(1, max([t[0] for t in transfers], default=0) + 1):
        now = [t[1:] for t in transfers if t[0] == step]
        held = holdings(wanted, sums, received)
        if not all(
            step_works(topology, value["ports"], now, held, everybody, p, options, value.get("per_packet", 1))
            for p in everybody
        ):
            return False
        if any(src not in everybody or dst not in everybody for src, dst, _, _ in now):
            return False
        received |= {(message, dst) for _, dst, message, _ in now if message[0] is not None}
        for message, places in sums.items():
            way = {src: dst for src, dst, other, _ in now if other == message}
            sums[message] = [way.get(p, p) for p in places]
    for message, places in sums.items():
        if any(p != message[1] for p in places):
            return False
    return wanted <= holdings(wanted, sums, received)


def holdings(wanted, sums, received):
    """The contents of all processors: received messages, their own, contributions, and sums where they are complete."""
    held = set(received)
    for message, _ in wanted:
        places = sums.get((None, message[0]))
        if message[0] is not None and (places is None or set(places) == {message[0]}):
            held.add((message, message[0]))
    return held | {(message, p) for message, places in sums.items() for p in places}


def packets(ends, per_packet):
    """Of transfers, each known by who is at its other end and its lane, one for each packet that they need."""
    return [end for number, end in enumerate(ends) if ends[:number].count(end) % per_packet == 0]


def step_works(topology, ports, now, held, everybody, processor, options=(), per_packet=1):
    """Whether ``processor`` keeps to the rules as a sender and as a receiver, and its node's lanes too."""
    m, f = topology.m, topology.f
    node = processor // m
    neighbours = [topology.neighbour(node, channel)[0] for channel in range(topology.degree)]
    k = {"1": 1, "b": 1, "d": topology.degree, "*": topology.degree + m - 1}[ports]
    sends = [(dst, message, lane) for src, dst, message, lane in now if src == processor]
    receives = [(src, message, lane) for src, dst, message, lane in now if dst == processor]
    for dst, message, lane in sends:
        if dst not in everybody or dst == processor or (message, processor) not in held:
            return False
        if dst // m == node:
            if lane is not None:
                return False
        elif lane is None or not 0 <= lane < neighbours.count(dst // m) * f:
            return False
    outputs = [(dst, None) if lane is None else (dst // m, lane) for dst, _, lane in sends]
    if ports == "b":
        if len({message for _, message, _ in sends}) > 1 or len(set(outputs)) < len(outputs):
            return False
    elif len(packets([(dst, lane) for dst, _, lane in sends], per_packet)) > k:
        return False
    summed = [message for _, message, _ in sends if message[0] is None]
    if len(summed) > len(set(summed)):
        return False
    whole = [message for _, message, _ in receives if message[0] is not None]
    if len(packets([(src, lane) for src, _, lane in receives], per_packet)) > k or len(set(whole)) < len(whole):
        return False
    lanes = [
        (dst // m, lane)
        for (_, dst), lane in packets(
            [((src, dst), lane) for src, dst, _, lane in now if src // m == node and dst // m != node], per_packet
        )
    ]
    if len(lanes) > len(set(lanes)):
        return False
    if "half duplex" in options:
        for other, lane in lanes:
            if lane is None or lane >= neighbours.count(other) * f:
                continue
            channel = [c for c, n in enumerate(neighbours) if n == other][lane // f]
            for src, dst, _, back in now:
                if src // m == other and dst // m == node and back is not None and back < neighbours.count(other) * f:
                    theirs = [c for c in range(topology.degree) if topology.neighbour(other, c)[0] == node]
                    if topology.neighbour(other, theirs[back // f]) == (node, channel) and back % f == lane % f:
                        return False
    if "one partner" in options and len({dst for dst, _, _ in sends} | {src for src, _, _ in receives}) > 1:
        return False
    if "send or receive" in options and sends and receives:
        return False
    if "dedicated ports" in options:
        for ends in sends, receives:
            used = [
                other if other // m == node or lane is None else (other // m, lane // f)
                for other, lane in packets([(other, lane) for other, _, lane in ends], per_packet)
            ]
            if len({str(port) for port in used}) < len(used):
                return False
    return True


CASES = [
    (topology, ports, collective)
    for topology in (
        Hypercube(1),
        Hypercube(2),
        FatCube(1, 2),
        FatCube(1, 3, 2),
        FatCube(2, 2),
        FatCube(2, 1, 2),
        Loop(2),
        Loop(2, 2, 2),
        Loop(3),
        Loop(4, 2),
    )
    for ports in ("1", "b", "d", "*")
    for collective in ("OAB", "OAS", "AOG", "AOR", "AAB", "AAR", "AAS", "all-reduce")
]
OPTIONS = {
    "half duplex": {"links": "half-duplex"},
    "one partner": {"port_use": "one-partner"},
    "send or receive": {"port_use": "send-or-receive"},
    "dedicated ports": {"dedicated_ports": True},
}


def some_options(dice):
    """Some of the options; of the two that say with whom a processor exchanges packets, not both."""
    chosen = [option for option in OPTIONS if dice.random() < 0.5]
    return [option for option in chosen if option != "one partner" or "send or receive" not in chosen]


def random_schedule(dice, topology, ports, collective, per_packet=1):
    """A schedule that a monkey made: anything that could be right is tried, and kept for as long as it is.

    It wastes steps and transfers, but it mostly arrives.
    """
    root = dice.randrange(topology.processors) if collective in ("OAB", "OAS", "AOG", "AOR") else None
    everybody = range(topology.processors)
    if collective in ("AOR", "AAR", "all-reduce"):
        return random_reduction(dice, topology, ports, collective, root)
    ends = {
        "OAB": [(root, None)],
        "OAS": [(root, p) for p in everybody if p != root],
        "AOG": [(p, root) for p in everybody if p != root],
        "AAB": [(p, None) for p in everybody],
        "AAS": [(o, p) for o in everybody for p in everybody if o != p],
    }[collective]
    held = {(message, message[0]) for message in ends}
    transfers = []
    for step in range(1, dice.choice((3, 10, 40)) + 1):
        now = []
        choices = [
            (src, dst, message, lane)
            for message, src in sorted(held, key=str)
            for dst in everybody
            for lane in (None, 0, 1)
            if (message, dst) not in held or dice.random() < 0.02
        ]
        for choice in dice.sample(choices, min(len(choices), 60)):
            if all(step_works(topology, ports, [*now, choice], held, everybody, p, (), per_packet) for p in choice[:2]):
                now.append(choice)
        held |= {(message, dst) for _, dst, message, _ in now}
        transfers += [
            {"step": step, "src": src, "dst": dst, "message": list(message), "lane": lane}
            for src, dst, message, lane in now
        ]
    return {
        "format": "fatcube.schedule/1",
        "topology": topology.to_json(),
        "ports": ports,
        "collective": collective,
        "root": root,
        "transfers": transfers,
    }


def random_reduction(dice, topology, ports, collective, root):
    """A reduction that a monkey made: it throws partial sums about, and never a contribution away."""
    everybody = range(topology.processors)
    roots = [root] if collective == "AOR" else list(everybody)
    places = {(None, t): list(everybody) for t in roots}
    wanted = {((t, None), t) for t in roots if collective == "all-reduce"}
    received = set()
    transfers = []
    for step in range(1, dice.choice((3, 20, 60)) + 1):
        now = []
        held = holdings(wanted, places, received)
        choices = [
            (src, dst, message, lane)
            for message, src in sorted(held, key=str)
            for dst in everybody
            for lane in (None, 0, 1)
            if (message[1] != src or dice.random() < 0.02) and (message[0] is None or (message, dst) not in held)
        ]
        for choice in dice.sample(choices, min(len(choices), 60)):
            if all(step_works(topology, ports, [*now, choice], held, everybody, p) for p in choice[:2]):
                now.append(choice)
        received |= {(message, dst) for _, dst, message, _ in now if message[0] is not None}
        for message, where in places.items():
            way = {src: dst for src, dst, other, _ in now if other == message}
            places[message] = [way.get(p, p) for p in where]
        transfers += [
            {"step": step, "src": src, "dst": dst, "message": list(message), "lane": lane}
            for src, dst, message, lane in now
        ]
    return {
        "format": "fatcube.schedule/1",
        "topology": topology.to_json(),
        "ports": ports,
        "collective": collective,
        "root": root,
        "transfers": transfers,
    }


def mutate(dice, value, processors):
    """Changes one thing about a schedule, in place."""
    transfers = value["transfers"]
    transfer = dice.choice(transfers)
    kind = dice.randrange(9)
    if kind == 0:
        transfers.remove(transfer)
    elif kind == 1:
        transfers.append({**transfer, "message": list(transfer["message"])})
    elif kind == 2:
        transfer["step"] = max(1, transfer["step"] + dice.choice((-2, -1, 1, 2)))
    elif kind == 3:
        transfer[dice.choice(("src", "dst"))] = dice.randrange(processors + 1)
    elif kind == 4:
        transfer["message"] = [dice.choice((None, *range(processors))) for _ in range(2)]
    elif kind == 5:
        transfer["lane"] = dice.choice((None, 0, 1, 2, 4))
    elif kind == 6:
        value["ports"] = dice.choice("1bd*")
    elif kind == 7:
        transfers.append({**transfer, "dst": dice.randrange(processors), "lane": dice.choice((None, 0, 1))})
    else:
        other = dice.choice(transfers)
        transfer["step"], other["step"] = other["step"], transfer["step"]


def verdict(topology, value, options=()):
    """Whether the checker under test accepts the schedule."""
    schedule = Schedule(
        topology,
        value["ports"],
        value["collective"],
        value["root"],
        [Transfer(**transfer) for transfer in value["transfers"]],
        model=StepModel(per_packet=value.get("per_packet", 1)),
    )
    narrower = schedule.model.changed(**{name: value for option in options for name, value in OPTIONS[option].items()})
    try:
        check(schedule, narrower)
        return True
    except ScheduleError as error:
        assert re.fullmatch(r"(step|after step) \d+: processor \d+ .*message \[.*", str(error))
        return False


def copy_of(value):
    return {
        **value,
        "transfers": [{**transfer, "message": list(transfer["message"])} for transfer in value["transfers"]],
    }


def third(numbers):
    """Of the cases a third is for every day: every two of topology, model and collective come together in one of them."""
    return [
        number if (number + 2 * (number // 8) + number // 32) % 3 == 0 else pytest.param(number, marks=pytest.mark.long)
        for number in numbers
    ]


@pytest.mark.parametrize("case", third(range(len(CASES))))
def test_agrees_with_the_rules_written_again(case):
    """On schedules that were constructed and that a monkey made, unchanged and changed up to three times.

    Every one is judged with some options too, which the constructed ones sometimes keep to.
    """
    dice = random.Random(case)
    topology, ports, collective = CASES[case]
    constructed = schedule_to_json(construct(Problem(topology, ports, collective, 0)).schedule.expanded())
    verdicts = []
    for number in range(30):
        value = random_schedule(dice, topology, ports, collective) if number % 10 == 0 else copy_of(constructed)
        for _ in range(number % 4 if value["transfers"] else 0):
            if value["transfers"]:
                mutate(dice, value, topology.processors)
        expected = works(topology, value)
        assert verdict(topology, value) == expected, value
        verdicts.append(expected)
        options = some_options(dice)
        if value["ports"] == "*" or "dedicated ports" not in options:
            assert verdict(topology, value, options) == works(topology, value, options), (value, options)
    assert any(verdicts) and not all(verdicts)


@pytest.mark.parametrize(
    "case",
    third(
        number
        for number, (_, ports, collective) in enumerate(CASES)
        if ports != "b" and collective in ("OAB", "OAS", "AOG", "AAB", "AAS")
    ),
)
def test_agrees_where_messages_share_packets(case):
    """On schedules of a monkey, unchanged and changed, with the packets that it thought of and smaller ones."""
    dice = random.Random(case)
    topology, ports, collective = CASES[case]
    for number in range(12):
        per_packet = dice.randint(2, 3)
        value = {
            **random_schedule(dice, topology, ports, collective, per_packet),
            "per_packet": per_packet - (number % 5 == 4),
        }
        for _ in range(number % 3 if value["transfers"] else 0):
            if value["transfers"]:
                mutate(dice, value, topology.processors)
        options = some_options(dice)
        if value["ports"] != "b":
            for some in ((), options if value["ports"] == "*" or "dedicated ports" not in options else ()):
                assert verdict(topology, value, some) == works(topology, value, some), (value, some)


@given(st.data())
@settings(max_examples=150)
def test_a_change_of_meaning_is_refused(data):
    """Constructed schedules do nothing twice: without one of its transfers, with one twice, with one that moves
    something else, or over a lane that there is not, none does its work. A partial sum may take another way."""
    topology = data.draw(st.sampled_from([Hypercube(2), FatCube(1, 2), FatCube(1, 3, 2), FatCube(2, 2)]))
    collective = data.draw(st.sampled_from(["OAB", "OAS", "AOG", "AOR", "AAB", "AAR", "AAS", "all-reduce"]))
    ports = data.draw(st.sampled_from("1bd*"))
    value = schedule_to_json(construct(Problem(topology, ports, collective, 0)).schedule.expanded())
    assert verdict(topology, value)
    place = data.draw(st.integers(0, len(value["transfers"]) - 1))
    transfer = value["transfers"][place]
    change = data.draw(st.sampled_from(("removed", "doubled", "other message", "other receiver", "unknown lane")))
    others = [other["message"] for other in value["transfers"] if other["message"] != transfer["message"]]
    if change == "removed":
        del value["transfers"][place]
    elif change == "doubled":
        value["transfers"].append(dict(transfer))
    elif change == "other message" and others:
        transfer["message"] = data.draw(st.sampled_from(others))
    elif change == "other receiver":
        transfer["dst"] = data.draw(st.sampled_from([p for p in range(topology.processors) if p != transfer["dst"]]))
    else:
        transfer["lane"] = topology.f if transfer["lane"] is not None else 0
    if change == "other receiver" and transfer["message"][0] is None:
        assert verdict(topology, value) == works(topology, value), value
    else:
        assert not verdict(topology, value), (value, change)


@pytest.mark.parametrize("collective", ["AAB", "AAR", "AAS", "all-reduce"])
@pytest.mark.parametrize("ports", ["1", "b", "d", "*"])
@pytest.mark.parametrize("topology", [Hypercube(1), Hypercube(3), FatCube(1, 3), FatCube(2, 2, 2)], ids=str)
def test_symmetric_and_written_out(topology, ports, collective):
    """The check of the transfers that stand for others agrees with the check of all of them."""
    good = construct(Problem(topology, ports, collective)).schedule
    assert good.symmetric
    assert check(good) == check(good.expanded())
    assert good.size == len(good.expanded().transfers) == len(good.transfers) * topology.nodes
    dice = random.Random(str((topology, ports, collective)))
    verdicts = set()
    for number in range(30):
        value = copy_of(schedule_to_json(good))
        for _ in range(number % 2 + 1):
            if value["transfers"]:
                mutate(dice, value, topology.processors)
        changed = schedule_from_json(value)
        accepted = True
        try:
            check(changed)
        except ScheduleError as error:
            assert re.fullmatch(r"(step|after step) \d+: processor \d+ .*message \[.*", str(error))
            accepted = False
        if all(transfer.src < topology.processors > transfer.dst for transfer in changed.transfers) and all(
            end is None or end < topology.processors for transfer in changed.transfers for end in transfer.message
        ):
            assert works(topology, written_out(topology, value)) == accepted, value
            verdicts.add(accepted)
    assert False in verdicts


def written_out(topology, value):
    """Every transfer with its images under the XOR of the nodes' numbers."""
    m = topology.m

    def image(processor, offset):
        return None if processor is None else (processor // m ^ offset) * m + processor % m

    return {
        **value,
        "transfers": [
            {
                **transfer,
                "src": image(transfer["src"], offset),
                "dst": image(transfer["dst"], offset),
                "message": [image(end, offset) for end in transfer["message"]],
            }
            for transfer in value["transfers"]
            for offset in range(topology.nodes)
        ],
    }
