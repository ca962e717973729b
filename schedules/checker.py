"""The checker: whether a schedule keeps to the step model and does its work (docs/design.md).

It knows nothing of how schedules are made, and believes nothing that a schedule says about itself. A schedule
whose transfers stand for their images too is checked without writing them out: since only the identity keeps a
node, an orbit uses every port and every lane of a class exactly once, so what one base does, counted by class,
is what every node does.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
import dataclasses
import itertools

from noc.orientation import lanes_leaving
from noc.topology import Topology
from schedules.collective import Message, Move
from schedules.schedule import Hop, Schedule, Transfer
from schedules.step_model import Links, PortUse, StepModel
from schedules.symmetry import Link, Symmetry

__all__ = ["ScheduleError", "Checked", "check"]


class ScheduleError(ValueError):
    """A schedule breaks a rule. The message is one line that names the step, the processor, the message."""


@dataclasses.dataclass(frozen=True)
class Checked:
    """The number of steps and of transfers, all written out, of a schedule that passed."""

    steps: int
    transfers: int


def check(schedule: Schedule, model: StepModel | None = None) -> Checked:
    """Return a :class:`Checked` if ``schedule`` keeps to the step model and delivers every message.

    More transfers or steps than needed are no error: a processor may be given a message that it has. In a
    reduction a transfer moves all that its sender has accumulated, so nothing is left with the sender, and
    a contribution that would be moved twice is an error.

    Parameters
    ----------
    schedule : :class:`Schedule`
    model : :class:`StepModel`, optional
        What a step must keep to beside the schedule's own model, if that is not narrower.

    Raises
    ------
    ScheduleError
        At the first rule that is broken, in the order of the steps.
    ParameterError
        If the model makes no sense for the router model or the topology, or neither of the two models includes the other.
    """
    model = schedule.model if model is None else schedule.model.meet(model)
    model.check_ports(schedule.ports)
    model.lanes_of(schedule.topology)
    if model.links is not schedule.model.links and model.links is Links.SIMPLEX:
        schedule = schedule.expanded()  # translations that it stands for may turn lanes round
    symmetry = schedule.symmetry
    held = _Held(schedule, symmetry)
    # What a packet has on its way it takes once, however many messages are in it.
    rules: list[Callable[[Sequence[Transfer], Schedule, Symmetry], None]] = [
        _check_lanes,
        _check_receivers,
        _check_senders,
    ]
    rules += [
        rule
        for rule, wanted in (
            (_check_ways_out, model.links is Links.SIMPLEX),
            (_check_directions, model.links is Links.HALF_DUPLEX),
            (_check_copies, schedule.ports.multicast and model.direct),
            (_check_partners, model.port_use is PortUse.ONE_PARTNER),
            (_check_send_or_receive, model.port_use is PortUse.SEND_OR_RECEIVE),
            (_check_dedicated, model.dedicated_ports),
        )
        if wanted
    ]
    for _, together in itertools.groupby(schedule.transfers, key=lambda transfer: transfer.step):
        transfers = list(together)
        moves = []  # as they are seen from the base of their messages
        for transfer in transfers:
            _check_transfer(transfer, schedule)
            _check_reach(transfer, model)
            moves.append(symmetry.representative(transfer.move))
            held.check_sent(transfer, moves[-1])
        _check_twice(transfers, moves)
        together = schedule.packets(transfers)
        for packet in together:
            _check_packet(packet, model)
        packets = [packet[0] for packet in together]
        for rule in rules:
            rule(packets, schedule, symmetry)
        held.move(transfers, moves)
    held.check_delivered()
    return Checked(schedule.steps, schedule.size)


class _Held:
    """The holders of messages: for a message those who received it, for a partial sum the contributions of each.

    Contributions are moved and never copied, so none can be in two places, and they are complete if there are as
    many as processors. Only messages of the bases are followed.
    """

    def __init__(self, schedule: Schedule, symmetry: Symmetry) -> None:
        self._schedule = schedule
        self._symmetry = symmetry
        self._topology = schedule.topology
        self._received: dict[Message, set[int]] = {}
        self._sums: dict[tuple[int, Message], int] = {}

    def _sum(self, processor: int, message: Message) -> int:
        """The number of contributions to ``message`` that a processor has accumulated; in the beginning its own."""
        return self._sums.get((processor, message), 1)

    def _holds(self, processor: int, message: Message) -> bool:
        """Return whether a message was received, or is at its origin.

        The sum of an all-reduce is at its origin when everything has been added up there.
        """
        if processor in self._received.get(message, ()):
            return True
        return processor == message.origin and (
            not self._schedule.collective.reduction
            or self._sum(processor, Message(None, processor, message.part)) == self._topology.processors
        )

    def check_sent(self, transfer: Transfer, move: Move) -> None:
        """The sender has what it sends."""
        src, message = move.src, move.message
        where = f"step {transfer.step}: processor {transfer.src} sends message {transfer.message}"
        if message.reduced:
            if not self._sum(src, message):
                raise ScheduleError(
                    f"{where}, of which it has nothing left at the start of the step: all that it had has been sent"
                )
        elif not self._holds(src, message):
            raise ScheduleError(f"{where}, which it does not hold at the start of the step")

    def move(self, transfers: Sequence[Transfer], moves: Sequence[Move]) -> None:
        """The end of a step: only now, because what arrives in a step can be sent in the next."""
        sums: dict[tuple[int, Message], tuple[int, int]] = {}
        for transfer, (_, src, dst, message, _) in zip(transfers, moves):
            if not message.reduced:
                self._received.setdefault(message, set()).add(dst)
            elif (src, message) in sums:
                raise ScheduleError(
                    f"step {transfer.step}: processor {transfer.src} sends message "
                    f"{transfer.message} to processor {transfer.dst} too, so what it has accumulated "
                    f"would be counted twice"
                )
            else:
                sums[src, message] = dst, self._sum(src, message)
        self._sums.update(dict.fromkeys(sums, 0))
        for (_, message), (dst, contributions) in sums.items():
            self._sums[dst, message] = self._sum(dst, message) + contributions

    def check_delivered(self) -> None:
        """Every message is where it must be."""
        schedule = self._schedule
        for message in self._symmetry.representatives(schedule.collective, schedule.root, schedule.parts):
            for processor in message.destinations(self._topology):
                if message.reduced:
                    if self._sum(processor, message) < self._topology.processors:
                        raise ScheduleError(
                            f"after step {schedule.steps}: processor {processor} has not received "
                            f"the contribution of processor {self._lacking(processor, message)} to "
                            f"message {message}"
                        )
                elif not self._holds(processor, message):
                    raise ScheduleError(
                        f"after step {schedule.steps}: processor {processor} has not received message {message}"
                    )

    def _lacking(self, processor: int, message: Message) -> int:
        """The first processor whose contribution to ``message`` has not come to ``processor``: all are followed."""
        there: dict[int, list[int]] = {}
        for _, transfers in itertools.groupby(self._schedule.transfers, key=lambda transfer: transfer.step):
            moved = []
            for transfer in transfers:
                _, src, dst, other, _ = self._symmetry.representative(transfer.move)
                if other == message:
                    moved.append((dst, there.get(src, [src])))
                    there[src] = []
            for dst, contributions in moved:
                there[dst] = there.get(dst, [dst]) + contributions
        arrived = set(there.get(processor, [processor]))
        return next(origin for origin in itertools.count() if origin not in arrived)


def _check_transfer(transfer: Transfer, schedule: Schedule) -> None:
    """One transfer by itself: its ends, its message and its lane."""
    topology = schedule.topology
    step, src, dst, message = transfer.step, transfer.src, transfer.dst, transfer.message
    for processor in (src, dst):
        if processor >= topology.processors:
            raise ScheduleError(
                f"step {step}: processor {processor} of the transfer of message {message} "
                f"does not exist, the last one is {topology.processors - 1}"
            )
    if src == dst:
        raise ScheduleError(f"step {step}: processor {src} sends message {message} to itself")
    if not schedule.collective.moves(message, topology, schedule.root, schedule.parts):
        raise ScheduleError(
            f"step {step}: processor {src} sends message {message}, which is none of {schedule.collective.value}"
        )
    if transfer.path:
        _check_path(transfer, topology)
    else:
        _check_lane(transfer, topology)


def _check_lane(transfer: Transfer, topology: Topology) -> None:
    """A transfer within a node has no lane, and one to an adjacent node one of those that lead there."""
    here, there = topology.node_of(transfer.src), topology.node_of(transfer.dst)
    if here == there:
        if transfer.lane is not None:
            raise ScheduleError(
                f"{_sends(transfer)} to processor {transfer.dst} of its own node over lane {transfer.lane}, the lane must "
                f"be null"
            )
        return
    lanes = len(topology.channels_between(here, there)) * topology.f
    if not lanes:
        raise ScheduleError(
            f"{_sends(transfer)} to processor {transfer.dst}, but their nodes {here} and {there} are not adjacent"
        )
    if transfer.lane is None or transfer.lane >= lanes:
        lane = "null" if transfer.lane is None else transfer.lane
        raise ScheduleError(
            f"{_sends(transfer)} to processor {transfer.dst} over lane {lane}, the lane must be from 0 to {lanes - 1}"
        )


def _check_path(transfer: Transfer, topology: Topology) -> None:
    """A path goes from node to adjacent node, over lanes that are there, through no node twice, to the receiver's."""
    end = topology.node_of(transfer.dst)
    passed = {topology.node_of(transfer.src)}
    for here, there, lane in transfer.hops(topology):
        lanes = 0 if there >= topology.nodes else len(topology.channels_between(here, there)) * topology.f
        if not lanes:
            raise ScheduleError(
                f"{_sends(transfer)} on a path from node {here} to node {there}, which are not adjacent"
            )
        if lane >= lanes:
            raise ScheduleError(
                f"{_sends(transfer)} on a path over lane {lane} from node {here} to node {there}, the lane must be from 0 "
                f"to {lanes - 1}"
            )
        if there in passed:
            raise ScheduleError(f"{_sends(transfer)} on a path that visits node {there} twice")
        passed.add(there)
    if transfer.path[-1][0] != end:
        raise ScheduleError(
            f"{_sends(transfer)} to processor {transfer.dst} of node {end} on a path that ends at node "
            f"{transfer.path[-1][0]}"
        )


