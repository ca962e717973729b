"""What a computer asks of a host bus over a serial line, and what it is answered: the bytes of the frames of both."""

from amaranth.hdl import unsigned
from amaranth.lib import data, enum

__all__ = ["FRAME_DEPTH", "REGISTERS", "Operation", "ReplyHead", "RequestHead", "Status"]


FRAME_DEPTH = 512
"""The most bytes of a request, its check among them: as many as the smallest block memory has."""

REGISTERS = 0
"""The region in which the registers of a board are, in place of :py:`Region.IDLE`, in which nothing is."""


class Operation(enum.Enum, shape=8):
    """What is asked for. Both can be done twice and it is as if they were done once."""

    READ = 0x52  #: Read as many words as ``count`` says.
    WRITE = 0x57  #: Write all words that follow.


class Status(enum.Enum, shape=8):
    """How it ended."""

    DONE = 0x44
    REFUSED = 0x4E  #: The request is none; nothing has been done.


class RequestHead(data.StructLayout):
    """The first bytes of a request. After them come the words that are written, the lowest byte of each first.

    Members
    -------
    sequence : :class:`unsigned(16)`
        A number that the reply has too. That to the request before has another.
    operation : :class:`Operation`
    size : :class:`unsigned(8)`
        Bytes of each word that are sent. The others are written as 0, and not read.
    count : :class:`unsigned(16)`
        Words to be read.
    region, bank : :class:`unsigned(8)`
    node, unit : :class:`unsigned(16)`
    word : :class:`unsigned(24)`
        The first word; further ones follow it. All by the addresses of the host bus.
    """

    def __init__(self) -> None:
        super().__init__(
            {
                "sequence": 16,
                "operation": unsigned(8),  # which may be none
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
        That of the request.
    status : :class:`Status`
    """

    def __init__(self) -> None:
        super().__init__({"sequence": 16, "status": Status})
