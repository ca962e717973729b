"""The units around an input's buffer where packets have limits: they end packets that are too long or never end."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.flit import FlitLayout, FlitStream

__all__ = ["PacketGuard", "StopTimer"]


class PacketGuard(wiring.Component):
    """Ends a packet that has too many flits, or whose sender stalls inside it, and drops the remainder.

    In a packet that is too long, flit number ``longest`` becomes the tail flit. Behind the flits of a packet whose sender
    has stalled, a zero tail flit is inserted.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    longest : :class:`int`
        The most flits of a packet, its header among them; 0 for any number.

    Members
    -------
    flit : :py:`In(FlitLayout(width))`
        The flit in front of the buffer.
    valid : :py:`In(1)`
        True if a flit is in front of the buffer.
    held_back : :py:`In(1)`
        The flit in front must wait.
    ended : :py:`Out(FlitLayout(width))`
        The flit that is offered: the one in front, or the tail flit of a packet that is ended.
    offered : :py:`Out(1)`
        True if ``ended`` may leave.
    advance : :py:`In(1)`
        The offered flit leaves in this cycle, or no flit is offered.
    stopped : :py:`In(1)`
        The sender of the last packet in the buffer has stalled, and no more flits are taken.
    swallowing : :py:`Out(1)`
        The remainder of a packet that was ended is being dropped.
    error : :py:`Out(1)`
        A packet is ended in this cycle.
    """

    flit: data.View
    valid: Signal
    held_back: Signal
    ended: data.View
    offered: Signal
    advance: Signal
    stopped: Signal
    swallowing: Signal
    error: Signal

    def __init__(self, width: int, *, longest: int = 0) -> None:
        self.longest = check_integer("longest packet", longest, minimum=0, maximum=1 << 16)
        super().__init__(
            {
                "flit": In(FlitLayout(width)),
                "valid": In(1),
                "held_back": In(1),
                "ended": Out(FlitLayout(width)),
                "offered": Out(1),
                "advance": In(1),
                "stopped": In(1),
                "swallowing": Out(1),
                "error": Out(1),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        full = Signal()
        missing = Signal()
        leaves = Signal()
        real_last = Signal()
        ends = Signal()
        m.d.comb += [
            # The flits that have arrived of a packet whose sender has stopped still leave.
            missing.eq(self.stopped & ~self.valid),
            self.ended.data.eq(Mux(missing, 0, self.flit.data)),
            self.ended.last.eq(self.flit.last | full | missing),
            self.offered.eq(~self.swallowing & ~self.held_back & (self.valid | missing)),
            leaves.eq(self.offered & self.advance),
            real_last.eq(self.valid & self.flit.last),
            ends.eq(leaves & self.ended.last & ~real_last),
        ]
        m.d.comb += self.error.eq(ends)
        with m.If(ends):
            m.d.sync += self.swallowing.eq(1)
        with m.Elif(real_last & self.advance):
            m.d.sync += self.swallowing.eq(0)

        if self.longest:
            flits = Signal(range(self.longest))
            m.d.comb += full.eq(flits == self.longest - 1)
            with m.If(leaves):
                m.d.sync += flits.eq(Mux(self.ended.last, 0, flits + 1))
        return m


class StopTimer(wiring.Component):
    """Detects in front of a buffer that the sender has stalled inside a packet, and takes no more flits then.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    timeout : :class:`int`
        The cycles inside a packet in which ``ready`` is 1 and ``valid`` is 0 after which the sender counts as stalled.

    Members
    -------
    i : :py:`In(FlitStream(width))`
    o : :py:`Out(FlitStream(width))`
        To the buffer.
    swallowing : :py:`In(1)`
        The packet was ended, so its sender may stall.
    stopped : :py:`Out(1)`
        The sender has stalled, and its packet has not been ended yet. A register.
    """

    i: stream.Interface
    o: stream.Interface
    swallowing: Signal
    stopped: Signal

    def __init__(self, width: int, timeout: int) -> None:
        self.timeout = check_integer("stop timeout", timeout, minimum=1, maximum=1 << 16)
        super().__init__(
            {"i": In(FlitStream(width)), "o": Out(FlitStream(width)), "swallowing": In(1), "stopped": Out(1)}
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        within = Signal()
        idle = Signal(range(self.timeout + 1))
        passed = self.o.valid & self.o.ready
        m.d.comb += [
            self.o.payload.eq(self.i.payload),
            self.o.valid.eq(self.i.valid & ~self.stopped),
            self.i.ready.eq(self.o.ready & ~self.stopped),
        ]
        with m.If(passed):
            m.d.sync += within.eq(~self.i.payload.last)
        with m.If(self.swallowing):
            m.d.sync += [self.stopped.eq(0), idle.eq(0)]
        with m.Elif(passed | ~within):
            m.d.sync += idle.eq(0)
        with m.Elif(self.o.ready & ~self.stopped):
            m.d.sync += [idle.eq(idle + 1), self.stopped.eq(idle == self.timeout - 1)]
        return m
