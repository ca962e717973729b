"""Packets in routing cycles: what an execution costs, and that the checker sees what is wrong with one."""

import dataclasses

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.schedules.checker import ScheduleError
from fatcube.schedules.spanning.packets import (
    N_PORT,
    ONE_PORT,
    SEND_AND_RECEIVE,
    SEND_OR_RECEIVE,
    Execution,
    Packet,
    Piece,
    Price,
    check_execution,
)


def broadcast(*cycles, ports=N_PORT, M=3, B=3, source=0, n=2):
    """Cycles of (src, dst, first, stop) that carry the data of node 0 for everybody."""
    return Execution(
        n,
        M,
        B,
        ports,
        False,
        source,
        tuple(
            tuple(Packet(src, dst, (Piece(0, None, first, stop),)) for src, dst, first, stop in cycle)
            for cycle in cycles
        ),
    )


def scatter(*cycles, ports=N_PORT, M=2, B=6):
    """Cycles of (src, dst, targets) that carry all that node 0 has for these targets."""
    return Execution(
        2,
        M,
        B,
        ports,
        True,
        0,
        tuple(
            tuple(Packet(src, dst, tuple(Piece(0, target, 0, M) for target in targets)) for src, dst, targets in cycle)
            for cycle in cycles
        ),
    )


GOOD = [[(0, 1, 0, 3)], [(0, 2, 0, 3), (1, 3, 0, 3)]]
DELIVERY = [[(0, 1, (3, 1))], [(0, 2, (2,)), (1, 3, (3,))]]


def test_price():
    """The elements of a cycle are those of its largest packet."""
    assert check_execution(broadcast(*GOOD, ports=SEND_OR_RECEIVE)) == Price(2, 6)
    assert check_execution(
        broadcast([(0, 1, 0, 2), (0, 2, 0, 3)], [(1, 3, 0, 1), (0, 1, 2, 3)], [(2, 3, 1, 3)])
    ) == Price(3, 6)
    assert check_execution(scatter(*DELIVERY, ports=ONE_PORT)) == Price(2, 6)
    assert Price(2, 6).time(10, 3) == 38
    assert broadcast(*GOOD).largest == 3 and scatter(*DELIVERY).largest == 4


@pytest.mark.parametrize(
    ("execution", "message"),
    [
        (
            broadcast([(0, 1, 0, 3), (1, 3, 0, 3)], [(0, 2, 0, 3)]),
            "cycle 0: node 1 does not hold elements 0 to 3 of (0, None)",
        ),
        (
            broadcast([(0, 1, 0, 2)], [(0, 2, 0, 3), (1, 3, 0, 3)], [(0, 1, 2, 3)]),
            "cycle 1: node 1 does not hold elements 0 to 3 of (0, None)",
        ),
        (broadcast(*GOOD, B=2), "cycle 0: a packet of 3 elements, not of 2 at most"),
        (
            broadcast([(0, 1, 0, 3), (0, 2, 0, 3)], [(1, 3, 0, 3)], ports=ONE_PORT),
            "cycle 0: node 0 sends 2 and receives 0 packets with 2 nodes, one-port",
        ),
        (
            broadcast([(0, 1, 0, 3), (0, 2, 0, 3)], [(1, 3, 0, 3)], ports=SEND_AND_RECEIVE),
            "cycle 0: node 0 sends 2 and receives 0 packets with 2 nodes, send and receive",
        ),
        (
            broadcast(
                [(0, 1, 0, 1)], [(0, 1, 1, 3), (1, 3, 0, 1)], [(1, 3, 1, 3)], [(3, 2, 0, 3)], ports=SEND_OR_RECEIVE
            ),
            "cycle 1: node 1 sends 1 and receives 1 packets with 2 nodes, send or receive",
        ),
        (
            broadcast([(0, 1, 0, 1)], [(0, 1, 1, 3), (1, 3, 0, 1)], [(1, 3, 1, 3)], [(3, 2, 0, 3)], ports=ONE_PORT),
            "cycle 1: node 1 sends 1 and receives 1 packets with 2 nodes, one-port",
        ),
        (broadcast([(0, 1, 0, 2), (0, 1, 2, 3)], [(0, 2, 0, 3), (1, 3, 0, 3)]), "cycle 0: two packets on an edge"),
        (broadcast([(0, 3, 0, 3)]), "cycle 0: nodes 0 and 3 are not neighbours"),
        (broadcast([(0, 4, 0, 3)]), "cycle 0: nodes 0 and 4 are not neighbours"),
        (broadcast(*GOOD, [(2, 3, 0, 3)]), "cycle 2: elements of (0, None) reach node 3 again"),
        (broadcast(*GOOD, [(1, 0, 0, 1)]), "cycle 2: elements of (0, None) reach node 0 again"),
        (broadcast([(0, 1, 0, 3)], [(1, 3, 0, 3), (0, 2, 0, 2)]), "in the end node 2 does not have all of (0, None)"),
        (broadcast([(0, 1, 0, 3)], [], *GOOD[1:]), "cycle 1: nothing is sent"),
        (broadcast([(0, 1, 0, 4)]), "cycle 0: node 0 sends elements 0 to 4 of 3"),
        (broadcast([(0, 1, 2, 2)]), "cycle 0: node 0 sends elements 2 to 2 of 3"),
        (
            dataclasses.replace(broadcast(), cycles=((Packet(0, 1, ()),),)),
            "cycle 0: the packet of node 0 to 1 is empty",
        ),
        (
            scatter([(0, 1, (3, 1))], [(0, 2, (3, 2)), (1, 3, (3,))]),
            "cycle 1: node 0 does not hold elements 0 to 2 of (0, 3)",
        ),
        (
            scatter([(0, 1, (1, 1)), (0, 2, (2, 3))], [(2, 3, (3,))]),
            "cycle 0: node 0 does not hold elements 0 to 2 of (0, 1)",
        ),
        (scatter([(0, 1, (1, 2))], [(0, 2, (3,))], [(2, 3, (3,))]), "in the end node 2 does not have all of (0, 2)"),
    ],
)
def test_planted_fault(execution, message):
    with pytest.raises(ScheduleError) as caught:
        check_execution(execution)
    assert str(caught.value) == message


