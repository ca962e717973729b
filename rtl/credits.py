"""The sender's count of the room in a buffer at the other end of a lane."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from groundwork.validation import check_integer

__all__ = ["CreditCounter"]


class CreditCounter(wiring.Component):
    """Counts the flits that a buffer has room for.

    Parameters
    ----------
    depth : :class:`int`
        Flits that the buffer holds; it is empty after reset.

    Members
    -------
    sent : :py:`In(1)`
        A flit is sent in this cycle; only while there is ``room``.
    returned : :py:`In(1)`
        A flit has left the buffer.
    room : :py:`Out(1)`
        There is room for a flit. A register.
    """

    sent: Signal
    returned: Signal
    room: Signal

    def __init__(self, depth: int) -> None:
        self.depth = check_integer("buffer depth", depth, minimum=1, maximum=4096)
        super().__init__({"sent": In(1), "returned": In(1), "room": Out(1)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        credits, room = Signal(range(self.depth + 1), init=self.depth), Signal(init=1)
        m.d.comb += self.room.eq(room)
        with m.If(self.sent & ~self.returned):
            m.d.sync += [credits.eq(credits - 1), room.eq(credits != 1)]
        with m.Elif(self.returned & ~self.sent):
            m.d.sync += [credits.eq(credits + 1), room.eq(1)]
        return m
