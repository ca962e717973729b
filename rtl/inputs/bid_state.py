"""The flit for which an input of a router with virtual channels bids."""

from amaranth.hdl import Signal

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
        self.leaves = Signal()
        self.front = Signal(range(depth))
        self.next_front = Signal(range(depth))
        self.behind = Signal(range(depth), init=1)
        self.next_behind = Signal(range(depth))
        self.third = Signal(range(depth))
        self.follows = Signal()
        self.continues = Signal()
        self.goes_on = Signal()