def everybody(cycles, ports=ONE_PORT, B=2):
    """An all-to-all broadcast of one element each: cycles of (relative src, relative dst)."""
    return Execution(
        2,
        1,
        B,
        ports,
        False,
        None,
        tuple(tuple(Packet(src, dst, (Piece(0, None, 0, 1),)) for src, dst in cycle) for cycle in cycles),
        True,
    )


def test_symmetric():
    """A packet listed once is one packet at every node: 2 elements in dimension 1 in the second cycle."""
    execution = everybody([[(0, 1)], [(0, 2), (1, 3)]])
    assert check_execution(execution) == check_execution(execution.expanded()) == Price(2, 3)
    assert execution.largest == execution.expanded().largest == 2
    assert min(execution.expanded().cycles[1]) == Packet(0, 2, (Piece(0, None, 0, 1), Piece(1, None, 0, 1)))


@pytest.mark.parametrize(
    ("execution", "message"),
    [
        (everybody([[(0, 1)], [(0, 2), (1, 3)]], B=1), "cycle 1: a packet of 2 elements, not of 1 at most"),
        (everybody([[(0, 1), (0, 2)], [(1, 3)]]), "cycle 0: every node uses 2 ports, one-port"),
        (everybody([[(0, 1)], [(0, 2)]], ports=N_PORT), "in the end node 3 does not have all of (0, None)"),
    ],
)
def test_planted_fault_everywhere(execution, message):
    with pytest.raises(ScheduleError) as caught:
        check_execution(execution)
    assert str(caught.value) == message
    with pytest.raises(ScheduleError):
        check_execution(execution.expanded())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n": 0}, "execution n must be an integer from 1 to 16, not 0"),
        ({"M": 0}, "execution M must be an integer of at least 1, not 0"),
        ({"B": 1.5}, "execution B must be an integer of at least 1, not 1.5"),
        ({"source": 4}, "execution source must be an integer from 0 to 3, not 4"),
        (
            {"ports": "two"},
            "execution ports must be one of one-port, send and receive, send or receive, n-port, not 'two'",
        ),
        (
            {"symmetric": True},
            "execution symmetric must be False if it has one source or nodes send or receive, not True",
        ),
    ],
)
def test_refusals(changes, message):
    with pytest.raises(ParameterError) as caught:
        dataclasses.replace(broadcast(), **changes)
    assert str(caught.value) == message
