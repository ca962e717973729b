"""An output to a lane with virtual channels."""

from amaranth.hdl import Module, Signal

from rtl.lanes.lane import LaneSignature
from rtl.outputs.credits import CreditCounter
from rtl.outputs.output import Output

__all__ = ["CreditOutput"]


class CreditOutput(Output):
    """Sends a flit on the virtual channel whose turn it is, and counts the room that is left at the other end.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    channels : :class:`int`
        Virtual channels, at least 2.
    depth : :class:`int`
        Flits in the buffer of each at the other end.
    longest : :class:`int`
        The most flits of a packet, for which ``whole`` says whether there is room.
    permission : :class:`bool`
        Packets need permission to begin: without it there is no room for any, and with room for all of one that waits the
        output asks for it.
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
            self.o.payload.channel.eq(self.channel),
            self.o.valid.eq(self.offer),
            self.sent.eq(self.o.valid),
        ]
        roomy = Signal(self.channels)
        if self.permission:
            permitted = Signal()
            m.d.sync += permitted.eq(self.o.grant)
            m.d.comb += [
                self.o.wants.eq((self.wanted & roomy).any()),
                self.o.holds.eq(self.holds),
                self.whole.eq(roomy & permitted.replicate(self.channels)),
            ]
        else:
            m.d.comb += self.whole.eq(roomy)
        for number in range(self.channels):
            m.submodules[f"credits{number}"] = credits = CreditCounter(self.depth, longest=self.longest)
            m.d.comb += [
                credits.sent.eq(self.o.valid & (self.channel == number)),
                credits.returned.eq(self.o.credit[number]),
                self.ready[number].eq(credits.room),
                roomy[number].eq(credits.whole),
            ]
        return m
