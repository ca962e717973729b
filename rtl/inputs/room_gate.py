"""The gate in front of the buffer of an input for virtual cut-through."""

from amaranth.hdl import Module, Signal

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.inputs.entry import Entry
from fatcube.rtl.outputs.credits import CreditCounter

__all__ = ["RoomGate"]


class RoomGate(Entry):
    """Lets a header pass when the buffer behind has room for the longest packet, whole.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    depth : :class:`int`
        Flits that the buffer holds.
    longest : :class:`int`
        The most flits of a packet, from 1 to ``depth``.

    Members
    -------
    The members of :class:`Entry`. It counts flits.
    """

    def __init__(self, width: int, *, depth: int, longest: int) -> None:
        self.depth = depth
        self.longest = check_integer("longest packet", longest, minimum=1, maximum=depth)
        super().__init__(width, counts=True)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.credits = credits = CreditCounter(self.depth, longest=self.longest)
        within = Signal()
        passes = Signal()
        m.d.comb += [
            passes.eq(within | credits.whole),
            self.o.payload.eq(self.i.payload),
            self.o.valid.eq(self.i.valid & passes),
            self.i.ready.eq(self.o.ready & passes),
            credits.sent.eq(self.o.valid & self.o.ready),
            credits.returned.eq(self.left),
        ]
        with m.If(credits.sent):
            m.d.sync += within.eq(~self.i.payload.last)
        return m
