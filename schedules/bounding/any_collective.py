"""The lower bound that holds for any collective: its messages one by one, and those that each processor sends and receives."""

from collections import Counter
from collections.abc import Iterator

from fatcube.schedules import counting
from fatcube.schedules.counting import Bound
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import UNLIMITED

__all__ = ["bound_of_any"]


def bound_of_any(problem: Problem) -> Bound:
    """The best of these bounds of a normal problem that moves no sums; its reason says that there is none of the collective alone."""
    best = counting.highest(*_bounds(problem))
    return Bound(best.steps, f"{best.reason}; there is no bound for {problem.collective.value} alone")


def _bounds(problem: Problem) -> Iterator[Bound]:
    topology, among, model = problem.topology, problem.among, problem.model
    leaving, entering = Counter[int](), Counter[int]()
    farthest: dict[int, list[int]] = {}
    for message in problem.collective.each_message(topology, problem.root, among=among):
        leaving[message.source] += 1
        entering.update(one for one in message.destinations(topology, among) if one != message.source)
        farthest.setdefault(message.source, []).extend(message.destinations(topology, among))
    for source, targets in farthest.items():
        transfers = [*counting.transfers_between(topology, source, model)]
        target = max(targets, key=transfers.__getitem__)
        steps = max(1, transfers[target])
        yield Bound(steps, f"a message of processor {source} has {steps} transfers to go to processor {target}")
    if model.per_packet == UNLIMITED:  # no number of messages says anything
        return
    rate = counting.messages_in(problem.k, model)
    for counts, verb in ((leaving, "leave"), (entering, "enter")):
        processor, count = counts.most_common(1)[0]
        count *= problem.parts
        yield Bound(
            counting.ceil_divide(count, rate), f"{count} messages {verb} processor {processor}, at most {rate} a step"
        )
