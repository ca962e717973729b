"""The trailer of a packet of bytes: the number of valid bytes in the flit before it, and the TUSER of the packet."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.rtl.interface.axi_stream import AxiStreamSignature

__all__ = ["AppendTrailer", "TakeTrailer", "TrailerLayout"]


class TrailerLayout(data.StructLayout):
    """The trailer of a packet of bytes.

    A router that ends a packet whose sender has stopped sends a flit of zeros as its tail flit: as a trailer, it says that no
    byte of the flit before is valid, and that there was an error.

    Members
    -------
    bytes : :class:`unsigned`
        The number of valid bytes in the flit before the trailer, which are its lowest.
    whole : :class:`unsigned(1)`
        There was no error: bit 0 of TUSER, inverted.
    user : :class:`unsigned(user_bits - 1)`
        The higher bits of TUSER.

    Raises
    ------
    ParameterError
        If the width is no multiple of 8, or the trailer does not fit into a flit of ``width`` bits.
    """

    def __init__(self, width: int, user_bits: int) -> None:
        if check_integer("width", width, minimum=8, maximum=4096) % 8:
            raise ParameterError(f"width must be a multiple of 8 for packets of bytes, not {width}")
        self.width = width
        count_bits = (width // 8).bit_length()
        self.user_bits = check_integer(
            "user bits",
            user_bits,
            minimum=1,
            maximum=width - count_bits,
            why=f" (a flit of {width} bits has {count_bits} of the number of bytes)",
        )
        super().__init__({"bytes": count_bits, "whole": 1, "user": user_bits - 1})

    def fields(self) -> list[tuple[str, int, int]]:
        """The name, the lowest bit and the number of bits of each field that has bits."""
        return [(str(name), field.offset, field.width) for name, field in self if field.width]


class AppendTrailer(wiring.Component):
    """Appends a trailer to the beats of each packet; the trailer then is the beat with ``tlast``.

    A packet of F beats takes F + 1 cycles. Beats are passed on without a register, and in the cycle after the last one no beat
    is taken. A last beat without bytes that is not the only one of its packet is taken and not passed on, so that the packet
    has the same number of flits as if it had ended with the beat before. ``i.tready`` depends on a register and ``o.tready``,
    which must not wait for ``o.tvalid``.

    Parameters
    ----------
    stream : :class:`AxiStreamSignature`
        The signature of the output of :class:`~fatcube.rtl.interface.keep_check.KeepCheck`, with ``torn`` on top of ``tuser``.

    Members
    -------
    i : :py:`In(stream)`
    o : :py:`Out(stream)`
        Has no ``tkeep`` and no ``tuser``. In the trailer ``tdest`` is undefined: an ingress uses the first beat's only.
    torn : :py:`Out(1)`
        In the previous cycle, the last beat of a packet with ``torn`` was taken. A register.
    torn_count : :py:`Out(16)`
        The number of such packets since reset; the counter saturates at 65,535.
    """

    i: wiring.PureInterface
    o: wiring.PureInterface
    torn: Signal
    torn_count: Signal

    def __init__(self, stream: AxiStreamSignature) -> None:
        self.stream = stream
        self.trailer = TrailerLayout(stream.width, stream.user_bits - 1)
        plain = stream.changed(keep=False, user_bits=0)
        super().__init__({"i": In(stream), "o": Out(plain), "torn": Out(1), "torn_count": Out(16)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        i, o = self.i, self.o
        trailer = Signal(self.trailer)
        torn = Signal()
        within = Signal()
        empty = Signal()
        m.d.comb += [o.tdata.eq(i.tdata), o.tdest.eq(i.tdest), empty.eq(within & i.tlast & ~i.tkeep[0])]
        with m.FSM():
            with m.State("beats"):
                m.d.comb += [o.tvalid.eq(i.tvalid & ~empty), i.tready.eq(o.tready)]
                with m.If(i.tvalid & i.tready):
                    m.d.sync += within.eq(~i.tlast)
                with m.If(i.tvalid & i.tready & i.tlast):
                    m.d.comb += torn.eq(i.tuser[-1])
                    m.d.sync += [
                        trailer["bytes"].eq(Mux(empty, len(i.tkeep), _number(i.tkeep))),
                        trailer["whole"].eq(~i.tuser[0]),
                        trailer["user"].eq(i.tuser[1:-1]),
                    ]
                    m.next = "trailer"
            with m.State("trailer"):
                m.d.comb += [o.tvalid.eq(1), o.tlast.eq(1), o.tdata.eq(trailer.as_value())]
                with m.If(o.tready):
                    m.next = "beats"
        m.d.sync += [self.torn.eq(torn), self.torn_count.eq(self.torn_count + (torn & ~self.torn_count.all()))]
        return m


class TakeTrailer(wiring.Component):
    """Removes the trailer from each packet, and sends its beats with ``tkeep`` and ``tuser``.

    Each beat is held until the next beat, or the trailer, is offered, and is then offered in the same cycle; the trailer is
    taken together with the last beat. A packet of F beats takes F + 1 cycles. A packet that is a trailer alone, which only
    results from a router that ends a packet, becomes one beat without bytes.

    ``i.tready`` depends on a register, ``i.tlast`` and ``o.tready``; ``o.tvalid`` depends on a register, ``i.tlast`` and
    ``i.tvalid``.

    Parameters
    ----------
    stream : :class:`AxiStreamSignature`
        The signature of the input, without ``tkeep`` and ``tuser``.
    user_bits : :class:`int`
        Bits of ``tuser``.

    Members
    -------
    i : :py:`In(stream)`
    o : :py:`Out(stream)`
        Has ``tkeep``, and ``tuser``, which is 0 in all beats but the last.
    """

    i: wiring.PureInterface
    o: wiring.PureInterface

    def __init__(self, stream: AxiStreamSignature, user_bits: int) -> None:
        self.stream = stream
        self.trailer = TrailerLayout(stream.width, user_bits)
        super().__init__({"i": In(stream), "o": Out(stream.changed(keep=True, user_bits=user_bits))})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        i, o = self.i, self.o
        held = Signal()
        trailer = self.trailer(i.tdata[: self.trailer.size])
        counts = Cat(place < trailer["bytes"] for place in range(len(o.tkeep)))
        m.d.comb += [
            o.tvalid.eq(i.tvalid & (held | i.tlast)),
            o.tkeep.eq(Mux(i.tlast, counts, (1 << len(o.tkeep)) - 1)),
            o.tlast.eq(i.tlast),
            o.tid.eq(i.tid),
            o.tuser.eq(Mux(i.tlast, Cat(~trailer["whole"], trailer["user"]), 0)),
            i.tready.eq(o.tready | ~held & ~i.tlast),
        ]
        with m.If(i.tvalid & i.tready):
            m.d.sync += [held.eq(~i.tlast), o.tdata.eq(i.tdata)]
        return m


def _number(keep: Signal) -> Value:
    """The number of bits that are 1, if they are the lowest ones."""
    number: Value = Const(0)
    for place, (bit, above) in enumerate(zip(keep, [*keep[1:], 0]), start=1):
        number = number | Mux(bit & ~above, place, 0)
    return number
