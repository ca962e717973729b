"""The sums of an all-reduce in the integer program: collected at one processor, and sent on from there when they are complete."""

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from fatcube.schedules.collective import Message, Move

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar  # at run time only when a search is made

__all__ = ["limit_sum"]


def limit_sum(model: "CpModel", total: Message, processors: int, steps: int, moves: "Mapping[Move, IntVar]") -> None:
    """Collect a contribution of every processor for ``total``, and send the sum on from its processor only when all have come.

    Every other processor sends what it has accumulated once, and nothing comes to it from that step on; so what it sends comes to
    one that has yet to send, and in the end to the processor of the sum. ``moves`` are those of the partial sums and of the total.
    """
    home = total.source
    leaving: defaultdict[int, dict[Move, IntVar]] = defaultdict(dict)
    for move, variable in moves.items():
        if move.message.reduced:
            leaving[move.src][move] = variable
    # Whether everything has come to a processor, or its sum has left, by the end of each step.
    over: dict[tuple[int, int], IntVar] = {}
    for processor in range(processors):
        for step in range(steps + 1):
            over[processor, step] = model.new_bool_var("")
            if step:
                model.add_implication(over[processor, step - 1], over[processor, step])
        if processor != home:
            model.add_exactly_one(leaving[processor].values())
    for move, variable in moves.items():
        step, src, dst, message, _ = move
        if message.reduced:
            model.add_implication(variable, ~over[dst, step - 1])
            model.add_implication(variable, over[src, step - 1])
        elif src == home:
            model.add_implication(variable, over[home, step - 1])
