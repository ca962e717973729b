"""The count of the room behind a channel, for units that decide a cycle ahead which flits leave."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_integer

__all__ = ["ChannelRoom"]


class ChannelRoom(wiring.Component):
    """Counts the flits that a buffer has room for, and predicts in each cycle the room in the next.

    ``sent`` settles late in a cycle, so it only feeds a register. Therefore the outputs are the room in the next cycle if no
    flit is sent in this one; if one is sent, there is room for one flit less.

    Parameters
    ----------
    depth : :class:`int`
        Flits that the buffer holds; it is empty after reset.
    longest : :class:`int`
        The most flits of a packet.

    Members
    -------
    sent : :py:`In(1)`
        A flit is sent in this cycle; only if there was room for it.
    returned : :py:`In(1)`
        A flit has left the buffer.
    room : :py:`Out(1)`
        There is room for a flit in the next cycle.
    more : :py:`Out(1)`
        There is room for two.
    plenty : :py:`Out(1)`
        There was room for more than three quarters of the buffer two cycles ago. A register, and an estimate.
    whole : :py:`Out(1)`
        There is room for the longest packet.
    """

    sent: Signal
    returned: Signal
    room: Signal
    more: Signal
    plenty: Signal
    whole: Signal

    def __init__(self, depth: int, *, longest: int = 1) -> None:
        self.depth = check_integer("buffer depth", depth, minimum=2, maximum=4096)
        self.longest = check_integer("longest packet", longest, minimum=1)
        super().__init__(
            {
                "sent": In(1),
                "returned": In(1),
                "room": Out(1),
                "more": Out(1),
                "plenty": Out(1),
                "whole": Out(1),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        # The count is not yet reduced for a flit that was sent in the cycle before.
        credits = Signal(range(self.depth + 1), init=self.depth)
        after = Signal.like(credits)
        before = Signal()
        one = Signal(init=1)
        two = Signal(init=1)
        three = Signal(init=self.depth >= 3)
        whole = Signal(init=self.longest <= self.depth)
        plenty = Signal(init=1)
        m.d.comb += [
            after.eq(credits + self.returned - before),
            self.room.eq(Mux(before, Mux(self.returned, one, two), self.returned | one)),
            self.more.eq(Mux(before, Mux(self.returned, two, three), Mux(self.returned, one, two))),
            self.plenty.eq(plenty),
            self.whole.eq(whole & ~before),
        ]
        m.d.sync += [
            before.eq(self.sent),
            credits.eq(after),
            one.eq(after >= 1),
            two.eq(after >= 2),
            three.eq(after >= 3),
            plenty.eq(after > self.depth * 3 // 4),
            whole.eq(after >= self.longest),
        ]
        return m
