"""An arbiter that fatcube does not have: what somebody writes who adds one."""

from amaranth.hdl import Module, Mux

from fatcube.rtl.arbiters.arbiter import Arbiter


class FixedPriorityArbiter(Arbiter):
    """The requester with the lowest number is next, but the one that was taken last only if there is no other."""

    def elaborate(self, platform: object) -> Module:
        m = Module()
        others = self.requests & ~self.latest
        candidates = Mux(others.any(), others, self.requests)
        m.d.comb += self.winner.eq(candidates & (~candidates + 1)[: self.requesters])
        return m
