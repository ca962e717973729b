"""The entry to a network: beats of an AXI4-Stream become flits, behind a header with the route to their destination."""

from amaranth.hdl import C, Cat, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.rtl.flit import FlitStream
from fatcube.rtl.interface.axi_stream import AxiStreamSignature
from fatcube.rtl.interface.packet_buffer import PacketBuffer
from fatcube.rtl.interface.route_table import RouteTable

__all__ = ["Ingress", "check_header", "check_longest"]


def check_header(width: int, *, route_bits: int, message_bits: int) -> None:
    """Check that route and message id fit into a flit of ``width`` bits.

    Raises
    ------
    ParameterError
        If they do not fit, or one of them has no bits.
    """
    needed = check_integer("route bits", route_bits, minimum=1) + check_integer("message bits", message_bits, minimum=1)
    if check_integer("width", width, minimum=1, maximum=4096) < needed:
        raise ParameterError(
            f"width must be an integer of at least {needed} (a header has {route_bits} bits of route "
            f"and {message_bits} of message id), not {width}"
        )


def check_longest(longest: int) -> int:
    """Return ``longest`` if an :class:`Ingress` can enforce it as the longest packet.

    Raises
    ------
    ParameterError
        If it is neither 0 nor an integer from 2 to 65,536.
    """
    if longest == 0:
        return 0
    return check_integer("longest packet", longest, minimum=2, maximum=1 << 16, why=" (header and payload), or 0")


