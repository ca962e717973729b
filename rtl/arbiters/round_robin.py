"""The round-robin arbiter: packet by packet, in turn."""

from amaranth.hdl import Cat, Module, Signal, Value

from fatcube.rtl.arbiters.arbiter import Arbiter

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
    """A :class:`RoundRobinArbiter` with a register for each pair of requesters, which holds which of the two comes first.

    So the choice is one level of AND and OR, without a carry chain: this arbiter is faster where requests settle late and
    there are few requesters. Its size grows with the square of their number. It does not use ``latest``.
    """

    def elaborate(self, platform: object) -> Module:
        m = Module()
        numbers = range(self.requesters)
        before = {(i, j): Signal(init=1, name=f"before{i}_{j}") for i in numbers for j in numbers[i + 1 :]}
        for number in numbers:
            beaten = Cat(
                self.requests[other] & (before[other, number] if other < number else ~before[number, other])
                for other in numbers
                if other != number
            ).any()
            m.d.comb += self.winner[number].eq(self.requests[number] & ~beaten)
        with m.If(self.take & self.requests.any()):
            for (i, j), first in before.items():
                m.d.sync += first.eq(~self.winner[i:j].any())
        return m
