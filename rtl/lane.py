"""The signals of a lane between two routers, with one virtual channel or several."""

from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from groundwork.validation import check_integer
from rtl.flit import FlitLayout, FlitStream

__all__ = ["MOST_CHANNELS", "ChannelFlitLayout", "LaneSignature", "check_channels", "lane_layout"]


MOST_CHANNELS = 8
"""The most virtual channels of a lane."""


def check_channels(channels: object) -> int:
    """Return ``channels`` if a lane can have so many virtual channels."""
    return check_integer("virtual channels", channels, minimum=1, maximum=MOST_CHANNELS)


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


def lane_layout(width: int, channels: int = 1) -> FlitLayout | ChannelFlitLayout:
    """The layout of what a lane carries in a cycle."""
    return FlitLayout(width) if check_channels(channels) == 1 else ChannelFlitLayout(width, channels)


def LaneSignature(width: int, channels: int = 1) -> wiring.Signature:
    """The signature of a lane, as the sending router sees it.

    With one virtual channel it is :func:`~rtl.flit.FlitStream`. With several, a flit is taken whenever it is valid, and
    flow control is by credits: the sending router counts, for each channel, the flits that its buffer at the receiving
    router has room for.

    Members
    -------
    payload : :py:`Out(lane_layout(width, channels))`
    valid : :py:`Out(1)`
        There is a flit. It is taken in this cycle.
    credit : :py:`In(channels)`
        A flit has left the buffer of that channel: there is room for one more.
    """
    if check_channels(channels) == 1:
        return FlitStream(width)
    return wiring.Signature({"payload": Out(lane_layout(width, channels)), "valid": Out(1), "credit": In(channels)})
