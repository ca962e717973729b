# amaranth: UnusedElaboratable=no
"""A network with an AXI4-Stream interface at its processor ports, or at some of them, to which a user's design connects."""

from collections.abc import Collection, Iterator, Mapping, Sequence
import dataclasses
import functools
from typing import Any

from amaranth.hdl import ClockDomain, Const, Module, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.arguments import known_arguments
from fatcube.groundwork.late import read_at_exit
from fatcube.groundwork.validation import ParameterError, check_integer, shown
from fatcube.noc.fabric import Fabric
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.shared import Shared, module_name
from fatcube.noc.streams.names import named_ports
from fatcube.noc.streams.options import StreamOptions
from fatcube.rtl.flit import FlitStream
from fatcube.rtl.interface.byte_interface import ByteInterface
from fatcube.rtl.interface.interface import NetworkInterface
from fatcube.rtl.protocols.axi_stream import AXI_STREAM
from fatcube.rtl.protocols.flits import FLITS
from fatcube.rtl.router_options import RouterOptions

__all__ = ["AxiInDomain", "AxiNetwork", "MixedNetwork", "PortInterface", "elsewhere"]


def elsewhere() -> dict[str, Collection[str]]:
    """The arguments of values that an :class:`AxiNetwork` is made from, by how they are given."""
    return {
        "streams=StreamOptions({})": StreamOptions.names(),
        "RoutedNetwork(topology, {})": [field.name for field in dataclasses.fields(RoutedNetwork)],
        "RoutedNetwork(topology, RouterOptions({}))": RouterOptions.names(),
    }


read_at_exit(__file__)


class PortInterface(wiring.Component):
    """A :class:`NetworkInterface`, or a :class:`ByteInterface` where packets are byte-exact, whose streams have a clock of their
    own if it has clock-domain crossings.

    Members
    -------
    aclk, aresetn : :py:`In(1)`
        Clock and reset (active low, synchronous) of ``s_axis`` and ``m_axis``; only with crossings.
    s_axis, m_axis, send, receive, routes, source, unknown_count, too_long_count, empty_count
        See :class:`NetworkInterface`.
    bad_keep_count
        See :class:`ByteInterface`; only where packets are byte-exact.

    Parameters
    ----------
    network : :class:`RoutedNetwork`
    crossing_depth : :class:`int`
        See :class:`NetworkInterface`.
    streams : :class:`StreamOptions`
        The packets of the port.
    port_width : :class:`int`
        Bits of ``tdata``.
    """

    def __init__(self, network: RoutedNetwork, *, crossing_depth: int, streams: StreamOptions, port_width: int) -> None:
        router, options = network.router(), network.options
        of_all: dict[str, Any] = {
            "route_bits": max(1, router.header.route_bits),
            "message_bits": network.message_bits,
            "destinations": network.endpoints,
            "ways": network.most_routes,
            "longest": streams.longest(options.width, options.longest_packet),
            "crossing_depth": crossing_depth,
        }
        self.interface = (
            ByteInterface(options.width, port_width=port_width, user_bits=streams.user_bits, **of_all)
            if streams.byte_exact
            else NetworkInterface(options.width, **of_all)
        )
        self.counts = AXI_STREAM.counter_names(byte_exact=streams.byte_exact)
        left_out = {count.removesuffix("_count") for count in self.counts}
        members = {name: one for name, one in self.interface.signature.members.items() if name not in left_out}
        clock = {"aclk": In(1), "aresetn": In(1)} if crossing_depth else {}
        super().__init__({**clock, **members})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.interface = inner = self.interface
        port: Any = self
        if inner.crossing_depth:
            m.domains.port = domain = ClockDomain("port", local=True)
            m.d.comb += [domain.clk.eq(port.aclk), domain.rst.eq(~port.aresetn)]
        for name in ("s_axis", "m_axis", "send", "receive"):
            wiring.connect(m, wiring.flipped(getattr(self, name)), getattr(inner, name))
        m.d.comb += [
            inner.routes.eq(port.routes),
            inner.source.eq(port.source),
            *(getattr(self, name).eq(getattr(inner, name)) for name in self.counts),
        ]
        return m


