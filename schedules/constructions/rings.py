"""All-gather along a ring of all processors with direct transfers, in P - 1 steps on any connected network.

In every step each processor sends on, to the next one of the ring, what it received in the step before, its own message first.
So P - 1 steps bring everybody the messages of all others. With one port a processor receives one message a step, so there
can be no fewer. A step is possible if no two of its P ways, from each processor to the next one, take the same lane in the same
direction. There is such a ring in two kinds of networks:

- Links carry messages both ways at once, and join all nodes. The Euler tour of a spanning tree crosses every link of the
  tree once in each direction. The ring takes the nodes at an even depth where the tour enters them, and those at an odd depth
  where it leaves them for the last time. The ways are the pieces of the tour between nodes that follow each other, so no
  two take the same lane. A way has three links at most. Only its first link can lead up from an odd node, and only its last one
  down to an even node, as the ring has nodes there. Every other link leads to an odd node, from which the tour continues by a link
  of these two kinds, so there is at most one. No way goes through a node twice, as the tour turns round at leaves only, which
  are in the ring there. (M. Sekanina, On an ordering of the set of vertices of a connected graph, 1960, has this order.)
- Links go one way, and as many of them enter each node as leave it. Such a network has an Euler circuit. The ring takes the
  nodes in the order in which the circuit enters them for the first time, and the ways are the pieces of the circuit between
  them, without the loops in them.

The processors of a node follow each other in the ring, as a packet within a node takes no lane. Half-duplex links carry the
tour where they have two lanes, one for each direction. With two ports or more, and two lanes in each direction, messages go
round the ring both ways at once, those of the nearest half of the processors from either side, which takes ceil((P - 1) / 2)
steps. What failures leave of a network is such a network too, also where lanes have failed in one direction, as long as the
links that work both ways join all nodes.

Of processors that send or receive, at most P / 2 send in a step, rounded down, and there are P (P - 1) transfers. So there are at least
2 (P - 1) steps, or 2 P if P is odd. A ring takes no more: in step s the processor at place v sends its next message if (v - s) mod P is
odd. Neighbours do not both send then, as two numbers that follow each other are not both odd, nor is 0, which follows P - 1. In the steps
named every processor sends P - 1 times, and each time in the step after the one before it in the ring did, so it has the next message.
"""

from collections.abc import Iterator, Sequence
import itertools
from typing import NamedTuple

import networkx

from fatcube.noc.topology import Topology
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.counting import ceil_divide
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import Links, PortUse

__all__ = ["Ring", "along_ring", "direct_all_gathers", "tour"]


class Ring(NamedTuple):
    """All processors in the order of a ring.

    ``ways[i]`` has the nodes that a packet enters from ``processors[i]`` to the next one, if it crosses two links or more; it is
    empty otherwise.
    """

    processors: Sequence[int]
    ways: Sequence[tuple[int, ...]]

    def reversed(self, topology: Topology) -> "Ring":
        """The ring the other way round, where links go both ways."""
        ends = [topology.node_of(processor) for processor in self.processors]
        ways = [(*way[-2::-1], end) if way else () for way, end in zip(self.ways, ends)]
        return Ring(self.processors[::-1], [*ways[-2::-1], ways[-1]])


def direct_all_gathers(problem: Problem) -> Iterator[Schedule]:
    """The schedules of AAB along rings with direct transfers; none where there is no ring.

    One port for each partner, or one partner, may not allow them.
    """
    topology = problem.topology
    directions = 2 if problem.model.links is Links.HALF_DUPLEX else 1
    if problem.k > 1 and not topology.directed and problem.model.port_use is PortUse.SEND_AND_RECEIVE:
        ring = tour(topology, 2 * directions)
        if ring is not None:
            yield along_ring(problem, ring, ring.reversed(topology))
    ring = tour(topology, directions)
    if ring is not None:
        yield along_ring(problem, ring)


def along_ring(problem: Problem, *rings: Ring) -> Schedule:
    """The :class:`Schedule` of AAB along a ring, or along it and its reverse at once where processors send and receive."""
    P = problem.topology.processors
    moves = [
        Move(step, ring.processors[place], ring.processors[(place + 1) % P], message, way)
        for number, ring in enumerate(rings)
        for place, way in enumerate(ring.ways)
        for before, step in enumerate(_sending(problem, place, ceil_divide(P - 1 - number, len(rings))))
        for message in (Message(ring.processors[(place - before) % P], None),)
    ]
    return problem.schedule(moves)