def _check_reach(transfer: Transfer, model: StepModel) -> None:
    """An adjacent transfer crosses one link at most."""
    if transfer.path and not model.direct:
        raise ScheduleError(
            f"{_sends(transfer)} over {len(transfer.path)} links, but transfers go to adjacent nodes only"
        )


def _check_packet(packet: Sequence[Transfer], model: StepModel) -> None:
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


def _check_lanes(transfers: Sequence[Transfer], schedule: Schedule, symmetry: Symmetry) -> None:
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


def _check_ways_out(transfers: Sequence[Transfer], schedule: Schedule, symmetry: Symmetry) -> None:
    """Simplex: a lane carries packets in its one direction."""
    for transfer, (here, there, lane), _ in _crossed(transfers, schedule.topology, symmetry):
        if lane not in lanes_leaving(schedule.topology, here, there):
            raise ScheduleError(
                f"{_sends(transfer)} over lane {lane} from node {here} to node {there}, which leads the other way (simplex)"
            )


def _check_directions(transfers: Sequence[Transfer], schedule: Schedule, symmetry: Symmetry) -> None:
    """Half duplex: a lane that carries a packet carries none back."""
    used = set()
    for transfer, (here, there, lane), key in _crossed(transfers, schedule.topology, symmetry):
        used.add(key)
        if (symmetry.link_class(there, here), schedule.topology.other_end(here, there, lane)) in used:
            raise ScheduleError(
                f"{_sends(transfer)} over lane {lane} from node {here} to node {there}, which carries a message in the "
                f"opposite direction in this step (half duplex)"
            )


