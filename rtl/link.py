"""A register on a link: one cycle more a hop, and a timing path cut in two."""

from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.buffer import InputBuffer
from rtl.flit import FlitStream

__all__ = ["LinkRegister"]


class LinkRegister(wiring.Component):
    """Passes a stream on a cycle later, at full rate, with every signal of both sides from a register.

    Members
    -------
    i : :py:`In(FlitStream(width))`
    o : :py:`Out(FlitStream(width))`
    """

    def __init__(self, width):
        self.width = width
        super().__init__({"i": In(FlitStream(width)), "o": Out(FlitStream(width))})

    def elaborate(self, platform):
        m = Module()
        m.submodules.buffer = buffer = InputBuffer(self.width, 2)
        wiring.connect(m, wiring.flipped(self.i), buffer.i)
        wiring.connect(m, buffer.o, wiring.flipped(self.o))
        return m
