"""The base of the routings that follow an order of the nodes, with balanced loads: shortest paths and up*/down*."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
import dataclasses
from functools import cached_property
import itertools
from typing import TypeAlias

from groundwork.validation import check_count
from noc.routing.node_order import hops_left
from noc.routing.routing import Hop, Routing, Way

__all__ = ["Ordered"]


MOST_NODES = 512  # of topologies whose routes are balanced
ROUNDS = 4  # of balancing; further ones change little
EFFORT = 1 << 16  # pairs of nodes in all rounds together, unless two rounds have more

_State: TypeAlias = tuple[int, int]  # the phase and the node that a packet is in
_Channel: TypeAlias = tuple[int, int]  # node and channel
_Table: TypeAlias = dict[_State, tuple[int, _State]]  # for each state the channel to take, and the next state


@dataclasses.dataclass(frozen=True)
class Ordered(Routing, name=None):
    """Routes up and down an order of the nodes: the shortest that are possible in the classes that they may use.

    The next hop depends only on the target, the node and the phase (:mod:`noc.routing.node_order`), and the phase
    follows from the channel and the class by which a packet arrives. So it can be looked up in each router by input,
    class and destination.

    Of equally long routes, those are chosen that balance the loads of the channels under uniform traffic. For one
    target after the other, the routes to it are chosen again while all others are fixed, each for the least sum of the
    squared loads along it. This is done in rounds, and the result of the round is kept in which the most loaded channel
    has the least load. The result depends on the parameters only.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count("nodes", self.topology.nodes, maximum=MOST_NODES, what=f"for {self}")

    @cached_property
    @abstractmethod
    def order(self) -> Sequence[int]:
        """The nodes, the lowest first."""

    def _way(self, source: int, target: int) -> Way:
        hops, state, table = [], (0, source), self._tables[target]
        while state[1] != target:
            channel, state = table[state]
            hops.append(Hop(channel, state[0] // 2))
        return tuple(hops)

    @cached_property
    def _left(self) -> list[list[list[int]]]:
        """Fewest hops left, by phase, target and node."""
        phases = list(itertools.islice(hops_left(self.links, self.order), 2 * self.classes))
        return [hops.T.tolist() for hops in reversed(phases)]

    @cached_property
    def _tables(self) -> dict[int, _Table]:
        """The table of each target."""
        loads: Counter[_Channel] = Counter()
        flows: dict[int, Counter[_Channel]] = {target: Counter() for target in self.homes}
        best, tables = None, {}
        for _ in range(min(ROUNDS, max(2, EFFORT // self.topology.nodes**2))):
            chosen = {}
            for target in self.homes:
                loads.subtract(flows[target])
                chosen[target], flows[target] = self._chosen(target, loads)
                loads.update(flows[target])
            score = max(loads.values(), default=0), sum(load * load for load in loads.values())
            if best is None or score < best:
                best, tables = score, chosen
        return tables

    def _chosen(self, target: int, loads: Counter[_Channel]) -> tuple[_Table, Counter[_Channel]]:
        """The table of ``target`` when the others load the channels by ``loads``, and the load that it adds."""
        levels = self._levels(target)
        costs: dict[_State, int] = {(phase, target): 0 for phase in range(2 * self.classes)}
        for level in levels[1:]:
            for state, steps in level.items():
                costs[state] = min(loads[state[1], channel] ** 2 + costs[behind] for channel, behind in steps)
        flows: Counter[_State] = Counter()
        for source in self.homes:
            if source != target:
                flows[0, source] = self._processors[source] * self._processors[target]
        table: _Table = {}
        added: Counter[_Channel] = Counter()
        for level in reversed(levels[1:]):
            for state in sorted(level, key=lambda state: (-flows[state], state)):  # most flow first
                if flow := flows[state]:
                    cost = {
                        (channel, behind): (loads[state[1], channel] + added[state[1], channel]) ** 2 + costs[behind]
                        for channel, behind in level[state]
                    }
                    # Ties are broken by the lowest phase, which leaves the most classes, then by the lowest channel.
                    channel, behind = min(cost, key=lambda step: (cost[step], step[1], step[0]))
                    table[state] = channel, behind
                    added[state[1], channel] += flow
                    flows[behind] += flow
        return table, added

    def _levels(self, target: int) -> list[dict[_State, list[tuple[int, _State]]]]:
        """By hops left, the states that a packet to ``target`` can be in, each with all steps on shortest routes."""
        left = [by_target[target] for by_target in self._left]
        starts = [(0, source) for source in self.homes if source != target]
        levels = [{} for _ in range(1 + max((left[0][source] for _, source in starts), default=0))]
        for state in starts:
            levels[left[0][state[1]]][state] = []
        for hops in range(len(levels) - 1, 0, -1):
            for (phase, node), steps in levels[hops].items():
                for channel, behind in self._steps(phase, node):
                    if behind[0] < len(left) and left[behind[0]][behind[1]] == hops - 1:
                        steps.append((channel, behind))
                        levels[hops - 1].setdefault(behind, [])
        return levels

    def _steps(self, phase: int, node: int) -> Iterator[tuple[int, _State]]:
        """The channels of ``node``, each with the next state: a hop in the other direction begins the next phase."""
        for channel, other in self.links[node]:
            down = self._places[other] > self._places[node]
            yield channel, (phase + (phase % 2 != down), other)

    @cached_property
    def _places(self) -> dict[int, int]:
        return {node: place for place, node in enumerate(self.order)}

    @cached_property
    def _processors(self) -> list[int]:
        return [len(self.topology.processors_of(node)) for node in range(self.topology.nodes)]
