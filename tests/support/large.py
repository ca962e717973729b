"""The graphs of ``fatcube large`` that tests look at, and bounds of them that are computed in another way."""

from fractions import Fraction
import itertools
import math

import networkx

from fatcube.noc.topologies.graph import Graph

DUMBBELL = Graph(tuple("abcdef"), (1,) * 6, ((0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)))
ONE_WAY = Graph(tuple("abcd"), (1,) * 4, ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2)), one_way=True)


def lanes(topology):
    """The lanes of each link, by its two nodes."""
    found = {}
    for node in range(topology.nodes):
        for _, other, _ in topology.ends(node):
            found[node, other] = found.get((node, other), 0) + topology.f
    return found


def sets(topology):
    """Every set of nodes that is neither empty nor all, with the lanes that leave it."""
    counts = lanes(topology)
    for size in range(1, topology.nodes):
        for inside in map(set, itertools.combinations(range(topology.nodes), size)):
            yield (
                inside,
                sum(count for (here, there), count in counts.items() if here in inside and there not in inside),
            )


def steps_of_all_gather(topology, parts):
    """The steps that the worst of all sets takes for all that starts in it, one set after the other."""
    return max(
        math.ceil(Fraction(parts * sum(len(topology.processors_of(node)) for node in inside), leaving))
        for inside, leaving in sets(topology)
    )


def steps_of_sums(topology, parts):
    """The steps in which every part of every sum leaves each set."""
    return max(math.ceil(Fraction(parts * topology.processors, leaving)) for _, leaving in sets(topology))


def steps_of_broadcast_in_parts(topology, root, parts):
    """The fewest steps in which a flow in time takes all parts to each node, by networkx."""

    def arrived(target, steps):
        graph = networkx.DiGraph()
        for step in range(steps):
            for node in range(topology.nodes):
                graph.add_edge((node, step), (node, step + 1))  # without a capacity: it can wait
            for (here, there), count in lanes(topology).items():
                graph.add_edge((here, step), (there, step + 1), capacity=count)
        graph.add_edge("parts", (root, 0), capacity=parts)
        return networkx.maximum_flow_value(graph, "parts", (target, steps)) == parts

    others = [node for node in range(topology.nodes) if node != root]
    return next(steps for steps in itertools.count(1) if all(arrived(target, steps) for target in others))