class AxiNetwork(wiring.Component):
    """All routers and lanes of a network with a routing, and an AXI4-Stream interface at every processor port.

    Endpoints are the ports of processors, numbered processor by processor, port by port. A packet to endpoint e has e
    as ``tdest``, and it arrives with the number of the sending processor as ``tid``. A port with flits sends and receives
    packets with the headers that interfaces make and take off: a route to the receiver, and this number as the message id.

    Members
    -------
    aclk, aresetn : :py:`In(1)`
        Clock, rising edge, and reset, synchronous and active low.
    s_axis_{e}_tdata, _tvalid, _tready, _tlast, _tdest
        An AXI4-Stream into the network.
    m_axis_{e}_tdata, _tvalid, _tready, _tlast, _tid
        An AXI4-Stream out of the network.
    s_axis_{e}_tkeep, _tuser, m_axis_{e}_tkeep, _tuser
        Further signals of these streams; only where packets are byte-exact.
    axis_{e}_aclk, axis_{e}_aresetn : :py:`In(1)`
        Clock and reset of the two streams of endpoint e; only where it has a ``crossing_depth``.
    unknown_count_{e}, too_long_count_{e}, empty_count_{e} : :py:`Out(16)`
        Numbers of dropped packets: see :class:`NetworkInterface`.
    bad_keep_count_{e} : :py:`Out(16)`
        Numbers of packets that were ended with an error: see :class:`ByteInterface`; only where packets are byte-exact.
    processor{p}_send{j}, processor{p}_receive{j} : :py:`FlitStream(width)`
        In place of all these of its endpoint, the streams of port j of processor p if it has flits.
    error : :py:`Out(nodes)`
        See :data:`fatcube.noc.descriptions.ports.ERROR`. Where all ports have interfaces, which make legal headers only, a bit
        is set only when a stop timeout cuts a packet.

    Parameters
    ----------
    network : :class:`RoutedNetwork`
    crossing_depth : :class:`int` or sequence of :class:`int`
        Depth, in beats, of the clock-domain crossings of all AXI4-Streams, or of each port, in each direction; 0 where a port
        has the clock of the network.
    streams : :class:`StreamOptions`
        The packets of the ports.
    name : :class:`str` or ``None``
        The name of its module, and the prefix of the names of all modules that it uses; ``axi_network`` if not given.
    names : mapping of :class:`int` to :class:`str`
        The names of endpoints that have any, which stand in place of their numbers in Verilog.
    flit_ports : collection of :class:`int`
        The endpoints that have flits, in the clock of the network, and no interface.

    Attributes
    ----------
    protocol : :class:`Protocol`
        The protocol of the ports, with their names.
    crossing_depths : tuple of :class:`int`
        The depth of each endpoint.
    kinds : mapping of :class:`int` to (:class:`int`, :class:`int`)
        The width and the crossing depth of each endpoint with AXI4-Streams.

    Raises
    ------
    ParameterError
        If the network has no routing, its flit width is not a multiple of 8, the streams cannot be combined with it or with
        flit ports, a name is no Verilog identifier or belongs to another port, or a module has more ports than can be written.
    """

    aclk: Signal
    aresetn: Signal
    error: Signal

    @known_arguments(elsewhere)
    def __init__(
        self,
        network: RoutedNetwork,
        *,
        crossing_depth: int | Sequence[int] = 0,
        streams: StreamOptions | None = None,
        name: str | None = None,
        names: Mapping[int, str] = {},
        flit_ports: Collection[int] = (),
    ) -> None:
        if not isinstance(network, RoutedNetwork):
            raise ParameterError(
                f"network must be a RoutedNetwork, as in RoutedNetwork(FatCube(2)), not the {type(network).__name__} "
                f"{getattr(network, 'name', shown(network))}"
            )
        if network.options.width % 8:
            raise ParameterError(
                f"width must be a multiple of 8 with AXI4-Stream interfaces, not {network.options.width}"
            )
        self.network = network
        self.flit_ports = tuple(sorted({*flit_ports}))
        for port in self.flit_ports:
            check_integer("port with flits", port, minimum=0, maximum=network.endpoints - 1)
        self.protocol = named_ports(AXI_STREAM.but(dict.fromkeys(self.flit_ports, FLITS)), names, network)
        self.port_names = self.protocol.renamed(network.processor_ports)
        endpoints = range(network.endpoints)
        if isinstance(crossing_depth, int):
            crossing_depth = [0 if endpoint in self.flit_ports else crossing_depth for endpoint in endpoints]
        check_integer("crossing depths of ports", len(crossing_depth), minimum=len(endpoints), maximum=len(endpoints))
        self.crossing_depths = tuple(
            check_integer("crossing depth", depth, minimum=0, maximum=1 << 12) for depth in crossing_depth
        )
        self.streams = StreamOptions() if streams is None else streams
        self._check_flits()
        self.port_widths = self.streams.widths(network.endpoints, network.options.width)
        self._check_stops()
        self.name = name or "axi_network"
        self.shared_fabric = Fabric(network, name=name and module_name("fabric", name)).shared()
        self.kinds = {
            endpoint: (self.port_widths[endpoint], self.crossing_depths[endpoint])
            for endpoint in endpoints
            if endpoint not in self.flit_ports
        }
        self.shared_interfaces = {
            (width, depth): Shared(again(), module_name(self._named(width, depth), name), again=again)
            for width, depth in dict.fromkeys(self.kinds.values())
            for again in [
                functools.partial(PortInterface, network, crossing_depth=depth, streams=self.streams, port_width=width)
            ]
        }
        members: dict[str, Any] = {"aclk": In(1), "aresetn": In(1), "error": Out(network.topology.nodes)}
        for endpoint in endpoints:
            if endpoint in self.flit_ports:
                members |= dict(
                    zip(
                        self._flits(endpoint),
                        (In(FlitStream(network.options.width)), Out(FlitStream(network.options.width))),
                    )
                )
                continue
            if self.crossing_depths[endpoint]:
                members |= dict.fromkeys(AXI_STREAM.own_clock(endpoint), In(1))
            members |= {name: of.flow(of.shape) for name, of, *_ in self._signals(endpoint)}
            members |= {AXI_STREAM.counter(count, endpoint): Out(16) for count in self._interface(endpoint).counts}
        super().__init__(members)

    @property
    def interface_modules(self) -> list[str]:
        """The names of the modules between the AXI4-Streams of ports and the network, one for each width and kind of clock."""
        return [one.name for one in self.shared_interfaces.values()]

    @property
    def crossing_modules(self) -> list[str]:
        """The interface modules with clock crossings."""
        return [one.name for (_, depth), one in self.shared_interfaces.items() if depth]

    @property
    def port_clocks(self) -> bool:
        """Whether all AXI4-Streams have clocks of their own."""
        return all(depth for _, depth in self.kinds.values())

    @property
    def clocks_differ(self) -> bool:
        """Whether some AXI4-Streams have clocks of their own, and others that of the network."""
        return len({depth > 0 for _, depth in self.kinds.values()}) > 1

    def _named(self, width: int, depth: int) -> str:
        """The name of the module for interfaces of one width and crossing depth, with the values that differ among ports."""
        of_width = f"_{width}" if len({*self.port_widths}) > 1 else ""
        differ = len({depth for _, depth in self.kinds.values()}) > 1
        return f"network_interface{of_width}{f'_crossing_{depth}' if differ and depth else ''}"

    @property
    def parts(self) -> list[Shared]:
        """The modules that the network has copies of: all routers with their lanes, and the interfaces of ports."""
        return [self.shared_fabric, *self.shared_interfaces.values()]

    def shared(self) -> Shared:
        """The network as a module with all modules that it uses, for :func:`fatcube.noc.verilog.to_verilog`."""
        return Shared(self, self.name, uses=self.parts)

    def elaborate(self, platform: object) -> Module:
        m = self.in_domain()
        m.domains.sync = domain = ClockDomain("sync", local=True)
        m.d.comb += [domain.clk.eq(self.aclk), domain.rst.eq(~self.aresetn)]
        return m

    def in_domain(self) -> Module:
        """The whole network in the domain ``sync`` of the design that places it, which need not drive ``aclk`` and ``aresetn``."""
        m = Module()
        fabric: Any = self.shared_fabric.copy()
        m.submodules.fabric = fabric
        m.d.comb += self.error.eq(fabric.error)
        ports = self.network.processor_ports
        for endpoint in range(self.network.endpoints):
            processor, port = divmod(endpoint, ports)
            ends = fabric.processors[processor][port]
            if endpoint in self.flit_ports:
                for name, end in zip(self._flits(endpoint), (ends.send, ends.receive), strict=True):
                    wiring.connect(m, wiring.flipped(getattr(self, name)), end)
                continue
            interface: Any = self.shared_interfaces[self.kinds[endpoint]].copy()
            m.submodules[f"interface{endpoint}"] = interface
            wiring.connect(m, interface.send, ends.send)
            wiring.connect(m, ends.receive, interface.receive)
            routes = [self.network.routes(endpoint, other) or None for other in range(self.network.endpoints)]
            packed = self._interface(endpoint).interface.table.pack(routes)
            m.d.comb += [
                Value.cast(interface.routes).eq(Const(packed, len(Value.cast(interface.routes)))),
                interface.source.eq(processor),
                *(
                    self._outer(AXI_STREAM.counter(count, endpoint)).eq(getattr(interface, count))
                    for count in self._interface(endpoint).counts
                ),
            ]
            if self.crossing_depths[endpoint]:
                clock, reset = map(self._outer, AXI_STREAM.own_clock(endpoint))
                m.d.comb += [interface.aclk.eq(clock), interface.aresetn.eq(reset)]
            for name, of, way, signal in self._signals(endpoint):
                outer, inner = self._outer(name), getattr(getattr(interface, way), signal)
                m.d.comb += inner.eq(outer) if of.flow == In else outer.eq(inner)
        return m

    def _check_stops(self) -> None:
        """Refuse a stop timeout that would end packets while a port collects a flit."""
        options = self.network.options
        collected = options.width // min(self.port_widths)
        stored = self.streams.longest(options.width, options.longest_packet)
        if 0 < options.stop_timeout < collected and not stored:
            raise ParameterError(
                f"stop timeout must be 0 or at least {collected} with a port of {min(self.port_widths)} bits, which takes as many "
                f"cycles to collect a flit of {options.width} bits, or packets be stored (--store-packets), not "
                f"{options.stop_timeout}"
            )

    def _check_flits(self) -> None:
        """Refuse what ports with flits cannot have."""
        if not self.flit_ports:
            return
        have = f"where ports have flits, as port {self.flit_ports[0]} has"
        if len(self.flit_ports) == self.network.endpoints:
            raise ParameterError(
                f"ports with flits must be fewer than the {self.network.endpoints} ports of the {self.network.name}"
            )
        if self.streams.byte_exact:
            raise ParameterError(f"byte exact must be left out {have}, whose packets would need trailers, not true")
        if self.streams.store_packets:
            raise ParameterError(
                f"store packets must be left out {have}, which store none, not {self.streams.store_packets}"
            )
        for port in self.flit_ports:
            if self.crossing_depths[port]:
                raise ParameterError(f"crossing depth must be 0 {have}, not {self.crossing_depths[port]}")

    def _flits(self, endpoint: int) -> tuple[str, str]:
        """The members with the streams of an endpoint that has flits."""
        return FLITS.streams_of(endpoint, self.network.processor_ports)

    def _interface(self, endpoint: int) -> PortInterface:
        component: Any = self.shared_interfaces[self.kinds[endpoint]].component
        return component

    def _signals(self, endpoint: int) -> Iterator[tuple[str, Any, str, str]]:
        """The ports of the streams of an endpoint: each with the member, the stream and the signal of its interface."""
        members = self._interface(endpoint).signature.members
        for stream, way in zip(AXI_STREAM.streams_of(endpoint), ("s_axis", "m_axis"), strict=True):
            for signal, of in members[way].signature.members.items():
                yield f"{stream}{AXI_STREAM.joint}{signal}", of, way, signal

    def _outer(self, name: str) -> Signal:
        return getattr(self, name)


class MixedNetwork(AxiNetwork):
    """All routers and lanes of a network with a routing, an AXI4-Stream interface at some processor ports, and flits at the others.

    It is an :class:`AxiNetwork` with ``flit_ports``; the line above stands over its module in Verilog.
    """


class AxiInDomain(AxiNetwork):
    """An :class:`AxiNetwork` in the domain ``sync`` of the design that places it; ``aclk`` and ``aresetn`` are not used.

    It is for a simulator in which a clock that is passed on comes too late, and for placement with a register at each port.
    """

    def elaborate(self, platform: object) -> Module:
        return self.in_domain()
