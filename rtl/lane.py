"""The signals of a lane between two routers, with one virtual channel or several."""

from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from groundwork.validation import check_integer
from rtl.flit import FlitLayout, FlitStream

__all__ = ["MOST_CHANNELS", "ChannelFlitLayout", "LaneSignature"]


MOST_CHANNELS = 8
"""The most virtual channels of a lane."""


class ChannelFlitLayout(data.StructLayout):
    """One flit on a lane with several virtual channels.

    Members
    -------
    data : :class:`unsigned(width)`
        A header or a word of payload.
    last : :class:`unsigned(1)`
        Set on the last flit of a packet.
    channel : :class:`unsigned(ceil_log2(channels))`
        The virtual channel that it moves on. The flits of a packet move on one.
    """

    def __init__(self, width: int, channels: int) -> None:
        super().__init__({**FlitLayout(width).members, "channel": ceil_log2(channels)})
        self.width = width


def LaneSignature(width: int, channels: int = 1) -> wiring.Signature:
    """The signature of a lane, as the sending router sees it.

    With one virtual channel it is :func:`~rtl.flit.FlitStream`. With several, a flit is taken whenever it is valid, and
    flow control is by credits: the sending router counts, for each channel, the flits that its buffer at the receiving
    router has room for.

    Members
    -------
    payload : :py:`Out(ChannelFlitLayout(width, channels))`
    valid : :py:`Out(1)`
        There is a flit. It is taken in this cycle.
    credit : :py:`In(channels)`
        A flit has left the buffer of that channel: there is room for one more.
    """
    check_integer("virtual channels", channels, minimum=1, maximum=MOST_CHANNELS)
    if channels == 1:
        return FlitStream(width)
    return wiring.Signature(
        {"payload": Out(ChannelFlitLayout(width, channels)), "valid": Out(1), "credit": In(channels)}
    )
