"""An output to a port of a processor, or to a lane of one channel, and one to a lane that takes copies."""

from amaranth.hdl import Cat, Module

from fatcube.rtl.flit import HeaderLayout
from fatcube.rtl.outputs.packet_output import PacketOutput

__all__ = ["CopyOutput", "DirectOutput"]


class DirectOutput(PacketOutput):
    """Sends a flit when the next router, or the processor, takes it, and hands the answers of circuits back.

    Parameters
    ----------
    width, answers, copies
        See :class:`~fatcube.rtl.outputs.packet_output.PacketOutput`.
    """

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.d.comb += [
            self.o.payload.eq(self.flit),
            self.o.valid.eq(self.allocator.offer),
            self.allocator.ready.eq(self.o.ready),
            self.sent.eq(self.o.valid & self.o.ready),
        ]
        if self.answers:
            m.d.comb += self.answer.eq(self.o.answer)
        return m


class CopyOutput(DirectOutput):
    """Sends copies over a lane: the header of each keeps the selector for the router there, and those behind it.

    Parameters
    ----------
    layout : :class:`HeaderLayout`
        Of headers with masks.
    lane : :class:`int`
        The number of the lane among those of the router.
    """

    def __init__(self, layout: HeaderLayout, lane: int) -> None:
        self.layout = layout
        self.lane = lane
        super().__init__(layout.width, copies=True)

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        kept = Cat(self.flit.data[self.layout.branch(self.lane)], self.flit.data[self.layout.beyond])
        with m.If(self.copied):
            m.d.comb += self.o.payload.data[: len(kept)].eq(kept)
        return m
