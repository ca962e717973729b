"""Which part of a message is the last one, which may be shorter: parts are alike, so that is free to choose."""

from collections.abc import Hashable
import dataclasses

from fatcube.schedules.collective import Message
from fatcube.schedules.schedule import Schedule

__all__ = ["with_short_steps"]


def with_short_steps(schedule: Schedule) -> Schedule:
    """The schedule with the parts of each message numbered such that only last parts move in as many steps as possible.

    A step is as long as its longest packet, so only such steps get shorter with the last part. They are chosen from the last
    step to the first, each that agrees with those before it. Messages that are images of each other have the same numbers.
    """
    symmetry = schedule.symmetry
    wholes = [_whole(symmetry.representative(transfer.move).message) for transfer in schedule.transfers]
    steps: list[dict[Hashable, int | None]] = [
        {} for _ in range(schedule.steps)
    ]  # the part of each, None if several move
    for transfer, whole in zip(schedule.transfers, wholes):
        parts, part = steps[transfer.step - 1], transfer.message.part
        parts[whole] = part if parts.get(whole, part) == part else None
    last: dict[Hashable, int] = {}
    for parts in reversed(steps):
        chosen = {whole: part for whole, part in parts.items() if part is not None and last.get(whole, part) == part}
        if len(chosen) == len(parts):
            last |= chosen
    end = schedule.parts - 1
    transfers = []
    for transfer, whole in zip(schedule.transfers, wholes):
        part = last.get(whole, end)
        message = transfer.message._replace(
            part={part: end, end: part}.get(transfer.message.part, transfer.message.part)
        )
        transfers.append(dataclasses.replace(transfer, message=message))
    return dataclasses.replace(schedule, transfers=tuple(transfers))


def _whole(message: Message) -> Hashable:
    """The message of which this is a part; in an all-reduce a sum and what carries it on are one, as they share their parts."""
    if message.origin is None or message.destination is None:
        return message.origin if message.destination is None else message.destination
    return message.origin, message.destination
