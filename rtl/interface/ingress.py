"""The way into a network: beats of an AXI4-Stream become flits, behind a header with the route to their destination."""

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
        If they do not, or there is none of one of them.
    """
    needed = check_integer("route bits", route_bits, minimum=1) + check_integer("message bits", message_bits, minimum=1)
    if check_integer("width", width, minimum=1, maximum=4096) < needed:
        raise ParameterError(
            f"width must be an integer of at least {needed} (a header has {route_bits} bits of route "
            f"and {message_bits} of message id), not {width}"
        )


def check_longest(longest: int) -> int:
    """Return ``longest`` if an :class:`Ingress` can hold packets to it.

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

    The destination is ``tdest`` of the first beat; of the other beats it is not looked at, as AXI has it the same in
    all of them. A packet to a destination that is not in the table is taken and dropped, all of it. Packets keep their
    order, unless a destination has several ways: they are taken in turn, whatever the destinations of the packets in
    between, and a packet may overtake another in the network.

    A packet of F beats takes F + 1 cycles, and the next one follows at once. In the first of them its header is made,
    and no beat taken. The header is on ``send`` one cycle after the first beat is offered, and each beat one cycle after
    it is taken. With ``longest``, the packet is kept until it is here whole: of F beats that are offered without a gap,
    the header is on ``send`` F + 2 cycles after the first, and the others follow without one.

    ``tready`` follows from registers and, without ``longest``, ``send.ready``; it does not depend on ``tvalid``.
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
        Routes to each destination, which are taken in turn.
    longest : :class:`int`
        The most flits of a packet, its header among them: one that has more is dropped, all of it. 0 for any number.

    Members
    -------
    s_axis : :py:`In(AxiStreamSignature(width, dest_bits=table.dest_bits))`
    send : :py:`Out(FlitStream(width))`
        Into the network.
    routes : :py:`In(table)`
        Where destinations are. Whoever ties it to constants has a table that is logic and no memory.
    source : :py:`In(message_bits)`
        The number of this interface, which is the message id of all its packets.
    unknown : :py:`Out(1)`
        In the cycle before, the first beat of a packet was found to be for a destination that is not in the table.
    too_long : :py:`Out(1)`
        In the cycle before, a packet had as many flits as it may, and the latest was not its last. 0 without ``longest``.
    unknown_count, too_long_count : :py:`Out(16)`
        These packets since reset; 65,535 stands for all numbers from there on, as a count that began anew at 0 would say
        that nothing had been lost.

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
        # A packet is looked up before its first beat is taken; then its beats are passed on or swallowed.
        passing, swallowing = Signal(), Signal()
        header, unknown = Signal(), Signal()
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
        """What takes the flits of a packet and has them on ``send`` later."""
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
        """The entry of a destination; beyond the table all bits are 0, ``valid`` among them.

        It is a tree of multiplexers and no ``self.routes[tdest]``, which is a multiplication and a shift of the whole
        table: not every synthesis sees that these are a small table if the routes are constant.
        """
        missing = (1 << self.table.dest_bits) - self.table.destinations
        level = [self.routes[number].as_value() for number in range(self.table.destinations)] + [C(0)] * missing
        for bit in tdest:
            level = [Mux(bit, odd, even) for even, odd in zip(level[0::2], level[1::2])]
        entry = Signal(self.table.entry)
        m.d.comb += entry.eq(level[0])
        return entry

    def _route(self, m: Module, entry: data.View, sent: Value) -> Value:
        """The route to the destination in ``entry`` whose turn it is; the next one's comes when it is ``sent``."""
        ways = self.table.entry.ways
        if ways == 1:
            return entry.ways[0]
        turn = Signal(range(ways))
        with m.If(sent):
            m.d.sync += turn.eq(Mux(turn == ways - 1, 0, turn + 1))
        return entry.ways[turn]
