"""A network with an AXI4-Stream interface at every processor port, to which a user's design connects."""

from typing import Any

from amaranth.hdl import ClockDomain, Const, Module, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from groundwork.validation import ParameterError, check_integer
from noc.fabric import Fabric
from noc.routed_network import RoutedNetwork
from noc.shared import Shared, module_name
from rtl.interface.interface import NetworkInterface

__all__ = ["AxiNetwork", "PortInterface"]


_COUNTS = ("unknown_count", "too_long_count", "empty_count")


class PortInterface(wiring.Component):
    """A :class:`NetworkInterface` whose streams have a clock of their own if it has clock-domain crossings.

    Members
    -------
    aclk, aresetn : :py:`In(1)`
        Clock and reset (active low, synchronous) of ``s_axis`` and ``m_axis``; only with crossings.
    s_axis, m_axis, send, receive, routes, source, unknown_count, too_long_count, empty_count
        As of :class:`NetworkInterface`.

    Parameters
    ----------
    network : :class:`RoutedNetwork`
    crossing_depth : :class:`int`
        As for :class:`NetworkInterface`.
    """

    def __init__(self, network: RoutedNetwork, *, crossing_depth: int) -> None:
        router = network.router()
        self.interface = NetworkInterface(
            network.options.width,
            route_bits=max(1, router.header.route_bits),
            message_bits=network.message_bits,
            destinations=network.endpoints,
            ways=1 if network.lanes.keeps_order else network.topology.f,
            longest=network.options.longest_packet,
            crossing_depth=crossing_depth,
        )
        left_out = {"unknown", "too_long", "empty"}
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
            *(getattr(self, name).eq(getattr(inner, name)) for name in _COUNTS),
        ]
        return m


class AxiNetwork(wiring.Component):
    """All routers and lanes of a network with a routing, and an AXI4-Stream interface at every processor port.

    Endpoints are the ports of processors, numbered processor by processor, port by port. A packet to endpoint e has e
    as ``tdest``, and it arrives with the number of the sending processor as ``tid``.

    Members
    -------
    aclk, aresetn : :py:`In(1)`
        Clock, rising edge, and reset, synchronous and active low.
    s_axis_{e}_tdata, _tvalid, _tready, _tlast, _tdest
        An AXI4-Stream into the network.
    m_axis_{e}_tdata, _tvalid, _tready, _tlast, _tid
        An AXI4-Stream out of the network.
    axis_{e}_aclk, axis_{e}_aresetn : :py:`In(1)`
        Clock and reset of the two streams of endpoint e; only with ``crossing_depth``.
    unknown_count_{e}, too_long_count_{e}, empty_count_{e} : :py:`Out(16)`
        Numbers of dropped packets: see :class:`NetworkInterface`.
    error : :py:`Out(nodes)`
        See :data:`noc.descriptions.ports.ERROR`. A bit is set only when a stop timeout cuts a packet, as interfaces
        make legal headers only.

    Parameters
    ----------
    network : :class:`RoutedNetwork`
    crossing_depth : :class:`int`
        Depth, in beats, of the clock-domain crossings of each port, in each direction; 0 if there is one clock.
    name : :class:`str` or ``None``
        The name of its module, and the prefix of the names of all modules that it uses; ``axi_network`` if not given.

    Raises
    ------
    ParameterError
        If the network has no routing, its flit width is not a multiple of 8, or a module has more ports than can be
        written.
    """

    aclk: Signal
    aresetn: Signal
    error: Signal

    def __init__(self, network: RoutedNetwork, *, crossing_depth: int = 0, name: str | None = None) -> None:
        if not isinstance(network, RoutedNetwork):
            raise ParameterError(
                f"routing must be given for an AXI4-Stream interface (--routing), not none for {network}"
            )
        if network.options.width % 8:
            raise ParameterError(
                f"width must be a multiple of 8 with AXI4-Stream interfaces, not {network.options.width}"
            )
        self.network = network
        self.crossing_depth = check_integer("crossing depth", crossing_depth, minimum=0, maximum=1 << 12)
        self.name = name or "axi_network"
        self.shared_fabric = Fabric(network, name=name and module_name("fabric", name)).shared()
        self.shared_interface = Shared(
            PortInterface(network, crossing_depth=crossing_depth), module_name("network_interface", name)
        )
        members: dict[str, Any] = {"aclk": In(1), "aresetn": In(1), "error": Out(network.topology.nodes)}
        self._streams = {
            way: self.shared_interface.component.signature.members[way].signature for way in ("s_axis", "m_axis")
        }
        for endpoint in range(network.endpoints):
            if crossing_depth:
                members |= {f"axis_{endpoint}_aclk": In(1), f"axis_{endpoint}_aresetn": In(1)}
            for way, stream in self._streams.items():
                for member, of in stream.members.items():
                    members[f"{way}_{endpoint}_{member}"] = of.flow(of.shape)
            members |= {f"{count}_{endpoint}": Out(16) for count in _COUNTS}
        super().__init__(members)

    @property
    def interface_modules(self) -> list[str]:
        """The names of the modules between the AXI4-Streams of ports and the network."""
        return [self.shared_interface.name]

    def shared(self) -> Shared:
        """The network as a module with all modules that it uses, for :func:`noc.verilog.to_verilog`."""
        return Shared(self, self.name, uses=[self.shared_fabric, self.shared_interface])

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.domains.sync = domain = ClockDomain("sync", local=True)
        m.d.comb += [domain.clk.eq(self.aclk), domain.rst.eq(~self.aresetn)]
        fabric: Any = self.shared_fabric.copy()
        m.submodules.fabric = fabric
        m.d.comb += self.error.eq(fabric.error)
        ports = self.network.processor_ports
        for endpoint in range(self.network.endpoints):
            interface: Any = self.shared_interface.copy()
            m.submodules[f"interface{endpoint}"] = interface
            processor, port = divmod(endpoint, ports)
            ends = fabric.processors[processor][port]
            wiring.connect(m, interface.send, ends.send)
            wiring.connect(m, ends.receive, interface.receive)
            routes = [self.network.routes(endpoint, other) or None for other in range(self.network.endpoints)]
            packed = self._table.pack(routes)
            m.d.comb += [
                Value.cast(interface.routes).eq(Const(packed, len(Value.cast(interface.routes)))),
                interface.source.eq(processor),
                *(self._outer(f"{count}_{endpoint}").eq(getattr(interface, count)) for count in _COUNTS),
            ]
            if self.crossing_depth:
                m.d.comb += [
                    getattr(interface, name).eq(self._outer(f"axis_{endpoint}_{name}")) for name in ("aclk", "aresetn")
                ]
            for way, stream in self._streams.items():
                for member, of in stream.members.items():
                    outer, inner = self._outer(f"{way}_{endpoint}_{member}"), getattr(getattr(interface, way), member)
                    m.d.comb += inner.eq(outer) if of.flow == In else outer.eq(inner)
        return m

    @property
    def _table(self) -> Any:
        interface: Any = self.shared_interface.component
        return interface.interface.table

    def _outer(self, name: str) -> Signal:
        return getattr(self, name)
