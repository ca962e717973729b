"""`fatcube board list`: the boards that a design can be built for."""

from fatcube.cli.app import command, examples
from fatcube.cli.output import print_table, say
from fatcube.noc.boards import BOARDS
from fatcube.noc.boards.clocks.clock_source import megahertz

__all__ = ["list_boards"]


@command(epilog=examples("board list"))
def list_boards() -> None:
    print_table(
        "boards",
        ["board", "with", "family", "tools", "oscillator MHz", "PLL", "serial port", "block memories"],
        [
            [
                board.name,
                board.title,
                board.family,
                board.vendor or "from pip",
                f"{megahertz(board.oscillator):g}",
                board.clocks.primitive,
                board.serial,
                f"{board.block_memories} of {board.block_bits // 1024} Kbit",
            ]
            for board in BOARDS.values()
        ],
    )
    for board in BOARDS.values():
        if board.note:
            say(f"{board.name}: {board.note}")
