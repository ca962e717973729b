"""Sources, sinks and monitors of streams with valid and ready, whatever they carry."""

from collections.abc import Iterator
from typing import Any

import cocotb

from fatcube.testing.ends import Monitor, Pausing, ProtocolError, Source, high, now
from fatcube.testing.packet import Packet

__all__ = ["StreamMonitor", "StreamSink", "StreamSource"]

__tracebackhide__ = True


class StreamSource(Source):
    """Sends packets over a stream with valid and ready."""

    _valid: Any
    _ready: Any

    def _beats(self, packet: Packet) -> Iterator[Any]:
        """The values to drive in each cycle of a packet."""
        raise NotImplementedError

    def _drive(self, beat: Any) -> None:
        """Offer that."""
        raise NotImplementedError

    def _clear(self) -> None:
        self._sending = False
        self._valid.value = 0
        if not self._waiting:
            self._idle.set()

    async def _run(self) -> None:
        edge, ready, valid = self.clock.rising_edge, self._ready, self._valid
        beats: list[Any] = []
        position, resting, offered = 0, 0, False
        stop = None
        while True:
            await edge
            if offered:
                if not high(ready):
                    continue
                position += 1
                self.words_sent += 1
            if position == len(beats):
                if not self._waiting:
                    if offered:
                        offered, valid.value = False, 0
                    beats, position = [], 0
                    await self._rest()
                    continue
                packet = self._next()
                beats, position, stop = list(self._beats(packet)), 0, packet.stop
            if stop is not None and stop[0] == position:
                stop, resting = None, stop[1]
            if resting or self._pauses():
                resting = max(0, resting - 1)
                if offered:
                    offered, valid.value = False, 0
                continue
            self._drive(beats[position])
            if not offered:
                offered, valid.value = True, 1


class StreamMonitor(Monitor):
    """Watches a stream with valid and ready."""

    _valid: Any
    _ready: Any

    def _clear(self) -> None:
        self._part: list[int] = []

    def unfinished(self) -> int:
        return len(self._part)

    def _sample(self) -> Any:
        """The offered word: hashable, and unchanged as long as the offer is."""
        raise NotImplementedError

    def _take(self, beat: Any) -> None:
        """Add a word that has been taken."""
        raise NotImplementedError

    def _held(self, valid: bool, ready: bool, waiting: Any) -> Any:
        """Check a cycle against what waited before it; returns what waits after it."""
        if waiting is None and not valid:
            return None
        if not valid:
            raise ProtocolError(f"{self.name}: valid fell before {waiting} was taken{now()}")
        beat = self._sample()
        if waiting is not None and beat != waiting:
            raise ProtocolError(f"{self.name}: {waiting} was replaced by {beat} before it was taken{now()}")
        if not ready:
            return beat
        self.words_received += 1
        self._take(beat)
        return None

    async def _run(self) -> None:
        edge, valid, ready = self.clock.rising_edge, self._valid, self._ready
        waiting = None
        while True:
            await edge
            offered = high(valid)
            waiting = self._held(offered, offered and high(ready), waiting)
            if not offered:
                await valid.rising_edge


class StreamSink(StreamMonitor, Pausing):
    """Takes packets from a stream with valid and ready, with pauses."""

    _asleep = False

    def _clear(self) -> None:
        super()._clear()
        self._asleep = self._is_ready = False
        self._ready.value = 0

    def _wake_up(self) -> None:
        if self._asleep and self._task is not None:
            self._task.cancel()
            self._task = cocotb.start_soon(self._run())

    async def _run(self) -> None:
        edge, valid = self.clock.rising_edge, self._valid
        waiting, self._asleep = None, False
        while True:
            await edge
            offered = high(valid)
            if offered or waiting is not None:
                waiting = self._held(offered, self._is_ready, waiting)
            if self._is_ready == self._pauses():
                self._is_ready = not self._is_ready
                self._ready.value = self._is_ready
            if not offered and self._generator is None:
                self._asleep = True
                await valid.rising_edge
                self._asleep = False
