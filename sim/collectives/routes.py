"""The route of a transfer through the hardware: the lane that it crosses, and the outputs that its packet selects."""

from noc.machines.wires import LaneWire
from noc.topology import Topology
from rtl.router_parameters import RouterParameters
from schedules.schedule import Transfer

__all__ = ["lane_of", "place_of", "route_of"]


def place_of(processor: int, topology: Topology) -> tuple[int, int]:
    """The node of a processor, and its number there."""
    return topology.node_of(processor), topology.local_of(processor)


def lane_of(transfer: Transfer, topology: Topology) -> LaneWire:
    """The lane that a transfer between two nodes crosses."""
    assert transfer.lane is not None
    node, other = topology.node_of(transfer.src), topology.node_of(transfer.dst)
    channel = topology.channels_between(node, other)[transfer.lane // topology.f]
    return LaneWire(node, channel, transfer.lane % topology.f)


def route_of(transfer: Transfer, arriving_port: int, topology: Topology, router: RouterParameters) -> list[int]:
    """The outputs, by number, of the routers on the way of a transfer to ``arriving_port`` of its receiver."""
    arrival = router.processor_port(topology.local_of(transfer.dst), arriving_port)
    if transfer.lane is None:
        return [arrival]
    lane = lane_of(transfer, topology)
    return [router.lane_port(lane.channel, lane.lane), arrival]
