"""Tang Nano 9K, with a Gowin GW1NR-9C."""

from fatcube.noc.boards.board import Board, Place
from fatcube.noc.boards.clocks.rpll import RPll

__all__ = ["BOARDS"]


BOARDS = [
    Board(
        name="tang-nano-9k",
        title="Tang Nano 9K, Gowin GW1NR-9C",
        platform="fatcube.noc.boards.himbaechel:TangNano9k",
        family="gowin",
        clocks=RPll(),
        clock_mhz=27,
        leds={"running": Place("led", 0), "done": Place("led", 1), "failed": Place("led", 2)},
        reset=Place("button", 1),
        block_memories=26,
        block_bits=16 * 1024,
    )
]
"""The board."""
