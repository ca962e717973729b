"""Sources, sinks and monitors of flit streams.

The payload of W + 1 bits has the word in its lower W bits and, above, whether it is the last of its packet.
"""

from collections.abc import Iterator
from typing import Any

from fatcube.rtl.protocols.flits import FLITS
from fatcube.rtl.protocols.protocol import Role
from fatcube.testing.ends import unsigned
from fatcube.testing.packet import Packet
from fatcube.testing.streams import StreamMonitor, StreamSink, StreamSource

__all__ = ["FlitMonitor", "FlitSink", "FlitSource"]

__tracebackhide__ = True


class _Flits:
    """The signals of a flit stream."""

    width: int
    """Bits of a word, W."""

    def _bind(self: Any) -> None:
        ports = FLITS.ports(self.name)
        self._payload, self._valid, self._ready = (
            getattr(self.entity, ports[role]) for role in (Role.PAYLOAD, Role.VALID, Role.READY)
        )
        self.width = len(self._payload) - 1
        self._mask = (1 << self.width) - 1


class FlitSource(_Flits, StreamSource):
    """Sends packets over a flit stream, such as ``processor0_send0`` of a router or network."""

    def _clear(self) -> None:
        super()._clear()
        self._payload.value = 0

    def _beats(self, packet: Packet) -> Iterator[int]:
        *words, last = packet.words
        return iter([*words, last | 1 << self.width])

    def _drive(self, beat: int) -> None:
        self._payload.value = beat


class FlitMonitor(_Flits, StreamMonitor):
    """Watches a flit stream, and drives nothing."""

    def _sample(self) -> int:
        return unsigned(self._payload, self.name)

    def _take(self, beat: int) -> None:
        self._part.append(beat & self._mask)
        if beat >> self.width:
            packet, self._part = Packet(self._part), []
            self._deliver(packet)


class FlitSink(FlitMonitor, StreamSink):
    """Takes packets from a flit stream, such as ``processor0_receive0``."""
