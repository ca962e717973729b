"""The judgement whether ports take turns: of arrivals that are made up."""

import pytest

from fatcube.testing.packet import Packet
from fatcube.testing.turns import check_turns, packets_each


def arrivals(order):
    """A packet of each sender named, one every 10 ns."""
    return [(int(source), Packet([place], at=10.0 * place)) for place, source in enumerate(order, 1)]


@pytest.mark.parametrize(
    ("order", "patience"),
    [
        ("", 1),
        ("00000", 1),  # alone
        ("010101", 1),
        ("011010", 2),
        ("0012012", 3),
        ("0101" + "0" * 9, 1),  # 1 has no more packets
        ("0" * 9 + "1", 0),  # any number is allowed
    ],
)
def test_ports_that_take_turns(order, patience):
    check_turns(arrivals(order), patience)


@pytest.mark.parametrize(
    ("order", "patience", "starving", "last", "at"),
    [
        ("0111010", 2, 0, 1, 40),
        ("00010", 2, 1, 0, 30),  # before its first
        ("01201201012", 3, 2, 1, 100),
        ("0101000001", 4, 1, 0, 90),
    ],
)
def test_a_port_that_starves(order, patience, starving, last, at):
    message = (
        rf"^starved: port {starving} waits while {patience + 1} packets of other ports arrive, the last of them packet "
        rf"\[\w+\] from port {last}, at {at} ns$"
    )
    with pytest.raises(AssertionError, match=message):
        check_turns(arrivals(order), patience)
    check_turns(arrivals(order), patience + 1)


@pytest.mark.parametrize("senders", [2, 3, 4])
def test_a_port_that_gets_nothing_is_seen(senders):
    """The others send twice what may pass by, or more; alone, a port sends what two would."""
    count = packets_each(senders, 40)
    assert 80 <= (senders - 1) * count <= 80 + senders
    others = "".join(str(source) for source in range(1, senders)) * count
    with pytest.raises(AssertionError, match=r"^starved: port 0 waits while 41 packets of other ports arrive"):
        check_turns(arrivals(others + "0" * count), 40)


def test_one_sender():
    assert packets_each(1, 40) == packets_each(2, 40) == 81
