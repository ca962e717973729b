"""Copies of packets, model b: what they wait for, and when they are safe.

A processor's packet goes to a set of outputs of its own router: to peers on the node, and to lanes; what leaves by a lane
ends at one processor of the neighbour. Copies are made nowhere else. A copy that has left by a lane, in class 0, turns to no
other lane, so it waits for its receiver only, and whoever waits for that lane waits for nothing else. What can go wrong is
that copies of *one* packet wait for each other. Say that a and b are two of its outputs. There are two ways:

1. The packet holds a while it waits for b, so whoever waits for a waits for b too: an edge from each output of the set to
   each other one, as they can be granted in any order.
2. The copy by a has gone ahead, into the neighbour, and holds an output y to a processor there. If flits leave the input
   only when all copies have taken them, the rest of that copy waits until b goes on: an edge from y, which lies behind a,
   to b. This is why room behind the lanes alone is not enough: with two neighbours u and v that broadcast, the copy of u's
   packet holds y at v and starves until x at u is free, which the copy of v's packet holds, and that starves for y.

Both are gone, and the dependencies are those of unicast packets, in two designs:

- *The input holds the whole packet*, and each copy reads it at its own position. Then a copy goes on whatever the others
  do: it waits for its own output alone, and behind it there is always its next flit, or a sender that goes on sending
  because there is room. The packet that the copies belong to holds nothing but the input of its own processor, and nobody
  in the network waits for that. The longest packet must fit into the input buffer of a processor.
- *All outputs are granted at once*, those to processors included, each with room for the whole packet behind it. Then
  nothing is held while something else is waited for: once granted, the packet goes on as fast as receivers take. (As they
  always take, room behind the outputs to processors only makes that faster; that they are granted with the others is what
  counts.) No output may be kept free for ever for a packet that still waits for another one, or two routers that do so for
  two broadcasts can wait for each other by way of the unicast packets between them. For a while it may be, and is, as else a
  packet that needs many outputs would hardly ever find all of them free: every packet is first in turn again and again, and
  one that needs a single output gets it then if there is room. :class:`rtl.allocators.multicast_allocator.MulticastAllocator` with virtual
  cut-through is of this design, and :class:`noc.routed_network.RoutedNetwork` takes no other.

With room behind the lanes, and the lanes granted at once, but outputs to processors each on its own, the first edges are
left between lanes and peers, and the second ones. Copies to lanes alone are safe then, those to peers too are not.
All of it is under the condition that receivers always take.
"""

import enum
from typing import NamedTuple, TypeAlias

import networkx

from noc.routing.dependencies import ChannelClass, dependencies, shortest_cycle
from noc.routing.routing import Routing

__all__ = ["Guarantee", "ProcessorOutput", "copies_are_safe", "copy_deadlock", "copy_dependencies"]


class Guarantee(enum.Enum):
    """Where there is sure to be room for the whole of a packet that is copied."""

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
        If there are too many nodes to go through all ways.
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
    """The edges between the copies of a packet of one sender: the two kinds that the head of this file tells apart."""
    if guarantee in (Guarantee.AT_INPUT, Guarantee.BEHIND_OUTPUTS):
        return []
    edges: list[tuple[_Vertex, _Vertex]] = [(peer, other) for peer in peers for other in peers if peer != other]
    for lane, neighbour in lanes:
        behind = outputs[neighbour]
        for peer in peers:
            edges += [(lane, peer), (peer, lane), *((output, peer) for output in behind)]
        if guarantee is Guarantee.NOWHERE:
            # A vertex stands for all lanes of a link, of which each can be one of the outputs.
            others = [other for other, _ in lanes if other != lane or lanes_of_link > 1]
            edges += [(held, other) for other in others for held in (lane, *behind)]
    return edges


def copy_deadlock(routing: Routing, guarantee: Guarantee) -> tuple[_Vertex, ...] | None:
    """A shortest cycle of channels and outputs that wait for each other if packets are copied; ``None`` if none do.

    Raises
    ------
    ParameterError
        If there are too many nodes to go through all ways.
    """
    return shortest_cycle(copy_dependencies(routing, guarantee))


def copies_are_safe(routing: Routing, guarantee: Guarantee) -> bool:
    """``True`` if unicast packets along ``routing`` and copies to own peers and neighbours cannot deadlock.

    Raises
    ------
    ParameterError
        If there are too many nodes to go through all ways.
    """
    return copy_deadlock(routing, guarantee) is None
