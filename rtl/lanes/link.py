"""A register on a link: it adds one cycle per hop and cuts a timing path in two."""

from typing import Any

from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.buffer import RegisterBuffer
from fatcube.rtl.lanes.lane import LaneSignature

__all__ = ["LinkRegister"]


class LinkRegister(wiring.Component):
    """Passes a lane on one cycle later, at full rate; every signal of both sides comes from a register.

    Credits, answers, permission to begin and the signals that request it are delayed by one cycle too, so with credits,
    full rate takes two more flits of buffer depth behind the register.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    channels : :class:`int`
        Virtual channels.
    answers : :class:`int`
        The kinds of answers of a lane with circuits; 0 of others.
    permission : :class:`bool`
        See :func:`~fatcube.rtl.lanes.lane.LaneSignature`.

    Members
    -------
    i : :py:`In(LaneSignature(width, channels, answers))`
    o : :py:`Out(LaneSignature(width, channels, answers))`
    """

    i: Any
    o: Any

    def __init__(self, width: int, channels: int = 1, answers: int = 0, permission: bool = False) -> None:
        self.width = width
        self.channels = channels
        self.answers = answers
        self.permission = permission
        lane = LaneSignature(width, channels, answers, permission)
        super().__init__({"i": In(lane), "o": Out(lane)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        if self.channels > 1:
            m.d.sync += [
                self.o.payload.eq(self.i.payload),
                self.o.valid.eq(self.i.valid),
                self.i.credit.eq(self.o.credit),
            ]
            if self.permission:
                m.d.sync += [
                    self.o.wants.eq(self.i.wants),
                    self.o.holds.eq(self.i.holds),
                    self.i.grant.eq(self.o.grant),
                ]
            return m
        m.submodules.buffer = buffer = RegisterBuffer(self.width, 2)
        if self.answers:
            m.d.sync += self.i.answer.eq(self.o.answer)
            m.d.comb += [
                buffer.i.payload.eq(self.i.payload),
                buffer.i.valid.eq(self.i.valid),
                self.i.ready.eq(buffer.i.ready),
                self.o.payload.eq(buffer.o.payload),
                self.o.valid.eq(buffer.o.valid),
                buffer.o.ready.eq(self.o.ready),
            ]
            return m
        wiring.connect(m, wiring.flipped(self.i), buffer.i)
        wiring.connect(m, buffer.o, wiring.flipped(self.o))
        return m
