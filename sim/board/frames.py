"""Frames on a serial line at the host's end, in the format of :mod:`fatcube.rtl.serial.frames`."""

from collections.abc import Iterator
import zlib

from fatcube.rtl.serial.frames import CHECK_BYTES, ESCAPE, FLAG, INVERTED

__all__ = ["FrameReader", "framed"]


def framed(content: bytes) -> bytes:
    """The bytes on the line of a frame with ``content``, with flags and check."""
    line = bytearray([FLAG])
    for byte in content + zlib.crc32(content).to_bytes(CHECK_BYTES, "little"):
        line += bytes([ESCAPE, byte ^ INVERTED]) if byte in (FLAG, ESCAPE) else bytes([byte])
    line.append(FLAG)
    return bytes(line)


class FrameReader:
    """Finds frames in the bytes from a line, and drops all other bytes."""

    def __init__(self) -> None:
        self._part: bytearray | None = None  # bytes before the first flag are dropped
        self._escaped = False

    def take(self, line: bytes) -> Iterator[bytes]:
        """The contents of the frames that end in ``line``."""
        for byte in line:
            if byte == FLAG:
                part, escaped = self._part, self._escaped
                self._part, self._escaped = bytearray(), False
                if part and not escaped and len(part) > CHECK_BYTES:
                    content, check = bytes(part[:-CHECK_BYTES]), part[-CHECK_BYTES:]
                    if zlib.crc32(content) == int.from_bytes(check, "little"):
                        yield content
            elif self._part is None:
                continue
            elif byte == ESCAPE and not self._escaped:
                self._escaped = True
            else:
                self._part.append(byte ^ INVERTED if self._escaped else byte)
                self._escaped = False
