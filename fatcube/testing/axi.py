"""Sources, sinks and monitors of AXI4-Streams: ``tdata``, ``tlast``, ``tdest``, ``tid``, ``tvalid`` and ``tready``.

A word is all of ``tdata``, a number of any width. ``tdest`` and ``tid`` may be missing.
"""

from collections.abc import Iterator
from typing import Any

from fatcube.testing.ends import ProtocolError, high, unsigned
from fatcube.testing.packet import Packet
from fatcube.testing.streams import StreamMonitor, StreamSink, StreamSource

__all__ = ["AxiMonitor", "AxiSink", "AxiSource"]


class _Axi:
    """The signals of an AXI4-Stream."""

    def _bind(self: Any) -> None:
        self._valid, self._ready = self._signal("_tvalid"), self._signal("_tready")
        self._data, self._last = self._signal("_tdata"), self._signal("_tlast")
        self._dest, self._id = (getattr(self.entity, f"{self.name}_{name}", None) for name in ("tdest", "tid"))


class AxiSource(_Axi, StreamSource):
    """Sends packets over an AXI4-Stream, such as ``s_axis_0`` of a network: ``tdest`` and ``tid`` are the packet's."""

    def _clear(self) -> None:
        super()._clear()
        self._data.value = 0
        self._last.value = 0
        self._now: Packet | None = None
        self._now_last = 0

    def _beats(self, packet: Packet) -> Iterator[Any]:
        *words, last = packet.words
        return iter([*((word, 0, packet) for word in words), (last, 1, packet)])

    def _drive(self, beat: Any) -> None:
        word, last, packet = beat
        self._data.value = word
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

    def _sample(self) -> tuple[int, bool, int, int]:
        return (
            unsigned(self._data, self.name),
            high(self._last),
            0 if self._dest is None else unsigned(self._dest, self.name),
            0 if self._id is None else unsigned(self._id, self.name),
        )

    def _take(self, beat: tuple[int, bool, int, int]) -> None:
        word, last, *beside = beat
        if not self._part:
            self._beside = beside
        elif beside != self._beside:
            raise ProtocolError(
                f"{self.name}: tdest and tid changed within a packet, from {self._beside} to {beside} in word "
                f"{len(self._part)}"
            )
        self._part.append(word)
        if last:
            packet, self._part = Packet(self._part, tdest=beside[0], tid=beside[1]), []
            self._deliver(packet)


class AxiSink(AxiMonitor, StreamSink):
    """Takes packets from an AXI4-Stream, such as ``m_axis_0``."""
