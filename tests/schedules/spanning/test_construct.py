"""Any collective along spanning graphs: checked, as long as what it is made of, and with its lower bound."""

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.schedules.bounds import lower_bound
from fatcube.schedules.checker import check
from fatcube.schedules.collective import Collective
from fatcube.schedules.problem import Problem
from fatcube.schedules.spanning.graphs import BRG, NESBT, NRBRG, NRSBT, SBT, TCBT, SBnT, SBnTc
from fatcube.schedules.spanning.trees import Order, along
from fatcube.schedules.step_model import STANDARD, StepModel
from tests.support.along import made_along

KINDS = [BRG, NRBRG, SBT, TCBT, NRSBT, NESBT, SBnT, SBnTc]
PARTNER = StepModel(port_use="one-partner")
EITHER = StepModel(port_use="send-or-receive")
FORWARD = {Collective.AOR: Collective.OAB, Collective.AOG: Collective.OAS, Collective.AAR: Collective.AAB}


def steps(kind, n, ports, collective, model=STANDARD, **others):
    """The steps of a schedule that the checker accepts, which are no fewer than the bound."""
    finding = made_along(kind(n, others.pop("source", 0)), ports, collective, model=model, **others)
    assert check(finding.schedule, model).steps == finding.steps >= finding.bound.steps
    assert finding.collective is finding.schedule.collective is Collective.parse(collective)
    return finding.steps


@pytest.mark.parametrize("collective", [Collective.OAB, Collective.OAS, Collective.AAB, Collective.AAS])
def test_comes_with_its_bound(collective):
    """In packets of several messages nothing spreads faster than a broadcast, and ports pass so many messages a step."""
    finding = made_along(SBT(3, 5), "1", collective, model=PARTNER, parts=2)
    assert finding.schedule == along(SBT(3, 5), "1", collective, one_partner=True, parts=2)
    assert finding.bound == lower_bound(Problem(Hypercube(3), "1", collective, 5, PARTNER, parts=2))
    assert finding.by == "the spanning graph sbt, 2 parts"
    finding = made_along(SBT(3), "1", collective, model=PARTNER.changed(per_packet=2), parts=2)
    # 14 parts pass a port two by two; an all-to-all has 2 times 96 hops, of which 8 ports take 2 a step.
    assert finding.bound.steps == {"OAB": 3, "OAS": 7, "AAB": 7, "AAS": 12}[collective.value]
    assert finding.by == "the spanning graph sbt, 2 parts, up to 2 messages a packet"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("ports", "model"), [("1", STANDARD), ("1", PARTNER), ("1", EITHER), ("d", STANDARD)])
@pytest.mark.parametrize("parts", [1, 3])
def test_backwards_and_in_two_phases(kind, ports, model, parts):
    """Reductions and gather take the steps of what they reverse, and an all-reduce twice those of an all-gather."""
    for collective, forward in FORWARD.items():
        there = steps(kind, 3, ports, forward, model, parts=parts, source=5)
        assert steps(kind, 3, ports, collective, model, parts=parts, source=5) == there
    gather = steps(kind, 3, ports, Collective.AAB, model, parts=parts)
    assert steps(kind, 3, ports, Collective.ALL_REDUCE, model, parts=parts) == 2 * gather


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_against_the_formulas_of_the_forward_ones(n):
    """Tables 2 and 7: as derived for a broadcast, a scatter and an all-gather, not as executed."""
    N = 2**n
    assert steps(SBT, n, "1", "AOR") == n and steps(NESBT, n, "1", "AOR", PARTNER, parts=2 * n) == 3 * n
    assert steps(SBT, n, "1", "AOG") == N - 1 and steps(NRSBT, n, "d", "AOG") == -(-(N - 1) // n)
    assert steps(SBT, n, "1", "AAR") == N - 1 and steps(NRSBT, n, "d", "AAR", parts=n) == N - 1
    assert steps(SBT, n, "1", "all-reduce") == 2 * (N - 1)
    assert steps(NRSBT, n, "d", "all-reduce", parts=n) == 2 * (N - 1)


@pytest.mark.parametrize("collective", ["OAS", "AOG", "AOR", "OAB"])
def test_several_messages_in_a_packet(collective):
    for order in (None, *Order) if collective in ("OAS", "AOG") else (None,):
        for model in (STANDARD, PARTNER, EITHER):
            few = steps(SBT, 4, "1", collective, model.changed(per_packet=4), parts=4, order=order)
            assert few < steps(SBT, 4, "1", collective, model, parts=4, order=order)


def test_orders():
    """A gather has those of the scatter. The name of the order stands with what the schedule was found by."""
    finding = made_along(BRG(3), "d", "AAS", order=Order.POSTORDER)
    assert (finding.steps, finding.by) == (28, "the spanning graph brg, postorder")
    for order in Order:
        assert steps(TCBT, 4, "d", "AOG", order=order) == steps(TCBT, 4, "d", "OAS", order=order)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((SBT(3), "b", "AOR"), "ports must be 1, d or * along a spanning graph, not b"),
        (
            (SBT(3), "1", "AAR"),
            "order must be left out along a spanning graph except for OAS, AOG and, with several ports, AAS, not postorder",
        ),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(ParameterError) as caught:
        made_along(*arguments, order=Order.POSTORDER)
    assert str(caught.value) == message
