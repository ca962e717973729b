"""The wires of a network on which packets are observed."""

import dataclasses
from typing import Literal

from noc.network import Network
from noc.topology import Topology

__all__ = ["LaneWire", "PortWire", "Wire", "wires_of_node"]


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
        return f"processor{self.processor}_{self.way}{self.port}"

    def describe(self, topology: Topology) -> str:
        """The wire in words."""
        way = "sending" if self.way == "send" else "receiving"
        return f"{way} port {self.port} of processor {self.node * topology.m + self.processor}"


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
        return f"channel{self.channel}_lane{self.lane}_out"

    def describe(self, topology: Topology) -> str:
        """The wire in words."""
        other, _ = topology.neighbour(self.node, self.channel)
        return f"lane {self.lane} of channel {self.channel} from node {self.node} to node {other}"


Wire = PortWire | LaneWire


def wires_of_node(network: Network, node: int) -> list[Wire]:
    """All wires of a node: sending ports, receiving ports, lanes that leave."""
    topology = network.topology
    return [
        *(
            PortWire(way, node, processor, port)
            for way in ("send", "receive")
            for processor in range(topology.m)
            for port in range(network.processor_ports)
        ),
        *(LaneWire(node, channel, lane) for channel in range(topology.degree) for lane in range(topology.f)),
    ]
