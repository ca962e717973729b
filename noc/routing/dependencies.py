"""The channel-dependency graph of a routing, and the check that it has no cycle.

A packet that holds a virtual channel waits for the next one on its route. If the graph of these dependencies has no
cycle, the channels can be numbered so that every packet waits for a higher one; packets in the highest channels wait
for receivers only, which always take flits, so some packet can always advance (Dally and Seitz, "Deadlock-free message
routing in multiprocessor interconnection networks", 1987). This holds for every switching technique in which a packet
waits for the next channel only: for buffer space for one flit with wormhole switching, for buffer space for the whole
packet with virtual cut-through and store-and-forward, and for the reservation of its route with circuit switching.

A vertex stands for all virtual channels of a class and for all lanes of a link. A packet takes any free channel of the
class, so it waits only while other packets hold all of them, and each of these packets waits along the same edges. A
packet takes the lane of the same number at every hop (:class:`fatcube.noc.routing.lanes.LaneRule`), so the dependency
graph of the lanes has no cycle if this graph has none.

On a half-duplex lane, a packet may hold the lane itself while it waits: with wormhole switching, and with circuits that wait.
In this case both directions of a link, with all classes, are one vertex. If a direction is requested only when there is
buffer space for the whole packet (virtual cut-through, store-and-forward), a packet that holds the direction advances
without waiting, and the graph of single directions applies.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

import networkx
import numpy

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.computed import Kept
from fatcube.noc.routing.routing import Hop, Routing
from fatcube.noc.routing.trees import Array
from fatcube.noc.topology import Topology

__all__ = [
    "ChannelClass",
    "SharedLink",
    "check_deadlock",
    "deadlock",
    "dependencies",
    "dependencies_of",
    "graph_of",
    "in_words",
    "shortest_cycle",
]


MOST_IN_WORDS = 4  # vertices of a cycle that a message names


class ChannelClass(NamedTuple):
    """The virtual channels of one class of one channel of a node: a vertex of the graph."""

    node: int
    channel: int
    channel_class: int

    def __str__(self) -> str:
        return f"channel {self.channel} of node {self.node}, class {self.channel_class}"


class SharedLink(NamedTuple):
    """Both directions of a link, with all classes, which packets hold while they wait."""

    node: int
    channel: int
    other: int

    def __str__(self) -> str:
        return f"link of channel {self.channel} of node {self.node} to node {self.other}, both directions"


def in_both_directions(graph: "networkx.DiGraph[ChannelClass]", topology: Topology) -> "networkx.DiGraph[SharedLink]":
    """The dependency graph of the links of the channels in ``graph``, for packets that hold both directions of a link."""

    def link(one: ChannelClass) -> SharedLink:
        end = topology.neighbour(one.node, one.channel)
        assert end is not None
        other, back = end
        if (one.node, one.channel) < (other, back):
            return SharedLink(one.node, one.channel, other)
        return SharedLink(other, back, one.node)

    links = networkx.DiGraph()
    links.add_nodes_from(map(link, graph.nodes))
    links.add_edges_from((link(one), link(other)) for one, other in graph.edges)
    return links


def dependencies(routing: Routing, classes: int | None = None) -> "networkx.DiGraph[ChannelClass]":
    """The channel dependency graph of ``routing``: an edge leads from each channel on a route to the next one on it.

    Parameters
    ----------
    classes : :class:`int`
        Number of classes, if it is lower than the routing needs: all higher classes are then merged into the last one.

    Raises
    ------
    ParameterError
        If there are too many nodes to enumerate all routes.
    """
    first, pairs = routing.followed.first, routing.followed.pairs
    if classes is not None:
        check_integer("classes", classes, minimum=1)
        first, pairs = (hops - numpy.maximum(hops % routing.classes - (classes - 1), 0) for hops in (first, pairs))
    return graph_of(first, pairs, routing.topology.degree, routing.classes)


def graph_of(first: Array, pairs: Array, degree: int, classes: int) -> "networkx.DiGraph[ChannelClass]":
    """The channel dependency graph of numbered hops and pairs of consecutive hops, with ``classes`` classes.

    Hops are numbered as in :class:`~fatcube.noc.routing.followed.Followed`.
    """

    def vertex(hop: int) -> ChannelClass:
        place, channel_class = divmod(hop, classes)
        return ChannelClass(*divmod(place, degree), channel_class)

    return _graph(map(vertex, first.tolist()), ((vertex(hop), vertex(after)) for hop, after in pairs.tolist()))


def dependencies_of(topology: Topology, ways: Iterable[tuple[int, Sequence[Hop]]]) -> "networkx.DiGraph[ChannelClass]":
    """The channel dependency graph of ``ways``, each a node and the hops from it; a pair of nodes may have several."""
    ends = Kept(lambda node: {channel: other for channel, other, _ in topology.ends(node)})
    taken: set[ChannelClass] = set()
    follow: set[tuple[ChannelClass, ChannelClass]] = set()
    for source, way in ways:
        node, last = source, None
        for channel, channel_class in way:
            this = ChannelClass(node, channel, channel_class)
            if last is None:
                taken.add(this)
            else:
                follow.add((last, this))
            node, last = ends[node][channel], this
    return _graph(taken, follow)


def _graph(
    taken: Iterable[ChannelClass], follow: Iterable[tuple[ChannelClass, ChannelClass]]
) -> "networkx.DiGraph[ChannelClass]":
    """The graph with the vertices ``taken`` and the edges ``follow``, both inserted in sorted order."""
    graph = networkx.DiGraph()
    graph.add_nodes_from(sorted(taken))
    graph.add_edges_from(sorted(follow))
    return graph


def deadlock(
    routing: Routing, classes: int | None = None, *, links_held: bool = False
) -> tuple[ChannelClass | SharedLink, ...] | None:
    """A shortest cycle of channels that packets can hold while they wait for each other; ``None`` if there is none.

    ``classes`` is passed to :func:`dependencies`. With ``links_held`` packets hold both directions of a link, and the cycle
    is one of links. Each vertex of the cycle waits for the next one, the last for the first.
    """
    graph = dependencies(routing, classes)
    if links_held:
        return shortest_cycle(in_both_directions(graph, routing.topology))
    return shortest_cycle(graph)


def check_deadlock(routing: Routing, virtual_channels: int | None = None, *, links_held: bool = False) -> None:
    """Refuse a routing that can deadlock, or that needs more virtual channels on a lane than there are.

    Parameters
    ----------
    virtual_channels : :class:`int`
        Virtual channels of each lane; the number of classes of the routing if not given.
    links_held : :class:`bool`
        A packet that waits holds both directions of the links that it is on.

    Raises
    ------
    ParameterError
        If the routing can deadlock, or needs more virtual channels. The message names a cycle: of the routing, or, if
        there is one, of the routing restricted to ``virtual_channels`` classes.
    """
    if (cycle := deadlock(routing)) is not None:
        raise ParameterError(
            f"{routing} must have no channels that wait for each other in a cycle, not {in_words(cycle)}"
        )
    if links_held and (cycle := deadlock(routing, links_held=True)) is not None:
        raise ParameterError(
            f"switching must be virtual-cut-through or store-and-forward on half-duplex links with {routing}, as packets "
            f"that hold a link while they wait would wait for each other in a cycle: {in_words(cycle, 2)}"
        )
    if virtual_channels is None:
        return
    check_integer("virtual channels", virtual_channels, minimum=1)
    try:
        routing.check_channels(virtual_channels)
    except ParameterError as error:
        if (cycle := deadlock(routing, virtual_channels)) is None:
            raise
        raise ParameterError(f"{error}, or channels wait for each other: {in_words(cycle, 2)}") from None


_Vertex = TypeVar("_Vertex")


def shortest_cycle(graph: "networkx.DiGraph[_Vertex]") -> tuple[_Vertex, ...] | None:
    """A cycle with the fewest vertices, in the order of its edges; ``None`` if the graph has no cycle."""
    best: tuple[_Vertex, ...] | None = None
    for component in networkx.strongly_connected_components(graph):
        [some, *others] = component
        if not others and some not in graph[some]:
            continue
        part = graph.subgraph(component).copy()
        for vertex in sorted(component, key=str):
            found = _cycle_through(part, vertex, len(best) - 1 if best else len(component))
            best = found or best
            part.remove_node(vertex)  # Every cycle through this vertex has been considered.
    return best


def _cycle_through(graph: "networkx.DiGraph[_Vertex]", root: _Vertex, most: int) -> tuple[_Vertex, ...] | None:
    """A shortest cycle through ``root``, if there is one of at most ``most`` vertices."""
    before: dict[_Vertex, _Vertex] = {}
    level = [root]
    for _ in range(most):
        following = []
        for vertex in level:
            for other in graph[vertex]:
                if other == root:
                    cycle = [vertex]
                    while cycle[-1] != root:
                        cycle.append(before[cycle[-1]])
                    return tuple(reversed(cycle))
                if other not in before:
                    before[other] = vertex
                    following.append(other)
        level = following
    return None


def in_words(cycle: Sequence[object], most: int = MOST_IN_WORDS) -> str:
    """The vertices of a cycle as one line of text: at most ``most`` of them, then the first one again."""
    named = [str(vertex) for vertex in cycle[:most]]
    left_out = [f"({len(cycle) - most} more)"] if len(cycle) > most else []
    return " -> ".join([*named, *left_out, str(cycle[0])])
