"""The observation of the packets that arrive at a receiving port."""

from amaranth.hdl import Module, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.flit import FlitLayout

__all__ = ["Arrival"]


class Arrival(wiring.Component):
    """Holds the header of a packet until all of the packet has arrived. The receiver takes a flit in every cycle.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit, W.

    Members
    -------
    valid : :py:`In(1)`
    payload : :py:`In(FlitLayout(width))`
        The stream, as the receiving port sees it.
    within : :py:`Out(1)`
        A packet has begun to arrive, and has not ended.
    whole : :py:`Out(1)`
        The tail flit of a packet with payload arrived in the previous cycle.
    header : :py:`Out(width)`
        The header of the packet for which ``whole`` is 1.
    """

    valid: Signal
    payload: data.View
    within: Signal
    whole: Signal
    header: Signal

    def __init__(self, width: int) -> None:
        super().__init__(
            {
                "valid": In(1),
                "payload": In(FlitLayout(width)),
                "within": Out(1),
                "whole": Out(1),
                "header": Out(width),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.d.sync += self.whole.eq(self.valid & self.within & self.payload.last)
        with m.If(self.valid):
            m.d.sync += self.within.eq(~self.payload.last)
            with m.If(~self.within):
                m.d.sync += self.header.eq(self.payload.data)
        return m
