"""The fewest steps of small collectives in model 1 with adjacent transfers, by trying all that can be done in each step."""

import itertools

__all__ = ["steps_of_broadcast", "steps_of_scatter"]


def lanes_of(topology):
    """The lanes from each node to each adjacent one."""
    lanes = {}
    for node in range(topology.nodes):
        for _, other, _ in topology.ends(node):
            lanes[node, other] = lanes.get((node, other), 0) + topology.f
    return lanes


def steps_of_broadcast(topology, root, targets=None):
    """The fewest steps of a broadcast from ``root`` to ``targets``, or to all: who holds the message after each step."""
    node_of, lanes = topology.node_of, lanes_of(topology)
    targets = frozenset(range(topology.processors) if targets is None else targets)

    def following(holders):
        """The sets of holders after a step; a holder that could send and does not is never better."""
        reached = set()

        def choose(rest, new, used):
            if not rest:
                reached.add(holders | new)
                return
            one, *others = rest
            choose(others, new, used)
            for other in range(topology.processors):
                way = node_of(one), node_of(other)
                if other in holders or other in new:
                    continue
                if way[0] == way[1]:
                    choose(others, new | {other}, used)
                elif used.count(way) < lanes.get(way, 0):
                    choose(others, new | {other}, [*used, way])

        choose(sorted(holders), frozenset(), [])
        return reached

    states, steps = {frozenset([root])}, 0
    while not any(targets <= state for state in states):
        states, steps = set().union(*map(following, states)), steps + 1
    return steps


def steps_of_scatter(topology, pairs):
    """The fewest steps in which a message for each of ``pairs`` gets from the first processor to the second: where each is."""
    node_of, lanes = topology.node_of, lanes_of(topology)
    goal = tuple(target for _, target in pairs)

    def ways(place):
        return [
            other
            for other in range(topology.processors)
            if other == place or node_of(other) == node_of(place) or (node_of(place), node_of(other)) in lanes
        ]

    def fits(before, after):
        moves = [(src, dst) for src, dst in zip(before, after) if src != dst]
        links = [(node_of(src), node_of(dst)) for src, dst in moves if node_of(src) != node_of(dst)]
        return all(len({move[end] for move in moves}) == len(moves) for end in (0, 1)) and all(
            links.count(link) <= lanes[link] for link in links
        )

    states, steps = {tuple(source for source, _ in pairs)}, 0
    seen = set(states)
    while goal not in states:
        states = {
            after for before in states for after in itertools.product(*map(ways, before)) if fits(before, after)
        } - seen
        seen |= states
        steps += 1
    return steps
