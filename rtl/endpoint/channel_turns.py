"""The turns of the virtual channels of a lane on it."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.arbiters.least_recent import longest_ago
from fatcube.rtl.lanes.lane import check_channels

__all__ = ["ChannelTurns"]


class ChannelTurns(wiring.Component):
    """Says which channel sends: the one that sent before, until its packet ends or has to wait; then who waited longest.

    Packets that took turns flit by flit would reach the next router at a part of its rate each, and an output there
    with few of them would idle: with four channels a router carries a tenth less than with two.

    Parameters
    ----------
    channels : :class:`int`
        Virtual channels.

    Members
    -------
    requests : :py:`In(channels)`
        The channels that can send a flit in this cycle.
    last : :py:`In(channels)`
        That flit is the last of its packet.
    winner : :py:`Out(channels)`
        The one that does, one-hot; zero if none can.
    """

    requests: Signal
    last: Signal
    winner: Signal

    def __init__(self, channels: int) -> None:
        self.channels = check_channels(channels)
        super().__init__({"requests": In(channels), "last": In(channels), "winner": Out(channels)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        before = Signal(self.channels)  # The channel of the flit before, if that was not the last of its packet.
        goes_on = self.requests & before
        m.d.comb += self.winner.eq(Mux(goes_on.any(), goes_on, longest_ago(m, self.requests, self.winner)))
        with m.If(self.requests.any()):
            m.d.sync += before.eq(self.winner & ~self.last)
        return m
