"""Requests over a serial line, each repeated until it is answered."""

from collections.abc import Callable, Iterator
import contextlib
import dataclasses
import errno
import os
import random
import re
import time
from typing import Protocol

from fatcube.groundwork.validation import ParameterError, check_number, shown
from fatcube.rtl.serial.frames import CHECK_BYTES
from fatcube.rtl.serial.request import FRAME_DEPTH, Operation, ReplyHead, RequestHead, Status
from fatcube.sim.board.frames import FrameReader, framed
from fatcube.sim.builds.words import packer, unpacker

__all__ = ["TIMEOUT", "Address", "BoardError", "Line", "Port", "opened"]


TIMEOUT = 5.0
"""Default time for an answer, in seconds."""

_HEAD, _REPLY = RequestHead().size // 8, ReplyHead().size // 8
_MOST_REPLY = 4096  # bytes, so that a request is soon repeated if the line has lost a byte of the reply


class BoardError(RuntimeError):
    """A fault of a board or its line, described in one line."""


class Port(Protocol):
    """A serial port with the interface of pyserial."""

    @property
    def in_waiting(self) -> int:
        """Number of bytes received and not read yet."""
        ...

    def read(self, size: int = 1) -> bytes:
        """Return ``size`` bytes, or those that arrive within a short timeout."""
        ...

    def write(self, data: bytes, /) -> int | None:
        """Send bytes."""
        ...


@dataclasses.dataclass(frozen=True)
class Address:
    """A place on the host bus of a board: see :class:`~fatcube.rtl.serial.request.RequestHead`."""

    node: int = 0
    unit: int = 0
    region: int = 0
    bank: int = 0
    word: int = 0


class Line:
    """Sends requests to a board. A request that is not answered is sent again, at equal intervals, until its timeout.

    Parameters
    ----------
    port : :class:`Port`
    timeout : :class:`float`
        Seconds for an answer over all attempts, without the time for the bytes themselves.
    attempts : :class:`int`
        Number of times that a request is sent before the board is reported as not answering.
    byte_seconds : :class:`float`
        Seconds that a byte takes on the line.
    clock : callable
        Returns the seconds since a fixed moment.

    Attributes
    ----------
    repeated : :class:`int`
        Requests that had to be sent again.

    Raises
    ------
    ParameterError
        If the timeout is not from 0.1 to 86,400 seconds.
    """

    def __init__(
        self,
        port: Port,
        *,
        timeout: float = TIMEOUT,
        attempts: int = 5,
        byte_seconds: float = 1e-4,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._port = port
        self._patience = check_number("timeout", timeout, minimum=0.1, maximum=86_400) / attempts
        self._attempts = attempts
        self._byte_seconds = byte_seconds
        self._clock = clock
        self._reader = FrameReader()
        # A random first number, as an answer to an earlier program's request may still be on the line.
        self._sequence = random.SystemRandom().getrandbits(16)
        self.repeated = 0

    def read(self, place: Address, count: int, size: int) -> list[int]:
        """Return ``count`` words from ``place`` on, the lowest ``size`` bytes of each.

        Raises
        ------
        BoardError
            If the board does not answer, or refuses.
        """
        words: list[int] = []
        while len(words) < count:
            now = min(count - len(words), max(1, _MOST_REPLY // size))
            there = dataclasses.replace(place, word=place.word + len(words) & 0xFFFFFF)
            content = self._ask(Operation.READ, there, size, now, b"", now * size)
            words += [int.from_bytes(content[at : at + size], "little") for at in range(0, len(content), size)]
        return words

    def write(self, place: Address, words: list[int]) -> None:
        """Write words from ``place`` on.

        Raises
        ------
        BoardError
            If the board does not answer, or refuses.
        """
        size = max(1, -(-max(words, default=0).bit_length() // 8))
        most = (FRAME_DEPTH - CHECK_BYTES - _HEAD) // size
        for first in range(0, len(words), most):
            now = words[first : first + most]
            there = dataclasses.replace(place, word=place.word + first)
            content = b"".join(word.to_bytes(size, "little") for word in now)
            self._ask(Operation.WRITE, there, size, len(now), content, 0)

    def _ask(self, operation: Operation, place: Address, size: int, count: int, content: bytes, wanted: int) -> bytes:
        self._sequence = self._sequence + 1 & 0xFFFF
        head = _Head(self._sequence, operation.value, size, count, *dataclasses.astuple(place))
        request = framed(_pack(head).to_bytes(_HEAD, "little") + content)
        seconds = self._patience + 2 * (len(request) + wanted) * self._byte_seconds
        for attempt in range(self._attempts):
            self.repeated += attempt > 0
            until = self._clock() + seconds
            self._port.write(request)
            for reply in self._replies(until):
                fields = _unpack(int.from_bytes(reply[:_REPLY], "little"))
                if fields.sequence != self._sequence:
                    continue  # a late answer to an earlier request that was sent twice
                if fields.status == Status.REFUSED.value:
                    raise BoardError(f"the board refuses to {operation.name.lower()} {count} words at {place}")
                if len(reply) == _REPLY + wanted:
                    return reply[_REPLY:]
        raise BoardError(
            f"the board must answer within {seconds * self._attempts:.1f} s, but has not in {self._attempts} attempts: check "
            "the port, the design on the board, and the baud rate, and give a slow line a longer --timeout"
        )

    def _replies(self, until: float) -> Iterator[bytes]:
        """The frames that arrive before the time ``until``."""
        while self._clock() < until:
            for content in self._reader.take(self._port.read(max(1, self._port.in_waiting))):
                if len(content) >= _REPLY:
                    yield content


@dataclasses.dataclass(frozen=True)
class _Head:
    sequence: int
    operation: int
    size: int
    count: int
    node: int
    unit: int
    region: int
    bank: int
    word: int


_pack, _unpack = packer(RequestHead()), unpacker(ReplyHead())


@contextlib.contextmanager
def opened(port: str, baud: int) -> Iterator[Port]:
    """The serial port with this name, a local device or a URL that pyserial supports, closed afterwards.

    Raises
    ------
    ParameterError
        If the port does not exist or cannot be opened, or pyserial is not installed.
    """
    try:
        import serial
    except ModuleNotFoundError:
        raise ParameterError("a serial port needs pyserial: pip install 'fatcube[board]'") from None
    try:
        device = serial.serial_for_url(port, baudrate=baud, timeout=0.02, exclusive=True)
    except (serial.SerialException, ValueError, OSError) as error:
        raise ParameterError(
            f"port must be a serial port that can be opened, not {shown(port)}: {_reason(error)}"
        ) from None
    try:
        device.reset_input_buffer()
        yield device
    finally:
        device.close()


def _reason(error: Exception) -> str:
    """The reason why a port cannot be opened, without the name of the port, which pyserial repeats at any length."""
    number = error.errno if isinstance(error, OSError) else None
    if found := re.search(
        rf"\(({errno.ENOTTY}|{errno.EINVAL}), ", str(error)
    ):  # pyserial puts another error into words
        number = int(found[1])
    if number in (errno.ENOTTY, errno.EINVAL):
        return "it is another kind of file"
    return os.strerror(number) if number else _first_line(error)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
