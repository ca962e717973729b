"""The rules of a step, of which the checker tries one after the other."""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence

from fatcube.noc.orientation import lanes_leaving
from fatcube.noc.topology import Topology
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.schedule import Hop, Schedule, Transfer
from fatcube.schedules.step_model import Links, StepModel
from fatcube.schedules.symmetry import Link, Symmetry

__all__ = [
    "ScheduleError",
    "check_copies",
    "check_dedicated",
    "check_directions",
    "check_lane",
    "check_lanes",
    "check_packet",
    "check_partners",
    "check_path",
    "check_reach",
    "check_receivers",
    "check_send_or_receive",
    "check_senders",
    "check_transfer",
    "check_twice",
    "check_ways_out",
]


class ScheduleError(ValueError):
    """A schedule breaks a rule. The message is one line that names the step, the processor, the message."""


def check_transfer(transfer: Transfer, schedule: Schedule) -> None:
    """One transfer by itself: its ends, its message and its lane."""
    topology = schedule.topology
    step, src, dst, message = transfer.step, transfer.src, transfer.dst, transfer.message
    for processor in (src, dst):
        if processor >= topology.processors:
            raise ScheduleError(
                f"step {step}: processor {processor} of the transfer of message {message} "
                f"does not exist, the last one is {topology.processors - 1}"
            )
        if not topology.works(processor):
            raise ScheduleError(
                f"step {step}: processor {processor} of the transfer of message {message} does not work on the {topology.name}"
            )
    if src == dst:
        raise ScheduleError(f"step {step}: processor {src} sends message {message} to itself")
    if not schedule.collective.moves(message, topology, schedule.root, schedule.parts, schedule.among):
        raise ScheduleError(
            f"step {step}: processor {src} sends message {message}, which is none of {schedule.collective.value}"
            f"{'' if schedule.among.all else f' {schedule.among}'}"
        )
    if transfer.path:
        check_path(transfer, topology)
    else:
        check_lane(transfer, topology)


def check_lane(transfer: Transfer, topology: Topology) -> None:
    """A transfer within a node has no lane, and one to an adjacent node one of those that lead there."""
    here, there = topology.node_of(transfer.src), topology.node_of(transfer.dst)
    if here == there:
        if transfer.lane is not None:
            raise ScheduleError(
                f"{_sends(transfer)} to processor {transfer.dst} of its own node over lane {transfer.lane}, the lane must "
                f"be null"
            )
        return
    lanes = topology.lanes_between(here, there)
    if not lanes:
        raise ScheduleError(
            f"{_sends(transfer)} to processor {transfer.dst}, but their nodes {here} and {there} are not adjacent"
        )
    if transfer.lane not in lanes:
        lane = "null" if transfer.lane is None else transfer.lane
        raise ScheduleError(
            f"{_sends(transfer)} to processor {transfer.dst} over lane {lane}, the lane must be {_one_of(lanes)}"
        )


def _one_of(lanes: Sequence[int]) -> str:
    return f"from 0 to {lanes[-1]}" if len(lanes) > lanes[-1] else f"one of {', '.join(map(str, lanes))}, which work"


def check_path(transfer: Transfer, topology: Topology) -> None:
    """A path goes from node to adjacent node, over lanes that are there, through no node twice, to the receiver's."""
    end = topology.node_of(transfer.dst)
    passed = {topology.node_of(transfer.src)}
    for here, there, lane in transfer.hops(topology):
        lanes = () if there >= topology.nodes else topology.lanes_between(here, there)
        if not lanes:
            raise ScheduleError(
                f"{_sends(transfer)} on a path from node {here} to node {there}, which are not adjacent"
            )
        if lane not in lanes:
            raise ScheduleError(
                f"{_sends(transfer)} on a path over lane {lane} from node {here} to node {there}, the lane must be "
                f"{_one_of(lanes)}"
            )
        if there in passed:
            raise ScheduleError(f"{_sends(transfer)} on a path that visits node {there} twice")
        passed.add(there)
    if transfer.path[-1][0] != end:
        raise ScheduleError(
            f"{_sends(transfer)} to processor {transfer.dst} of node {end} on a path that ends at node "
            f"{transfer.path[-1][0]}"
        )


