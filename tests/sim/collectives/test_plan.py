"""The data loaded into processors: slots, ids and sums of a reduction, and the barriers of a run in dataflow."""

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.machines.wires import PortWire
from fatcube.noc.network import Network
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.router_options import RouterOptions
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.spanning.graphs import SBT
from fatcube.schedules.spanning.trees import along
from fatcube.sim.collectives.plan import compile_schedule
from tests.support.reductions import reduction

SQUARE = Hypercube(2)


def plan_of(ports, moves, *, root=3, lockstep=True):
    schedule = Schedule.from_moves(SQUARE, ports, "AOR", root, [Move(*move, Message(None, root)) for move in moves])
    return compile_schedule(schedule, Network(SQUARE, RouterOptions(ports=ports)), lockstep=lockstep)


def sent(plan, processor, port=0):
    """The packets of a sending port, as (step, id, contributors)."""
    return [
        (crossing.step, crossing.message, sorted(part[0] for _, parts in crossing.contents for part in parts))
        for crossing in plan.crossings[PortWire("send", processor, 0, port)]
    ]


@pytest.mark.parametrize("lockstep", [True, False])
def test_new_slot_after_sending(lockstep):
    """Catches what arrives in the step of a send being sent with it, or its slot being used again."""
    plan = plan_of("1", [(1, 0, 1), (1, 1, 0), (2, 0, 2), (2, 1, 3), (3, 2, 3)], lockstep=lockstep)
    assert [str(message) for message in plan.messages] == ["[null, 3]"] * 2 and plan.reduced == 2
    assert sent(plan, 0) == [(1, 1, [0]), (2, 0, [1])]
    assert sent(plan, 1) == [(1, 1, [1]), (2, 0, [0])]
    assert sent(plan, 2) == [(3, 0, [1, 2])]
    first, second = [entry for entry in plan.programs[0][0] if entry.send]
    assert (first.source, first.need, second.source, second.need) == (0, 1, 1, 1)
    [entry] = [entry for entry in plan.programs[2][0] if entry.send]
    assert (entry.source, entry.need, entry.combine) == (0, 2, True)
    [delivery] = plan.final
    assert (delivery.processor, delivery.bank, delivery.slot) == (3, None, 0)
    assert sorted(part[0] for part in delivery.parts) == [0, 1, 2, 3]


def test_all_reduce():
    """Catches a complete sum that is sent from another slot than the one it was made in, or too early."""
    schedule = reduction(SQUARE, "1", "all-reduce")
    plan = compile_schedule(schedule, Network(SQUARE, RouterOptions(ports="1")), lockstep=False)
    assert [str(message) for message in plan.messages] == [
        *(f"[null, {root}]" for root in range(4)),
        *(f"[{root}, null]" for root in range(4)),
    ]
    assert plan.reduced == 4 and len(plan.initial) == 16 and len(plan.final) == 16
    own = [entry for entry in plan.programs[2][0] if entry.send and entry.source == 2]
    assert own and all(entry.combine and entry.need > 1 for entry in own)
    passed_on = [entry for processor in plan.programs for entry in processor[0] if entry.source >= 4]
    assert passed_on and not any(entry.combine for entry in passed_on)


@pytest.mark.parametrize("collective", ["OAB", "AAS"])
def test_others_have_one_id_for_a_message(collective):
    """Catches ids that are no longer the positions of the messages."""
    schedule = construct(Problem(SQUARE, "d", collective, 1)).schedule.expanded()
    plan = compile_schedule(schedule, Network(SQUARE, RouterOptions(ports="d")))
    assert tuple(plan.messages) == schedule.collective.messages(SQUARE, schedule.root) and plan.reduced == 0
    assert plan.initial == {(message.origin, number): number for number, message in enumerate(plan.messages)}


def barriers(plan):
    """For each port, the numbers of its entries after which it waits."""
    return [
        [number for number, entry in enumerate(port) if entry.sync] for processor in plan.programs for port in processor
    ]


