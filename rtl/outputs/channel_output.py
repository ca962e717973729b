"""The interface of an output of a router with virtual channels, which sends packets of different channels side by side."""

from typing import Any

from amaranth.hdl import Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from fatcube.groundwork.validation import check_boolean, check_integer
from fatcube.rtl.flit import FlitLayout
from fatcube.rtl.optional_ports import OptionalPorts

__all__ = ["ChannelOutput"]


class ChannelOutput(OptionalPorts):
    """The base of all outputs of routers with virtual channels. Ports of no bits are no ports of the module.

    A flit is offered only if there was room for it a cycle ahead, so it is taken.

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
    flit : :py:`In(FlitLayout(width))`
        The flit that the crossbar has for this output.
    offer : :py:`In(1)`
        The flit is offered, and taken.
    channel : :py:`In(ceil_log2(channels))`
        The channel on which the flit is sent.
    wanted : :py:`In(1)`
        A packet waits that could begin if it had permission. Only with permission.
    holds : :py:`In(1)`
        A packet has a channel. Only with permission.
    open : :py:`Out(1)`
        A flit can be offered. Registers.
    begins, soon : :py:`Out(1)`
        A header can be offered, from a register; and in the next cycle. They differ with permission only.
    room, more, plenty, whole : :py:`Out(channels)`
        For each channel, the outputs of its :class:`~fatcube.rtl.outputs.channel_room.ChannelRoom`.
    sent : :py:`Out(1)`
        A flit leaves the router.
    o : :py:`Out(port)`
    """

    flit: data.View
    offer: Signal
    channel: Signal
    wanted: Signal
    holds: Signal
    open: Signal
    begins: Signal
    soon: Signal
    room: Signal
    more: Signal
    plenty: Signal
    whole: Signal
    sent: Signal
    o: Any

    def __init__(self, width: int, port: wiring.Signature, channels: int = 1, *, permission: bool = False) -> None:
        self.width = width
        self.channels = check_integer("channels", channels, minimum=1)
        self.permission = check_boolean("permission", permission)
        super().__init__(
            {
                "flit": In(FlitLayout(width)),
                "offer": In(1),
                "channel": In(ceil_log2(channels)),
                "wanted": In(int(permission)),
                "holds": In(int(permission)),
                "open": Out(1),
                "begins": Out(1),
                "soon": Out(1),
                **dict.fromkeys(("room", "more", "plenty", "whole"), Out(channels)),
                "sent": Out(1),
                "o": Out(port),
            }
        )
