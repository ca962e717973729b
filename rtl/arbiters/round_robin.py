"""The round-robin arbiter, which holds its grant until a packet is through."""

from amaranth.hdl import Module, Signal, Value

from rtl.arbiters.arbiter import Arbiter

__all__ = ["rotating_first", "RoundRobinArbiter"]


def rotating_first(requests: Value, first: Value) -> Value:
    """The one request, one-hot, that comes first when counting upwards from ``first`` and around.

    ``first`` is one-hot, or zero for no grant at all. Subtracting it from the requests written twice borrows
    through every position up to the first request at or above it, and that is the position which the
    subtraction clears: one carry chain of twice the width does all of it.
    """
    count = len(requests)
    doubled = requests.replicate(2)
    cleared = doubled & ~(doubled - first)[: 2 * count]
    return cleared[:count] | cleared[count:]


class RoundRobinArbiter(Arbiter):
    """Grants one requester at a time, in turn, and holds the grant until its packet is through.

    A grant is held from the cycle in which it is first given, so what an output offers does not change until
    it is accepted. The requester after the one that had the output comes first next.
    """

    def elaborate(self, platform: object) -> Module:
        m = Module()
        # Either `holder` or `first` is zero at any time: while a packet has the output no requester is first, so
        # none wins, and no gate is needed between a request and the carry chain.
        first = Signal(self.requesters, init=1)
        m.d.comb += self.grant.eq(self.holder | rotating_first(self.requests, first))
        with m.If(self.done | ~self.held & self.requests.any()):
            m.d.sync += [
                first.eq(self.holder.rotate_left(1)),
                self.holder.eq(self.grant),
                self.held.eq(1),
            ]
        with m.If(self.done):
            m.d.sync += [
                self.holder.eq(0),
                self.held.eq(0),
            ]
        return m
