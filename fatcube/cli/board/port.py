"""The serial port of a board, as commands are given it."""

from collections.abc import Iterator
import contextlib
from typing import Annotated

import typer

from groundwork.validation import check_integer
from sim.board.board import Board
from sim.board.line import Line, opened

__all__ = ["Baud", "PortName", "connected"]


_BITS_OF_A_BYTE = 10  # with start and stop bit

PortName = Annotated[
    str,
    typer.Option("--port", help="Serial port of the board, as in /dev/ttyUSB0 or COM3.", metavar="PORT"),
]
Baud = Annotated[int, typer.Option("--baud", help="Bits per second on the serial port, as the design was built for.")]


@contextlib.contextmanager
def connected(port: str, baud: int) -> Iterator[Board]:
    """The board at this port, as long as it is needed.

    Raises
    ------
    ParameterError
        If the port cannot be opened.
    BoardError
        If no board of this fatcube answers there.
    """
    check_integer("baud", baud, minimum=300, maximum=20_000_000)
    with opened(port, baud) as device:
        yield Board(Line(device, byte_seconds=_BITS_OF_A_BYTE / baud))
