"""The count of the room in a buffer, as its sender keeps it."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_integer

__all__ = ["CreditCounter"]


class CreditCounter(wiring.Component):
    """Counts the flits that a buffer has room for.

    Parameters
    ----------
    depth : :class:`int`
        Flits that the buffer holds; it is empty after reset.
    longest : :class:`int`
        The most flits of a packet, at most ``depth`` if ``whole`` is used.

    Members
    -------
    sent : :py:`In(1)`
        A flit is sent in this cycle; only while there is ``room``.
    returned : :py:`In(1)`
        A flit has left the buffer.
    room : :py:`Out(1)`
        True if the buffer has room for a flit. A register.
    whole : :py:`Out(1)`
        True if the buffer has room for the longest packet. A register.
    """

    sent: Signal
    returned: Signal
    room: Signal
    whole: Signal

    def __init__(self, depth: int, *, longest: int = 1) -> None:
        self.depth = check_integer("buffer depth", depth, minimum=1, maximum=4096)
        self.longest = check_integer("longest packet", longest, minimum=1)
        super().__init__({"sent": In(1), "returned": In(1), "room": Out(1), "whole": Out(1)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        level = Signal(range(self.depth + 1), init=self.depth)
        after = Signal(range(self.depth + 1))
        room = Signal(init=1)
        whole = Signal(init=self.longest <= self.depth)
        m.d.comb += [
            after.eq(level + self.returned - self.sent),
            self.room.eq(room),
            self.whole.eq(whole),
        ]
        m.d.sync += [level.eq(after), room.eq(after != 0), whole.eq(after >= self.longest)]
        return m
