"""The deficit arbiter: flit by flit, whatever the lengths of packets."""

import functools
import operator

from amaranth.hdl import Cat, Module, Mux, Signal, Value

from fatcube.rtl.arbiters.arbiter import Arbiter
from fatcube.rtl.arbiters.least_recent import longest_ago

__all__ = ["DEBT_BITS", "QUANTUM", "DeficitArbiter"]


DEBT_BITS = 8
"""Bits of a debt, which saturates at their maximum."""

QUANTUM = 64
"""Flits of a quantum, a power of two: debts are compared in whole quanta."""


class DeficitArbiter(Arbiter):
    """Shares an output by flits: a requester that has sent more than others waits until they have caught up.

    The debt of a requester counts the flits that it has sent. All debts fall by one in every cycle in which every requester
    of the output has a debt, and also when a debt would exceed its maximum; only differences between debts matter. The
    requester that owes fewer quanta has priority; among equals, the one that was taken longest ago. A lone requester never
    waits.

    So in the long run all requesters send the same number of flits, whatever the lengths of packets, up to
    ``2**DEBT_BITS - QUANTUM`` flits. But an output never idles to wait for a requester: the header behind a packet is in
    front a cycle after the packet's end, and another requester has been taken by then, so no requester gets more than every
    second packet while others wait.

    The idea is that of deficit round robin (M. Shreedhar and G. Varghese, "Efficient fair queuing using deficit
    round-robin", IEEE/ACM Transactions on Networking 4 (1996), section III), with debts in place of credits, as the length
    of a packet is not known before it has been sent.
    """

    def elaborate(self, platform: object) -> Module:
        m = Module()
        numbers = range(self.requesters)
        debts = [Signal(DEBT_BITS, name=f"debt{number}") for number in numbers]
        others = self.requests & ~self.latest
        candidates = Signal(self.requesters)
        preferred = Signal(self.requesters)
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
