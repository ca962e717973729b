"""Nodes that send or receive: theorem 4.3, the fewest steps of all-gather and all-to-all, and what the checker accepts."""

import pytest

from fatcube.schedules.checker import ScheduleError, check
from fatcube.schedules.spanning.graphs import BRG, NESBT, SBT, TCBT, SBnT
from fatcube.schedules.spanning.send_or_receive import in_turns
from fatcube.schedules.spanning.trees import along
from fatcube.schedules.step_model import StepModel
from tests.support.along import made_along

EITHER = StepModel(port_use="send-or-receive")


def steps(graph, ports, collective, parts=1, per_packet=1):
    model = EITHER.changed(per_packet=per_packet)
    finding = made_along(graph, ports, collective, model=model, parts=parts)
    assert check(finding.schedule, model).steps >= finding.bound.steps
    assert finding.schedule.model == model
    return finding.steps


@pytest.mark.parametrize("n", [2, 3, 4, 5])
@pytest.mark.parametrize("source", [0, 2])
def test_theorem_4_3(n, source):
    """2 ceil(M / B) + n - 1 steps, also where the n trees do not share the packets evenly."""
    for packets in range(1, 2 * n + 2):
        assert steps(NESBT(n, source), "1", "OAB", packets) == 2 * packets + n - 1
    assert steps(NESBT(n, source), "1", "OAB", 2 * n, per_packet=2) == 2 * n + n - 1


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("kind", [SBT, NESBT, SBnT, TCBT, BRG])
def test_half_of_the_nodes_receive(n, kind):
    """With one port N / 2 of the N nodes receive in a step: twice the N - 1 of an all-gather, twice the n N / 2 hops."""
    N = 2**n
    assert steps(kind(n), "1", "AAB") == 2 * (N - 1)
    if kind in (SBT, SBnT):
        assert steps(kind(n), "1", "AAS") == n * N


@pytest.mark.parametrize("collective", ["OAB", "OAS", "AAB", "AAS"])
@pytest.mark.parametrize("ports", ["1", "d"])
def test_no_step_is_empty_and_none_does_both(collective, ports):
    schedule = along(SBT(3), ports, collective)
    turned = in_turns(schedule)
    check(turned, EITHER)
    assert schedule.steps <= turned.steps <= 2 * schedule.steps
    assert {one.step for one in turned.transfers} == set(range(1, turned.steps + 1))
    if collective in ("AAB", "AAS"):
        with pytest.raises(ScheduleError):
            check(schedule.expanded(), EITHER)


@pytest.mark.parametrize("kind", [SBT, TCBT, BRG, SBnT])
def test_broadcast_and_scatter_of_others(kind):
    """A message goes on a step after it has arrived, as before: a port for it is free when a node no longer receives."""
    assert steps(kind(3), "1", "OAB") == along(kind(3), "1", "OAB").steps
    assert steps(kind(3), "1", "OAS") >= 7
