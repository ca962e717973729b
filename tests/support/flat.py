"""A network's routers and lanes in one Amaranth design, for its simulator: no module is shared, which it cannot run."""

from amaranth.hdl import Elaboratable, Module

from fatcube.noc.lanes import connect_lanes
from fatcube.rtl.router import FatNodeRouter

__all__ = ["FlatFabric"]


class FlatFabric(Elaboratable):
    """The parts of :class:`fatcube.noc.fabric.Fabric`, with the streams of the routers to reach.

    Attributes
    ----------
    send, receive : list of list
        The streams from, and to, port j of processor p, as ``send[p][j]``.
    """

    def __init__(self, network):
        self.network = network
        self.routers = [FatNodeRouter(network.router()) for _ in range(network.topology.nodes)]
        processors = [ports for router in self.routers for ports in router.processors]
        self.send = [[port.send for port in ports] for ports in processors]
        self.receive = [[port.receive for port in ports] for ports in processors]

    def elaborate(self, platform):
        m = Module()
        for node, router in enumerate(self.routers):
            m.submodules[f"node{node}"] = router
            if self.network.options.setup_retry:
                m.d.comb += router.number.eq(node)
        connect_lanes(m, self.network.topology, self.routers)
        return m
