"""An arbiter that fatcube does not have: what somebody writes who adds one."""

from typing import Any

from amaranth.hdl import Module, Mux
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from groundwork.validation import check_integer


class FixedPriorityArbiter(wiring.Component):
    """Grants the requester with the lowest number, and holds the grant until its packet is through."""

    def __init__(self, requesters: int) -> None:
        self.requesters = check_integer("requesters", requesters, minimum=1)
        super().__init__(
            {
                "requests": In(requesters),
                "grant": Out(requesters),
                "holder": Out(requesters),
                "held": Out(1),
                "done": In(1),
            }
        )

    def elaborate(self, platform: Any) -> Module:
        m = Module()
        lowest = self.requests & (~self.requests + 1)[: self.requesters]
        m.d.comb += self.grant.eq(Mux(self.held, self.holder, lowest))
        with m.If(self.done):
            m.d.sync += [self.holder.eq(0), self.held.eq(0)]
        with m.Elif(~self.held):
            m.d.sync += [self.holder.eq(self.grant), self.held.eq(self.requests.any())]
        return m
