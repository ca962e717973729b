"""The least number of block memories that a machine needs, computed before any tool runs."""

import math

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.boards.board import Board
from fatcube.noc.machines.machine import Machine

__all__ = ["check_memories", "fewest_memories"]


def fewest_memories(board: Board, machine: Machine) -> int:
    """The block memories of the board's chip that the messages of all processors take, by their number of bits.

    A processor has a bank for each of its ports, and a copy of each bank for every port that reads it. Memories smaller
    than a block memory may be made of LUTs, and are not counted.
    """
    bits = machine.memory_words * machine.network.options.width
    return _copies(machine) * math.ceil(bits / board.block_bits) if bits >= board.block_bits else 0


def check_memories(board: Board, machine: Machine) -> None:
    """Refuse message memories for which the chip has too few block memories.

    Raises
    ------
    ParameterError
        If it has too few.
    """
    needed = fewest_memories(board, machine)
    if needed > board.block_memories:
        most = max(1, board.block_memories // _copies(machine)) * board.block_bits // machine.network.options.width
        raise ParameterError(
            f"memory words must be at most {most} for the {machine.network.name} on the {board.title}, not {machine.memory_words}, "
            f"which needs {needed} of {board.block_memories} block memories"
        )


def _copies(machine: Machine) -> int:
    """Number of copies of banks of all processors."""
    return machine.network.topology.processors * machine.network.processor_ports**2
