"""List scheduling: step after step, of the tasks that wait for nothing any more the most urgent go first, as far as they fit."""

from collections.abc import Callable, Hashable, Sequence
import heapq
from typing import Any

__all__ = ["list_schedule"]


def list_schedule(
    then: Sequence[Sequence[int]],
    urgency: Sequence[Any],
    alike: Sequence[Hashable],
    begin: Callable[[int], Callable[[int], bool]],
) -> list[list[int]] | None:
    """The tasks of each step, in the order in which they were taken; ``None`` if some do not even fit into an empty step.

    Parameters
    ----------
    then : sequence of sequences of :class:`int`
        For each task the tasks that wait for it, which can be done in the next step.
    urgency : sequence
        The values by which tasks are compared, the lowest first.
    alike : sequence
        For each task a name for the resources that it takes, or ``None`` if it takes neither resources nor time. If a task does not
        fit into a step, all tasks of its name wait for the next step.
    begin : callable
        It begins a step, given its number, and returns a function that takes a task into the step if it fits, and returns whether it did.
    """
    waits = [0] * len(then)
    for tasks in then:
        for task in tasks:
            waits[task] += 1
    ready: dict[Hashable, list[tuple[Any, int]]] = {}

    def release(free: list[int]) -> None:
        """Release tasks that wait for nothing: those that take time become ready, and the others are done."""
        while free:
            task = free.pop()
            if alike[task] is None:
                free += done(task)
            else:
                heapq.heappush(ready.setdefault(alike[task], []), (urgency[task], task))

    def done(task: int) -> list[int]:
        """The tasks that wait for nothing any more, now that this one is done."""
        free = []
        for other in then[task]:
            waits[other] -= 1
            if not waits[other]:
                free.append(other)
        return free

    release([task for task, left in enumerate(waits) if not left])
    steps: list[list[int]] = []
    while ready:
        take = begin(len(steps) + 1)
        taken: list[int] = []
        heads = [(*queue[0], name) for name, queue in ready.items()]
        heapq.heapify(heads)
        while heads:
            _, task, name = heapq.heappop(heads)
            if take(task):
                taken.append(task)
                queue = ready[name]
                heapq.heappop(queue)
                if queue:
                    heapq.heappush(heads, (*queue[0], name))
                else:
                    del ready[name]
        if not taken:
            return None
        steps.append(taken)
        release([free for task in taken for free in done(task)])
    return steps
