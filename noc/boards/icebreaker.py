"""iCEBreaker, with an iCE40 UltraPlus."""

from fatcube.noc.boards.board import Board, Place
from fatcube.noc.boards.clocks.sb_pll40 import SbPll40

__all__ = ["BOARDS"]


BOARDS = [
    Board(
        name="icebreaker",
        title="iCEBreaker, Lattice iCE40UP5K",
        platform="amaranth_boards.icebreaker:ICEBreakerPlatform",
        family="ice40",
        clocks=SbPll40(pad=True),
        clock_mhz=18,
        # The two LEDs beside the chip; those on the break-off section may have been removed.
        leds={"done": Place("led_g", 0), "failed": Place("led_r", 0)},
        reset=Place("button", 0),
        block_memories=30,
        block_bits=4 * 1024,
    )
]
"""The board."""
