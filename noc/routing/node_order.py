"""Orders of the nodes, and the hops of routes that follow one.

In a given order, every hop goes up, to an earlier node, or down, to a later one. The routes of
:mod:`fatcube.noc.routing.ordered` have *phases*: hops of phase 0 go up, those of phase 1 down, those of phase 2 up again, and
so on; a phase may have no hops, and a packet never returns to an earlier one. Phases 2 c and 2 c + 1 are in class c.
Within a class, a channel that goes up waits only for channels that start from an earlier node, and for those that go
down; a channel that goes down waits only for channels that start from a later node. No packet returns to an earlier
class. So channels never wait for each other in a cycle, whatever the graph and the order; the order determines how many
classes the shortest routes need.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx
import numpy

from fatcube.noc.topology import Topology

__all__ = ["FAR", "Hops", "Links", "hops_left", "node_orders", "shortest"]


FAR = 1 << 14  # more hops than any route has
MOST_ORDERS = 64  # that are tried
_PAIRS = 1 << 18  # of nodes, with more of which fewer orders are tried
_FEWEST_ORDERS = 4

if TYPE_CHECKING:
    Hops: TypeAlias = numpy.ndarray[tuple[int, int], numpy.dtype[numpy.int16]]
    """From each node to each node."""
else:
    Hops = Any  # NumPy is loaded late, and not for annotations.
Links = Sequence[Sequence[tuple[int, int]]]  # for each node its channels, as (channel, neighbour)


def shortest(links: Links) -> Hops:
    """The fewest hops from each node to each; :data:`FAR` where there is no way."""
    hops: Hops = numpy.full((len(links), len(links)), FAR, dtype=numpy.int16)
    numpy.fill_diagonal(hops, 0)
    degree = max(map(len, links))
    # Where a node has fewer channels, the node itself stands for what they would lead to.
    others = numpy.array(
        [[*(other for _, other in ends), *[node] * (degree - len(ends))] for node, ends in enumerate(links)]
    )
    reached = hops == 0
    for number in range(1, FAR):
        further = reached.copy()
        for column in others.T:
            further |= reached[column]
        further ^= reached
        if not further.any():
            break
        hops[further] = number
        reached |= further
    return hops


def hops_left(links: Links, order: Sequence[int]) -> Iterator[Hops]:
    """The fewest hops to each node for a packet with one phase left, then with two, and so on, without end.

    The last phase goes down, so with an even number of phases left the next hops go up.
    """
    place = {node: index for index, node in enumerate(order)}
    nodes_later = [[other for _, other in ends if place[other] > place[node]] for node, ends in enumerate(links)]
    nodes_earlier = [[other for _, other in ends if place[other] < place[node]] for node, ends in enumerate(links)]
    later: Hops = numpy.full((len(links), len(links)), FAR, dtype=numpy.int16)
    numpy.fill_diagonal(later, 0)
    down = True
    while True:
        now = later.copy()  # A packet can leave a phase without a hop.
        # Rows as objects of their own, and with the hop that leads there: most of the time goes into finding them.
        rows, over = list(now), list(numpy.empty_like(now))
        # A hop in the other direction is the first one of the next phase, which `later` has counted.
        behind = nodes_later if down else nodes_earlier
        for node in reversed(order) if down else order:
            row = rows[node]
            for other in behind[node]:
                numpy.minimum(row, over[other], out=row)
            numpy.add(row, 1, out=over[node])
        yield now
        later, down = now, not down


def node_orders(topology: Topology, links: Links, hops: Hops) -> Iterator[list[int]]:
    """Orders to try: breadth first and depth first, from one node of each class of :attr:`Topology.bases`.

    If there are few classes, neighbours are visited in several orders: that of the channels, beginning with each of
    them. If there are too many, the nodes with the fewest hops to all others are used. Every node except the first has
    an earlier neighbour, so each order is a traversal of a spanning tree. Nodes that have failed, which nothing leads to, come last.
    """
    most = max(_FEWEST_ORDERS, MOST_ORDERS * _PAIRS // max(_PAIRS, len(links) ** 2))
    linked = [node for node in topology.bases if links[node]]  # those that have not failed
    roots = sorted(linked, key=lambda node: (int(hops[node].sum(dtype=int)), node))[: most // 2]
    failed = [node for node in range(topology.nodes) if not links[node]]
    for first in range(min(topology.degree, most // 2 // len(roots))):
        graph = _graph([sorted(channels, key=lambda end: (end[0] - first) % topology.degree) for channels in links])
        for root in roots:
            yield [root, *(node for _, node in networkx.bfs_edges(graph, root)), *failed]
            yield [*networkx.dfs_preorder_nodes(graph, root), *failed]


def _graph(links: Links) -> "networkx.DiGraph[int]":
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(len(links)))
    graph.add_edges_from((node, other) for node, channels in enumerate(links) for _, other in channels)
    return graph
