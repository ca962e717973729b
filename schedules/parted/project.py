"""Transfers as tasks of one step, on lanes and ports of limited number: a list schedule, improved forwards and backwards.

Every step is filled with those tasks that can go. Forwards and backwards in turn, each time in the order in which the time before
ended, the schedule gets shorter until it stays as it is (forward-backward improvement: Li and Willis, 1992).
"""

from collections import defaultdict
from collections.abc import Sequence
import heapq

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Move
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
        self._takes: list[tuple[int, int, int]] = []  # lane, sender and receiver
        self._topology = topology
        self._symmetry = symmetry
        self._ports = ports.processor_ports(topology.degree, topology.m)
        self._links: dict[object, int] = {}
        self._lanes: list[int] = []

    def add(self, move: Move, before: Sequence[int]) -> int:
        """Add a transfer that waits for the tasks ``before`` it, and return its number."""
        task = len(self.moves)
        self.moves.append(move)
        self._before.append([*before])
        self._after.append([])
        for other in before:
            self._after[other].append(task)
        here, there = self._topology.node_of(move.src), self._topology.node_of(move.dst)
        src, dst = self._symmetry.processor_class(move.src), self._symmetry.processor_class(move.dst)
        link = (
            self._symmetry.link_class(here, there)
            if here != there
            else ("within", src, self._symmetry.seen_from(move.src, move.dst))  # no link is called so
        )
        if link not in self._links:
            self._links[link] = len(self._lanes)
            self._lanes.append(len(self._topology.lanes_between(here, there)) if here != there else self._ports)
        self._takes.append((self._links[link], src, dst))
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
        waiting = [len(tasks) for tasks in before]
        ready: list[list[tuple[int, int]]] = [[] for _ in self._lanes]
        for task, count in enumerate(waiting):
            if not count:
                heapq.heappush(ready[self._takes[task][0]], (order[task], task))
        steps = [0] * len(order)
        step, left = 0, len(order)
        while left:
            step += 1
            done = self._step(ready)
            left -= len(done)
            for task in done:
                steps[task] = step
                for other in after[task]:
                    waiting[other] -= 1
                    if not waiting[other]:
                        heapq.heappush(ready[self._takes[other][0]], (order[other], other))
        return steps

    def _step(self, ready: Sequence[list[tuple[int, int]]]) -> list[int]:
        """The tasks of a step, taken from those that are ready on each lane."""
        sent: dict[int, int] = defaultdict(int)
        received: dict[int, int] = defaultdict(int)
        done: list[int] = []
        for lane in sorted((lane for lane, tasks in enumerate(ready) if tasks), key=lambda lane: ready[lane][0]):
            later = []
            room = self._lanes[lane]
            while room and ready[lane]:
                _, task = first = heapq.heappop(ready[lane])
                _, src, dst = self._takes[task]
                if sent[src] < self._ports and received[dst] < self._ports:
                    sent[src] += 1
                    received[dst] += 1
                    done.append(task)
                    room -= 1
                else:
                    later.append(first)
            for one in later:
                heapq.heappush(ready[lane], one)
        return done
