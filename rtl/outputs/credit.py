"""An output to a lane with virtual channels."""

from amaranth.hdl import Module, Signal

from fatcube.rtl.lanes.lane import LaneSignature
from fatcube.rtl.outputs.channel_output import ChannelOutput
from fatcube.rtl.outputs.channel_room import ChannelRoom

__all__ = ["CreditOutput"]


class CreditOutput(ChannelOutput):
    """Sends flits over a lane with virtual channels, and counts the room at the other end.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    channels : :class:`int`
        Virtual channels, at least 2.
    depth : :class:`int`
        Flits in the buffer of each at the other end.
    longest : :class:`int`
        The most flits of a packet; ``whole`` is set if there is room for this number.
    permission : :class:`bool`
        Packets need permission to begin: without it none begins, and the output requests it if a packet waits only for it.

    Members
    -------
    The members of :class:`ChannelOutput`.
    """

    def __init__(self, width: int, channels: int, *, depth: int, longest: int = 1, permission: bool = False) -> None:
        self.depth = depth
        self.longest = longest
        super().__init__(width, LaneSignature(width, channels, permission=permission), channels, permission=permission)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.d.comb += [
            self.o.payload.data.eq(self.flit.data),
            self.o.payload.last.eq(self.flit.last),
            self.o.payload.channel.eq(self.allocator.channel),
            self.o.valid.eq(self.allocator.offer),
            self.sent.eq(self.allocator.offer),
            self.allocator.open.eq(1),
        ]
        if self.permission:
            permitted = Signal()
            m.d.sync += permitted.eq(self.o.grant)
            m.d.comb += [
                self.o.wants.eq(self.allocator.wanted),
                self.o.holds.eq(self.allocator.holds),
                self.allocator.begins.eq(permitted),
                self.allocator.soon.eq(self.o.grant),
            ]
        else:
            m.d.comb += [self.allocator.begins.eq(1), self.allocator.soon.eq(1)]
        for number in range(self.channels):
            m.submodules[f"room{number}"] = room = ChannelRoom(self.depth, longest=self.longest)
            m.d.comb += [
                room.sent.eq(self.allocator.offer & (self.allocator.channel == number)),
                room.returned.eq(self.o.credit[number]),
                self.allocator.room[number].eq(room.room),
                self.allocator.more[number].eq(room.more),
                self.allocator.plenty[number].eq(room.plenty),
                self.allocator.whole[number].eq(room.whole),
            ]
        return m
