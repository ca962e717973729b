"""The tables of routings with even loads as they were first chosen, state by state: slow, and another derivation than the arrays."""

from collections import Counter

from fatcube.noc.routing.ordered import EFFORT, ROUNDS


class ChosenStateByState:
    """The table of each target of an :class:`~fatcube.noc.routing.ordered.Ordered` routing, from its order and classes alone."""

    def __init__(self, routing):
        self.routing, self.topology = routing, routing.topology
        self.places = {node: place for place, node in enumerate(routing.order)}
        self.phases = 2 * routing.classes
        self.processors = [len(self.topology.processors_of(node)) for node in range(self.topology.nodes)]
        self.tables = self._tables()

    def way(self, source, target):
        """The hops of a way, each as channel and class."""
        hops, state = [], (0, source)
        while state[1] != target:
            channel, state = self.tables[target][state]
            hops.append((channel, state[0] // 2))
        return tuple(hops)

    def _tables(self):
        loads, flows = Counter(), {target: Counter() for target in self.routing.homes}
        best, tables = None, {}
        for _ in range(min(ROUNDS, max(2, EFFORT // self.topology.nodes**2))):
            chosen = {}
            for target in self.routing.homes:
                loads.subtract(flows[target])
                chosen[target], flows[target] = self._chosen(target, loads)
                loads.update(flows[target])
            score = max(loads.values(), default=0), sum(load * load for load in loads.values())
            if best is None or score < best:
                best, tables = score, chosen
        return tables

    def _chosen(self, target, loads):
        left = self._left(target)
        levels = {}
        for state, hops in left.items():
            levels.setdefault(hops, []).append(state)
        costs = {(phase, target): 0 for phase in range(self.phases)}
        for hops in range(1, max(levels) + 1):
            for state in levels[hops]:
                costs[state] = min(
                    loads[state[1], channel] ** 2 + costs[behind] for channel, behind in self._nearer(state, left)
                )
        flows, added, table = Counter(), Counter(), {}
        for source in self.routing.homes:
            if source != target:
                flows[0, source] = self.processors[source] * self.processors[target]
        for hops in range(max(levels), 0, -1):
            for state in sorted(levels[hops], key=lambda state: (-flows[state], state)):
                if flow := flows[state]:
                    cost = {
                        (channel, behind): (loads[state[1], channel] + added[state[1], channel]) ** 2 + costs[behind]
                        for channel, behind in self._nearer(state, left)
                    }
                    channel, behind = min(cost, key=lambda step: (cost[step], step[1], step[0]))
                    table[state] = channel, behind
                    added[state[1], channel] += flow
                    flows[behind] += flow
        return table, added

    def _steps(self, state):
        phase, node = state
        for channel, other, _ in self.topology.ends(node):
            after = phase + (phase % 2 != (self.places[other] > self.places[node]))
            if after < self.phases:
                yield channel, (after, other)

    def _nearer(self, state, left):
        return [step for step in self._steps(state) if left.get(step[1]) == left[state] - 1]

    def _left(self, target):
        """The hops left of every state from which a way leads to the target, searched breadth first, backwards."""
        before = {}
        for phase in range(self.phases):
            for node in range(self.topology.nodes):
                for _, behind in self._steps((phase, node)):
                    before.setdefault(behind, []).append((phase, node))
        level = [(phase, target) for phase in range(self.phases)]
        left = dict.fromkeys(level, 0)
        while level:
            level = [
                state
                for behind in level
                for state in before.get(behind, ())
                if state not in left and not left.update({state: left[behind] + 1})
            ]
        return left
