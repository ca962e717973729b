"""The signals of a lane between two routers: with one virtual channel or several, and with the answers of circuits."""

from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.flit import FlitLayout, FlitStream

__all__ = [
    "MOST_CHANNELS",
    "AnswerLayout",
    "ChannelFlitLayout",
    "LanePort",
    "LaneSignature",
    "check_channels",
    "lane_layout",
]


MOST_CHANNELS = 8
"""The most virtual channels of a lane."""


def check_channels(channels: object) -> int:
    """Return ``channels`` if a lane can have this number of virtual channels."""
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


class AnswerLayout(data.StructLayout):
    """The answer on a lane with circuit switching, in the direction against the flits, to the last header that crossed it.

    Parameters
    ----------
    answers : :class:`int`
        The kinds of answers: 1, or 2 where a route that stays blocked is refused; 0 without circuits, for a layout of no
        bits.

    Members
    -------
    granted : :class:`unsigned(1)`
        The route is reserved to its end. One cycle.
    refused : :class:`unsigned(1)`
        The route was blocked for too long, and all of it behind this lane is released. One cycle. Only with 2 kinds.
    """

    def __init__(self, answers: int) -> None:
        check_integer("answers", answers, minimum=0, maximum=2)
        super().__init__(dict.fromkeys(("granted", "refused")[:answers], 1))


def lane_layout(width: int, channels: int = 1) -> FlitLayout | ChannelFlitLayout:
    """The layout of a flit on a lane."""
    return FlitLayout(width) if check_channels(channels) == 1 else ChannelFlitLayout(width, channels)


def LaneSignature(width: int, channels: int = 1, answers: int = 0, permission: bool = False) -> wiring.Signature:
    """The signature of a lane, as the sending router sees it.

    With one virtual channel it is :func:`~fatcube.rtl.flit.FlitStream`. With several, a flit is taken whenever it is valid, and
    flow control is by credits: the sending router counts, for each channel, the flits that its buffer at the receiving
    router has room for. With circuit switching, which is for one channel, an answer comes back for each header that sets
    up a circuit.

    Where several channels share a lane whose directions wait for each other, a packet also needs permission to begin: it is
    given a channel only where ``grant`` was 1 in the cycle before. Once it has a channel, it is sent up to its tail flit,
    whatever ``grant`` is.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    channels : :class:`int`
        Virtual channels.
    answers : :class:`int`
        The kinds of answers, as of :class:`AnswerLayout`; 0 without circuits.
    permission : :class:`bool`
        Packets need permission to begin. Only for several channels: with one, ``ready`` gives it.

    Members
    -------
    payload : :py:`Out(lane_layout(width, channels))`
    valid : :py:`Out(1)`
        True if a flit is offered. With several channels it is taken in this cycle.
    ready : :py:`In(1)`
        With one channel: a flit is taken in this cycle if there is one.
    answer : :py:`In(AnswerLayout(answers))`
        Only with answers.
    credit : :py:`In(channels)`
        With several channels: a flit has left the buffer of the channel, so there is room for one more.
    wants : :py:`Out(1)`
        Only with permission: a packet waits that could begin, as there is a free channel and room for all of it.
    holds : :py:`Out(1)`
        Only with permission: a packet has a channel. A register, which is 0 from the cycle after its tail flit on.
    grant : :py:`In(1)`
        Only with permission: packets may begin in the next cycle.
    """
    if check_channels(channels) == 1:
        stream = FlitStream(width)
        return wiring.Signature({**stream.members, "answer": In(AnswerLayout(answers))}) if answers else stream
    asks = {"wants": Out(1), "holds": Out(1), "grant": In(1)} if permission else {}
    return wiring.Signature(
        {"payload": Out(lane_layout(width, channels)), "valid": Out(1), "credit": In(channels), **asks}
    )


def LanePort(width: int, channels: int = 1, answers: int = 0, permission: bool = False) -> wiring.Signature:
    """The signature of a lane in both directions, as a router at one end of it sees it.

    Where links go one way, the two directions lead to different routers. The parameters are those of
    :func:`LaneSignature`.

    Members
    -------
    into : :py:`In(LaneSignature(width, channels, answers, permission))`
        From the neighbour.
    out : :py:`Out(LaneSignature(width, channels, answers, permission))`
        To the neighbour.
    """
    lane = LaneSignature(width, channels, answers, permission)
    return wiring.Signature({"into": In(lane), "out": Out(lane)})
