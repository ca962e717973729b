"""The flit for which an input of a router with virtual channels bids."""

from typing import Any

from amaranth.hdl import Module, Signal, Value

from fatcube.rtl.arbiters.least_recent import longest_ago
from fatcube.rtl.one_hot import first_after

__all__ = ["BidState"]


class BidState:
    """The state of the flit for which an input bids, beyond its dialogue with the allocator.

    Parameters
    ----------
    channels : :class:`int`
        The channels of the input.
    depth : :class:`int`
        Flits of each channel.

    Members
    -------
    turn : :class:`Signal`
        The channel that bids, or did before, one-hot. A register.
    bidding, dropping : :class:`Signal`
        The channel bids; its flit is dropped, as its packet has no target. Registers.
    fresh : :class:`Signal`
        An urgent channel has begun to bid. A register, for one cycle.
    keeps : :class:`Signal`
        The header of an urgent channel bids, if any flit does.
    front, behind : :class:`Signal`
        The place of the flit for which the input bids, and of the flit behind it. Registers.
    third : :class:`Signal`
        The place of the next flit after ``behind``.
    leaves : :class:`Signal`
        The flit leaves in this cycle.
    follows, continues, goes_on : :class:`Signal`
        There is a flit behind it; there will be one in the next cycle; the input can bid for this one then.
    next_turn, next_front, next_behind : :class:`Signal`
        ``turn``, ``front`` and ``behind`` of the next cycle.
    """

    def __init__(self, channels: int, depth: int) -> None:
        self.turn = Signal(channels, init=1)
        self.next_turn = Signal(channels)
        self.bidding = Signal()
        self.dropping = Signal()
        self.fresh = Signal()
        self.keeps = Signal()
        self.leaves = Signal()
        self.front = Signal(range(depth))
        self.next_front = Signal(range(depth))
        self.behind = Signal(range(depth), init=1)
        self.next_behind = Signal(range(depth))
        self.third = Signal(range(depth))
        self.follows = Signal()
        self.continues = Signal()
        self.goes_on = Signal()

    def open(self, m: Module, allocator: Any, urgent: Value) -> tuple[Signal, Signal]:
        """Of each target: it is ready for any header; and for that of an urgent channel.

        While the header of an urgent channel bids, its target is ready for no other one. So it bids until it has left, or until
        its input can send a flit for another target.
        """
        anybody, own = Signal(len(allocator.ready)), Signal(len(allocator.ready))
        kept = Signal(len(allocator.ready))
        ready = allocator.ready & ~kept & (~self.fresh).replicate(len(kept))
        m.d.comb += self.keeps.eq(allocator.head & (self.turn & urgent).any())
        m.d.sync += [self.fresh.eq(0), kept.eq(allocator.bid & self.keeps.replicate(len(kept)))]
        m.d.comb += [anybody.eq(ready & ~allocator.reserved), own.eq(ready & allocator.named)]
        return anybody, own

    def other(self, m: Module, able: Signal, begins: Value) -> Value:
        """The channel to bid for, of those that can send, one-hot or zero; of several, the one that began a packet longest ago.

        So none of them is passed over while others begin packet after packet. Of two, it is the one that did not bid last.

        Parameters
        ----------
        m : :class:`Module`
        able : :class:`Signal`
            The channels that can send, except the one that bids.
        begins : :class:`Value`
            A header leaves in this cycle.
        """
        return first_after(able, self.turn) if len(able) <= 2 else longest_ago(m, able, self.turn, take=begins)
