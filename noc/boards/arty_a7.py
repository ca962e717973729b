"""Arty A7, with a Xilinx Artix-7 of either size: a project for Vivado."""

from fatcube.noc.boards.board import Board, Place
from fatcube.noc.boards.clocks.plle2 import PllE2

__all__ = ["BOARDS"]


BOARDS = [
    Board(
        name=f"arty-a7-{size}",
        title=f"Arty A7, Xilinx XC7A{size}T",
        platform=f"amaranth_boards.arty_a7:ArtyA7_{size}Platform",
        family="xilinx",
        vendor="Vivado",
        clocks=PllE2(),
        clock_mhz=50,
        leds={"running": Place("led", 0), "done": Place("led", 1), "failed": Place("led", 2)},
        reset=Place("rst"),
        block_memories=block_memories,
        block_bits=32 * 1024,
        luts=luts,
    )
    for size, block_memories, luts in (("35", 50, 20_800), ("100", 135, 63_400))
]
"""The boards."""
