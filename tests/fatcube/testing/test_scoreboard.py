"""The scoreboard: each way in which a packet can arrive wrongly is told from the others, with ports and words."""

import pytest

from fatcube.testing.packet import Packet
from fatcube.testing.scoreboard import Scoreboard


def board(**how):
    """A scoreboard with three packets from port 0 to port 1, and one from port 2 to port 3."""
    found = Scoreboard(**how)
    for number in range(3):
        found.sent(0, 1, Packet([16 + number, 5, 6 + number]))
    found.sent(2, 3, Packet([0xAB]))
    return found


def test_everything_arrives():
    found = board()
    for number in range(3):
        found.received(1, Packet([16 + number, 5, 6 + number]))
    assert (found.arrived, found.under_way()) == (3, 1)
    found.received(3, Packet([0xAB]))
    found.check_empty()


@pytest.mark.parametrize(
    ("port", "words", "message"),
    [
        (2, [16, 5, 6], "misrouted: packet [10 5 6] from port 0 to port 1 arrived at port 2, at 70 ns"),
        (1, [17, 5, 7], "reordered: packet [11 5 7] from port 0 to port 1 arrived before packet [10 5 6] from port 0"),
        (1, [16, 5], "torn: packet [10 5 6] from port 0 to port 1 arrived at port 1 with 2 of its 3 words, at 70 ns"),
        (
            1,
            [16, 4, 6],
            "torn: packet [10 5 6] from port 0 to port 1 arrived at port 1 with word 1 as 0x4, not 0x5, at",
        ),
        (1, [5, 6], "torn: packet [10 5 6] from port 0 to port 1 arrived at port 1 with 2 of its 3 words"),
        (1, [99], "unknown: [63], which was never sent, arrived at port 1, at 70 ns"),
    ],
)
def test_a_packet_that_arrives_wrongly(port, words, message):
    with pytest.raises(AssertionError) as failed:
        board().received(port, Packet(words, at=70.0))
    assert str(failed.value).startswith(message)


def test_a_packet_with_another_tuser():
    found = Scoreboard()
    found.sent(0, 1, Packet([7], tuser=2))
    with pytest.raises(
        AssertionError, match=r"^wrong tuser: packet \[7\] from port 0 .* arrived with tuser 3, not 2, at 70"
    ):
        found.received(1, Packet([7], tuser=3, at=70.0))


def test_packets_that_only_tuser_tells_apart():
    """Either may arrive first, and each with its own."""
    found = Scoreboard()
    for source in range(3):
        found.sent(source, 3, Packet([7], tuser=source))
    for source in (2, 0, 1):
        found.received(3, Packet([7], tuser=source))
    found.check_empty()


def test_a_packet_that_arrives_twice():
    found = board()
    found.received(3, Packet([0xAB]))
    with pytest.raises(AssertionError, match=r"^doubled: packet \[ab\] from port 2 to port 3 arrived again, at port 3"):
        found.received(3, Packet([0xAB]))


def test_packets_that_never_arrive():
    with pytest.raises(AssertionError) as failed:
        board().check_empty()
    assert str(failed.value) == (
        "lost: 4 packets never arrived: packet [10 5 6] from port 0 to port 1; packet [ab] from port 2 to port 3"
    ), failed.value


def test_where_order_is_not_promised():
    found = board(keeps_order=False)
    for number in (2, 0, 1):
        found.received(1, Packet([16 + number, 5, 6 + number]))
    assert found.arrived == 3


def test_packets_that_nobody_can_tell_apart():
    """Two that are the same, from different sources to one destination, have no place in the order; others keep it."""
    found = Scoreboard()
    for source in (0, 1):
        found.sent(source, 2, Packet([7]))
        found.sent(source, 2, Packet([8 + source]))
    found.received(2, Packet([9]))
    found.received(2, Packet([8]))
    for _ in range(2):
        found.received(2, Packet([7]))
    found.check_empty()


def test_packets_that_are_the_same_for_two_destinations():
    found = Scoreboard()
    for destination in (2, 3):
        found.sent(0, destination, Packet([7]))
    for destination in (3, 2):
        found.received(destination, Packet([7]))
    found.check_empty()


def test_packets_of_one_source_that_are_the_same_keep_their_order():
    found = Scoreboard()
    for word in (7, 8, 7):
        found.sent(0, 1, Packet([word]))
    with pytest.raises(AssertionError, match=r"^reordered: packet \[8\] .* before packet \[7\]"):
        found.received(1, Packet([8]))


def test_a_torn_packet_is_one_for_this_port_if_it_can_be():
    found = Scoreboard()
    for destination in (1, 2, 3):
        found.sent(0, destination, Packet([destination, 9]))
    with pytest.raises(
        AssertionError, match=r"^torn: packet \[2 9\] from port 0 to port 2 arrived .* word 0 as 0x5, not 0x2"
    ):
        found.received(2, Packet([5, 9]))


def test_the_tid_of_the_sender():
    found = Scoreboard(tid=lambda port: port // 2)
    found.sent(4, 1, Packet([1, 2]))
    with pytest.raises(
        AssertionError, match=r"^wrong tid: packet \[1 2\] from port 4 to port 1 arrived with tid 1, not 2"
    ):
        found.received(1, Packet([1, 2], tid=1))


def test_of_packets_that_are_the_same_the_tid_tells():
    found = Scoreboard(tid=lambda port: port)
    for source in (0, 1):
        found.sent(source, 2, Packet([7]))
    for source in (1, 0):
        found.received(2, Packet([7], tid=source))
    found.check_empty()


def test_what_routers_change_does_not_count():
    found = Scoreboard(contents=lambda words: [words[0] >> 4, *words[1:]])
    found.sent(0, 1, Packet([0x31, 5]))
    found.received(1, Packet([0x3F, 5]))
    found.check_empty()


def test_a_reset_forgets():
    found = board()
    found.clear()
    found.check_empty()
    with pytest.raises(
        AssertionError, match=r"^stale: packet \[.*\] from port \d to port \d, sent before the reset, arrived at"
    ):
        found.received(3, Packet([0xAB]))
    found.clear()
    with pytest.raises(AssertionError, match="^unknown: "):
        found.received(3, Packet([0xAB]))


def test_a_packet_of_words_alone():
    """Nothing that it does not say stands beside it; of many words the first are shown, and how many there are."""
    assert Packet([1]) == Packet([1], tdest=0, tid=0, tuser=0, channel=0, stop=None, gap=None, at=0.0)
    assert str(Packet([10, 11, 12, 13, 14, 255])) == "[a b c d e ff]"
    assert str(Packet([1, 2, 3, 4, 5, 6, 7])) == "[1 2 3 4 5 6 … 7 words]"
