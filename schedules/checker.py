"""The checker: whether a schedule keeps to the step model and does its work (docs/design.md).

It knows nothing of how schedules are made, and believes nothing that a schedule says about itself. A schedule
whose transfers stand for their images too is checked without writing them out: since only the identity keeps a
node, an orbit uses every port and every lane of a class exactly once, so what one base does, counted by class,
is what every node does.
"""

from collections import Counter
from collections.abc import Callable, Sequence
import dataclasses
import itertools

from schedules.collective import Message, Move
from schedules.schedule import Schedule, Transfer
from schedules.step_model import FULL_DUPLEX, StepModel
from schedules.symmetry import Symmetry

__all__ = ["ScheduleError", "Checked", "check"]


class ScheduleError(ValueError):
    """A schedule breaks a rule. The message is one line that names the step, the processor, the message."""


@dataclasses.dataclass(frozen=True)
class Checked:
    """The number of steps and of transfers, all written out, of a schedule that passed."""

    steps: int
    transfers: int


def check(schedule: Schedule, model: StepModel = FULL_DUPLEX) -> Checked:
    """Return a :class:`Checked` if ``schedule`` keeps to the step model and delivers every message.

    More transfers or steps than needed are no error: a processor may be given a message that it has. In a
    reduction a transfer moves all that its sender has accumulated, so nothing is left with the sender, and
    a contribution that would be moved twice is an error.

    Parameters
    ----------
    schedule : :class:`Schedule`
    model : :class:`StepModel`
        Stricter rules of a step.

    Raises
    ------
    ScheduleError
        At the first rule that is broken, in the order of the steps.
    ParameterError
        If the model makes no sense for the router model.
    """
    model.check_ports(schedule.ports)
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
            (_check_directions, model.half_duplex),
            (_check_partners, model.one_partner),
            (_check_dedicated, model.dedicated_ports),
        )
        if wanted
    ]
    for _, together in itertools.groupby(schedule.transfers, key=lambda transfer: transfer.step):
        transfers = list(together)
        moves = []  # as they are seen from the base of their messages
        for transfer in transfers:
            _check_transfer(transfer, schedule)
            moves.append(symmetry.representative(transfer.move))
            held.check_sent(transfer, moves[-1])
        _check_twice(transfers, moves)
        packets = [packet[0] for packet in schedule.packets(transfers)]
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
        for transfer, (_, src, dst, message) in zip(transfers, moves):
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
                _, src, dst, other = self._symmetry.representative(transfer.move)
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
    here, there = topology.node_of(src), topology.node_of(dst)
    if here == there:
        if transfer.lane is not None:
            raise ScheduleError(
                f"step {step}: processor {src} sends message {message} to processor {dst} "
                f"of its own node over lane {transfer.lane}, the lane must be null"
            )
        return
    lanes = len(topology.channels_between(here, there)) * topology.f
    if not lanes:
        raise ScheduleError(
            f"step {step}: processor {src} sends message {message} to processor {dst}, but "
            f"their nodes {here} and {there} are not adjacent"
        )
    if transfer.lane is None or transfer.lane >= lanes:
        lane = "null" if transfer.lane is None else transfer.lane
        raise ScheduleError(
            f"step {step}: processor {src} sends message {message} to processor {dst} over "
            f"lane {lane}, the lane must be from 0 to {lanes - 1}"
        )


def _check_lanes(transfers: Sequence[Transfer], schedule: Schedule, symmetry: Symmetry) -> None:
    """A lane carries one packet per direction and step."""
    topology = schedule.topology
    used = set()
    for transfer in transfers:
        if transfer.lane is None:
            continue
        here, there = topology.node_of(transfer.src), topology.node_of(transfer.dst)
        lane = symmetry.link_class(here, there), transfer.lane
        if lane in used:
            raise ScheduleError(
                f"step {transfer.step}: processor {transfer.src} sends message "
                f"{transfer.message} over lane {transfer.lane} from node {here} to node "
                f"{there}, which is taken in this step"
            )
        used.add(lane)


def _check_directions(transfers: Sequence[Transfer], schedule: Schedule, symmetry: Symmetry) -> None:
    """Half duplex: a lane that carries a message carries none back."""
    topology = schedule.topology
    used = set()
    for transfer in transfers:
        if transfer.lane is None:
            continue
        here, there = topology.node_of(transfer.src), topology.node_of(transfer.dst)
        used.add((symmetry.link_class(here, there), transfer.lane))
        if (symmetry.link_class(there, here), topology.other_end(here, there, transfer.lane)) in used:
            raise ScheduleError(
                f"step {transfer.step}: processor {transfer.src} sends message "
                f"{transfer.message} over lane {transfer.lane} from node {here} to node "
                f"{there}, which carries a message in the opposite direction in this step (half duplex)"
            )


def _check_twice(transfers: Sequence[Transfer], moves: Sequence[Move]) -> None:
    """A processor receives no message twice in a step; partial sums it may add up."""
    messages = set()
    for transfer, (_, _, dst, message) in zip(transfers, moves):
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
        _, src, _, message = symmetry.representative(transfer.move)
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


def _check_dedicated(transfers: Sequence[Transfer], schedule: Schedule, symmetry: Symmetry) -> None:
    """Dedicated ports: a processor has one for each channel, and one for each processor beside it."""
    topology, f = schedule.topology, schedule.topology.f
    used = set()
    for transfer in transfers:
        here, there = topology.node_of(transfer.src), topology.node_of(transfer.dst)
        channel = None if transfer.lane is None else transfer.lane // f
        for way, processor, other, link in (
            ("sends", transfer.src, transfer.dst, (here, there)),
            ("receives", transfer.dst, transfer.src, (there, here)),
        ):
            port = symmetry.seen_from(processor, other) if channel is None else (symmetry.link_class(*link), channel)
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
