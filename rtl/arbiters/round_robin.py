"""The round-robin arbiter: packet by packet, in turn."""

from amaranth.hdl import Module, Value

from rtl.arbiters.arbiter import Arbiter
from rtl.one_hot import first_after

__all__ = ["PairwiseRoundRobinArbiter", "RoundRobinArbiter", "rotating_first"]


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
    """The requester after the one that was taken last comes first."""

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.d.comb += self.winner.eq(rotating_first(self.requests, self.latest.rotate_left(1)))
        return m


class PairwiseRoundRobinArbiter(RoundRobinArbiter):
    """A :class:`RoundRobinArbiter` of look-up tables for each pair of requesters, without a carry chain.

    It is the faster one where the requests settle late and few requesters there are, and grows with their square.
    """

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.d.comb += self.winner.eq(first_after(self.requests, self.latest))
        return m
