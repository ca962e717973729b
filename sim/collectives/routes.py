"""The route of a transfer through the hardware: the lanes that it crosses, and the outputs that its packet selects."""

from noc.machines.wires import LaneWire
from noc.topology import Topology
from rtl.router_parameters import RouterParameters
from schedules.schedule import Transfer

__all__ = ["lanes_of", "place_of", "route_of"]


def place_of(processor: int, topology: Topology) -> tuple[int, int]:
    """The node of a processor, and its number there."""
    return topology.node_of(processor), topology.local_of(processor)


def lanes_of(transfer: Transfer, topology: Topology) -> list[LaneWire]:
    """The lanes that a transfer crosses, in order: none within a node, one to an adjacent node, several of a path."""
    return [
        LaneWire(node, topology.channels_between(node, other)[lane // topology.f], lane % topology.f)
        for node, other, lane in transfer.hops(topology)
    ]


def route_of(transfer: Transfer, arriving_port: int, topology: Topology, router: RouterParameters) -> list[int]:
    """The outputs, by number, of the routers on the way of a transfer to ``arriving_port`` of its receiver."""
    arrival = router.processor_port(topology.local_of(transfer.dst), arriving_port)
    return [*(router.lane_port(lane.channel, lane.lane) for lane in lanes_of(transfer, topology)), arrival]
