"""The places in a network where a packet can be seen."""

import dataclasses

__all__ = ["Wire"]


@dataclasses.dataclass(frozen=True, order=True)
class Wire:
    """A port of a processor or a lane, one way.

    Parameters
    ----------
    kind : :class:`str`
        ``"send"`` or ``"receive"``: a port of a processor. ``"lane"``: a lane, seen where it leaves a node.
    node : :class:`int`
        The node.
    first, second : :class:`int`
        Local processor and port, or channel and lane.
    """

    kind: str
    node: int
    first: int
    second: int

    @classmethod
    def of_node(cls, network, node):
        """All wires of a node: sending ports, receiving ports, lanes that leave."""
        topology = network.topology
        return [
            *(
                cls(kind, node, p, j)
                for kind in ("send", "receive")
                for p in range(topology.m)
                for j in range(network.processor_ports)
            ),
            *(cls("lane", node, c, l) for c in range(topology.degree) for l in range(topology.f)),
        ]

    def describe(self, topology):
        """The wire in words."""
        if self.kind == "lane":
            other, _ = topology.neighbour(self.node, self.first)
            return f"lane {self.second} of channel {self.first} from node {self.node} to node {other}"
        way = "sending" if self.kind == "send" else "receiving"
        return f"{way} port {self.second} of processor {self.node * topology.m + self.first}"
