"""Sources, sinks and monitors of flit streams.

The payload of W + 1 bits has the word in its lower W bits and, above, whether it is the last of its packet.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fatcube.rtl.protocols.flits import FLITS
from fatcube.rtl.protocols.protocol import Role
from fatcube.testing.ends import unsigned
from fatcube.testing.packet import Packet
from fatcube.testing.streams import StreamMonitor, StreamSink, StreamSource

__all__ = ["FlitMonitor", "FlitSink", "FlitSource", "HeaderSink", "HeaderSource"]

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


class HeaderSource(FlitSource):
    """Sends packets without headers over a flit stream: each gets one to its ``tdest``, and may have no further word.

    Parameters
    ----------
    headers : mapping of :class:`int` to sequence of :class:`int`
        The headers to each port, complete, of which packets to that port get one after the other.
    args, others
        As in :class:`FlitSource`.
    """

    def __init__(self, *args: Any, headers: Mapping[int, Sequence[int]], **others: Any) -> None:
        self._headers = headers
        self._taken_of = dict.fromkeys(headers, 0)
        super().__init__(*args, **others)

    def _check(self, packet: Packet) -> None:
        if packet.tdest not in self._headers:
            raise ValueError(f"{self.name}: tdest must be a port that can be reached from here, not {packet.tdest}")

    def _beats(self, packet: Packet) -> Iterator[int]:
        headers = self._headers[packet.tdest]
        header = headers[self._taken_of[packet.tdest] % len(headers)]
        self._taken_of[packet.tdest] += 1
        *words, last = header, *packet.words
        return iter([*words, last | 1 << self.width])


class HeaderSink(FlitSink):
    """Takes packets from a flit stream, and delivers them without their headers.

    The message id of the header and all bits above it, which no router changes, are the ``tid``.

    Parameters
    ----------
    route_bits : :class:`int`
        The bits of a header below the message id.
    args, others
        As in :class:`FlitSink`.
    """

    def __init__(self, *args: Any, route_bits: int, **others: Any) -> None:
        self._route_bits = route_bits
        super().__init__(*args, **others)

    def _deliver(self, packet: Packet) -> None:
        header, *words = packet.words
        super()._deliver(Packet(words, tid=header >> self._route_bits))
