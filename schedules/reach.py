"""What processors and nodes reach: hops to all processors, and lanes to and from nodes that have any."""

from collections.abc import Mapping

import networkx

from noc.topology import Topology

__all__ = ["hops_by_processor", "lanes_from", "lanes_into"]


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
