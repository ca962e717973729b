"""The deficit arbiter: flit by flit, whatever the lengths of packets."""

import functools
import operator

from amaranth.hdl import Cat, Module, Mux, Signal, Value

from fatcube.rtl.arbiters.arbiter import Arbiter
from fatcube.rtl.arbiters.least_recent import longest_ago

__all__ = ["DEBT_BITS", "QUANTUM", "DeficitArbiter"]


DEBT_BITS = 8
"""Bits of a debt, which goes no higher."""

QUANTUM = 64
"""Flits, a power of two: of debts only how many quanta they have is compared."""


class DeficitArbiter(Arbiter):
    """Shares an output by flits: who has sent more than others waits until they have caught up.

    A requester owes the flits that it has sent. In every cycle in which all who want the output owe some, all debts fall
    by one, as they do instead of one going higher than it can, so what is left are differences. Who owes fewer quanta goes
    first; among equals who was taken longest ago. Nobody waits where nobody else requests the output.

    So requesters send as many flits as each other in the long run, whatever the lengths of packets, up to
    ``2**DEBT_BITS - QUANTUM`` flits. But no output waits for anybody: the header behind a packet is in front a cycle
    after its end, and somebody else has been taken by then, so nobody has more than every second packet while others
    wait.

    The idea is that of deficit round robin (M. Shreedhar and G. Varghese, "Efficient fair queuing using deficit
    round-robin", IEEE/ACM Transactions on Networking 4 (1996), section III), turned round, as the length of a packet is
    not known before it has been sent.
    """

    def elaborate(self, platform: object) -> Module:
        m = Module()
        numbers = range(self.requesters)
        debts = [Signal(DEBT_BITS, name=f"debt{number}") for number in numbers]
        others = self.requests & ~self.latest
        candidates, preferred = Signal(self.requesters), Signal(self.requesters)
        m.d.comb += candidates.eq(Mux(others.any(), others, self.requests))
        stand_back: list[Value] = []
        for limit in range(QUANTUM, 1 << DEBT_BITS, QUANTUM):
            reached = Cat(debt >= limit for debt in debts)
            stand_back.append(reached & (candidates & ~reached).any().replicate(self.requesters))
        m.d.comb += [
            preferred.eq(candidates & ~functools.reduce(operator.or_, stand_back)),
            self.winner.eq(longest_ago(m, preferred, self.winner, take=self.take)),
        ]
        none_free = ((self.requests | self.sent) & Cat(debt == 0 for debt in debts)) == 0
        fall = none_free | (self.sent & Cat(debt.all() for debt in debts)).any()
        for debt, sent in zip(debts, self.sent):
            up, down = sent & ~fall, fall & ~sent & debt.any()
            m.d.sync += debt.eq(debt + Cat(up | down, down.replicate(DEBT_BITS - 1)))
        return m