def _sending(problem: Problem, place: int, messages: int) -> Sequence[int]:
    """The steps in which the processor at a place of a ring sends ``messages`` messages."""
    P = problem.topology.processors
    if problem.model.port_use is not PortUse.SEND_OR_RECEIVE:
        return range(1, messages + 1)
    return [step for step in range(1, 2 * P + 1) if (place - step) % P % 2][:messages]


def tour(topology: Topology, lanes: int = 1) -> Ring | None:
    """The :class:`Ring` in the order of an Euler tour over links with at least ``lanes`` lanes; ``None`` if there is none.

    It goes around a spanning tree of the shortest paths from the first node, or of a directed network around all links.
    """
    links = topology.served
    joined = networkx.Graph()
    joined.add_nodes_from(links)
    joined.add_edges_from(
        (node, other)
        for node, other in links.edges
        if min(len(topology.lanes_between(node, other)), len(topology.lanes_between(other, node))) >= lanes
    )
    if networkx.is_connected(joined):
        return _ring(topology, _around_tree(joined))
    if not topology.directed or lanes > 1:
        return None
    circuit = networkx.MultiDiGraph(
        (node, other) for node, other in links.edges for _ in topology.lanes_between(node, other)
    )
    if len(circuit) < len(links) or not networkx.is_eulerian(circuit):
        return None
    return _ring(topology, _around_circuit(circuit))


def _ring(topology: Topology, stops: Sequence[tuple[int, tuple[int, ...]]]) -> Ring:
    """The ring of the processors of nodes, each given with the nodes that lead from it to the next one."""
    processors: list[int] = []
    ways: list[tuple[int, ...]] = []
    for node, way in stops:
        here = topology.processors_of(node)
        processors += here
        ways += [*[()] * (len(here) - 1), way if len(way) > 1 else ()]
    return Ring(processors, ways)


def _around_tree(joined: "networkx.Graph[int]") -> list[tuple[int, tuple[int, ...]]]:
    """The nodes in the order of the ring around a spanning tree, each with the nodes that lead to the next one."""
    first = next(iter(joined))
    tree = networkx.bfs_tree(joined, first)
    depth = networkx.single_source_shortest_path_length(tree, first)
    walk = [(first, True)]  # each node that the tour is at, and whether it is in the ring there
    for node, other, how in networkx.dfs_labeled_edges(tree, first):
        if node == other or how == "nontree":
            continue
        if how == "forward":
            walk.append((other, depth[other] % 2 == 0))
        else:
            last, stops = walk[-1]
            walk[-1] = last, stops or depth[last] % 2 == 1
            walk.append((node, False))
    return _pieces(walk[:-1] if len(walk) > 1 else walk)


def _around_circuit(circuit: "networkx.MultiDiGraph[int]") -> list[tuple[int, tuple[int, ...]]]:
    """The nodes in the order of an Euler circuit, each with the nodes that lead to the next one."""
    seen: set[int] = set()
    walk: list[tuple[int, bool]] = []
    for node, _ in networkx.eulerian_circuit(circuit):
        walk.append((node, node not in seen))
        seen.add(node)
    return _pieces(walk)


def _pieces(walk: Sequence[tuple[int, bool]]) -> list[tuple[int, tuple[int, ...]]]:
    """A closed walk in pieces from stop to stop, without loops; its first node is a stop."""
    stops = [place for place, (_, stop) in enumerate(walk) if stop]
    nodes = [node for node, _ in walk]
    around = [*nodes, nodes[0]]
    return [
        (nodes[start], _without_loops(around[start : end + 1]))
        for start, end in itertools.pairwise([*stops, len(nodes)])
    ]


def _without_loops(walk: Sequence[int]) -> tuple[int, ...]:
    """The nodes after the first of a walk, none of them twice."""
    path: list[int] = []
    for node in walk:
        if node in path:
            del path[path.index(node) + 1 :]
        else:
            path.append(node)
    return tuple(path[1:])
