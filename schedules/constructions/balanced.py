"""The scatter on trees whose branches are equally large: as few steps as the root has ports for."""

from collections.abc import Iterable, Mapping
import random

import networkx

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.schedule import Schedule

__all__ = ["balanced_scatter", "branches"]


TRIES = 50


def balanced_scatter(topology: Topology, ports: PortModel | str, root: int = 0) -> Schedule | None:
    """A :class:`Schedule` of OAS from a node with r neighbours in ceil((N - 1) / r) steps, or ``None``.

    For one processor a node, links that go both ways, and a port for each link (models d and \\*). All nodes but
    the root are divided into r connected parts of sizes that differ by at most one, each with a neighbour of the root.
    The root serves all parts at once, each along a tree, the farthest first. There is no shorter one, since
    every message leaves by one of r links (by one of more, where several links join two nodes).

    Proof. Messages of a part follow each other from the root on along a tree, so no two of them come to a link in
    the same step. A message that has w + 1 links to cross is followed by at least w others of its part: the ones for the
    nodes on its way. So it arrives before the last one has left, and a part takes as many steps as it has nodes.
    """
    parts = branches(topology, root)
    if parts is None:
        return None
    moves = []
    for first, part in parts.items():
        ways = networkx.single_source_shortest_path(topology.graph.subgraph(part), first)
        for start, way in enumerate(sorted(ways.values(), key=len, reverse=True), start=1):
            message = Message(root, way[-1])
            moves += [Move(start + hop, src, dst, message) for hop, (src, dst) in enumerate(zip([root, *way], way))]
    return Schedule.from_moves(topology, ports, Collective.OAS, root, moves)


def branches(topology: Topology, root: int = 0) -> dict[int, list[int]] | None:
    """The nodes of each connected part by the neighbour of ``root`` in it; ``None`` if no equal parts were found.

    Parts grow, the smallest first; then nodes change to a smaller part beside them as long as that leaves parts
    connected. Any further choices are random, the same in every run.
    """
    graph = topology.graph.subgraph(set(topology.graph) - {root})
    firsts = sorted(topology.graph[root])
    for seed in range(TRIES):
        generator = random.Random(seed)
        owner = _grown(graph, firsts, generator)
        if owner is None:
            return None
        if _balance(graph, owner, generator):
            return {first: [node for node in owner if owner[node] == first] for first in firsts}
    return None


def _grown(graph: "networkx.Graph", firsts: Iterable[int], generator: random.Random) -> dict[int, int] | None:
    """The part of each node, by its first node, when the smallest part has always grown by a node beside it.

    ``None`` if nodes are left that are beside no part: they are beyond the root.
    """
    owner = {first: first for first in firsts}
    while len(owner) < len(graph):
        sizes = _branch_sizes(owner)
        edge = [
            (sizes[owner[node]], generator.random(), node, other)
            for node in owner
            for other in graph[node]
            if other not in owner
        ]
        if not edge:
            return None
        _, _, node, other = min(edge)
        owner[other] = owner[node]
    return owner


def _balance(graph: "networkx.Graph", owner: dict[int, int], generator: random.Random) -> bool:
    """Move nodes to smaller parts beside them, and return whether the sizes then differ by at most one."""
    for _ in range(20 * len(graph)):
        sizes = _branch_sizes(owner)
        if max(sizes.values()) - min(sizes.values()) <= 1:
            return True
        changes = [
            (node, other)
            for node in owner
            for other in graph[node]
            if owner[node] != node and sizes[owner[other]] < sizes[owner[node]]
        ]
        if not changes:
            return False
        node, other = generator.choice(changes)
        rest = [mine for mine in owner if owner[mine] == owner[node] and mine != node]
        if networkx.is_connected(graph.subgraph(rest)):
            owner[node] = owner[other]
    return False


def _branch_sizes(owner: Mapping[int, int]) -> dict[int, int]:
    sizes = dict.fromkeys(owner.values(), 0)
    for first in owner.values():
        sizes[first] += 1
    return sizes
