"""Sources, sinks and monitors of lanes with circuit switching: a flit stream, and ``answer`` against its direction.

The answer to a header says that its whole route is reserved, in bit 0; bit 1, where set-ups are tried again, says that it stays
blocked and that all of it is released. No payload crosses a lane before the answer. Where ``answer`` has two bits, every header
is answered; otherwise only those with payload.
"""

from collections.abc import Iterable
from typing import Any

from fatcube.testing.ends import Pausing, ProtocolError, high, now, unsigned
from fatcube.testing.flits import FlitMonitor, FlitSource
from fatcube.testing.packet import Packet

__all__ = ["CircuitMonitor", "CircuitSink", "CircuitSource"]

__tracebackhide__ = True

_GRANTED, _REFUSED = 1, 2
_AFTER_REFUSAL = 8  # cycles, times the tries so far


class _Answers:
    """The answers of a lane.

    Attributes
    ----------
    retries : :class:`bool`
        Whether a set-up can be refused, to be tried again.
    """

    def _bind(self: Any) -> None:
        super()._bind()  # pyright: ignore[reportAttributeAccessIssue]
        self._answer = self._signal("__answer")
        self.retries = len(self._answer) > 1


class CircuitSource(_Answers, FlitSource):
    """Sends packets over a lane, each payload once its header is answered; a packet that is refused is sent again.

    Attributes
    ----------
    refused : :class:`int`
        Set-ups that were refused.
    """

    refused = 0

    def _answers(self, awaiting: bool) -> int:
        """The answer in this cycle."""
        answer = unsigned(self._answer, self.name)
        if answer and (not awaiting or answer not in (_GRANTED, _REFUSED)):
            raise ProtocolError(f"{self.name}: answer {answer:02b} where no header waits for one{now()}")
        return answer

    async def _run(self) -> None:
        edge, ready, valid = self.clock.rising_edge, self._ready, self._valid
        flits: list[int] = []
        position, tries, resting = 0, 0, 0
        offered = awaiting = False
        while True:
            await edge
            answer = self._answers(awaiting)
            if answer:
                awaiting = False
                self.words_sent += answer == _GRANTED
            if answer == _REFUSED:
                self.refused += 1
                tries += 1
                position, resting = 0, _AFTER_REFUSAL * tries
            if offered:
                if not high(ready):
                    continue
                position += 1
                awaiting = position == 1 and (self.retries or len(flits) > 1)
                self.words_sent += not awaiting
            if position == len(flits) and not awaiting:
                if not self._waiting:
                    offered, valid.value = False, 0
                    flits, position = [], 0
                    await self._rest()
                    continue
                flits, position, tries = list(self._beats(self._next())), 0, 0
            offered = not (awaiting or resting or self._pauses())
            resting = max(0, resting - 1)
            valid.value = int(offered)
            if offered:
                self._drive(flits[position])


class _Circuits(_Answers, FlitMonitor):
    """The packets of a lane, each delivered once it has ended and was granted."""

    def _clear(self) -> None:
        super()._clear()
        self._unanswered = self._ended = False

    def _take(self, beat: int) -> None:
        if self._unanswered:
            raise ProtocolError(f"{self.name}: {beat & self._mask:#x} follows a header before the answer to it{now()}")
        self._ended = bool(beat >> self.width)
        if not self._part:
            self._unanswered = self.retries or not self._ended
        self._part.append(beat & self._mask)
        self._deliver_whole()

    def _deliver_whole(self) -> None:
        """Deliver the packet if it has ended and waits for no answer."""
        if self._ended and not self._unanswered:
            packet, self._part = Packet(self._part), []
            self._deliver(packet)

    def _answered(self, answer: int) -> None:
        """The header has been granted, or refused."""
        if not self._unanswered:
            raise ProtocolError(f"{self.name}: answer {answer:02b} where no header waits for one{now()}")
        self._unanswered = False
        if answer == _REFUSED:
            self._part = []
        else:
            self._deliver_whole()


class CircuitMonitor(_Circuits):
    """Watches a lane with circuits, and drives nothing."""

    async def _run(self) -> None:
        edge, valid, ready = self.clock.rising_edge, self._valid, self._ready
        waiting = None
        while True:
            await edge
            if answer := unsigned(self._answer, self.name):
                self._answered(answer)
            offered = high(valid)
            waiting = self._held(offered, offered and high(ready), waiting)


class CircuitSink(_Circuits, Pausing):
    """Takes packets from a lane with circuits, and answers each header, both with pauses.

    Parameters
    ----------
    refuse : iterable of :class:`bool`
        Whether each header in turn is refused, where it can be; those after the last are granted.

    The others are those of all sinks.
    """

    def __init__(self, *args: Any, refuse: Iterable[bool] = (), **options: Any) -> None:
        self._refuse = iter(refuse)
        super().__init__(*args, **options)

    def _clear(self) -> None:
        super()._clear()
        self._ready.value = 0
        self._answer.value = 0

    async def _run(self) -> None:
        edge, valid = self.clock.rising_edge, self._valid
        ready, answer, waiting = False, 0, None
        while True:
            await edge
            waiting = self._held(high(valid), ready, waiting)
            pause = self._pauses()
            answering = 0
            if self._unanswered and not pause:
                answering = _REFUSED if self.retries and next(self._refuse, False) else _GRANTED
                self._answered(answering)
            if answering != answer:
                answer = answering
                self._answer.value = answer
            if ready == pause:
                ready = not pause
                self._ready.value = ready
