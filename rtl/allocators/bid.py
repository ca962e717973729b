"""The dialogues of a router with virtual channels: inputs bid from registers, and outputs say what room they have."""

from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from fatcube.rtl.optional_ports import OptionalSignature

__all__ = ["ChannelBid", "ChannelOffer"]


class ChannelBid(OptionalSignature):
    """The dialogue between an input and the allocator, as the input sees it. Members of no bits are no ports.

    Parameters
    ----------
    targets : :class:`int`
        The targets that the input can reach.
    most : :class:`int`
        The channels of the output with most channels; 0 if each target has one channel.

    Members
    -------
    bid : :py:`Out(targets)`
        The target of the flit for which the input bids, one-hot; zero if there is none.
    head : :py:`Out(1)`
        The flit for which the input bids is a header.
    last : :py:`Out(1)`
        It is the last of its packet.
    sure : :py:`Out(1)`
        At least two flits of its packet are behind it, and room for them is likely.
    channel : :py:`Out(most)`
        The channel that its packet has, one-hot, if the flit is not a header.
    waits : :py:`Out(targets)`
        The targets of headers in front of the channels of the input.
    passed : :py:`Out(1)`
        Several channels of the input can send.
    due : :py:`Out(targets)`
        The target of a header that was passed over for long.
    won : :py:`In(1)`
        The flit leaves.
    given : :py:`In(most)`
        The channel that a header gets if it wins, one-hot.
    more : :py:`In(1)`
        There is room for one more flit behind the one for which the input bids.
    plenty : :py:`In(1)`
        There is likely to be room for several. A hint.
    ready : :py:`In(targets)`
        Of each target: a channel is ready for a header.
    shut : :py:`In(targets)`
        Of each target: its output is kept by a packet. Registers.
    reserved : :py:`In(targets)`
        Of each target: it was ``due`` of any input in the cycle before. Registers.
    named : :py:`In(targets)`
        Of each target: it is the turn of this input to have it where it is reserved. Registers.
    stays : :py:`In(1)`
        The packet of which the input offers a flit keeps its output, and bids for its next flit next. A register for each output.
    """

    def __init__(self, targets: int, most: int) -> None:
        super().__init__(
            {
                "bid": Out(targets),
                **dict.fromkeys(("head", "last", "sure", "passed"), Out(1)),
                "channel": Out(most),
                **dict.fromkeys(("waits", "due"), Out(targets)),
                **dict.fromkeys(("won", "more", "plenty", "stays"), In(1)),
                "given": In(most),
                **dict.fromkeys(("ready", "shut", "reserved", "named"), In(targets)),
            }
        )


class ChannelOffer(OptionalSignature):
    """The dialogue between the allocator and an output, as the allocator sees it. Members of no bits are no ports.

    A flit is offered only if there was room for it a cycle ahead, so it is taken.

    Parameters
    ----------
    channels : :class:`int`
        The channels of the output.
    permission : :class:`bool`
        Packets need permission to begin, see :func:`~fatcube.rtl.lanes.lane.LaneSignature`.

    Members
    -------
    offer : :py:`Out(1)`
        The flit that the crossbar has for the output is offered, and taken.
    channel : :py:`Out(ceil_log2(channels))`
        The channel on which the flit is sent.
    wanted : :py:`Out(1)`
        A header waits that could begin with permission. Only with permission.
    holds : :py:`Out(1)`
        A packet has a channel of the output. From registers. Only with permission.
    open : :py:`In(1)`
        A flit can be offered. Registers.
    begins, soon : :py:`In(1)`
        A header can be offered, from a register; and in the next cycle. They differ with permission only.
    room, more, plenty, whole : :py:`In(channels)`
        For each channel, the outputs of its :class:`~fatcube.rtl.outputs.channel_room.ChannelRoom`.
    """

    def __init__(self, channels: int, *, permission: bool = False) -> None:
        super().__init__(
            {
                "offer": Out(1),
                "channel": Out(ceil_log2(channels)),
                **dict.fromkeys(("wanted", "holds"), Out(int(permission))),
                **dict.fromkeys(("open", "begins", "soon"), In(1)),
                **dict.fromkeys(("room", "more", "plenty", "whole"), In(channels)),
            }
        )
