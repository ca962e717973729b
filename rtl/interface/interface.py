"""The network interface of a processor port: AXI4-Stream on one side, flits on the other."""

from amaranth.hdl import Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.flit import FlitStream
from fatcube.rtl.interface.axi_stream import AxiStreamSignature
from fatcube.rtl.interface.clock_crossing import ClockCrossing, check_crossing_depth
from fatcube.rtl.interface.egress import Egress
from fatcube.rtl.interface.ingress import Ingress, check_header, check_longest
from fatcube.rtl.interface.route_table import RouteTable

__all__ = ["EVENTS", "NetworkInterface"]


EVENTS = ("unknown", "too_long", "empty")
"""The reasons for which an interface drops packets: for each reason there is a strobe, and a counter."""


class NetworkInterface(wiring.Component):
    """An :class:`Ingress` and an :class:`Egress`, with clock crossings to the port if the port has a clock of its own.

    It adds to the latency of the network, in cycles if all clocks are the same: from the first beat on ``s_axis`` to the
    header on ``send``, 1 cycle or, with ``longest``, F + 2 cycles for a packet of F beats; from the last flit on
    ``receive`` to the last beat on ``m_axis``, 1 cycle. A crossing adds 4 cycles in each direction.

    Parameters
    ----------
    width, route_bits, message_bits, destinations, ways, longest
        See :class:`Ingress`.
    crossing_depth : :class:`int`
        Depth of the :class:`ClockCrossing` in each direction, in beats; 0 for no crossing, if the port has the network's clock.
    port_domain : :class:`str`
        The clock domain of ``s_axis`` and ``m_axis`` if there are crossings. Everything else is in ``sync``.

    Members
    -------
    s_axis : :py:`In(AxiStreamSignature(width, dest_bits=table.dest_bits))`
        The stream that the port sends; ``tdest`` is the number of the destination.
    m_axis : :py:`Out(AxiStreamSignature(width, id_bits=message_bits))`
        The stream that the port receives; ``tid`` is the ``source`` of the interface that sent the packet.
    send : :py:`Out(FlitStream(width))`
        Into the network.
    receive : :py:`In(FlitStream(width))`
        Out of the network.
    routes : :py:`In(table)`
        The routes to the destinations, to be tied to the constant from :meth:`RouteTable.pack`.
    source : :py:`In(message_bits)`
        The number of this interface.
    unknown, too_long, unknown_count, too_long_count
        Packets that were dropped on their way into the network; see :class:`Ingress`.
    empty, empty_count
        Packets without payload that were dropped on their way out of the network; see :class:`Egress`.

    Attributes
    ----------
    table : :class:`RouteTable`
    sends, receives : :class:`AxiStreamSignature`
        The streams of ``s_axis`` and ``m_axis``.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or the header does not fit into a flit.
    """

    s_axis: wiring.PureInterface
    m_axis: wiring.PureInterface
    send: stream.Interface
    receive: stream.Interface
    routes: data.View
    source: Signal
    unknown: Signal
    unknown_count: Signal
    too_long: Signal
    too_long_count: Signal
    empty: Signal
    empty_count: Signal

    def __init__(
        self,
        width: int,
        *,
        route_bits: int,
        message_bits: int,
        destinations: int,
        ways: int = 1,
        longest: int = 0,
        crossing_depth: int = 0,
        port_domain: str = "port",
    ) -> None:
        check_header(width, route_bits=route_bits, message_bits=message_bits)
        self.width = width
        self.route_bits = route_bits
        self.message_bits = message_bits
        self.table = RouteTable(route_bits, destinations, ways)
        self.longest = check_longest(longest)
        self.crossing_depth = crossing_depth and check_crossing_depth(crossing_depth)
        self.port_domain = port_domain
        self.sends = AxiStreamSignature(width, dest_bits=self.table.dest_bits)
        self.receives = AxiStreamSignature(width, id_bits=message_bits)
        super().__init__(
            {
                "s_axis": In(self.sends),
                "m_axis": Out(self.receives),
                "send": Out(FlitStream(width)),
                "receive": In(FlitStream(width)),
                "routes": In(self.table),
                "source": In(message_bits),
                **{name: Out(1) for name in EVENTS},
                **{f"{name}_count": Out(16) for name in EVENTS},
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        header = {"route_bits": self.route_bits, "message_bits": self.message_bits}
        m.submodules.ingress = ingress = Ingress(
            self.width,
            **header,
            destinations=self.table.destinations,
            ways=self.table.entry.ways,
            longest=self.longest,
        )
        m.submodules.egress = egress = Egress(self.width, **header)
        s_axis, m_axis = wiring.flipped(self.s_axis), wiring.flipped(self.m_axis)
        if self.crossing_depth:
            m.submodules.crossing_in = enter = ClockCrossing(
                self.sends, depth=self.crossing_depth, i_domain=self.port_domain, o_domain="sync"
            )
            m.submodules.crossing_out = leave = ClockCrossing(
                self.receives, depth=self.crossing_depth, i_domain="sync", o_domain=self.port_domain
            )
            wiring.connect(m, s_axis, enter.i)
            wiring.connect(m, enter.o, ingress.s_axis)
            wiring.connect(m, egress.m_axis, leave.i)
            wiring.connect(m, leave.o, m_axis)
        else:
            wiring.connect(m, s_axis, ingress.s_axis)
            wiring.connect(m, egress.m_axis, m_axis)
        wiring.connect(m, ingress.send, wiring.flipped(self.send))
        wiring.connect(m, wiring.flipped(self.receive), egress.receive)
        m.d.comb += [ingress.routes.eq(self.routes), ingress.source.eq(self.source)]
        for name in EVENTS:
            part = egress if name == "empty" else ingress
            m.d.comb += [
                getattr(self, name).eq(getattr(part, name)),
                getattr(self, f"{name}_count").eq(getattr(part, f"{name}_count")),
            ]
        return m
