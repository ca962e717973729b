"""An output of a router with virtual channels to a port of a processor, for one packet at a time."""

from amaranth.hdl import Module, Mux, Signal

from fatcube.rtl.flit import FlitStream
from fatcube.rtl.outputs.channel_output import ChannelOutput

__all__ = ["HeldOutput"]


class HeldOutput(ChannelOutput):
    """Hands a flit to the processor in the cycle in which it is offered, or keeps it until the processor takes it.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.

    Members
    -------
    The members of :class:`ChannelOutput`. While a flit is kept, none can be offered.
    """

    def __init__(self, width: int) -> None:
        super().__init__(width, FlitStream(width))

    def elaborate(self, platform: object) -> Module:
        m = Module()
        kept = Signal()
        flit = Signal.like(self.flit)
        m.d.comb += [
            self.allocator.open.eq(~kept),
            self.allocator.begins.eq(1),
            self.allocator.soon.eq(1),
            self.allocator.room.eq(1),
            self.allocator.more.eq(1),
            self.allocator.plenty.eq(1),
            self.allocator.whole.eq(1),
            self.o.valid.eq(kept | self.allocator.offer),
            self.o.payload.eq(Mux(kept, flit.as_value(), self.flit.as_value())),
            self.sent.eq(self.o.valid & self.o.ready),
        ]
        m.d.sync += kept.eq(self.o.valid & ~self.o.ready)
        with m.If(~kept):
            m.d.sync += flit.eq(self.flit)
        return m
