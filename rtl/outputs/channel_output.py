"""The shape of an output of a router with virtual channels, which sends packets of different channels side by side."""

from amaranth.lib import wiring

from fatcube.groundwork.validation import check_boolean, check_integer
from fatcube.rtl.allocators.bid import ChannelOffer
from fatcube.rtl.outputs.output import Output

__all__ = ["ChannelOutput"]


class ChannelOutput(Output):
    """The base of all outputs of routers with virtual channels.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    port : :class:`wiring.Signature`
        The stream or the lane that leaves here, as its sender sees it.
    channels : :class:`int`
        The number of channels on which packets are sent side by side.
    permission : :class:`bool`
        Packets need permission to begin, see :func:`~fatcube.rtl.lanes.lane.LaneSignature`.

    Members
    -------
    The members of :class:`Output`, with :class:`~fatcube.rtl.allocators.bid.ChannelOffer` as ``allocator``.
    """

    def __init__(self, width: int, port: wiring.Signature, channels: int = 1, *, permission: bool = False) -> None:
        self.channels = check_integer("channels", channels, minimum=1)
        self.permission = check_boolean("permission", permission)
        super().__init__(width, port, ChannelOffer(channels, permission=permission))
