"""DE10-Nano, with an Intel Cyclone V: a project for Quartus.

Its clock is the oscillator's, as Intel's PLLs are files that Quartus generates.
"""

from fatcube.noc.boards.board import Board, Place
from fatcube.noc.boards.clocks.oscillator import Oscillator

__all__ = ["BOARDS"]


BOARDS = [
    Board(
        name="de10-nano",
        title="DE10-Nano, Intel 5CSEBA6",
        platform="amaranth_boards.de10_nano:DE10NanoPlatform",
        family="intel",
        vendor="Quartus",
        clocks=Oscillator(),
        clock_mhz=50,
        leds={"running": Place("led", 0), "done": Place("led", 1), "failed": Place("led", 2)},
        reset=Place("button", 0),
        block_memories=553,
        block_bits=8 * 1024,
        luts=83_820,
        serial="Arduino header",
        note="the serial port is IO0 (rx) and IO1 (tx) of the Arduino header, for an adapter of 3.3 V",
    )
]
"""The board."""
