"""Transfers as tasks of one step, on lanes and ports of limited number: a list schedule, improved forwards and backwards.

Every step is filled with those tasks that can go. Forwards and backwards in turn, each time in the order in which the time before
ended, the schedule gets shorter until it stays as it is (forward-backward improvement: Li and Willis, 1992).
"""

from collections.abc import Callable, Sequence

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.constructions.list_schedule import list_schedule
from fatcube.schedules.step import StepRules, StepState
from fatcube.schedules.symmetry import Symmetry

__all__ = ["Project"]


PASSES = 60  # forwards and backwards, at most
UNCHANGED = 6  # passes after which no shorter one is expected
WORK = 4_000_000  # tasks times passes


class Project:
    """Transfers as tasks of one step: what each waits for, and the lanes and ports that it takes, by class."""

    def __init__(self, topology: Topology, ports: PortModel, symmetry: Symmetry) -> None:
        self.moves: list[Move] = []
        self._before: list[list[int]] = []
        self._after: list[list[int]] = []
        self._packets: list[tuple[int, int, Message]] = []
        self._takes: list[tuple[int, int, int]] = []  # node entered, sender and receiver, by class
        self._rules = StepRules(topology, ports, symmetry)

    def add(self, move: Move, before: Sequence[int]) -> int:
        """Add a transfer that waits for the tasks ``before`` it, and return its number."""
        task = len(self.moves)
        self.moves.append(move)
        self._before.append([*before])
        self._after.append([])
        for other in before:
            self._after[other].append(task)
        rules = self._rules
        link = rules.symmetry.link_class(rules.nodes[move.src], rules.nodes[move.dst])
        self._packets.append((move.src, move.dst, move.message))
        self._takes.append((link.dst, rules.classes[move.src], rules.classes[move.dst]))
        return task

    def shortest(self, order: Sequence[int], least_steps: int) -> list[int]:
        """The step of each task in the shortest schedule that was found, beginning with tasks in ``order``."""
        steps = best = self._filled(order, self._before, self._after)
        unchanged = 0
        for _ in range(min(PASSES, WORK // len(self.moves))):
            if max(best) <= least_steps or unchanged == UNCHANGED:
                break
            last = max(steps)
            back = self._filled([-step for step in steps], self._after, self._before)
            steps = self._filled([last - step for step in back], self._before, self._after)
            unchanged += 1
            if max(steps) < max(best):
                best, unchanged = steps, 0
        return best

    def _filled(
        self, order: Sequence[int], before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]
    ) -> list[int]:
        """The step of each task if every step is filled with those that can go, the first in ``order`` first."""

        def begin(number: int) -> Callable[[int], bool]:
            step = StepState(number, self._rules)
            return lambda task: step.take(*self._packets[task])

        filled = list_schedule(after, order, self._takes, begin)
        assert filled is not None, "any transfer fits into an empty step"
        steps = [0] * len(before)
        for number, tasks in enumerate(filled, 1):
            for task in tasks:
                steps[task] = number
        return steps
