"""The checker: whether a schedule keeps to the step model and does its work (docs/ideas/steps.md).

It knows nothing of how schedules are made, and believes nothing that a schedule says about itself. A schedule
whose transfers stand for their images too is checked without writing them out: since only the identity keeps a
node, an orbit uses every port and every lane of a class exactly once, so what one base does, counted by class,
is what every node does.
"""

from collections.abc import Callable, Sequence
import dataclasses
import itertools

from fatcube.schedules import rules
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.rules import ScheduleError
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.step_model import Links, PortUse, StepModel
from fatcube.schedules.symmetry import Symmetry

__all__ = ["ScheduleError", "Checked", "check"]


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
        Further rules of a step, which hold beside those of the schedule's own model.

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
    # The resources that a packet holds on its way count once, however many messages are in it.
    checks: list[Callable[[Sequence[Transfer], Schedule, Symmetry], None]] = [
        rules.check_lanes,
        rules.check_receivers,
        rules.check_senders,
    ]
    checks += [
        rule
        for rule, wanted in (
            (rules.check_ways_out, model.links is Links.SIMPLEX),
            (rules.check_directions, model.links is Links.HALF_DUPLEX),
            (rules.check_copies, schedule.ports.copies and model.direct),
            (rules.check_partners, model.port_use is PortUse.ONE_PARTNER),
            (rules.check_send_or_receive, model.port_use is PortUse.SEND_OR_RECEIVE),
            (rules.check_dedicated, model.dedicated_ports),
        )
        if wanted
    ]
    for _, together in itertools.groupby(schedule.transfers, key=lambda transfer: transfer.step):
        transfers = list(together)
        moves = []  # as they are seen from the base of their messages
        for transfer in transfers:
            rules.check_transfer(transfer, schedule)
            rules.check_reach(transfer, model)
            moves.append(symmetry.representative(transfer.move))
            held.check_sent(transfer, moves[-1])
        rules.check_twice(transfers, moves)
        together = schedule.packets(transfers)
        for packet in together:
            rules.check_packet(packet, model)
        packets = [packet[0] for packet in together]
        for rule in checks:
            rule(packets, schedule, symmetry)
        held.move(transfers, moves)
    held.check_delivered()
    return Checked(schedule.steps, schedule.size)


class _Held:
    """The holders of messages: for a message those who received it, for a partial sum the contributions of each.

    Contributions are moved and never copied, so none can be in two places, and they are complete if there are as
    many as sources. Only messages of the bases are followed.
    """

    def __init__(self, schedule: Schedule, symmetry: Symmetry) -> None:
        self._schedule = schedule
        self._symmetry = symmetry
        self._topology = schedule.topology
        self._sources = schedule.among.origins(schedule.topology)
        self._received: dict[Message, set[int]] = {}
        self._sums: dict[tuple[int, Message], int] = {}

    def _sum(self, processor: int, message: Message) -> int:
        """The number of contributions to ``message`` that a processor has accumulated; in the beginning its own."""
        return self._sums.get((processor, message), int(processor in self._sources))

    def _holds(self, processor: int, message: Message) -> bool:
        """Return whether a message was received, or is at its origin.

        The sum of an all-reduce is at its origin when everything has been added up there.
        """
        if processor in self._received.get(message, ()):
            return True
        return processor == message.origin and (
            not self._schedule.collective.reduction
            or self._sum(processor, Message(None, processor, message.part)) == len(self._sources)
        )

    def check_sent(self, transfer: Transfer, move: Move) -> None:
        """The sender has what it sends."""
        src, message = move.src, move.message
        where = f"step {transfer.step}: processor {transfer.src} sends message {transfer.message}"
        if message.reduced:
            if not self._sum(src, message):
                raise ScheduleError(
                    f"{where}, of which it has nothing {'left ' * (src in self._sources)}at the start of the step"
                    f"{': all that it had has been sent' * (src in self._sources)}"
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
        for message in self._symmetry.representatives(
            schedule.collective, schedule.root, schedule.parts, schedule.among
        ):
            for processor in message.destinations(self._topology, schedule.among):
                if message.reduced:
                    if self._sum(processor, message) < len(self._sources):
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

        def at(place: int) -> list[int]:
            return there.get(place, [place] if place in self._sources else [])

        for _, transfers in itertools.groupby(self._schedule.transfers, key=lambda transfer: transfer.step):
            moved = []
            for transfer in transfers:
                _, src, dst, other, _ = self._symmetry.representative(transfer.move)
                if other == message:
                    moved.append((dst, at(src)))
                    there[src] = []
            for dst, contributions in moved:
                there[dst] = at(dst) + contributions
        arrived = set(at(processor))
        return next(origin for origin in self._sources if origin not in arrived)
