"""The routers of a network, wired: what one takes to connect one's own processors."""

from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from noc.shared import Shared
from rtl.flit import FlitStream
from rtl.router import FatNodeRouter

__all__ = ["Fabric", "connect_lanes"]


def connect_lanes(m, topology, nodes, links=None):
    """Wires every lane of the graph: each ``out`` of a node to the ``in`` of the neighbour that it leads to.

    Parameters
    ----------
    nodes : list
        A component for each node, with streams ``channel{c}_lane{l}_in`` and ``channel{c}_lane{l}_out``.
    links : dict
        Components with streams ``i`` and ``o`` to put into single lanes, by ``(node, channel, lane)`` of the
        sending end.
    """
    links = dict(links or {})
    for node in range(topology.nodes):
        for channel in range(topology.degree):
            other, back = topology.neighbour(node, channel)
            for lane in range(topology.f):
                source = getattr(nodes[node], f"channel{channel}_lane{lane}_out")
                sink = getattr(nodes[other], f"channel{back}_lane{lane}_in")
                if (node, channel, lane) in links:
                    link = links[node, channel, lane]
                    m.submodules[f"link{node}_{channel}_{lane}"] = link
                    wiring.connect(m, source, link.i)
                    wiring.connect(m, link.o, sink)
                else:
                    wiring.connect(m, source, sink)


class Fabric(wiring.Component):
    """All routers and lanes of a network; the processors are yours.

    Members
    -------
    processor{p}_send{j} : :py:`In(FlitStream(width))`
        From port j of processor p, numbered over the whole network.
    processor{p}_receive{j} : :py:`Out(FlitStream(width))`
        To port j of processor p.
    """

    def __init__(self, network):
        self.network = network
        self.shared_router = Shared(FatNodeRouter(network.router()), "fat_node_router")
        members = {}
        for p in range(network.topology.processors):
            for j in range(network.processor_ports):
                members[f"processor{p}_send{j}"] = In(FlitStream(network.width))
                members[f"processor{p}_receive{j}"] = Out(FlitStream(network.width))
        super().__init__(members)

    def shared(self):
        """The fabric as a module with all that it uses, for :func:`noc.verilog.to_verilog`."""
        return Shared(self, "fabric", uses=[self.shared_router])

    def elaborate(self, platform):
        m = Module()
        topology = self.network.topology
        routers = []
        for node in range(topology.nodes):
            router = self.shared_router.copy()
            m.submodules[f"node{node}"] = router
            routers.append(router)
            for local in range(topology.m):
                for j in range(self.network.processor_ports):
                    for way in ("send", "receive"):
                        outer = getattr(self, f"processor{node * topology.m + local}_{way}{j}")
                        wiring.connect(m, wiring.flipped(outer), getattr(router, f"processor{local}_{way}{j}"))
        connect_lanes(m, topology, routers)
        return m