def _check_copies(transfers: Sequence[Transfer], schedule: Schedule, symmetry: Symmetry) -> None:
    """Where routers copy packets, a packet of several copies goes to the sender's own outputs only."""
    moves = [symmetry.representative(transfer.move) for transfer in transfers]
    copies = Counter((move.src, move.message) for move in moves)
    for transfer, move in zip(transfers, moves):
        if transfer.path and copies[move.src, move.message] > 1:
            raise ScheduleError(
                f"{_sends(transfer)} over {len(transfer.path)} links, but only a packet with one copy goes beyond the "
                f"neighbours"
            )


def _check_twice(transfers: Sequence[Transfer], moves: Sequence[Move]) -> None:
    """A processor receives no message twice in a step; partial sums it may add up."""
    messages = set()
    for transfer, (_, _, dst, message, _) in zip(transfers, moves):
        if not message.reduced and (dst, message) in messages:
            raise ScheduleError(
                f"step {transfer.step}: processor {transfer.dst} receives message {transfer.message} twice"
            )
        messages.add((dst, message))


def _check_receivers(transfers: Sequence[Transfer], schedule: Schedule, symmetry: Symmetry) -> None:
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


def _check_senders(transfers: Sequence[Transfer], schedule: Schedule, symmetry: Symmetry) -> None:
    """A processor sends at most k packets per step; where the router copies, one to any set of outputs."""
    ports = _ports_per_processor(schedule)
    sent: dict[int, list[tuple[int, Message]]] = {}
    for transfer in transfers:
        messages = sent.setdefault(symmetry.processor_class(transfer.src), [])
        _, src, _, message, _ = symmetry.representative(transfer.move)
        if schedule.ports.multicast and (src, message) in messages:
            continue
        messages.append((src, message))
        if len(messages) > ports:
            raise ScheduleError(
                f"step {transfer.step}: processor {transfer.src} sends message "
                f"{transfer.message}, but all of its ports ({ports}) are taken in this step"
            )


def _check_partners(transfers: Sequence[Transfer], schedule: Schedule, symmetry: Symmetry) -> None:
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


def _check_send_or_receive(transfers: Sequence[Transfer], schedule: Schedule, symmetry: Symmetry) -> None:
    """Send or receive: a processor that sends in a step receives nothing in it."""
    senders = {symmetry.processor_class(transfer.src) for transfer in transfers}
    for transfer in transfers:
        if symmetry.processor_class(transfer.dst) in senders:
            raise ScheduleError(
                f"step {transfer.step}: processor {transfer.dst} receives message {transfer.message}, but it sends in this "
                f"step (send or receive)"
            )


def _check_dedicated(transfers: Sequence[Transfer], schedule: Schedule, symmetry: Symmetry) -> None:
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
