"""`fatcube board list`: the boards that a design can be built for."""

from fatcube.cli import options
from fatcube.cli.app import command, examples
from fatcube.cli.output import print_table, say, write_json
from fatcube.noc.boards import BOARDS
from fatcube.noc.boards.clocks.clock_source import megahertz

__all__ = ["list_boards"]


@command(epilog=examples("board list", "board list --json boards.json"))
def list_boards(json_file: options.JsonFile = None) -> None:
    boards = [
        {
            "board": board.name,
            "with": board.title,
            "family": board.family,
            "tools": board.vendor or "from pip",
            "oscillator MHz": f"{megahertz(board.oscillator):g}",
            "PLL": board.clocks.primitive,
            "serial port": board.serial,
            "block memories": f"{board.block_memories} of {board.block_bits // 1024} Kbit",
        }
        for board in BOARDS.values()
    ]
    print_table("boards", [*boards[0]], [[*board.values()] for board in boards])
    for board in BOARDS.values():
        if board.note:
            say(f"{board.name}: {board.note}")
    write_json(
        json_file,
        lambda: {
            "boards": [
                {**row, "oscillator MHz": megahertz(board.oscillator), "note": board.note}
                for row, board in zip(boards, BOARDS.values())
            ]
        },
    )
