"""The guard in front of a processor's input where packets have limits: it ends packets that are too long or never end."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import wiring

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.rtl.inputs.entry import Entry
from fatcube.rtl.inputs.packet_guard import PacketGuard, StopTimer

__all__ = ["EntryGuard"]


class EntryGuard(Entry):
    """Ends and drops as a :class:`PacketGuard` with its :class:`StopTimer` does, without a buffer between the two.

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
    The members of :class:`Entry`. It reports errors.

    Raises
    ------
    ParameterError
        If there is no limit.
    """

    def __init__(self, width: int, *, longest: int = 0, timeout: int = 0) -> None:
        self.width = width
        self.longest = check_integer("longest packet", longest, minimum=0, maximum=1 << 16)
        self.timeout = check_integer("stop timeout", timeout, minimum=0, maximum=1 << 16)
        if not (longest or timeout):
            raise ParameterError("longest packet or stop timeout must be above 0, not both 0")
        super().__init__(width, reports=True)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.guard = guard = PacketGuard(self.width, longest=self.longest)
        source = self.i
        if self.timeout:
            m.submodules.timer = timer = StopTimer(self.width, self.timeout)
            wiring.connect(m, wiring.flipped(self.i), timer.i)
            m.d.comb += [timer.swallowing.eq(guard.swallowing), guard.stopped.eq(timer.stopped)]
            source = timer.o
        m.d.comb += [
            guard.flit.eq(source.payload),
            guard.valid.eq(source.valid),
            guard.advance.eq(self.o.ready | guard.swallowing),
            source.ready.eq(guard.advance),
            self.o.payload.eq(guard.ended),
            self.o.valid.eq(guard.offered),
        ]
        # If a packet is ended after its header has left, the legality latched with the header counts.
        within = Signal()
        was_legal = Signal()
        legal = Signal()
        m.d.comb += [legal.eq(Mux(within, was_legal, self.legal)), self.error.eq(guard.error & legal)]
        with m.If(self.o.valid & self.o.ready):
            m.d.sync += [within.eq(~self.o.payload.last), was_legal.eq(legal)]
        return m
