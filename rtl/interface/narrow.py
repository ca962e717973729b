"""The conversion of an AXI4-Stream from wide to narrow beats."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.rtl.interface.axi_stream import AxiStreamSignature

__all__ = ["Narrow"]


class Narrow(wiring.Component):
    """Sends each beat as up to ``ratio`` narrow beats, lowest bits first; of the last beat of a packet only those with bytes.

    A last beat without bytes becomes one narrow beat without bytes. The first narrow beat is offered in the cycle after the
    wide beat is taken, and the next wide beat is taken in the cycle in which the last narrow beat leaves: narrow beats are
    sent without a gap.

    ``i.tready`` depends on registers and ``o.tready``, and all of ``o`` depends on registers only.

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
        Beats of the width divided by ``ratio``.

    Raises
    ------
    ParameterError
        If the ratio is not at least 2, or does not divide the width into whole bytes.
    """

    i: wiring.PureInterface
    o: wiring.PureInterface

    def __init__(self, stream: AxiStreamSignature, ratio: int) -> None:
        self.stream = stream
        self.ratio = check_integer("ratio", ratio, minimum=2)
        if stream.width % (8 * ratio):
            raise ParameterError(f"ratio must divide a width of {stream.width} bits into whole bytes, not be {ratio}")
        super().__init__({"i": In(stream), "o": Out(stream.changed(width=stream.width // ratio))})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        i, o = self.i, self.o
        held = {name: Signal(bits, name=f"held_{name}") for name, bits in self.stream.payload.items()}
        final = Signal()  # There are no bytes after those that are offered.
        m.d.comb += [
            *(
                getattr(o, name).eq(held[name]) for name in self.stream.payload
            ),  # The lowest bits of the members that are wider.
            final.eq(~held["tkeep"][len(o.tkeep)]),
            o.tlast.eq(held["tlast"] & final),
            i.tready.eq(~o.tvalid | o.tready & final),
        ]
        with m.If(i.tvalid & i.tready):
            m.d.sync += [o.tvalid.eq(1), *(held[name].eq(getattr(i, name)) for name in held)]
        with m.Elif(o.tready):
            m.d.sync += o.tvalid.eq(~final)
            # Shift out the bits that have been sent; zeros are shifted in from above.
            m.d.sync += [held[name].eq(held[name][len(getattr(o, name)) :]) for name in ("tdata", "tkeep")]
        return m
