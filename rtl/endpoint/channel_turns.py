"""The arbiter of the virtual channels of a lane."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.arbiters.least_recent import longest_ago
from fatcube.rtl.lanes.lane import check_channels

__all__ = ["ChannelTurns"]


class ChannelTurns(wiring.Component):
    """Grants the channel of the previous flit, until its packet ends or has to wait; then the least recently granted one.

    If packets were interleaved flit by flit, each would reach the next router at a fraction of the lane's rate, and an
    output there that few of these packets request would idle: with four channels a router then carries a tenth less
    traffic than with two.

    Parameters
    ----------
    channels : :class:`int`
        Virtual channels.

    Members
    -------
    requests : :py:`In(channels)`
        The channels that can send a flit in this cycle.
    last : :py:`In(channels)`
        The channel's flit is the tail flit of its packet.
    winner : :py:`Out(channels)`
        The channel that sends a flit, one-hot; zero if none can.
    """

    requests: Signal
    last: Signal
    winner: Signal

    def __init__(self, channels: int) -> None:
        self.channels = check_channels(channels)
        super().__init__({"requests": In(channels), "last": In(channels), "winner": Out(channels)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        before = Signal(self.channels)  # The channel of the previous flit, if it was not a tail flit.
        goes_on = self.requests & before
        m.d.comb += self.winner.eq(Mux(goes_on.any(), goes_on, longest_ago(m, self.requests, self.winner)))
        with m.If(self.requests.any()):
            m.d.sync += before.eq(self.winner & ~self.last)
        return m
