"""What stands before an input of a processor where packets have limits: it ends those that are too long or never end."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from groundwork.validation import ParameterError, check_integer
from rtl.flit import FlitStream

__all__ = ["EntryGuard"]


class EntryGuard(wiring.Component):
    """Ends a packet that has too many flits, or whose sender stalls inside it, and drops the remainder.

    In a packet that is too long, flit number ``longest`` becomes the tail flit. Behind the flits of a packet whose sender
    has stalled, a zero tail flit is inserted.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    longest : :class:`int`
        The most flits of a packet, its header among them; 0 for any number.
    timeout : :class:`int`
        The cycles inside a packet in which ``ready`` is 1 and ``valid`` is 0 after which the sender counts as stalled; 0 for
        any number.

    Members
    -------
    i : :py:`In(FlitStream(width))`
    o : :py:`Out(FlitStream(width))`
    legal : :py:`In(1)`
        The header that goes out in this cycle has a target: the packets of others are reported elsewhere.
    error : :py:`Out(1)`
        A packet is ended in this cycle whose header had a target.

    Raises
    ------
    ParameterError
        If there is no limit.
    """

    i: stream.Interface
    o: stream.Interface
    legal: Signal
    error: Signal

    def __init__(self, width: int, *, longest: int = 0, timeout: int = 0) -> None:
        self.longest = check_integer("longest packet", longest, minimum=0, maximum=1 << 16)
        self.timeout = check_integer("stop timeout", timeout, minimum=0, maximum=1 << 16)
        if not (longest or timeout):
            raise ParameterError("longest packet or stop timeout must be above 0, not both 0")
        super().__init__({"i": In(FlitStream(width)), "o": Out(FlitStream(width)), "legal": In(1), "error": Out(1)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        within, was_legal, legal = Signal(), Signal(), Signal()
        full, stalled, passes = Signal(), Signal(), Signal()
        m.d.comb += [legal.eq(Mux(within, was_legal, self.legal)), passes.eq(self.o.valid & self.o.ready)]
        with m.If(passes):
            m.d.sync += [within.eq(~self.o.payload.last), was_legal.eq(legal)]
        if self.longest:
            flits = Signal(range(self.longest))
            m.d.comb += full.eq(flits == self.longest - 1)
            with m.If(passes):
                m.d.sync += flits.eq(Mux(self.o.payload.last, 0, flits + 1))
        with m.FSM():
            with m.State("PASS"):
                m.d.comb += [
                    self.o.payload.data.eq(self.i.payload.data),
                    self.o.payload.last.eq(self.i.payload.last | full),
                    self.o.valid.eq(self.i.valid),
                    self.i.ready.eq(self.o.ready),
                ]
                with m.If(passes & full & ~self.i.payload.last):
                    m.d.comb += self.error.eq(legal)
                    m.next = "DROP"
                if self.timeout:
                    idle = Signal(range(self.timeout + 1))
                    with m.If(self.i.valid | ~within):
                        m.d.sync += idle.eq(0)
                    with m.Elif(self.o.ready):
                        m.d.sync += idle.eq(idle + 1)
                        m.d.comb += stalled.eq(idle == self.timeout - 1)
                    with m.If(stalled):
                        m.d.sync += idle.eq(0)
                        m.next = "END"
            with m.State("END"):
                m.d.comb += [self.o.payload.last.eq(1), self.o.valid.eq(1)]
                with m.If(passes):
                    m.d.comb += self.error.eq(legal)
                    m.next = "DROP"
            with m.State("DROP"):
                m.d.comb += self.i.ready.eq(1)
                with m.If(self.i.valid & self.i.payload.last):
                    m.next = "PASS"
        return m
