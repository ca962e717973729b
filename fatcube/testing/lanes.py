"""Sources, sinks and monitors of lanes with several virtual channels: ``payload``, ``valid`` and ``credit``.

The payload has the word in its lower W bits, then whether it is the last of its packet, and the channel above. A flit is taken
whenever it is valid: the sender counts the credits that come back, a bit for each channel.

Lanes of half-duplex links also have ``wants``, ``holds`` and ``grant``, by which the arbiter between two routers gives one of
them the wires. Without an arbiter, a sink always grants and a source never asks.
"""

from collections import deque
from typing import Any

from fatcube.groundwork.validation import check_integer
from fatcube.testing.ends import Monitor, Pausing, ProtocolError, Source, high, now, unsigned
from fatcube.testing.packet import Packet

__all__ = ["LaneMonitor", "LaneSink", "LaneSource"]

__tracebackhide__ = True


class _Lane:
    """The signals of a lane.

    Attributes
    ----------
    channels, width : :class:`int`
        Virtual channels; bits of a word.
    """

    def _bind(self: Any) -> None:
        self._payload, self._valid = self._signal("__payload"), self._signal("__valid")
        self._credit = self._signal("__credit")
        self.channels = len(self._credit)
        self.width = len(self._payload) - 1 - (self.channels - 1).bit_length()
        self._mask = (1 << self.width) - 1

    def _permit(self: Any, **values: int) -> None:
        """Drive those signals of permission that the lane has."""
        for name, value in values.items():
            signal = getattr(self.entity, f"{self.name}__{name}", None)
            if signal is not None:
                signal.value = value


class LaneSource(_Lane, Source):
    """Sends packets over a lane, the flits of different channels in turn, as far as there are credits.

    Parameters
    ----------
    depth : :class:`int`
        Flits in the buffer of each channel at the other end.

    The others are those of all sources. A credit for a flit that was never sent is an error.
    """

    def __init__(self, *args: Any, depth: int, **options: Any) -> None:
        self.depth = check_integer("depth", depth, minimum=1)
        super().__init__(*args, **options)

    def _check(self, packet: Packet) -> None:
        super()._check(packet)
        check_integer("channel", packet.channel, minimum=0, maximum=self.channels - 1)

    def _clear(self) -> None:
        self._sending = False
        self._valid.value = 0
        self._payload.value = 0
        self._permit(wants=0, holds=0)
        self._credits = [self.depth] * self.channels
        self._flits: list[deque[int]] = [deque() for _ in range(self.channels)]
        if not self._waiting:
            self._idle.set()

    def count(self) -> int:
        """Packets that wait, without those that are being sent, one for each channel."""
        return super().count()

    def standing(self) -> str:
        channels = [
            f"channel {channel}, {len(flits)} flits before the end of a packet and with {self._credits[channel]} credits"
            for channel, flits in enumerate(self._flits)
            if flits
        ]
        return f"{self.name} is stalled on {' and '.join(channels)}"

    def _returned(self) -> None:
        credit = unsigned(self._credit, self.name)
        for channel in range(self.channels if credit else 0):
            if credit >> channel & 1:
                self._credits[channel] += 1
                if self._credits[channel] > self.depth:
                    raise ProtocolError(
                        f"{self.name}: a credit too many for channel {channel}, whose buffer of {self.depth} flits is "
                        f"empty{now()}"
                    )

    def _load(self) -> None:
        """Begin the next packet of each channel that has none, as far as they wait in order."""
        while self._waiting and not self._flits[self._waiting[0].channel]:
            packet = self._next()
            *words, last = packet.words
            tag = packet.channel << self.width + 1
            self._flits[packet.channel].extend([*(word | tag for word in words), last | 1 << self.width | tag])

    async def _run(self) -> None:
        edge, valid, turn = self.clock.rising_edge, False, 0
        while True:
            await edge
            self._returned()
            self._load()
            if not any(self._flits) and self._sending:
                self._sending = False
                self._idle.set()
            ready = [
                (turn + ahead) % self.channels
                for ahead in range(self.channels)
                if self._flits[(turn + ahead) % self.channels] and self._credits[(turn + ahead) % self.channels]
            ]
            sends = bool(ready) and not self._pauses()
            if sends:
                [channel, *_] = ready
                turn = channel + 1
                self._credits[channel] -= 1
                self._payload.value = self._flits[channel].popleft()
                self.words_sent += 1
            if sends != valid:
                valid = sends
                self._valid.value = valid


class LaneMonitor(_Lane, Monitor):
    """Watches a lane, and drives nothing; the sender may never be ahead of its credits.

    Parameters
    ----------
    depth : :class:`int`
        Flits in the buffer of each channel at the receiving end.

    The others are those of all monitors.
    """

    def __init__(self, *args: Any, depth: int, **options: Any) -> None:
        self.depth = check_integer("depth", depth, minimum=1)
        super().__init__(*args, **options)

    def _clear(self) -> None:
        self._parts: list[list[int]] = [[] for _ in range(self.channels)]
        self._held = [0] * self.channels
        self._begun: int | None = None

    def unfinished(self) -> int:
        return max(map(len, self._parts))

    def _see(self) -> int | None:
        """Take what is on the lane in this cycle; returns its channel."""
        if not high(self._valid):
            return None
        flit = unsigned(self._payload, self.name)
        self.words_received += 1
        channel = flit >> self.width + 1
        if channel >= self.channels:
            raise ProtocolError(
                f"{self.name}: a flit on channel {channel}, where there are {self.channels} channels{now()}"
            )
        self._held[channel] += 1
        if self._held[channel] > self.depth:
            raise ProtocolError(
                f"{self.name}: a flit without a credit on channel {channel}, whose buffer of {self.depth} flits is "
                f"full{now()}"
            )
        self._parts[channel].append(flit & self._mask)
        if flit >> self.width & 1:
            packet, self._parts[channel] = Packet(self._parts[channel], channel=channel), []
            self._deliver(packet)
        return channel

    async def _run(self) -> None:
        edge = self.clock.rising_edge
        while True:
            await edge
            credit = unsigned(self._credit, self.name)
            self._see()
            for channel in range(self.channels if credit else 0):
                self._held[channel] -= credit >> channel & 1


class LaneSink(LaneMonitor, Pausing):
    """Takes packets from a lane into a buffer for each channel, and returns credits as these are emptied, with pauses."""

    def _clear(self) -> None:
        super()._clear()
        self._credit.value = 0
        self._permit(grant=1)

    async def _run(self) -> None:
        edge, credit = self.clock.rising_edge, 0
        while True:
            await edge
            self._see()
            returned = 0
            if not self._pauses():
                for channel, held in enumerate(self._held):
                    if held:
                        returned |= 1 << channel
                        self._held[channel] -= 1
            if returned != credit:
                credit = returned
                self._credit.value = credit
