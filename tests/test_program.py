"""What the processors are loaded with for a reduction: slots, ids, and what each packet is the sum of."""

import pytest

from noc.cubes import Hypercube
from noc.network import Network
from noc.wires import Wire
from schedules.construct import construct
from schedules.program import compile_schedule
from schedules.schedule import Schedule
from tests.reductions import reduction

SQUARE = Hypercube(2)


def plan_of(ports, moves, *, root=3, lockstep=True):
    schedule = Schedule.from_moves(SQUARE, ports, "AOR", root, [(*move, (None, root)) for move in moves])
    return compile_schedule(schedule, Network(topology=SQUARE, ports=ports), lockstep=lockstep)


def sent(plan, processor, port=0):
    """The packets of a sending port, as (step, id, contributors)."""
    return [(crossing.step, crossing.message, sorted(part[0] for part in crossing.parts))
            for crossing in plan.crossings[Wire("send", processor, 0, port)]]


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
    plan = compile_schedule(schedule, Network(topology=SQUARE, ports="1"), lockstep=False)
    assert [str(message) for message in plan.messages] == [
        *(f"[null, {root}]" for root in range(4)), *(f"[{root}, null]" for root in range(4))]
    assert plan.reduced == 4 and len(plan.initial) == 16 and len(plan.final) == 16
    own = [entry for entry in plan.programs[2][0] if entry.send and entry.source == 2]
    assert own and all(entry.combine and entry.need > 1 for entry in own)
    passed_on = [entry for processor in plan.programs for entry in processor[0] if entry.source >= 4]
    assert passed_on and not any(entry.combine for entry in passed_on)


@pytest.mark.parametrize("collective", ["OAB", "AAS"])
def test_others_have_one_id_for_a_message(collective):
    """Catches ids that are no longer the positions of the messages."""
    schedule = construct(SQUARE, "d", collective, 1).expanded()
    plan = compile_schedule(schedule, Network(topology=SQUARE, ports="d"))
    assert tuple(plan.messages) == schedule.collective.messages(SQUARE, schedule.root) and plan.reduced == 0
    assert plan.initial == [(message.origin, number) for number, message in enumerate(plan.messages)]
