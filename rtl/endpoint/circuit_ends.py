"""The two ends of a lane with circuits, for a design that is not a router: each end has a stream."""

from typing import Any

from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.flit import FlitStream
from fatcube.rtl.inputs.circuit_draws import Draws
from fatcube.rtl.inputs.circuit_input import CircuitInput
from fatcube.rtl.inputs.input_unit import InputUnit
from fatcube.rtl.lanes.circuit_end import CircuitEnd
from fatcube.rtl.lanes.lane import LaneSignature
from fatcube.rtl.switching import CIRCUIT_DEPTH

__all__ = ["CircuitReceiver", "CircuitSender"]


class CircuitSender(wiring.Component):
    """Sends packets over a lane as the first router of a path does: the payload follows once the header has been answered.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    retry : :class:`int`
        The cycles after which routers refuse a set-up; 0 for never.

    Members
    -------
    i : :py:`In(FlitStream(width))`
    lane : :py:`Out(LaneSignature(width, 1, answers))`
    """

    i: stream.Interface
    lane: Any

    def __init__(self, width: int, *, retry: int = 0) -> None:
        self.width = width
        self.retry = retry
        lane = LaneSignature(width, answers=2 if retry else 1)
        super().__init__({"i": In(FlitStream(width)), "lane": Out(lane)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        unit = InputUnit(self.width, CIRCUIT_DEPTH, outputs=[0], selector_bits=0)
        m.submodules.input = circuit = CircuitInput(unit, ends=[False], first=True, retry=self.retry)
        [enter], asks = circuit.i, circuit.allocator
        wiring.connect(m, wiring.flipped(self.i), enter)
        m.d.comb += [
            self.lane.payload.eq(circuit.flit),
            self.lane.valid.eq(asks.valid),
            asks.advance.eq(~asks.valid | self.lane.ready),
            circuit.answered.eq(self.lane.answer),
        ]
        if self.retry:
            m.submodules.draws = draws = Draws(1)
            m.d.comb += circuit.draw.eq(draws.draw(0))
        return m


class CircuitReceiver(wiring.Component):
    """Takes packets from a lane, and grants every set-up, as the last router of a path does.

    Parameters
    ----------
    width, retry
        See :class:`CircuitSender`.

    Members
    -------
    lane : :py:`In(LaneSignature(width, 1, answers))`
    o : :py:`Out(FlitStream(width))`
    """

    lane: Any
    o: stream.Interface

    def __init__(self, width: int, *, retry: int = 0) -> None:
        self.answers = 2 if retry else 1
        super().__init__({"lane": In(LaneSignature(width, answers=self.answers)), "o": Out(FlitStream(width))})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.end = end = CircuitEnd(self.answers)
        m.d.comb += [
            self.o.payload.eq(self.lane.payload),
            self.o.valid.eq(self.lane.valid),
            self.lane.ready.eq(self.o.ready),
            end.taken.eq(self.lane.valid & self.o.ready),
            end.last.eq(self.lane.payload.last),
            self.lane.answer.eq(end.answer),
        ]
        return m
