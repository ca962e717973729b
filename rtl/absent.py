"""An output that leads nowhere: what goes out there is taken and counted, so that nothing waits for it."""

from amaranth.hdl import Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.flit import FlitStream

__all__ = ["AbsentOutput"]


class AbsentOutput(wiring.Component):
    """What stands behind an output of a router that some nodes have and others do not.

    Members
    -------
    i : :py:`In(FlitStream(width))`
        From the router.
    o : :py:`Out(FlitStream(width))`
        To what is there if it is there: nothing comes out otherwise.
    absent : :py:`In(1)`
        Nothing is there. Every flit is taken then.
    lost : :py:`Out(1)`
        The last flit of a packet is taken that goes nowhere.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    """

    i: stream.Interface
    o: stream.Interface
    absent: Signal
    lost: Signal

    def __init__(self, width: int) -> None:
        super().__init__({"i": In(FlitStream(width)), "o": Out(FlitStream(width)), "absent": In(1), "lost": Out(1)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.d.comb += [
            self.o.payload.eq(self.i.payload),
            self.o.valid.eq(self.i.valid & ~self.absent),
            self.i.ready.eq(self.o.ready | self.absent),
            self.lost.eq(self.absent & self.i.valid & self.i.payload.last),
        ]
        return m