def check_reach(transfer: Transfer, model: StepModel) -> None:
    """An adjacent transfer crosses one link at most."""
    if transfer.path and not model.direct:
        raise ScheduleError(
            f"{_sends(transfer)} over {len(transfer.path)} links, but transfers go to adjacent nodes only"
        )


def check_packet(packet: Sequence[Transfer], model: StepModel) -> None:
    """A packet has no more messages than the model allows."""
    if len(packet) > model.most_messages:
        raise ScheduleError(
            f"step {packet[0].step}: processor {packet[0].src} sends processor {packet[0].dst} a packet of {len(packet)} "
            f"messages, at most {model.per_packet} may share one"
        )


def _sends(transfer: Transfer) -> str:
    return f"step {transfer.step}: processor {transfer.src} sends message {transfer.message}"


def _crossed(
    transfers: Sequence[Transfer], topology: Topology, symmetry: Symmetry
) -> Iterator[tuple[Transfer, Hop, tuple[Link, int]]]:
    """The links that packets cross: the first transfer of each packet, the link, and its class and lane."""
    for transfer in transfers:
        for here, there, lane in transfer.hops(topology):
            yield transfer, (here, there, lane), (symmetry.link_class(here, there), lane)


def check_lanes(transfers: Sequence[Transfer], schedule: Schedule, symmetry: Symmetry) -> None:
    """A lane carries one packet per direction and step."""
    used = set()
    for transfer, (here, there, lane), key in _crossed(transfers, schedule.topology, symmetry):
        if schedule.symmetric and schedule.model.links is Links.SIMPLEX:  # whose images are as far from the first one
            key = key[0], lane - lanes_leaving(schedule.topology, here, there).start
        if key in used:
            raise ScheduleError(
                f"{_sends(transfer)} over lane {lane} from node {here} to node {there}, which is taken in this step"
            )
        used.add(key)


def check_ways_out(transfers: Sequence[Transfer], schedule: Schedule, symmetry: Symmetry) -> None:
    """Simplex: a lane carries packets in its one direction."""
    for transfer, (here, there, lane), _ in _crossed(transfers, schedule.topology, symmetry):
        if lane not in lanes_leaving(schedule.topology, here, there):
            raise ScheduleError(
                f"{_sends(transfer)} over lane {lane} from node {here} to node {there}, which leads the other way (simplex)"
            )


def check_directions(transfers: Sequence[Transfer], schedule: Schedule, symmetry: Symmetry) -> None:
    """Half duplex: a lane that carries a packet carries none back."""
    used = set()
    for transfer, (here, there, lane), key in _crossed(transfers, schedule.topology, symmetry):
        used.add(key)
        if (symmetry.link_class(there, here), schedule.topology.other_end(here, there, lane)) in used:
            raise ScheduleError(
                f"{_sends(transfer)} over lane {lane} from node {here} to node {there}, which carries a message in the "
                f"opposite direction in this step (half duplex)"
            )


def check_copies(transfers: Sequence[Transfer], schedule: Schedule, symmetry: Symmetry) -> None:
    """Where routers copy packets, a packet of several copies goes to the sender's own outputs only."""
    moves = [symmetry.representative(transfer.move) for transfer in transfers]
    copies = Counter((move.src, move.message) for move in moves)
    for transfer, move in zip(transfers, moves):
        if transfer.path and copies[move.src, move.message] > 1:
            raise ScheduleError(
                f"{_sends(transfer)} over {len(transfer.path)} links, but only a packet with one copy goes beyond the "
                f"neighbours"
            )


