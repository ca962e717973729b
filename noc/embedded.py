"""A network, or a router, as a part of a user's Amaranth design."""

from collections.abc import Sequence
from typing import Any

from amaranth.hdl import ClockSignal, Instance, Module, ResetSignal, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from noc.axi_network import AxiNetwork
from noc.routed_network import RoutedNetwork
from noc.shared import Copy, Shared
from noc.verilog import to_verilog

__all__ = ["Embedded", "PacketNetwork"]


class Embedded(Copy):
    """A component as one module of a design for an Amaranth platform, with its Verilog among the sources.

    It has the ports of the component, and is clocked and reset by the domain ``sync``.

    Parameters
    ----------
    shared : :class:`Shared`
        The component with all that it uses, as of :meth:`noc.fabric.Fabric.shared`.
    comment : :class:`str`
        The comment at the head of its Verilog.
    """

    def __init__(self, shared: Shared, *, comment: str = "") -> None:
        self.shared = shared
        self.comment = comment
        super().__init__(shared.component.signature, shared.name)

    @property
    def file(self) -> str:
        """The name of its Verilog file in the platform."""
        return f"{self.shared.name}.v"

    def elaborate(self, platform: Any) -> Instance:
        if platform is not None:
            platform.add_file(self.file, to_verilog(self.shared, comment=self.comment))
        return super().elaborate(platform)


# The fields of a word of a packet, by the signals of AXI4-Stream that carry them.
_FIELDS = {"tdata": "data", "tlast": "last", "tdest": "destination", "tid": "source"}
_WAYS = {"s_axis": "send", "m_axis": "receive"}


class PacketNetwork(wiring.Component):
    """A network with a routing as a part of an Amaranth design, with a stream of words into it and one out of it at every port.

    It is an :class:`AxiNetwork` whose AXI4-Streams are Amaranth streams. A packet that enters at a port leaves at the port
    that is its ``destination``, which is sampled with its first word, and has the number of the processor that sent it as
    ``source``. Who has sent the first word of a packet must send the rest, and every word that leaves must be taken. All
    is clocked and reset by the domain ``sync``. On a platform, the Verilog of the network is added to the files.

    Members
    -------
    send : :py:`In(stream.Signature(StructLayout({"data": width, "last": 1, "destination": dest_bits}))).array(endpoints)`
        The words of packets into the network, by ports of processors, numbered processor by processor.
    receive : :py:`Out(stream.Signature(StructLayout({"data": width, "last": 1, "source": id_bits}))).array(endpoints)`
        The words of packets out of the network.
    error : :py:`Out(nodes)`
        As of :class:`AxiNetwork`.

    Parameters
    ----------
    network : :class:`RoutedNetwork`
    name : :class:`str` or ``None``
        The name of its module, and the prefix of the names of all modules that it uses, so that several networks fit into
        one design.

    Attributes
    ----------
    shared : :class:`Shared`
        What the design uses, for :func:`noc.verilog.to_verilog` of a :class:`Shared` design without a platform.

    Raises
    ------
    ParameterError
        As of :class:`AxiNetwork`.
    """

    error: Signal
    send: Sequence[stream.Interface]
    receive: Sequence[stream.Interface]

    def __init__(self, network: RoutedNetwork, *, name: str | None = None) -> None:
        self.shared = AxiNetwork(network, name=name).shared()
        self._ports = dict(self.shared.component.signature.members.items())
        send, receive = (stream.Signature(data.StructLayout(self._fields(way))) for way in _WAYS)
        super().__init__(
            {
                "send": In(send).array(network.endpoints),
                "receive": Out(receive).array(network.endpoints),
                "error": Out(network.topology.nodes),
            }
        )

    def _fields(self, way: str) -> dict[str, Any]:
        """The fields of the words of ``way``, one of :data:`_WAYS`; they are the same at every port."""
        ports = {field: self._ports.get(f"{way}_0_{signal}") for signal, field in _FIELDS.items()}
        return {field: port.shape for field, port in ports.items() if port is not None}

    def elaborate(self, platform: Any) -> Module:
        m = Module()
        ports: dict[str, Value] = {
            "i_aclk": ClockSignal(),
            "i_aresetn": ~ResetSignal(allow_reset_less=True),
            "o_error": self.error,
        }
        for way, member in _WAYS.items():
            into, out = ("i", "o") if member == "send" else ("o", "i")
            for endpoint, words in enumerate(getattr(self, member)):
                for signal, field in _FIELDS.items():
                    if f"{way}_{endpoint}_{signal}" in self._ports:
                        ports[f"{into}_{way}_{endpoint}_{signal}"] = getattr(words.payload, field)
                ports[f"{into}_{way}_{endpoint}_tvalid"] = words.valid
                ports[f"{out}_{way}_{endpoint}_tready"] = words.ready
        m.submodules.network = Instance(self.shared.name, **ports)
        if platform is not None:
            platform.add_file(f"{self.shared.name}.v", to_verilog(self.shared))
        return m
