"""The serial port of a board, as commands are given it."""

from collections.abc import Iterator
import contextlib
from typing import Annotated

import typer

from fatcube.cli.app import Panel
from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.sim.board.board import Board
from fatcube.sim.board.line import Line, opened

__all__ = ["Baud", "PortName", "Timeout", "connected", "network_under_traffic"]


_BITS_OF_A_BYTE = 10  # with start and stop bit

PortName = Annotated[
    str,
    typer.Option(
        "--port",
        help="Serial port of the board, such as /dev/ttyUSB0 or COM3.",
        metavar="PORT",
        rich_help_panel=Panel.RUN,
    ),
]
Baud = Annotated[
    int,
    typer.Option(
        "--baud", help="Bits per second on the serial port; must be those of the design.", rich_help_panel=Panel.RUN
    ),
]
Timeout = Annotated[
    float,
    typer.Option(
        "--timeout",
        help="Seconds after which a board that does not answer a request is reported as not answering.",
        metavar="SECONDS",
        rich_help_panel=Panel.RUN,
    ),
]


@contextlib.contextmanager
def connected(port: str, baud: int, timeout: float) -> Iterator[Board]:
    """The board at this port, as long as it is needed.

    Raises
    ------
    ParameterError
        If the port cannot be opened, or the timeout is none.
    BoardError
        If no board of this fatcube answers there.
    """
    check_integer("baud", baud, minimum=300, maximum=20_000_000)
    with opened(port, baud) as device:
        yield Board(Line(device, timeout=timeout, byte_seconds=_BITS_OF_A_BYTE / baud))


def network_under_traffic(board: Board) -> RoutedNetwork:
    """The network on a board that has sources and sinks of traffic.

    Raises
    ------
    ParameterError
        If it has processors.
    """
    machine = board.machine
    if not isinstance(machine, TrafficMachine) or not isinstance(machine.network, RoutedNetwork):
        raise ParameterError(
            "board must have a network with sources and sinks of traffic to be loaded, not one with processors, which "
            "fatcube board run runs collectives on"
        )
    return machine.network
