"""Orders of the nodes, and the hops of routes that follow one.

In a given order, every hop goes up, to an earlier node, or down, to a later one. The routes of
:mod:`fatcube.noc.routing.ordered` have *phases*: hops of phase 0 go up, hops of phase 1 down, hops of phase 2 up again,
and so on; a phase may have no hops, and a packet never returns to an earlier phase. Phases 2 c and 2 c + 1 are in class c.
Within a class, a channel that goes up waits only for channels that start from an earlier node and for channels that go
down; a channel that goes down waits only for channels that start from a later node. No packet returns to an earlier
class. Therefore the channel dependency graph has no cycle, whatever the graph and the order; the order determines how
many classes the shortest routes need.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx
import numpy

from fatcube.noc.topology import Topology

__all__ = ["FAR", "Hops", "Links", "hops_left", "node_orders", "shortest"]


FAR = 1 << 14  # more hops than any route has
MOST_ORDERS = 64  # orders to try
_PAIRS = 1 << 18  # pairs of nodes above which fewer orders are tried
_FEWEST_ORDERS = 4

if TYPE_CHECKING:
    Hops: TypeAlias = numpy.ndarray[tuple[int, int], numpy.dtype[numpy.int16]]
    """Numbers of hops from each node, a row, to each node, a column."""
else:
    Hops = Any  # NumPy is imported late, and not for annotations.
Links = Sequence[Sequence[tuple[int, int]]]  # for each node its channels, as (channel, adjacent node)


def shortest(links: Links) -> Hops:
    """The fewest hops from each node to each node; :data:`FAR` where there is no path."""
    hops: Hops = numpy.full((len(links), len(links)), FAR, dtype=numpy.int16)
    numpy.fill_diagonal(hops, 0)
    degree = max(map(len, links))
    # For each channel that a node lacks, the node itself is entered as the adjacent node.
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
    """The fewest hops to each node for a packet with one phase left, then with two phases, and so on, without end.

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
        # Separate row objects, without and with the hop to the node, as indexing takes most of the time.
        rows, over = list(now), list(numpy.empty_like(now))
        # A hop in the other direction is the first hop of the next phase, which `later` includes.
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

    If there are few classes, adjacent nodes are visited in several orders: in the order of the channels, beginning with
    each channel in turn. If there are too many classes, the nodes with the fewest hops to all others are used. Every node
    except the first is adjacent to an earlier node, so each order is a traversal of a spanning tree. Failed nodes, which
    cannot be reached, come last.
    """
    most = max(_FEWEST_ORDERS, MOST_ORDERS * _PAIRS // max(_PAIRS, len(links) ** 2))
    # Without failed nodes; a node alone has no links, and has not failed.
    linked = [node for node in topology.bases if links[node] or topology.nodes == 1]
    roots = sorted(linked, key=lambda node: (int(hops[node].sum(dtype=int)), node))[: most // 2]
    failed = [node for node in range(topology.nodes) if not links[node]]
    for first in range(min(max(1, topology.degree), most // 2 // len(roots))):
        graph = _graph([sorted(channels, key=lambda end: (end[0] - first) % topology.degree) for channels in links])
        for root in roots:
            yield [root, *(node for _, node in networkx.bfs_edges(graph, root)), *failed]
            yield [*networkx.dfs_preorder_nodes(graph, root), *failed]


def _graph(links: Links) -> "networkx.DiGraph[int]":
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(len(links)))
    graph.add_edges_from((node, other) for node, channels in enumerate(links) for _, other in channels)
    return graph
