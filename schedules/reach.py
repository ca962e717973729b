"""Distances and ways: hops to all processors, ways to some nodes, and lanes to and from nodes with processors."""

from collections.abc import Iterable, Mapping

import networkx

from fatcube.noc.topology import Topology

__all__ = ["hops_by_processor", "lanes_from", "lanes_into", "passed_nodes"]


def hops_by_processor(topology: Topology, processor: int, back: bool = False) -> list[int]:
    """Hops from ``processor`` to every processor, or ``back`` from every processor to it."""
    graph = topology.served
    if back and isinstance(graph, networkx.DiGraph):
        graph = graph.reverse(copy=False)
    lengths = networkx.single_source_shortest_path_length(graph, topology.node_of(processor))
    return [lengths[topology.node_of(other)] for other in range(topology.processors)]


def lanes_from(topology: Topology, node: int) -> int:
    """The lanes from ``node`` to other nodes with processors, all together."""
    if topology.alike:
        return topology.f * topology.degree
    return topology.f * sum(other in topology.served for _, other, _ in topology.ends(node))


def lanes_into(topology: Topology, node: int) -> Mapping[int, int]:
    """The lanes to ``node`` from each node with processors that has any."""
    return {other: len(topology.channels_between(other, node)) * topology.f for other in topology.sources(node)}


def passed_nodes(topology: Topology, origin: int, targets: Iterable[int]) -> set[int]:
    """The nodes of a tree of shortest paths from node ``origin`` to the nodes ``targets``, over nodes with processors.

    From the farthest node on, each is entered from a node that is in the tree already or, if there is none, from the neighbour
    that leads to the most nodes of the tree; of several it is the first.
    """
    hops = networkx.single_source_shortest_path_length(topology.served, origin)
    tree = {origin, *targets}
    for distance in range(max(hops[node] for node in tree), 0, -1):
        level = sorted(node for node in tree if hops[node] == distance)
        for node in level:
            before = [other for other in sorted(topology.sources(node)) if hops.get(other) == distance - 1]
            if tree.isdisjoint(before):
                tree.add(max(before, key=lambda other: len(tree.intersection(topology.served[other]))))
    return tree
