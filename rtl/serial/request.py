"""The requests of a computer to a host bus over a serial line, and the replies: the bytes in the frames of both."""

from amaranth.hdl import unsigned
from amaranth.lib import data, enum

__all__ = ["FRAME_DEPTH", "REGISTERS", "Operation", "ReplyHead", "RequestHead", "Status"]


FRAME_DEPTH = 512
"""The most bytes of a request, including its CRC: the size of the smallest block memory."""

REGISTERS = 0
"""The region of the registers of a board, in place of :py:`Region.IDLE`, which is otherwise empty."""


class Operation(enum.Enum, shape=8):
    """The requested operation. Both operations are idempotent, so a request can be repeated."""

    READ = 0x52  #: Read ``count`` words.
    WRITE = 0x57  #: Write all words that follow.


class Status(enum.Enum, shape=8):
    """The result of a request."""

    DONE = 0x44
    REFUSED = 0x4E  #: The request is invalid; no access has been made.


class RequestHead(data.StructLayout):
    """The first bytes of a request. After them come the words that are written, the lowest byte of each first.

    Members
    -------
    sequence : :class:`unsigned(16)`
        A number that the reply repeats. Consecutive requests have different numbers.
    operation : :class:`Operation`
    size : :class:`unsigned(8)`
        Bytes of each word that are sent. The higher bytes are written as 0, and are not read.
    count : :class:`unsigned(16)`
        Words to be read.
    region, bank : :class:`unsigned(8)`
    node, unit : :class:`unsigned(16)`
    word : :class:`unsigned(24)`
        The first word; further words follow at the next addresses. All of these are addresses of the host bus.
    """

    def __init__(self) -> None:
        super().__init__(
            {
                "sequence": 16,
                "operation": unsigned(8),  # which may be invalid
                "size": 8,
                "count": 16,
                "region": 8,
                "bank": 8,
                "node": 16,
                "unit": 16,
                "word": 24,
            }
        )


class ReplyHead(data.StructLayout):
    """The first bytes of a reply. After them come the words that were read, the lowest byte of each first.

    Members
    -------
    sequence : :class:`unsigned(16)`
        The sequence number of the request.
    status : :class:`Status`
    """

    def __init__(self) -> None:
        super().__init__({"sequence": 16, "status": Status})
