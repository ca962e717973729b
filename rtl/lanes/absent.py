"""An output that leads nowhere: every flit sent there is taken and counted, so that no packet blocks."""

from typing import Any

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.lanes.circuit_end import CircuitEnd
from fatcube.rtl.lanes.lane import LaneSignature

__all__ = ["AbsentOutput"]


class AbsentOutput(wiring.Component):
    """The unit behind a router's output that some nodes have and others do not.

    Members
    -------
    i : :py:`In(LaneSignature(width, channels, answers))`
        From the router.
    o : :py:`Out(LaneSignature(width, channels, answers))`
        To the receiver if there is one: no flit comes out otherwise.
    absent : :py:`In(1)`
        There is no receiver. Every flit is taken then, and every set-up of a circuit granted.
    lost : :py:`Out(1)`
        The last flit of a packet is taken for which there is no receiver.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    channels : :class:`int`
        Virtual channels; 1 for a port of a processor.
    answers : :class:`int`
        The kinds of answers of a lane with circuits; 0 of others, and for a port of a processor.
    permission : :class:`bool`
        See :func:`~fatcube.rtl.lanes.lane.LaneSignature`; packets may always begin where there is no receiver.
    """

    i: Any
    o: Any
    absent: Signal
    lost: Signal

    def __init__(self, width: int, channels: int = 1, answers: int = 0, permission: bool = False) -> None:
        self.channels = channels
        self.answers = answers
        self.permission = permission and channels > 1
        lane = LaneSignature(width, channels, answers, permission)
        super().__init__({"i": In(lane), "o": Out(lane), "absent": In(1), "lost": Out(1)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.d.comb += [
            self.o.payload.eq(self.i.payload),
            self.o.valid.eq(self.i.valid & ~self.absent),
            self.lost.eq(self.absent & self.i.valid & self.i.payload.last),
        ]
        if self.channels == 1:
            m.d.comb += self.i.ready.eq(self.o.ready | self.absent)
            if self.answers:
                m.submodules.end = end = CircuitEnd(self.answers)
                m.d.comb += [
                    end.taken.eq(self.absent & self.i.valid),
                    end.last.eq(self.i.payload.last),
                    self.i.answer.eq(Mux(self.absent, end.answer.as_value(), self.o.answer.as_value())),
                ]
            return m
        if self.permission:
            m.d.comb += [
                self.o.wants.eq(self.i.wants & ~self.absent),
                self.o.holds.eq(self.i.holds & ~self.absent),
                self.i.grant.eq(self.o.grant | self.absent),
            ]
        for channel in range(self.channels):
            taken = Signal(name=f"taken{channel}")
            m.d.sync += taken.eq(self.absent & self.i.valid & (self.i.payload.channel == channel))
            m.d.comb += self.i.credit[channel].eq(self.o.credit[channel] | taken)
        return m
