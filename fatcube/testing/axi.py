"""Sources, sinks and monitors of AXI4-Streams.

A word is all of ``tdata``, a number of any width; with ``tkeep`` it is a byte, and a packet may have none. ``tdest``, ``tid``,
``tkeep`` and ``tuser`` may be missing.
"""

from collections.abc import Iterator
from typing import Any

from fatcube.rtl.protocols.axi_stream import AXI_STREAM
from fatcube.rtl.protocols.protocol import Role
from fatcube.testing.ends import ProtocolError, high, now, unsigned
from fatcube.testing.packet import Packet
from fatcube.testing.streams import StreamMonitor, StreamSink, StreamSource

__all__ = ["AxiMonitor", "AxiSink", "AxiSource"]

__tracebackhide__ = True


class _Axi:
    """The signals of an AXI4-Stream."""

    _keep: Any
    _user: Any
    _lanes: int  # bytes of a word with TKEEP, else 0

    def _bind(self: Any) -> None:
        ports = AXI_STREAM.ports(self.name)
        self._valid, self._ready, self._data, self._last = (
            getattr(self.entity, ports[role]) for role in (Role.VALID, Role.READY, Role.DATA, Role.LAST)
        )
        self._dest, self._id, self._keep, self._user = (
            getattr(self.entity, ports[role], None) for role in (Role.DESTINATION, Role.SOURCE, Role.KEEP, Role.USER)
        )
        self._lanes = 0 if self._keep is None else len(self._keep)


class AxiSource(_Axi, StreamSource):
    """Sends packets over an AXI4-Stream, such as ``s_axis_0`` of a network: ``tdest`` and ``tid`` are the packet's.

    So is ``tuser`` in the last beat; before, it is 0.
    """

    def _clear(self) -> None:
        super()._clear()
        self._data.value = 0
        self._last.value = 0
        self._now: Packet | None = None
        self._now_last = 0
        for signal in (self._keep, self._user):
            if signal is not None:
                signal.value = 0

    def _check(self, packet: Packet) -> None:
        if not self._lanes:
            super()._check(packet)

    def _beats(self, packet: Packet) -> Iterator[Any]:
        if self._lanes:
            return self._beats_of_bytes(packet)
        *words, last = packet.words
        return iter([*((word, 0, packet) for word in words), (last, 1, packet)])

    def _beats_of_bytes(self, packet: Packet) -> Iterator[Any]:
        content, lanes = packet.words, self._lanes
        for first in range(0, max(1, len(content)), lanes):
            part = bytes(content[first : first + lanes])
            keep = (1 << len(part)) - 1
            if packet.gap is not None and 0 <= packet.gap - first < lanes:
                keep &= ~(1 << packet.gap - first)
            last = int(first + lanes >= len(content))
            yield int.from_bytes(part, "little") | keep << 8 * lanes, last, packet

    def _drive(self, beat: Any) -> None:
        word, last, packet = beat
        if self._lanes:
            self._keep.value = word >> 8 * self._lanes
            word &= (1 << 8 * self._lanes) - 1
        self._data.value = word
        if self._user is not None:
            self._user.value = packet.tuser if last else 0
        if last != self._now_last:
            self._last.value = self._now_last = last
        if packet is not self._now:
            self._now = packet
            if self._dest is not None:
                self._dest.value = packet.tdest
            if self._id is not None:
                self._id.value = packet.tid


class AxiMonitor(_Axi, StreamMonitor):
    """Watches an AXI4-Stream, and drives nothing."""

    def _sample(self) -> tuple[int, ...]:
        return (
            unsigned(self._data, self.name) if self._keep is None else self._kept(),
            high(self._last),
            0 if self._user is None else unsigned(self._user, self.name),
            0 if self._dest is None else unsigned(self._dest, self.name),
            0 if self._id is None else unsigned(self._id, self.name),
        )

    def _kept(self) -> int:
        """The bytes of ``tdata`` that count, and ``tkeep`` above all bytes: the others may be anything, X too."""
        keep = unsigned(self._keep, self.name)
        count = keep.bit_count()
        if keep != (1 << count) - 1 or count < self._lanes and not high(self._last):
            where = "the last word" if high(self._last) else "a word before the last"
            raise ProtocolError(f"{self.name}: tkeep of {where} is {keep:0{self._lanes}b}, which has a gap{now()}")
        if count == self._lanes:
            return unsigned(self._data, self.name) | keep << 8 * self._lanes
        bits = str(self._data.value)[8 * (self._lanes - count) :]
        if not set(bits) <= {"0", "1"}:
            raise ProtocolError(f"{self.name}: the {count} bytes that count are {bits} where they must be known{now()}")
        return int(bits or "0", 2) | keep << 8 * self._lanes

    def _take(self, beat: tuple[int, ...]) -> None:
        word, last, tuser, *beside = beat
        if not self._part:
            self._beside = beside
        elif beside != self._beside:
            raise ProtocolError(
                f"{self.name}: tdest and tid changed within a packet, from {self._beside} to {beside} in "
                f"{'byte' if self._lanes else 'word'} {len(self._part)}{now()}"
            )
        if self._lanes:
            count = (word >> 8 * self._lanes).bit_count()
            self._part += (word & (1 << 8 * count) - 1).to_bytes(count, "little")
        else:
            self._part.append(word)
        if last:
            of_bytes = self._lanes > 0
            packet = Packet(self._part, tdest=beside[0], tid=beside[1], tuser=tuser, of_bytes=of_bytes)
            self._part = []
            self._deliver(packet)


class AxiSink(AxiMonitor, StreamSink):
    """Takes packets from an AXI4-Stream, such as ``m_axis_0``."""