def check_twice(transfers: Sequence[Transfer], moves: Sequence[Move]) -> None:
    """A processor receives no message twice in a step; partial sums it may add up."""
    messages = set()
    for transfer, (_, _, dst, message, _) in zip(transfers, moves):
        if not message.reduced and (dst, message) in messages:
            raise ScheduleError(
                f"step {transfer.step}: processor {transfer.dst} receives message {transfer.message} twice"
            )
        messages.add((dst, message))


def check_receivers(transfers: Sequence[Transfer], schedule: Schedule, symmetry: Symmetry) -> None:
    """A processor receives at most k packets per step."""
    ports = _ports_per_processor(schedule)
    received: Counter[int] = Counter()
    for transfer in transfers:
        received[symmetry.processor_class(transfer.dst)] += 1
        if received[symmetry.processor_class(transfer.dst)] > ports:
            raise ScheduleError(
                f"step {transfer.step}: processor {transfer.dst} receives message "
                f"{transfer.message}, but all of its ports ({ports}) are taken in this step"
            )


def check_senders(transfers: Sequence[Transfer], schedule: Schedule, symmetry: Symmetry) -> None:
    """A processor sends at most k packets per step; where the router copies, one to any set of outputs."""
    ports = _ports_per_processor(schedule)
    sent: dict[int, list[tuple[int, Message]]] = {}
    for transfer in transfers:
        messages = sent.setdefault(symmetry.processor_class(transfer.src), [])
        _, src, _, message, _ = symmetry.representative(transfer.move)
        if schedule.ports.copies and (src, message) in messages:
            continue
        messages.append((src, message))
        if len(messages) > ports:
            raise ScheduleError(
                f"step {transfer.step}: processor {transfer.src} sends message "
                f"{transfer.message}, but all of its ports ({ports}) are taken in this step"
            )


def check_partners(transfers: Sequence[Transfer], schedule: Schedule, symmetry: Symmetry) -> None:
    """One partner: a processor sends to and receives from one other processor per step."""
    partners: dict[int, int] = {}
    for transfer in transfers:
        for processor, other in ((transfer.src, transfer.dst), (transfer.dst, transfer.src)):
            seen = symmetry.seen_from(processor, other)
            if partners.setdefault(symmetry.processor_class(processor), seen) != seen:
                raise ScheduleError(
                    f"step {transfer.step}: processor {processor} exchanges message "
                    f"{transfer.message} with processor {other}, but it has another partner in this "
                    f"step"
                )


def check_send_or_receive(transfers: Sequence[Transfer], schedule: Schedule, symmetry: Symmetry) -> None:
    """Send or receive: a processor that sends in a step receives nothing in it."""
    senders = {symmetry.processor_class(transfer.src) for transfer in transfers}
    for transfer in transfers:
        if symmetry.processor_class(transfer.dst) in senders:
            raise ScheduleError(
                f"step {transfer.step}: processor {transfer.dst} receives message {transfer.message}, but it sends in this "
                f"step (send or receive)"
            )


def check_dedicated(transfers: Sequence[Transfer], schedule: Schedule, symmetry: Symmetry) -> None:
    """Dedicated ports: a processor has one for each channel, and one for each processor beside it."""
    topology, f = schedule.topology, schedule.topology.f
    used = set()
    for transfer in transfers:
        hops = list(transfer.hops(topology))
        for way, processor, other, hop in (
            ("sends", transfer.src, transfer.dst, hops[:1]),
            ("receives", transfer.dst, transfer.src, hops[-1:]),
        ):
            port: Hashable = symmetry.seen_from(processor, other)
            for here, there, lane in hop:
                link = (here, there) if way == "sends" else (there, here)
                port = symmetry.link_class(*link), lane // f
            key = way, symmetry.processor_class(processor), port
            if key in used:
                raise ScheduleError(
                    f"step {transfer.step}: processor {processor} {way} message {transfer.message}, "
                    f"but its port for it is taken in this step (dedicated ports)"
                )
            used.add(key)


def _ports_per_processor(schedule: Schedule) -> int:
    """The ports k of a processor."""
    return schedule.ports.processor_ports(schedule.topology.degree, schedule.topology.m)
