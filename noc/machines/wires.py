"""The wires of a network on which packets are observed."""

from collections.abc import Iterable
import dataclasses
from typing import Literal

from fatcube.noc.network import Network
from fatcube.noc.topology import Topology
from fatcube.rtl.ports import verilog_name

__all__ = ["LaneWire", "PortWire", "Wire", "wires_of_node", "wires_of_router"]


@dataclasses.dataclass(frozen=True)
class PortWire:
    """A port of a processor, one way.

    Parameters
    ----------
    way : :class:`str`
        ``"send"`` or ``"receive"``, as the processor sees it.
    node, processor, port : :class:`int`
        The node, the processor's number on it, and the port's number on that.
    """

    way: Literal["send", "receive"]
    node: int
    processor: int
    port: int

    @property
    def stream(self) -> str:
        """The name of its stream at the node's router."""
        return verilog_name(("processors", self.processor, self.port, self.way))

    def describe(self, topology: Topology) -> str:
        """A phrase for the wire, with its port and processor."""
        way = "sending" if self.way == "send" else "receiving"
        return f"{way} port {self.port} of processor {topology.processors_of(self.node)[self.processor]}"


@dataclasses.dataclass(frozen=True)
class LaneWire:
    """A lane, one way, at the node that it leaves.

    Parameters
    ----------
    node, channel, lane : :class:`int`
        The node, its channel, and the lane's number in that.
    """

    node: int
    channel: int
    lane: int

    @property
    def stream(self) -> str:
        """The name of its stream at the node's router."""
        return verilog_name(("lanes", self.channel, self.lane, "out"))

    def describe(self, topology: Topology) -> str:
        """A phrase for the wire, with its lane and nodes."""
        others = {channel: other for channel, other, _ in topology.ends(self.node)}
        return f"lane {self.lane} of channel {self.channel} from node {self.node} to node {others[self.channel]}"


Wire = PortWire | LaneWire


def wires_of_node(network: Network, node: int) -> list[Wire]:
    """All wires of a node: sending ports, receiving ports, lanes that leave."""
    topology = network.topology
    return _wires(network, node, len(topology.processors_of(node)), [channel for channel, _, _ in topology.ends(node)])


def wires_of_router(network: Network) -> list[Wire]:
    """The wires of a node that has all processors and channels of a router."""
    return _wires(network, 0, network.topology.m, range(network.topology.degree))


def _wires(network: Network, node: int, processors: int, channels: Iterable[int]) -> list[Wire]:
    return [
        *(
            PortWire(way, node, processor, port)
            for way in ("send", "receive")
            for processor in range(processors)
            for port in range(network.processor_ports)
        ),
        *(LaneWire(node, channel, lane) for channel in channels for lane in range(network.topology.f)),
    ]