class Ingress(wiring.Component):
    """Sends each packet of an AXI4-Stream into the network, with a header before it.

    The destination is ``tdest`` of the first beat; ``tdest`` of the other beats is ignored, as AXI requires it to be
    constant within a packet. A packet to a destination that is not in the table is dropped entirely. Packets keep their
    order, unless a destination has several ways: the ways are used in round-robin order, whatever the destinations of the
    packets in between, and a packet may overtake another in the network.

    A packet of F beats takes F + 1 cycles, and the next one follows at once. In the first of these cycles the header is
    generated, and no beat is taken. The header is on ``send`` one cycle after the first beat is offered, and each beat one
    cycle after it is taken. With ``longest``, the packet is buffered until all of it has arrived: if F beats are offered
    without a gap, the header is on ``send`` F + 2 cycles after the first beat is offered, and the other flits follow
    without a gap.

    ``tready`` depends on registers and, without ``longest``, on ``send.ready``; it does not depend on ``tvalid``.
    ``send.valid`` is a register.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit, and of ``tdata``.
    route_bits : :class:`int`
        Bits of a route, the lowest of the header.
    message_bits : :class:`int`
        Bits of the message id, next above the route.
    destinations : :class:`int`
        Destinations in the table.
    ways : :class:`int`
        Routes to each destination, which are used in round-robin order.
    longest : :class:`int`
        The most flits of a packet, including its header: a packet that has more is dropped entirely. 0 for no limit.

    Members
    -------
    s_axis : :py:`In(AxiStreamSignature(width, dest_bits=table.dest_bits))`
    send : :py:`Out(FlitStream(width))`
        Into the network.
    routes : :py:`In(table)`
        The routes to the destinations. If it is tied to constants, the table is logic and needs no memory.
    source : :py:`In(message_bits)`
        The number of this interface, which is the message id of all its packets.
    unknown : :py:`Out(1)`
        In the previous cycle, the first beat of a packet was for a destination that is not in the table.
    too_long : :py:`Out(1)`
        In the previous cycle, a packet reached ``longest`` flits without a tail flit. 0 without ``longest``.
    unknown_count, too_long_count : :py:`Out(16)`
        The number of such packets since reset; the counters saturate at 65,535, as a counter that wrapped to 0 would
        report that no packet had been lost.

    Attributes
    ----------
    table : :class:`RouteTable`

    Raises
    ------
    ParameterError
        If a parameter is out of range, or the header does not fit into a flit.
    """

    s_axis: wiring.PureInterface
    send: stream.Interface
    routes: data.View
    source: Signal
    unknown: Signal
    unknown_count: Signal
    too_long: Signal
    too_long_count: Signal

    def __init__(
        self, width: int, *, route_bits: int, message_bits: int, destinations: int, ways: int = 1, longest: int = 0
    ) -> None:
        check_header(width, route_bits=route_bits, message_bits=message_bits)
        self.width = width
        self.longest = check_longest(longest)
        self.table = RouteTable(route_bits, destinations, ways)
        super().__init__(
            {
                "s_axis": In(AxiStreamSignature(width, dest_bits=self.table.dest_bits)),
                "send": Out(FlitStream(width)),
                "routes": In(self.table),
                "source": In(message_bits),
                "unknown": Out(1),
                "unknown_count": Out(16),
                "too_long": Out(1),
                "too_long_count": Out(16),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        beats, flits = self.s_axis, self._send(m)
        entry = self._entry(m, beats.tdest)
        # The destination is looked up before the first beat is taken; then all beats are passed on or dropped.
        passing = Signal()
        swallowing = Signal()
        header = Signal()
        unknown = Signal()
        m.d.comb += [
            header.eq(beats.tvalid & ~passing & ~swallowing & entry.valid),
            unknown.eq(beats.tvalid & ~passing & ~swallowing & ~entry.valid),
            flits.payload.data.eq(
                Mux(passing, beats.tdata, Cat(self._route(m, entry, header & flits.ready), self.source))
            ),
            flits.payload.last.eq(passing & beats.tlast),
            flits.valid.eq(passing & beats.tvalid | header),
            beats.tready.eq(passing & flits.ready | swallowing),
        ]
        with m.If(beats.tvalid & beats.tready & beats.tlast):
            m.d.sync += [passing.eq(0), swallowing.eq(0)]
        with m.Elif(header & flits.ready):
            m.d.sync += passing.eq(1)
        with m.Elif(unknown):
            m.d.sync += swallowing.eq(1)
        m.d.sync += [
            self.unknown.eq(unknown),
            self.unknown_count.eq(self.unknown_count + (unknown & ~self.unknown_count.all())),
        ]
        return m

    def _send(self, m: Module) -> stream.Interface:
        """The stream whose flits appear on ``send``, through a packet buffer or a register."""
        if self.longest:
            m.submodules.buffer = buffer = PacketBuffer(self.width, self.longest)
            wiring.connect(m, buffer.o, wiring.flipped(self.send))
            m.d.comb += self.too_long.eq(buffer.too_long)
            with m.If(buffer.too_long & ~self.too_long_count.all()):
                m.d.sync += self.too_long_count.eq(self.too_long_count + 1)
            return buffer.i
        flits = FlitStream(self.width).create(path=("flits",))
        m.d.comb += flits.ready.eq(~self.send.valid | self.send.ready)
        with m.If(flits.ready):
            m.d.sync += [self.send.payload.eq(flits.payload), self.send.valid.eq(flits.valid)]
        return flits

    def _entry(self, m: Module, tdest: Signal) -> data.View:
        """The entry of a destination; beyond the table all bits are 0, including ``valid``.

        It is a tree of multiplexers instead of ``self.routes[tdest]``, which is a multiplication and a shift of the whole
        table: not every synthesis tool reduces this to a small table if the routes are constant.
        """
        missing = (1 << self.table.dest_bits) - self.table.destinations
        level = [self.routes[number].as_value() for number in range(self.table.destinations)] + [C(0)] * missing
        for bit in tdest:
            level = [Mux(bit, odd, even) for even, odd in zip(level[0::2], level[1::2])]
        entry = Signal(self.table.entry)
        m.d.comb += entry.eq(level[0])
        return entry

    def _route(self, m: Module, entry: data.View, sent: Value) -> Value:
        """The next route in ``entry``, in round-robin order; the order advances when a header is ``sent``."""
        ways = self.table.entry.ways
        if ways == 1:
            return entry.ways[0]
        turn = Signal(range(ways))
        with m.If(sent):
            m.d.sync += turn.eq(Mux(turn == ways - 1, 0, turn + 1))
        return entry.ways[turn]
