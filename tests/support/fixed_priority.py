"""An arbiter that fatcube does not have: what somebody writes who adds one."""

from typing import Any

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from groundwork.validation import check_integer


class FixedPriorityArbiter(wiring.Component):
    """The requester with the lowest number is next, but the one that was taken last only if there is no other."""

    def __init__(self, requesters: int) -> None:
        self.requesters = check_integer("requesters", requesters, minimum=1)
        super().__init__({"requests": In(requesters), "winner": Out(requesters), "take": In(1), "sent": In(requesters)})

    def elaborate(self, platform: Any) -> Module:
        m = Module()
        latest = Signal(self.requesters)
        others = self.requests & ~latest
        candidates = Mux(others.any(), others, self.requests)
        m.d.comb += self.winner.eq(candidates & (~candidates + 1)[: self.requesters])
        with m.If(self.take & self.requests.any()):
            m.d.sync += latest.eq(self.winner)
        return m
