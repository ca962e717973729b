"""A schedule followed step by step: the contents of each transfer, and the slots that it moves them between."""

import dataclasses
from typing import NamedTuple, TypeAlias

from fatcube.groundwork.validation import ParameterError
from fatcube.schedules.collective import Message
from fatcube.schedules.schedule import Schedule, Transfer

__all__ = ["Flow", "Move", "Parts", "Place", "Slot", "by_step"]


Place: TypeAlias = tuple[int, int]
"""A processor, and the number, from 0, of a message that it holds before the run."""

Parts: TypeAlias = tuple[Place, ...]
"""The terms of a sum; a message that is no sum is the only one."""


class Slot(NamedTuple):
    """A place in every message memory: a message, and the number of partial sums of it that were sent away before."""

    message: Message
    generation: int = 0


@dataclasses.dataclass(frozen=True)
class Move:
    """The movement of one transfer.

    Members
    -------
    source, target : :class:`Slot`
        The slots of the sender and of the receiver.
    parts : :data:`Parts`
        The terms of the sum that moves.
    arrivals : :class:`int`
        The arrivals in ``source`` that the sender must wait for.
    """

    source: Slot
    target: Slot
    parts: Parts
    arrivals: int


class Flow:
    """A schedule followed step by step: the :class:`Move` of each transfer, and the final slots of all messages."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.topology = schedule.topology
        messages = dict.fromkeys(schedule.messages)
        # For a message that carries a complete sum on from where it was added up (all-reduce), that sum.
        self._sums: dict[Message, Message] = {
            message: total
            for message in messages
            if not message.reduced and (total := Message(None, message.origin, message.part)) in messages
        }
        # The messages that are loaded before the run, with their numbers.
        self.loaded = {
            message: number
            for number, message in enumerate(message for message in messages if message not in self._sums)
        }
        self._whole: dict[Message, Parts] = {
            message: tuple((processor, number) for processor in message.origins(self.topology, schedule.among))
            for message, number in self.loaded.items()
        }
        self._order = {message: number for number, message in enumerate(messages)}
        self._used = {Slot(message) for message in messages}
        self._generation: dict[tuple[int, Message], int] = {}
        # The terms that a processor has accumulated in its slot for a partial sum.
        self._parts: dict[tuple[int, Slot], Parts] = {
            (part[0], Slot(message)): (part,)
            for message in self.loaded
            if message.reduced
            for part in self._whole[message]
        }
        self._arrivals = dict.fromkeys(self._parts, 1)
        self.moves: dict[Transfer, Move] = {}
        for _, transfers in by_step(schedule):
            self._step(transfers)

    def _step(self, transfers: list[Transfer]) -> None:
        # Sends come first, because arrivals of this step go to other slots than those that are sent from.
        sent = {(transfer.src, transfer.message): self._send(transfer.src, transfer.message) for transfer in transfers}
        for processor, message in sent:
            if message.reduced:
                self._generation[processor, message] = self._generation.get((processor, message), 0) + 1
        for transfer in transfers:
            source, parts, arrivals = sent[transfer.src, transfer.message]
            target = self._slot(transfer.dst, transfer.message)
            self.moves[transfer] = Move(source, target, parts, arrivals)
            self._used.update((source, target))
            if transfer.message.reduced:
                place = transfer.dst, target
                self._parts[place] = (*self._parts.get(place, ()), *parts)
                self._arrivals[place] = self._arrivals.get(place, 0) + 1

    def _slot(self, processor: int, message: Message) -> Slot:
        """The slot in which ``processor`` adds up or holds ``message`` now."""
        return Slot(message, self._generation.get((processor, message), 0))

    def _holds(self, processor: int, message: Message) -> Slot:
        """The slot from which ``processor`` sends ``message``; if it is a sum of its own, the slot of the complete sum."""
        if processor == message.origin and message in self._sums:
            message = self._sums[message]
        return self._slot(processor, message)

    def _send(self, processor: int, message: Message) -> tuple[Slot, Parts, int]:
        slot = self._holds(processor, message)
        parts = self._parts.get((processor, slot), ()) if message.reduced else self.whole(message)
        return slot, parts, self._arrivals.get((processor, slot), 0)

    def whole(self, message: Message) -> Parts:
        """The places whose sum a message is when it is complete."""
        return self._whole[self._sums.get(message, message)]

    def slots(self, bits: int) -> list[Slot]:
        """All slots, by their ids: partial sums first. The last parts of divided messages are in one row: they are the last of
        all, or, where there are sums and other messages, the last of the sums and the first of the others."""
        last = self.schedule.parts - 1

        def order(slot: Slot) -> tuple[bool, bool, int, int]:
            whole, is_last = not slot.message.reduced, slot.message.part == last
            return whole, is_last != (whole and bool(self._sums)), slot.generation, self._order[slot.message]

        slots = sorted(self._used, key=order)
        if len(slots) > 1 << bits:
            why = (
                "a processor that is sent partial sums after it has sent its own needs more ids"
                if self.schedule.parts == 1
                else f"the network must be made for {self.schedule.parts} parts"
            )
            raise ParameterError(
                f"message ids must be at most {1 << bits}, which is what a header of this network can "
                f"distinguish, not {len(slots)}: {why}"
            )
        return slots

    def final(self) -> list[tuple[int, Message, Slot]]:
        """The messages that must be held in the end, as ``(processor, message, slot)``."""
        return [
            (processor, message, self._holds(processor, message))
            for message in self._order
            if message not in self._sums.values()  # sums are carried to all, and checked there
            for processor in message.destinations(self.topology, self.schedule.among)
        ]


def by_step(schedule: Schedule) -> list[tuple[int, list[Transfer]]]:
    """The steps of a schedule in order, each with its transfers."""
    steps: dict[int, list[Transfer]] = {}
    for transfer in schedule.transfers:
        steps.setdefault(transfer.step, []).append(transfer)
    return sorted(steps.items())
