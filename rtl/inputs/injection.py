"""Several inputs of a router for the packets of one port of a processor."""

from amaranth.hdl import Cat, Module, Mux, Signal

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.flit import FlitStream
from fatcube.rtl.inputs.feed import Feed

__all__ = ["Injection"]


class Injection(Feed):
    """Gives each packet of a stream an input of its own, which avoids head-of-line blocking of the packets behind it.

    A packet goes to the first input that is idle when its header is offered, and waits while there is none. Packets can
    overtake each other.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    inputs : :class:`int`
        The number of inputs, at least 2.

    Members
    -------
    The members of :class:`Feed`.
    """

    def __init__(self, width: int, inputs: int) -> None:
        super().__init__(width, FlitStream(width), check_integer("inputs", inputs, minimum=2), watches_idle=True)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        # The next flit is for the input in `taking`, as what is offered to it stays until it is taken.
        within = Signal()
        taking = Signal(self.inputs)
        chosen = Signal(self.inputs)
        first = Cat(self.idle[number] & ~self.idle[:number].any() for number in range(self.inputs))
        ready = []
        m.d.comb += chosen.eq(Mux(within, taking, first))
        for number, out in enumerate(self.o):
            ready.append(chosen[number] & out.ready)
            m.d.comb += [
                out.payload.eq(self.i.payload),
                out.valid.eq(self.i.valid & chosen[number]),
            ]
        m.d.comb += self.i.ready.eq(Cat(ready).any())
        with m.If(self.i.valid & chosen.any()):
            m.d.sync += [
                within.eq(~(self.i.ready & self.i.payload.last)),
                taking.eq(chosen),
            ]
        return m
