"""The boards that networks run on: a file per board, or per kind of board in several sizes.

The platform of a board needs amaranth-boards, which is imported only when a project is generated.
"""

from fatcube.groundwork.validation import check_choice
from fatcube.noc.boards import arty_a7, de10_nano, ecpix5, ice40_hx8k, icebreaker, tang_nano_9k, ulx3s
from fatcube.noc.boards.board import Board

__all__ = ["BOARDS", "find_board"]


BOARDS = {
    board.name: board
    for module in (ulx3s, ecpix5, icebreaker, ice40_hx8k, tang_nano_9k, arty_a7, de10_nano)
    for board in module.BOARDS
}
"""Each :class:`~fatcube.noc.boards.board.Board` by its name."""


def find_board(name: str) -> Board:
    """The :class:`~fatcube.noc.boards.board.Board` with this name.

    Raises
    ------
    ParameterError
        If no board has this name.
    """
    return BOARDS[check_choice("board", name, BOARDS)]
