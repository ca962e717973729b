"""The answer to a circuit where its route ends outside of routers."""

from amaranth.hdl import Const, Module, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.lanes.lane import AnswerLayout

__all__ = ["CircuitEnd"]


class CircuitEnd(wiring.Component):
    """Answers where a route ends outside of routers.

    Parameters
    ----------
    answers : :class:`int`
        The kinds of answers of the lane.

    Members
    -------
    taken : :py:`In(1)`
        A flit is taken from the lane.
    last : :py:`In(1)`
        It is the last of its packet.
    answer : :py:`Out(AnswerLayout(answers))`
        To the lane.
    """

    taken: Signal
    last: Signal
    answer: data.View

    def __init__(self, answers: int) -> None:
        self.retries = answers == 2
        super().__init__({"taken": In(1), "last": In(1), "answer": Out(AnswerLayout(answers))})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        expect_header = Signal(init=1)
        m.d.sync += self.answer.granted.eq(self.taken & expect_header & (Const(self.retries) | ~self.last))
        with m.If(self.taken):
            m.d.sync += expect_header.eq(self.last)
        return m