def test_more_parts_than_a_header_can_tell():
    schedule = along(SBT(2), "d", "OAB", parts=17)
    message = (
        "message ids must be at most 16, which is what a header of this network can distinguish, not 17: the "
        "network must be made for 17 parts"
    )
    with pytest.raises(ParameterError, match=f"^{message}$"):
        compile_schedule(schedule, Network(schedule.topology, RouterOptions(ports="d")))
    plan = compile_schedule(schedule, Network(schedule.topology, RouterOptions(ports="d"), parts=17))
    assert len(plan.messages) == 17 and plan.messages[16] == (0, None, 16)


class TestBarriers:
    """Two nodes of three processors, 0 to 2 and 3 to 5, with two lanes and routers that copy."""

    PAIR = FatCube(1, 3, 2)

    def plan(self, moves, *, lockstep=False):
        """Moves are (step, src, *dsts), of the sender's own message."""
        schedule = Schedule.from_moves(
            self.PAIR,
            "b",
            "AAB",
            None,
            [Move(step, src, dst, Message(src, None)) for step, src, *dsts in moves for dst in dsts],
        )
        return compile_schedule(schedule, Network(self.PAIR, RouterOptions(ports="b")), lockstep=lockstep)

    @pytest.mark.parametrize(
        "moves",
        [
            [(1, 0, 1, 3), (2, 3, 2, 4), (2, 1, 0, 5)],
            [(1, 0, 1), (1, 3, 4), (2, 0, 4), (2, 3, 1), (3, 2, 1), (4, 1, 0)],
            [(1, 0, 1), (1, 3, 4), (2, 0, 4), (2, 3, 1), (3, 2, 0, 3)],
        ],
        ids=["copies for others", "no copies", "some of both"],
    )
    def test_not_where_they_need_not_be(self, moves):
        """Catches barriers that cost time for nothing: no processor is sent a copy and another packet."""
        assert barriers(self.plan(moves)) == [[]] * 6

    @pytest.mark.parametrize("second", [(2, 2, 1), (2, 2, 1, 4), (2, 2, 4, 3)])
    @pytest.mark.parametrize("turned", [False, True])
    def test_between_packets_that_may_meet(self, second, turned):
        """Catches a processor that is sent a copy and another packet in the same phase, whichever comes first."""
        moves = [(1, 0, 1, 2, 3), second, (3, 3, 0)]
        if turned:
            moves = [(1, *second[1:]), (2, *moves[0][1:]), moves[2]]
        plan = self.plan(moves)
        assert barriers(plan) == [[0]] * 6
        # Whoever has nothing to do before the barrier waits there all the same.
        before = [port[0] for processor in plan.programs for port in processor]
        first = moves[0]
        assert [src for src, entry in enumerate(before) if entry.send] == [first[1]]
        assert [dst for dst, entry in enumerate(before) if entry.expect] == sorted(first[2:])
        after = [port[1:] for processor in plan.programs for port in processor]
        assert [sum(entry.send for entry in entries) for entries in after] == [
            sum(src == processor for _, src, *_ in moves[1:]) for processor in range(6)
        ]
        assert [sum(entry.expect for entry in entries) for entries in after] == [
            sum(processor in dsts for _, _, *dsts in moves[1:]) for processor in range(6)
        ]

    def test_several(self):
        """Catches phases that remember what was before the last barrier, and empty steps that get one."""
        plan = self.plan([(1, 0, 1, 3), (4, 2, 1), (5, 4, 3), (6, 5, 3, 4), (9, 0, 4)])
        assert barriers(plan) == [[0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2]]
        assert [len(processor[0]) for processor in plan.programs] == [4, 3, 3, 3, 4, 3]

    def test_lockstep_has_its_own(self):
        assert barriers(self.plan([(1, 0, 1, 3), (2, 2, 1)], lockstep=True)) == [[]] * 6

    @pytest.mark.parametrize("topology", [PAIR, FatCube(3, 2, 2), Hypercube(4)], ids=str)
    def test_none_in_a_broadcast(self, topology):
        plan = compile_schedule(
            construct(Problem(topology, "b", "OAB", 1)).schedule,
            Network(topology, RouterOptions(ports="b")),
            lockstep=False,
        )
        assert not any(map(any, barriers(plan)))
