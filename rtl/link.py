"""A register on a link: it adds one cycle per hop and cuts a timing path in two."""

from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.buffer import InputBuffer
from rtl.flit import FlitStream

__all__ = ["LinkRegister"]


class LinkRegister(wiring.Component):
    """Passes a stream on one cycle later, at full rate; every signal of both sides comes from a register.

    Members
    -------
    i : :py:`In(FlitStream(width))`
    o : :py:`Out(FlitStream(width))`
    """

    i: stream.Interface
    o: stream.Interface

    def __init__(self, width: int) -> None:
        self.width = width
        super().__init__({"i": In(FlitStream(width)), "o": Out(FlitStream(width))})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.buffer = buffer = InputBuffer(self.width, 2)
        wiring.connect(m, wiring.flipped(self.i), buffer.i)
        wiring.connect(m, buffer.o, wiring.flipped(self.o))
        return m
