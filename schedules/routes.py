"""The ways of packets through the hardware: their ports, the lanes that they cross, and the outputs and turns they take."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
import itertools
from typing import NamedTuple

from fatcube.noc.machines.wires import LaneWire
from fatcube.noc.routing.turns import Turns
from fatcube.noc.topology import Topology
from fatcube.rtl.router_parameters import RouterParameters
from fatcube.schedules.schedule import Schedule, Transfer

__all__ = ["PortedPacket", "at_ports", "at_ports_of_lanes", "lanes_of", "place_of", "route_of", "turns_of"]


class PortedPacket(NamedTuple):
    """A packet of a step: its transfers, the sending port of its sender, and the receiving port of its receiver."""

    transfers: Sequence[Transfer]
    sending: int
    receiving: int


def at_ports(packets: Iterable[Sequence[Transfer]], *, copies: bool) -> Iterator[PortedPacket]:
    """The packets of a step with their ports.

    The packets that a processor sends take its sending ports in order, or its one port if routers copy them, and
    the packets that it receives its receiving ports.
    """
    sending: Counter[int] = Counter()
    receiving: Counter[int] = Counter()
    for packet in packets:
        src, dst = packet[0].src, packet[0].dst
        yield PortedPacket(packet, 0 if copies else sending[src], receiving[dst])
        sending[src] += 1
        receiving[dst] += 1


def at_ports_of_lanes(packets: Iterable[Sequence[Transfer]], topology: Topology, ports: int) -> Iterator[PortedPacket]:
    """The packets of a step, each at the ports of the lanes by which it leaves its sender's node and enters its receiver's.

    Lane l of channel c belongs to port (c f + l) modulo ``ports``, the number of a processor. What stays within a node, and what
    finds that port taken by another packet of the step, takes the first free one. So as far as there are ports, packets of
    different steps that take different lanes wait for each other neither in a sender nor before a receiver.
    """
    sending: dict[int, set[int]] = {}
    receiving: dict[int, set[int]] = {}
    later: list[Sequence[Transfer]] = []

    def free(taken: set[int], wanted: int | None) -> int:
        port = wanted if wanted is not None and wanted not in taken else min(set(range(ports)) - taken)
        taken.add(port)
        return port

    for packet in packets:
        if not any(packet[0].hops(topology)):
            later.append(packet)
            continue
        lanes = lanes_of(packet[0], topology)
        first, last = lanes[0], lanes[-1]
        end = topology.neighbour(last.node, last.channel)
        assert end is not None
        out, into = (
            (channel * topology.f + lane) % ports
            for channel, lane in ((first.channel, first.lane), (end[1], last.lane))
        )
        taken = sending.setdefault(packet[0].src, set()), receiving.setdefault(packet[0].dst, set())
        yield PortedPacket(packet, free(taken[0], out), free(taken[1], into))
    for packet in later:
        taken = sending.setdefault(packet[0].src, set()), receiving.setdefault(packet[0].dst, set())
        yield PortedPacket(packet, free(taken[0], None), free(taken[1], None))


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
        The numbering of inputs and outputs.
    """
    topology, written = schedule.topology, schedule.expanded()
    found: set[tuple[int, int]] = set()
    for _, transfers in itertools.groupby(written.transfers, key=lambda transfer: transfer.step):
        for packet in at_ports(written.packets([*transfers]), copies=router.header.copies):
            transfer = packet.transfers[0]
            inputs = [router.processor_port(topology.local_of(transfer.src), packet.sending)]
            for lane in lanes_of(transfer, topology):
                end = topology.neighbour(lane.node, lane.channel)
                assert end is not None
                inputs.append(router.lane_port(end[1], lane.lane))
            found.update(zip(inputs, route_of(transfer, packet.receiving, topology, router), strict=True))
    return frozenset(found)
