"""Copies of packets in model b: their dependencies, and the conditions under which they cannot deadlock.

A processor's packet goes to a set of outputs of its own router: to peers on the node, and to lanes. A copy that leaves
by a lane ends at one processor of the neighbour, and no other router makes copies. A copy that has left by a lane, in
class 0, turns to no other lane, so it waits for its receiver only, and packets that wait for that lane wait for nothing
else. The remaining danger is that copies of *one* packet wait for each other. Let a and b be two of its outputs. There
are two kinds of dependencies:

1. The packet holds a while it waits for b, so a packet that waits for a waits for b too: an edge from each output of
   the set to each other one, as they can be granted in any order.
2. The copy by a is ahead, in the neighbour, and holds an output y to a processor there. If flits leave the input only
   when all copies have taken them, the remainder of that copy waits until b advances: an edge from y, which lies behind
   a, to b. Therefore room behind the lanes alone is not enough: if two neighbours u and v broadcast, the copy of u's
   packet holds y at v and is stalled until x at u is free, while the copy of v's packet holds x and is stalled until y
   is free.

Two designs have neither kind, so that only the dependencies of unicast packets remain:

- *The input holds the whole packet*, and each copy reads it at its own position. Then copies advance independently:
  each waits for its own output alone, and its next flit is in the buffer, or comes from a sender that is not blocked
  because there is room. The packet to which the copies belong holds only the input of its own processor, for which no
  packet in the network waits. The longest packet must fit into the input buffer of a processor.
- *All outputs are granted at once*, those to processors included, each with room for the whole packet behind it. Then
  no packet holds an output while it waits for another: once granted, it advances as fast as receivers take flits.
  (Since they always take flits, room behind the outputs to processors only makes that faster; what matters is that
  these outputs are granted with the others.) No output may be reserved forever for a packet that still waits for
  another output, or two routers that do so for two broadcasts can wait for each other through the unicast packets
  between them. For a limited time an output is reserved, as a packet that needs many outputs would otherwise rarely
  find all of them free. Every packet is first in turn again and again, and one that needs a single output then gets it
  if there is room. :class:`fatcube.rtl.allocators.copying_allocator.CopyingAllocator` with virtual cut-through is of this
  design, and :class:`fatcube.noc.routed_network.RoutedNetwork` accepts no other.

If lanes are granted at once, with room behind them, but outputs to processors one by one, edges of the first kind
remain between lanes and peers, and so do those of the second kind. Copies to lanes alone are then safe; copies to peers
as well are not. All of this assumes that receivers always take flits.
"""

import enum
from typing import NamedTuple, TypeAlias

import networkx

from fatcube.noc.routing.dependencies import ChannelClass, dependencies, shortest_cycle
from fatcube.noc.routing.routing import Routing

__all__ = ["Guarantee", "ProcessorOutput", "copies_are_safe", "copy_deadlock", "copy_dependencies"]


class Guarantee(enum.Enum):
    """The place that is guaranteed to have room for a whole packet that is copied."""

    NOWHERE = "nowhere"  # Outputs are granted one by one, and a flit leaves when all copies have taken it.
    BEHIND_LANES = "behind lanes"  # Lanes are granted at once, with room; outputs to processors one by one.
    BEHIND_OUTPUTS = "behind outputs"  # All outputs are granted at once, with room behind each.
    AT_INPUT = "at input"  # The input holds the packet, and each copy reads it at its own position.


class ProcessorOutput(NamedTuple):
    """The output of a router to a processor of its node: a vertex of the graph."""

    node: int
    processor: int

    def __str__(self) -> str:
        return f"output to processor {self.processor} at node {self.node}"


_Vertex: TypeAlias = ChannelClass | ProcessorOutput


def copy_dependencies(routing: Routing, guarantee: Guarantee) -> "networkx.DiGraph[_Vertex]":
    """The dependencies of unicast packets along ``routing`` and of packets that every router copies to any outputs.

    Raises
    ------
    ParameterError
        If there are too many nodes to enumerate all routes.
    """
    topology = routing.topology
    unicast = dependencies(routing)
    graph: networkx.DiGraph[_Vertex] = networkx.DiGraph()
    graph.add_nodes_from(unicast.nodes)
    graph.add_edges_from(unicast.edges)
    outputs = [
        [ProcessorOutput(node, processor) for processor in topology.processors_of(node)]
        for node in range(topology.nodes)
    ]
    for source, target, way in routing.ways():
        *_, (channel, channel_class) = way
        node = source
        for hop in way[:-1]:
            node, _ = routing.ends[node][hop.channel]
        graph.add_edges_from((ChannelClass(node, channel, channel_class), output) for output in outputs[target])
    for node in routing.homes:
        lanes = [(ChannelClass(node, channel, 0), other) for channel, other in routing.links[node] if outputs[other]]
        for lane, other in lanes:
            graph.add_edges_from((lane, output) for output in outputs[other])
        for sender in outputs[node]:
            peers = [output for output in outputs[node] if output != sender]
            graph.add_edges_from(_among_copies(topology.f, lanes, outputs, peers, guarantee))
    return graph


def _among_copies(
    lanes_of_link: int,
    lanes: list[tuple[ChannelClass, int]],
    outputs: list[list[ProcessorOutput]],
    peers: list[ProcessorOutput],
    guarantee: Guarantee,
) -> list[tuple[_Vertex, _Vertex]]:
    """The edges between the copies of a packet of one sender, of the two kinds that the head of this file describes."""
    if guarantee in (Guarantee.AT_INPUT, Guarantee.BEHIND_OUTPUTS):
        return []
    edges: list[tuple[_Vertex, _Vertex]] = [(peer, other) for peer in peers for other in peers if peer != other]
    for lane, neighbour in lanes:
        behind = outputs[neighbour]
        for peer in peers:
            edges += [(lane, peer), (peer, lane), *((output, peer) for output in behind)]
        if guarantee is Guarantee.NOWHERE:
            # A vertex stands for all lanes of a link, each of which can be one of the outputs.
            others = [other for other, _ in lanes if other != lane or lanes_of_link > 1]
            edges += [(held, other) for other in others for held in (lane, *behind)]
    return edges


def copy_deadlock(routing: Routing, guarantee: Guarantee) -> tuple[_Vertex, ...] | None:
    """A shortest cycle of channels and outputs that wait for each other if packets are copied; ``None`` without one.

    Raises
    ------
    ParameterError
        If there are too many nodes to enumerate all routes.
    """
    return shortest_cycle(copy_dependencies(routing, guarantee))


def copies_are_safe(routing: Routing, guarantee: Guarantee) -> bool:
    """``True`` if unicast packets along ``routing`` and copies to own peers and neighbours cannot deadlock.

    Raises
    ------
    ParameterError
        If there are too many nodes to enumerate all routes.
    """
    return copy_deadlock(routing, guarantee) is None
