"""The ways of packets through the hardware: their ports, the lanes that they cross, and the outputs and turns they take."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
import itertools
from typing import NamedTuple

from noc.machines.wires import LaneWire
from noc.routing.turns import Turns
from noc.topology import Topology
from rtl.router_parameters import RouterParameters
from schedules.schedule import Schedule, Transfer

__all__ = ["PortedPacket", "at_ports", "lanes_of", "place_of", "route_of", "turns_of"]


class PortedPacket(NamedTuple):
    """A packet of a step: its transfers, the sending port of its sender, and the receiving port of its receiver."""

    transfers: Sequence[Transfer]
    sending: int
    receiving: int


def at_ports(packets: Iterable[Sequence[Transfer]], *, multicast: bool) -> Iterator[PortedPacket]:
    """The packets of a step with their ports.

    The packets that a processor sends take its sending ports in order, or the one that it has if routers copy them, and
    those that it receives its receiving ports.
    """
    sending: Counter[int] = Counter()
    receiving: Counter[int] = Counter()
    for packet in packets:
        src, dst = packet[0].src, packet[0].dst
        yield PortedPacket(packet, 0 if multicast else sending[src], receiving[dst])
        sending[src] += 1
        receiving[dst] += 1


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


def turns_of(schedule: Schedule, router: RouterParameters) -> Turns:
    """The turns that the packets of a schedule take at any node.

    Parameters
    ----------
    schedule : :class:`Schedule`
        On the lanes of the network.
    router : :class:`RouterParameters`
        What inputs and outputs are numbered by.
    """
    topology, written = schedule.topology, schedule.expanded()
    found: set[tuple[int, int]] = set()
    for _, transfers in itertools.groupby(written.transfers, key=lambda transfer: transfer.step):
        for packet in at_ports(written.packets([*transfers]), multicast=router.header.multicast):
            transfer = packet.transfers[0]
            inputs = [router.processor_port(topology.local_of(transfer.src), packet.sending)]
            for lane in lanes_of(transfer, topology):
                end = topology.neighbour(lane.node, lane.channel)
                assert end is not None
                inputs.append(router.lane_port(end[1], lane.lane))
            found.update(zip(inputs, route_of(transfer, packet.receiving, topology, router), strict=True))
    return frozenset(found)
