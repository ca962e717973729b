"""An AXI4-Stream of narrow beats to one of wide beats."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.interface.axi_stream import AxiStreamSignature

__all__ = ["Widen"]


class Widen(wiring.Component):
    """Collects ``ratio`` beats and sends them as one; the last beat of a packet has those that there are.

    The first beat comes to the lowest bits. A beat is offered in the cycle after the last one of it is taken, and that is the
    only register: while it waits, nothing is taken. In the cycle in which it goes, the next one begins, so that B beats of a
    packet take B cycles. Bytes that no beat has come to are 0, with their bits of ``tkeep``.

    ``i.tready`` follows from a register and ``o.tready``, and all of ``o`` is registers.

    Parameters
    ----------
    stream : :class:`AxiStreamSignature`
        What comes in, with ``tkeep``. It keeps the rule of :class:`~fatcube.rtl.interface.keep_check.KeepCheck`, and then what goes
        out does.
    ratio : :class:`int`
        How many beats one becomes of.

    Members
    -------
    i : :py:`In(stream)`
    o : :py:`Out(stream)`
        Beats of ``ratio`` times the width, whose ``tdest`` and ``tid`` are of the first that one is made of, and the rest of the last.

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
        place = Signal(range(self.ratio))  # Where the next beat comes to.
        ends, names = Signal(), self.stream.payload.keys()
        m.d.comb += [
            i.tready.eq(~o.tvalid | o.tready),
            ends.eq(i.tlast | (place == self.ratio - 1)),
        ]
        with m.If(i.tvalid & i.tready):
            m.d.sync += [
                o.tvalid.eq(ends),
                place.eq(Mux(ends, 0, place + 1)),
                *(getattr(o, name).eq(getattr(i, name)) for name in names - {*_COLLECTED, *_OF_FIRST}),
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
