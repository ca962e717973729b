"""The rule for TKEEP in a packet, and the handling of a packet that breaks it."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.interface.axi_stream import AxiStreamSignature

__all__ = ["KeepCheck"]


class KeepCheck(wiring.Component):
    """Passes packets whose bytes have no gap, and ends any other packet with an error where its gap begins.

    The rule: all bits of ``tkeep`` are 1 in every beat but the last, and in the last beat any number of the lowest bits are
    1; none are, if the packet has ended with the beat before. The packet is ended at the first beat that breaks the rule:
    with the bytes of this beat below its first 0, with only the error bit of ``tuser`` set, and with ``torn``. The rest of
    the packet is dropped.

    The output always obeys the rule. Only the state that drops beats is a register, so the check adds no latency.

    Parameters
    ----------
    stream : :class:`AxiStreamSignature`
        The signature of the input, with ``tkeep``, and with ``tuser`` whose bit 0 is the error bit.

    Members
    -------
    i : :py:`In(stream)`
    o : :py:`Out(stream)`
        Has one more bit of ``tuser``, the highest: ``torn``, which says that the packet broke the rule in this beat.
    """

    i: wiring.PureInterface
    o: wiring.PureInterface

    def __init__(self, stream: AxiStreamSignature) -> None:
        self.stream = stream
        super().__init__({"i": In(stream), "o": Out(stream.changed(user_bits=stream.user_bits + 1))})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        i, o = self.i, self.o
        # A carry into the lowest bit propagates to the first 0, so exactly the bits up to and including this 0 change.
        kept = Signal(len(i.tkeep))
        more = Signal(len(i.tkeep) + 1)
        torn = Signal()
        m.d.comb += [
            more.eq(i.tkeep + 1),
            kept.eq((more ^ i.tkeep)[1:]),
            torn.eq((kept != i.tkeep) | ~i.tlast & ~i.tkeep.all()),
            *(getattr(o, name).eq(getattr(i, name)) for name in ("tdata", *_places(self.stream))),
            o.tkeep.eq(kept),
            o.tlast.eq(i.tlast | torn),
            o.tuser.eq(Mux(torn, Cat(Const(1, self.stream.user_bits), 1), i.tuser)),
        ]
        with m.FSM():
            with m.State("pass"):
                m.d.comb += [o.tvalid.eq(i.tvalid), i.tready.eq(o.tready)]
                with m.If(i.tvalid & o.tready & torn & ~i.tlast):
                    m.next = "drop"
            with m.State("drop"):
                m.d.comb += i.tready.eq(1)
                with m.If(i.tvalid & i.tlast):
                    m.next = "pass"
        return m


def _places(stream: AxiStreamSignature) -> list[str]:
    return [name for name in ("tdest", "tid") if name in stream.payload]
