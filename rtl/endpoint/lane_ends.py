"""The two ends of a lane with virtual channels, for a design that is not a router: a stream for each channel."""

from typing import Any

from amaranth.hdl import Cat, Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.deep_buffer import input_buffer
from fatcube.rtl.endpoint.channel_turns import ChannelTurns
from fatcube.rtl.flit import FlitStream
from fatcube.rtl.lanes.lane import LaneSignature
from fatcube.rtl.outputs.credits import CreditCounter

__all__ = ["LaneReceiver", "LaneSender"]


class LaneSender(wiring.Component):
    """Sends the flits of several streams over the virtual channels of one lane, in turn.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    channels : :class:`int`
        Virtual channels, at least 2.
    depth : :class:`int`
        Flits in the buffer of each channel at the other end.
    permission : :class:`bool`
        The lane has the signals of permission, which are not used here: packets begin without permission.

    Members
    -------
    i{channel} : :py:`In(FlitStream(width))`
    lane : :py:`Out(LaneSignature(width, channels, permission=permission))`
    """

    lane: Any

    def __init__(self, width: int, channels: int, depth: int, permission: bool = False) -> None:
        self.channels = channels
        self.depth = depth
        super().__init__(
            {
                **{f"i{channel}": In(FlitStream(width)) for channel in range(channels)},
                "lane": Out(LaneSignature(width, channels, permission=permission)),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.turns = turns = ChannelTurns(self.channels)
        m.d.comb += self.lane.valid.eq(turns.winner.any())
        for channel in range(self.channels):
            source: stream.Interface = getattr(self, f"i{channel}")
            m.submodules[f"credits{channel}"] = credits = CreditCounter(self.depth)
            m.d.comb += [
                turns.requests[channel].eq(source.valid & credits.room),
                turns.last[channel].eq(source.payload.last),
                source.ready.eq(turns.winner[channel]),
                credits.sent.eq(turns.winner[channel]),
                credits.returned.eq(self.lane.credit[channel]),
            ]
            with m.If(turns.winner[channel]):
                m.d.comb += [
                    Cat(self.lane.payload.data, self.lane.payload.last).eq(source.payload.as_value()),
                    self.lane.payload.channel.eq(channel),
                ]
        return m


class LaneReceiver(wiring.Component):
    """Takes the flits of a lane into a buffer for each virtual channel.

    Parameters
    ----------
    width, channels, depth
        See :class:`LaneSender`.
    permission : :class:`bool`
        The lane has the signals of permission, which is always given.

    Members
    -------
    lane : :py:`In(LaneSignature(width, channels, permission=permission))`
    o{channel} : :py:`Out(FlitStream(width))`
    """

    lane: Any

    def __init__(self, width: int, channels: int, depth: int, permission: bool = False) -> None:
        self.permission = permission
        self.width = width
        self.channels = channels
        self.depth = depth
        super().__init__(
            {
                "lane": In(LaneSignature(width, channels, permission=permission)),
                **{f"o{channel}": Out(FlitStream(width)) for channel in range(channels)},
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        if self.permission:
            m.d.comb += self.lane.grant.eq(1)
        for channel in range(self.channels):
            m.submodules[f"buffer{channel}"] = buffer = input_buffer(self.width, self.depth, shown=0)
            wiring.connect(m, buffer.o, wiring.flipped(getattr(self, f"o{channel}")))
            m.d.comb += [
                buffer.i.payload.data.eq(self.lane.payload.data),
                buffer.i.payload.last.eq(self.lane.payload.last),
                buffer.i.valid.eq(self.lane.valid & (self.lane.payload.channel == channel)),
            ]
            m.d.sync += self.lane.credit[channel].eq(buffer.o.valid & buffer.o.ready)
        return m
