"""The iCE40-HX8K breakout board of Lattice."""

from fatcube.noc.boards.board import Board, Place
from fatcube.noc.boards.clocks.sb_pll40 import SbPll40

__all__ = ["BOARDS"]


BOARDS = [
    Board(
        name="ice40-hx8k",
        title="iCE40-HX8K breakout board, Lattice iCE40HX8K",
        platform="amaranth_boards.ice40_hx8k_b_evn:ICE40HX8KBEVNPlatform",
        family="ice40",
        clocks=SbPll40(pad=False),
        clock_mhz=40,
        leds={"running": Place("led", 0), "done": Place("led", 1), "failed": Place("led", 2)},
        block_memories=32,
        block_bits=4 * 1024,
    )
]
"""The board."""
