"""ECPIX-5, with an ECP5-5G of either size."""

from fatcube.noc.boards.board import Board, Place
from fatcube.noc.boards.clocks.ehxplll import EHXPLLL

__all__ = ["BOARDS"]


BOARDS = [
    Board(
        name=f"ecpix-5-{size}",
        title=f"ECPIX-5, Lattice LFE5UM5G-{size}F",
        platform=f"amaranth_boards.ecpix5:ECPIX5{size}Platform",
        family="ecp5",
        clocks=EHXPLLL(),
        clock_mhz=50,
        leds={
            "running": Place("rgb_led", 0, "b"),
            "done": Place("rgb_led", 1, "g"),
            "failed": Place("rgb_led", 2, "r"),
        },
        reset=Place("rst"),
        block_memories=block_memories,
        block_bits=16 * 1024,
        nextpnr="--router router2",  # The default router takes hours for 16 processors, router2 minutes.
    )
    for size, block_memories in {"45": 108, "85": 208}.items()
]
"""The boards."""
