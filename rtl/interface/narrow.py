"""An AXI4-Stream of wide beats to one of narrow beats."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.rtl.interface.axi_stream import AxiStreamSignature

__all__ = ["Narrow"]


class Narrow(wiring.Component):
    """Sends each beat as up to ``ratio`` ones, its lowest bits first, and of the last beat of a packet only those with bytes.

    A last beat without bytes becomes one without bytes. The first one is offered in the cycle after the beat is taken, and the
    next beat is taken in the cycle in which the last one goes: beats come out without a gap.

    ``i.tready`` follows from registers and ``o.tready``, and all of ``o`` from registers.

    Parameters
    ----------
    stream : :class:`AxiStreamSignature`
        What comes in, with ``tkeep``. It keeps the rule of :class:`~fatcube.rtl.interface.keep_check.KeepCheck`, and then what goes
        out does.
    ratio : :class:`int`
        How many beats become of one.

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
        final = Signal()  # Behind the bytes that are offered there are no others.
        m.d.comb += [
            *(
                getattr(o, name).eq(held[name]) for name in self.stream.payload
            ),  # The lowest bits of those that are wider.
            final.eq(~held["tkeep"][len(o.tkeep)]),
            o.tlast.eq(held["tlast"] & final),
            i.tready.eq(~o.tvalid | o.tready & final),
        ]
        with m.If(i.tvalid & i.tready):
            m.d.sync += [o.tvalid.eq(1), *(held[name].eq(getattr(i, name)) for name in held)]
        with m.Elif(o.tready):
            m.d.sync += o.tvalid.eq(~final)
            # Without them, a beat that has been sent would stay; zeros come in from above.
            m.d.sync += [held[name].eq(held[name][len(getattr(o, name)) :]) for name in ("tdata", "tkeep")]
        return m
