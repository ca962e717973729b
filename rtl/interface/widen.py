"""The conversion of an AXI4-Stream from narrow to wide beats."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.interface.axi_stream import AxiStreamSignature

__all__ = ["Widen"]


class Widen(wiring.Component):
    """Collects ``ratio`` narrow beats into a wide one; the last wide beat of a packet may have fewer.

    The first narrow beat is in the lowest bits. A wide beat is offered in the cycle after its last narrow beat is taken, and
    its register is the only one: while it waits, no beat is taken. The next wide beat begins in the cycle in which it leaves,
    so that B narrow beats of a packet take B cycles. Bytes without a narrow beat are 0, and so are their bits of ``tkeep``.

    ``i.tready`` depends on a register and ``o.tready``, and all of ``o`` are registers.

    Parameters
    ----------
    stream : :class:`AxiStreamSignature`
        The signature of the input, with ``tkeep``. If the input obeys the rule of
        :class:`~fatcube.rtl.interface.keep_check.KeepCheck`, as it has to, then the output does too.
    ratio : :class:`int`
        Narrow beats per wide beat.

    Members
    -------
    i : :py:`In(stream)`
    o : :py:`Out(stream)`
        Has ``ratio`` times the width. ``tdest`` and ``tid`` are of the first narrow beat, the other members of the last.

    Raises
    ------
    ParameterError
        If the ratio is not at least 2.
    """

    i: wiring.PureInterface
    o: wiring.PureInterface

    def __init__(self, stream: AxiStreamSignature, ratio: int) -> None:
        self.stream = stream
        self.ratio = check_integer("ratio", ratio, minimum=2)
        super().__init__({"i": In(stream), "o": Out(stream.changed(width=stream.width * ratio))})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        i, o = self.i, self.o
        place = Signal(range(self.ratio))  # The place of the next narrow beat.
        ends = Signal()
        names = self.stream.payload
        m.d.comb += [
            i.tready.eq(~o.tvalid | o.tready),
            ends.eq(i.tlast | (place == self.ratio - 1)),
        ]
        with m.If(i.tvalid & i.tready):
            m.d.sync += [
                o.tvalid.eq(ends),
                place.eq(Mux(ends, 0, place + 1)),
                *(getattr(o, name).eq(getattr(i, name)) for name in names if name not in _COLLECTED + _OF_FIRST),
            ]
            with m.If(place == 0):
                m.d.sync += [getattr(o, name).eq(0) for name in _COLLECTED]
                m.d.sync += [getattr(o, name).eq(getattr(i, name)) for name in _OF_FIRST if name in names]
            for name in _COLLECTED:
                m.d.sync += getattr(o, name).word_select(place, len(getattr(i, name))).eq(getattr(i, name))
        with m.Elif(o.tready):
            m.d.sync += o.tvalid.eq(0)
        return m


_COLLECTED = ("tdata", "tkeep")
_OF_FIRST = ("tdest", "tid")
