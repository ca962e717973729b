"""Pipelined communication from one source: the checker accepts it, from any node, and prices counted by hand."""

import dataclasses

import pytest

from fatcube.groundwork.validation import ParameterError
from fatcube.schedules.checker import ScheduleError
from fatcube.schedules.spanning.graphs import BRG, NESBT, NRBRG, NRSBT, SBT, TCBT, SBnT, SBnTc
from fatcube.schedules.spanning.packets import (
    N_PORT,
    ONE_PORT,
    PORTS,
    SEND_AND_RECEIVE,
    SEND_OR_RECEIVE,
    Price,
    check_execution,
)
from fatcube.schedules.spanning.pipelines import broadcast_by_label, broadcast_oldest_first, deliver, one_way

KINDS = [BRG, NRBRG, SBT, TCBT, NRSBT, NESBT, SBnT, SBnTc]


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("kind", KINDS)
def test_any_graph(kind, ports):
    """Other sources, M not divisible by n or B, whatever the nodes can do."""
    for M, B in ((1, 1), (5, 2), (7, 100)):
        check_execution(broadcast_oldest_first(kind(3, 6), ports, M, B))
        check_execution(deliver(kind(3, 6), ports, M, B))
        check_execution(deliver(kind(3, 6), ports, M, B, farthest_first=True))


def test_path():
    """Along 8 nodes: the last packet leaves 2 cycles (one-port), or 1, after the one before it, and has 7 hops."""
    assert check_execution(broadcast_oldest_first(BRG(3), ONE_PORT, 10, 4)) == Price(2 * 2 + 7, 9 * 4 + 2 * 2)
    assert check_execution(broadcast_oldest_first(BRG(3), SEND_OR_RECEIVE, 12, 4)) == Price(2 * 2 + 7, 44)
    assert check_execution(broadcast_oldest_first(BRG(3), SEND_AND_RECEIVE, 12, 4)) == Price(2 + 7, 36)
    assert check_execution(deliver(BRG(3), ONE_PORT, 1, 1)) == Price(2 * 6 + 1, 13)
    assert check_execution(deliver(BRG(3), SEND_AND_RECEIVE, 1, 1)) == Price(7, 7)


def test_two_rooted_tree():
    """2 n - 2 cycles for a packet; an inner node receives it and sends it twice."""
    assert check_execution(broadcast_oldest_first(TCBT(4), ONE_PORT, 5, 1)) == Price(6 + 4 * 3, 18)
    assert check_execution(broadcast_oldest_first(TCBT(4), SEND_AND_RECEIVE, 5, 1)) == Price(6 + 4 * 2, 14)
    assert check_execution(broadcast_oldest_first(TCBT(4), N_PORT, 5, 1)) == Price(4 + 4, 8)


@pytest.mark.parametrize("n", range(2, 7))
def test_labels(n):
    """Packet p leaves in cycle p and is everywhere n cycles later (theorem 4.1); from any source."""
    for packets in (1, 2, n, n + 1, 3 * n):
        execution = broadcast_by_label(NESBT(n, 2), 2 * packets - 1, 2)
        assert check_execution(execution).startups == packets + n
        assert check_execution(one_way(execution)).startups == 2 * packets + n - 1
        for number, cycle in enumerate(execution.cycles):
            assert {(packet.src ^ packet.dst).bit_length() - 1 for packet in cycle} == {number % n}


def test_a_wrong_label_is_seen(monkeypatch):
    """A leaf that is served n cycles too soon makes two packets meet, or come too early."""
    label = NESBT.label
    monkeypatch.setattr(NESBT, "label", lambda self, node, tree: label(self, node, tree) % self.n)
    with pytest.raises(ScheduleError):
        check_execution(broadcast_by_label(NESBT(3), 6, 1))


def test_one_way_is_stricter():
    execution = broadcast_by_label(NESBT(3), 6, 1)
    with pytest.raises(ScheduleError, match="sends 1 and receives 1 packets with 1 nodes, send or receive"):
        check_execution(dataclasses.replace(execution, ports=SEND_OR_RECEIVE))


@pytest.mark.parametrize("n", range(2, 7))
def test_ports_in_gray_code_order(n):
    """With B = M the source of an SBT uses its ports as the Gray code does its bits (section 5.1); N - 1 cycles."""
    execution = deliver(SBT(n), ONE_PORT, 3, 3)
    assert check_execution(execution) == Price(2**n - 1, 3 * (2**n - 1))
    used = [packet.dst for cycle in execution.cycles for packet in cycle if packet.src == 0]
    assert used == [i & -i for i in range(1, 2**n)]


@pytest.mark.parametrize("n", [2, 3, 5, 7])
def test_ports_in_cyclic_order(n):
    """The source of an SBnT, whose subtrees are equal but for node 11...1 if n is prime, serves them in turn."""
    execution = deliver(SBnT(n), ONE_PORT, 1, 1)
    used = [packet.dst for cycle in execution.cycles for packet in cycle if packet.src == 0]
    assert check_execution(execution).startups == len(used) == 2**n - 1
    assert set(used[:n]) == {1 << d for d in range(n)}
    assert max(used[i : i + n - 1].count(1) for i in range(len(used))) == 1


def test_no_packet_without_need():
    """With packets of any size the source sends one to each child."""
    for kind in KINDS:
        execution = deliver(kind(4), ONE_PORT, 12, 10_000)
        sent = [packet for cycle in execution.cycles for packet in cycle if packet.src == 0]
        assert len(sent) == len({child for tree in range(kind(4).trees) for child in kind(4).children(0, tree)})


def test_refusals():
    for make in (broadcast_oldest_first, deliver):
        with pytest.raises(ParameterError) as caught:
            make(SBT(3), "two", 1, 1)
        assert str(caught.value) == (
            "ports must be one of one-port, send and receive, send or receive, n-port, not 'two'"
        )
