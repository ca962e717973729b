# amaranth: UnusedElaboratable=no
"""A network, or a router, as a part of a user's Amaranth design."""

from collections.abc import Iterator
import functools
from typing import Any

from amaranth.hdl import ClockSignal, Instance, Module, ResetSignal, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.arguments import Numbered, known_arguments
from fatcube.groundwork.late import read_at_exit
from fatcube.noc.axi_network import AxiInDomain, AxiNetwork, elsewhere
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.shared import AS_MODULES, Copy, Shared
from fatcube.noc.streams.options import StreamOptions
from fatcube.noc.verilog import to_verilog
from fatcube.rtl.protocols.axi_stream import AXI_STREAM
from fatcube.rtl.protocols.packets import PACKETS
from fatcube.rtl.protocols.protocol import HANDSHAKE

__all__ = ["Embedded", "PacketNetwork"]

read_at_exit(__file__)


class Embedded(Copy):
    """A component as one module of a design for an Amaranth platform, with its Verilog among the sources.

    It has the ports of the component, and is clocked and reset by the domain ``sync``.

    Parameters
    ----------
    shared : :class:`Shared`
        The component with all that it uses, as of :meth:`fatcube.noc.fabric.Fabric.shared`.
    comment : :class:`str`
        The comment at the head of its Verilog.
    """

    def __init__(self, shared: Shared, *, comment: str = "") -> None:
        self.comment = comment
        super().__init__(shared)

    @property
    def file(self) -> str:
        """The name of its Verilog file in the platform."""
        return f"{self.shared.name}.v"

    def elaborate(self, platform: Any) -> Instance | Module:
        if platform not in (None, AS_MODULES):
            platform.add_file(self.file, to_verilog(self.shared, comment=self.comment))
        return super().elaborate(platform)


class PacketNetwork(wiring.Component):
    """A network with a routing as a part of an Amaranth design, with a stream of words into it and one out of it at every port.

    It is an :class:`AxiNetwork` whose AXI4-Streams are Amaranth streams. A packet that enters at a port leaves at the port
    that is its ``destination``, which is sampled with its first word, and has the number of the processor that sent it as
    ``source``. A sender must complete every packet that it starts, and every word that leaves must be taken. All
    is clocked and reset by the domain ``sync``. On a platform, the Verilog of the network is added to the files; without one,
    as in Amaranth's own simulator, the network is elaborated in its place.

    Members
    -------
    send_{e} : :py:`In(stream.Signature(StructLayout({"data": width, "last": 1, "destination": dest_bits})))`
        The words of packets into the network at port e, numbered processor by processor.
    receive_{e} : :py:`Out(stream.Signature(StructLayout({"data": width, "last": 1, "source": id_bits})))`
        The words of packets out of the network.
    error : :py:`Out(nodes)`
        See :class:`AxiNetwork`.
    unknown_count, too_long_count, empty_count : :py:`Out(16).array(endpoints)`
        Packets that were dropped at each port, as of :class:`AxiNetwork`.
    bad_keep_count : :py:`Out(16).array(endpoints)`
        See :class:`AxiNetwork`; only where packets are byte-exact.

    Where packets are byte-exact, a word has two fields more, behind ``last``: ``keep``, whose bits say which bytes count, and
    ``user``, which counts with the last word and has the error bit.

    Parameters
    ----------
    network : :class:`RoutedNetwork`
    streams : :class:`StreamOptions` or ``None``
        The packets of the ports, which may be byte-exact, of other widths than the network, or stored.
    name : :class:`str` or ``None``
        The name of its module, and the prefix of the names of all modules that it uses, so that several networks fit into
        one design.

    Attributes
    ----------
    send, receive : list of :class:`stream.Interface`
        The streams by the number of their port.
    shared : :class:`Shared`
        The parts of the design, for :func:`fatcube.noc.verilog.to_verilog` of a :class:`Shared` design.

    Raises
    ------
    ParameterError
        See :class:`AxiNetwork`.
    """

    error: Signal

    @known_arguments(elsewhere)
    def __init__(
        self, network: RoutedNetwork, *, streams: StreamOptions | None = None, name: str | None = None
    ) -> None:
        self._make = functools.partial(AxiInDomain, network, streams=streams, name=name)
        axi = AxiNetwork(network, streams=streams, name=name)
        self.shared = axi.shared()
        self._ports = dict(axi.signature.members.items())
        endpoints = range(network.endpoints)
        into, out = (
            {PACKETS.streams_of(endpoint)[way]: AXI_STREAM.streams_of(endpoint)[way] for endpoint in endpoints}
            for way in range(2)
        )
        self._behind = into | out
        words = {
            name: (In if name in into else Out)(stream.Signature(data.StructLayout(self._fields(behind))))
            for name, behind in self._behind.items()
        }
        self._counts = AXI_STREAM.counter_names(byte_exact=axi.streams.byte_exact)
        counts = {count: Out(16).array(network.endpoints) for count in self._counts}
        super().__init__({**words, **counts, "error": Out(network.topology.nodes)})
        self.send, self.receive = (
            Numbered([getattr(self, name) for name in streams], f"port of {way}")
            for way, streams in (("send", into), ("receive", out))
        )

    def _fields(self, behind: str) -> dict[str, Any]:
        """The fields of the words of the AXI4-Stream ``behind``."""
        fields = (signal for signal in PACKETS.signals if signal.role not in HANDSHAKE)
        ports = {signal.name: self._ports.get(AXI_STREAM.port(behind, signal.role)) for signal in fields}
        return {field: port.shape for field, port in ports.items() if port is not None}

    def elaborate(self, platform: Any) -> Module:
        m = Module()
        if platform is None:
            m.submodules.network = axi = self._make()
            for name, value in self._wires():
                inner = getattr(axi, name)
                m.d.comb += inner.eq(value) if self._ports[name].flow == In else value.eq(inner)
            return m
        ports: dict[str, Value] = {"i_aclk": ClockSignal(), "i_aresetn": ~ResetSignal(allow_reset_less=True)}
        for name, value in self._wires():
            ports[f"{'i' if self._ports[name].flow == In else 'o'}_{name}"] = value
        m.submodules.network = Instance(self.shared.name, **ports)
        if platform is not AS_MODULES:
            platform.add_file(f"{self.shared.name}.v", to_verilog(self.shared))
        return m

    def _wires(self) -> Iterator[tuple[str, Value]]:
        """Each port of the :class:`AxiNetwork` but clock and reset, with what is connected to it."""
        yield "error", self.error
        for count in self._counts:
            values = enumerate(getattr(self, count))
            yield from ((AXI_STREAM.counter(count, endpoint), value) for endpoint, value in values)
        for name, behind in self._behind.items():
            words = getattr(self, name)
            for signal in PACKETS.signals:
                if (port := AXI_STREAM.port(behind, signal.role)) in self._ports:
                    of = words if signal.role in HANDSHAKE else words.payload
                    yield port, Value.cast(getattr(of, signal.name))
