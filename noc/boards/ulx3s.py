"""ULX3S, with an ECP5 of any of its four sizes."""

from fatcube.noc.boards.board import Board, Place
from fatcube.noc.boards.clocks.ehxplll import EHXPLLL

__all__ = ["BOARDS"]


# An LFE5U-12F is the same silicon as the 25F, and the tools use all of it.
_BLOCK_MEMORIES = {"12F": 56, "25F": 56, "45F": 108, "85F": 208}

BOARDS = [
    Board(
        name=f"ulx3s-{size.lower()}",
        title=f"ULX3S, Lattice LFE5U-{size}",
        platform=f"amaranth_boards.ulx3s:ULX3S_{size}_Platform",
        family="ecp5",
        clocks=EHXPLLL(),
        clock_mhz=50,
        leds={"running": Place("led", 0), "done": Place("led", 1), "failed": Place("led", 2)},
        reset=Place("button_fire", 0),
        block_memories=block_memories,
        block_bits=16 * 1024,
        nextpnr="--router router2",  # The default router takes hours for 16 processors, router2 minutes.
    )
    for size, block_memories in _BLOCK_MEMORIES.items()
]
"""The boards."""
