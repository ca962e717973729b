"""The least-recent arbiter: the requester that was taken longest ago comes first."""

from amaranth.hdl import Cat, Module, Signal, Value, ValueLike

from fatcube.rtl.arbiters.arbiter import Arbiter

__all__ = ["LeastRecentArbiter", "longest_ago"]


def longest_ago(m: Module, candidates: Value, taken: Value, *, take: ValueLike = 1) -> Value:
    """The one of the candidates, one-hot, that was taken longest ago; after reset, the first of them.

    A register for each pair of candidates holds which of the two was taken longer ago, so the choice is one level of AND
    and OR, and the number of registers grows with the square of the number of candidates.

    Parameters
    ----------
    candidates : :class:`Value`
        A signal, as each of its bits is used for each other one.
    taken : :class:`Value`
        The one that is taken at the end of this cycle, one-hot; zero for none.
    take : :class:`ValueLike`
        Enables the update by ``taken``. It is an enable, as it may settle late in the cycle.
    """
    numbers = range(len(candidates))
    longer_ago = {(i, j): Signal(init=1, name=f"longer_ago{i}_{j}") for i in numbers for j in numbers[i + 1 :]}
    with m.If(take):
        for (i, j), is_longer in longer_ago.items():
            m.d.sync += is_longer.eq(~taken[i] & (taken[j] | is_longer))
    beaten = [
        Cat(
            candidates[other] & (longer_ago[other, number] if other < number else ~longer_ago[number, other])
            for other in numbers
            if other != number
        ).any()
        for number in numbers
    ]
    return Cat(candidate & ~by_another for candidate, by_another in zip(candidates, beaten))


class LeastRecentArbiter(Arbiter):
    """The requester that was taken longest ago comes first.

    It is as fair as round robin, and faster, as no carry has to pass all requesters.
    """

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.d.comb += self.winner.eq(longest_ago(m, self.requests, self.winner, take=self.take))
        return m
