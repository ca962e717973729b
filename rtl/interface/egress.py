"""The exit from a network: the message id in a packet's header becomes the ``tid`` of its beats on an AXI4-Stream."""

from amaranth.hdl import Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.buffer import RegisterBuffer
from fatcube.rtl.flit import FlitStream
from fatcube.rtl.interface.axi_stream import AxiStreamSignature
from fatcube.rtl.interface.ingress import check_header

__all__ = ["Egress"]


class Egress(wiring.Component):
    """Takes the header off each packet, and sends its payload on an AXI4-Stream, with the message id as ``tid``.

    Packets leave the network one after the other: a router grants an output to a packet from its header to its tail flit,
    so no reordering is needed here. A packet that is a header alone has no beat that could carry it on an AXI4-Stream; it
    is dropped and counted. No ingress sends such a packet.

    A payload word is on ``m_axis`` one cycle after it was taken, and a packet of F beats takes F + 1 cycles. ``tdata``,
    ``tlast`` and ``tid`` are registers, and ``tvalid`` and ``receive.ready`` depend on registers only: there is no
    combinational path from one side to the other.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit, and of ``tdata``.
    route_bits : :class:`int`
        Bits of a route, the lowest of the header.
    message_bits : :class:`int`
        Bits of the message id, next above the route.

    Members
    -------
    receive : :py:`In(FlitStream(width))`
        Out of the network.
    m_axis : :py:`Out(AxiStreamSignature(width, id_bits=message_bits))`
    empty : :py:`Out(1)`
        The flit that was dropped in the cycle before was a packet without payload. A register.
    empty_count : :py:`Out(16)`
        The number of such packets since reset; the counter saturates at 65,535.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or the header does not fit into a flit.
    """

    receive: stream.Interface
    m_axis: wiring.PureInterface
    empty: Signal
    empty_count: Signal

    def __init__(self, width: int, *, route_bits: int, message_bits: int) -> None:
        check_header(width, route_bits=route_bits, message_bits=message_bits)
        self.width = width
        self.message = slice(route_bits, route_bits + message_bits)
        super().__init__(
            {
                "receive": In(FlitStream(width)),
                "m_axis": Out(AxiStreamSignature(width, id_bits=message_bits)),
                "empty": Out(1),
                "empty_count": Out(16),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        # A depth of two flits, so that `receive.ready` need not depend on `tready` combinationally.
        m.submodules.buffer = buffer = RegisterBuffer(self.width, 2)
        wiring.connect(m, wiring.flipped(self.receive), buffer.i)
        flit, beats = buffer.o, self.m_axis
        # The front flit is payload; it is a header that is the whole packet.
        within = Signal()
        empty = Signal()
        m.d.comb += [
            beats.tdata.eq(flit.payload.data),
            beats.tlast.eq(flit.payload.last),
            beats.tvalid.eq(flit.valid & within),
            flit.ready.eq(beats.tready | ~within),
            empty.eq(flit.valid & ~within & flit.payload.last),
        ]
        with m.If(flit.valid & flit.ready):
            m.d.sync += within.eq(~flit.payload.last)
        with m.If(~within):
            m.d.sync += beats.tid.eq(flit.payload.data[self.message])
        m.d.sync += [
            self.empty.eq(empty),
            self.empty_count.eq(self.empty_count + (empty & ~self.empty_count.all())),
        ]
        return m
