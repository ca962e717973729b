"""Sources and sinks at all ports, as far as no simulator is needed."""

import pytest

from fatcube.testing.around import Around
from fatcube.testing.packet import Packet
from fatcube.testing.scoreboard import Scoreboard


class Sent:
    """A source that keeps what it is given."""

    def __init__(self):
        self.packets = []

    def send_nowait(self, packet):
        self.packets.append(packet)


class TwoPorts(Around):
    def __init__(self):
        super().__init__(None, None, Scoreboard(keeps_order=True))
        self._names = [0, 1]
        self.sources = [Sent(), Sent()]


@pytest.mark.parametrize(
    ("source", "destination", "message"),
    [
        (0, 9, "destination must be a port from 0 to 1, not 9"),
        (2, 0, "source must be a port from 0 to 1, not 2"),
        (0, -1, "destination must be a port from 0 to 1, not -1"),
    ],
)
def test_a_port_that_is_not_there(source, destination, message):
    """It is named, and nothing is queued or expected for it."""
    around = TwoPorts()
    around.send(0, 1, Packet([5]))
    with pytest.raises(ValueError, match=f"^{message}$"):
        around.send(source, destination, Packet([7]))
    assert [len(end.packets) for end in around.sources] == [1, 0]
    assert around.scoreboard.under_way() == 1
