"""Pipelined communication from one source along a spanning graph (Johnsson and Ho, sections 4 and 5).

The data is cut into packets of at most B elements, many of which are in flight at once. The senders of a cycle are
decided cycle by cycle from the data that has arrived: no number of cycles is an input.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
import itertools
from typing import NamedTuple

from fatcube.groundwork.validation import check_choice
from fatcube.schedules.spanning.graphs import NESBT, SpanningGraph
from fatcube.schedules.spanning.packets import (
    N_PORT,
    ONE_PORT,
    PORTS,
    SEND_AND_RECEIVE,
    SEND_OR_RECEIVE,
    Execution,
    Packet,
    Piece,
)
from fatcube.schedules.spanning.phases import by_label, paths, shares

__all__ = ["broadcast_by_label", "broadcast_oldest_first", "deliver", "one_way"]


_Place = tuple[int, ...]  # the nodes on the path to it


class _Item(NamedTuple):
    """A piece, and the place that it is for."""

    place: _Place
    piece: Piece


_Packet = list[_Item]


class _Departure(NamedTuple):
    """A packet that the source sends to a child, for it or for nodes below it."""

    child: _Place
    packet: _Packet


class _Queued(NamedTuple):
    """An item that waits for a port, and the cycle in which it arrived, which orders items by age."""

    cycle: int
    item: _Item


class _Urgency(NamedTuple):
    """The negated height and size of a child's subtree: the highest and then the largest subtree sorts first."""

    height: int
    size: int


class _Ready(NamedTuple):
    """A piece that ``node`` can send to ``child``; the most urgent sorts first."""

    age: int
    urgency: _Urgency
    tree: int
    child: int
    node: int
    piece: Piece


class _Ports:
    """The ports and edges that are in use in a cycle."""

    def __init__(self, ports: str) -> None:
        self._ports = ports
        self._sends: dict[int, int] = {}
        self._receives: dict[int, int] = {}
        self._edges: set[tuple[int, int]] = set()

    def take(self, src: int, dst: int) -> bool:
        """Reserve the ports of ``src`` and ``dst`` in this cycle if they are free, and return whether they were."""
        if (src, dst) in self._edges:
            return False
        sends, receives = self._sends, self._receives
        if self._ports == ONE_PORT:
            free = {sends.get(src), receives.get(src)} <= {None, dst} and {sends.get(dst), receives.get(dst)} <= {
                None,
                src,
            }
        elif self._ports == SEND_AND_RECEIVE:
            free = src not in sends and dst not in receives
        elif self._ports == SEND_OR_RECEIVE:
            free = not {src, dst} & (sends.keys() | receives.keys())
        else:
            free = True
        if free:
            self._edges.add((src, dst))
            sends[src], receives[dst] = dst, src
        return free


def broadcast_oldest_first(graph: SpanningGraph, ports: str, M: int, B: int) -> Execution:
    """The :class:`Execution` of a broadcast in which every node forwards the oldest packet first.

    Each tree carries a part of the M elements, as equal as possible, in packets of at most B. Among packets of equal
    age, the child with the highest and then the largest subtree is served first. Raises :class:`ParameterError` for
    unknown ports.
    """
    check_choice("ports", ports, PORTS)
    urgency = [_urgency(graph, tree) for tree in range(graph.trees)]
    ready: list[_Ready] = []

    def arrived(node: int, tree: int, age: int, piece: Piece) -> None:
        ready.extend(
            _Ready(age, urgency[tree][child], tree, child, node, piece) for child in graph.children(node, tree)
        )

    for tree, first, stop in shares(M, graph.trees):
        for age, piece in enumerate(_split(Piece(graph.source, None, first, stop), B)):
            arrived(graph.source, tree, age, piece)
    cycles = []
    while ready:
        free, waiting, sent = _Ports(ports), [], []
        for job in sorted(ready):
            (sent if free.take(job.node, job.child) else waiting).append(job)
        cycles.append(tuple(Packet(job.node, job.child, (job.piece,)) for job in sent))
        ready = waiting
        for job in sent:
            arrived(job.child, job.tree, job.age, job.piece)
    return Execution(graph.n, M, B, ports, False, graph.source, tuple(cycles))


def broadcast_by_label(graph: NESBT, M: int, B: int) -> Execution:
    """The one-port :class:`Execution` of a broadcast over an nESBT, by the labels of theorem 4.1.

    Packets are assigned to the trees in turn. Packet p goes over tree p mod n, n * floor(p / n) cycles after the labels
    of the tree.
    """
    n, label = graph.n, by_label(graph)
    cycles: dict[int, list[Packet]] = {}
    for number, piece in enumerate(_split(Piece(graph.source, None, 0, M), B)):
        tree = number % n
        for path in paths(graph, tree):
            *_, parent, node = path
            cycle = label(node, tree, node) + number // n * n
            cycles.setdefault(cycle, []).append(Packet(parent, node, (piece,)))
    return Execution(n, M, B, ONE_PORT, False, graph.source, tuple(tuple(cycles[cycle]) for cycle in sorted(cycles)))


def one_way(execution: Execution) -> Execution:
    """An :class:`Execution` of the same one-port communication for nodes that either send or receive in a cycle, not both.

    A cycle in which packets go both away from the source and towards it becomes two cycles (theorem 4.3).
    """
    source = execution.source
    assert source is not None
    cycles = []
    for cycle in execution.cycles:
        for away in (True, False):
            sent = tuple(packet for packet in cycle if (packet.src ^ source < packet.dst ^ source) == away)
            if sent:
                cycles.append(sent)
    return Execution(
        execution.n, execution.M, execution.B, SEND_OR_RECEIVE, execution.personalized, execution.source, tuple(cycles)
    )


def deliver(graph: SpanningGraph, ports: str, M: int, B: int, *, farthest_first: bool = False) -> Execution:
    """The :class:`Execution` of a personalized communication from the source, in packets of at most B elements.

    The source cuts the data for the subtree of a child into packets, full ones first. In postorder (section 3), a
    packet is for one subtree of the child if possible, the data for the child itself is last, and packets for
    different children are interleaved such that those for one child are as far apart as possible: on an SBT with B = M
    this is the order of dimensions of the Gray code, on an SBnT the cyclic order. With ``farthest_first``
    (reverse-breadth-first) the order is by distance. A node forwards the oldest data that it has for a port, up to B
    elements; nodes farther from the source are served first. Raises :class:`ParameterError` for unknown ports.
    """
    check_choice("ports", ports, PORTS)
    below, sizes, own = _branches(graph, M)
    root = (graph.source,)

    def packets(place: _Place) -> list[_Packet]:
        """The items for ``place`` and below in packets, all except the last of B elements."""
        if farthest_first:
            found = sorted(
                (item for other in own if other[: len(place)] == place for item in own[other]),
                key=lambda item: -len(item.place),
            )
            return _packets(found, B)
        turns = {child: packets(child) for child in below[place]}
        rest = [item for child in below[place] for item in (turns[child].pop() if _ends_short(turns[child], B) else ())]
        full = [departure.packet for departure in _interleaved(turns, sizes)]
        return [*full, *_packets([*rest, *own.get(place, ())], B)]

    first = _interleaved({child: packets(child) for child in below[root]}, sizes)
    # The queues by place and child, where there is data for that child.
    queues: dict[_Place, dict[_Place, list[_Queued]]] = {}
    cycles: list[tuple[Packet, ...]] = []
    while first or queues:
        free, sent, waiting = _Ports(ports), [], []
        for place in sorted(queues, key=lambda place: (-len(place), place)):
            ways = sorted(queues[place], key=lambda child: (queues[place][child][0].cycle, below[place].index(child)))
            for child in ways:
                if free.take(place[-1], child[-1]):
                    sent.append(_Departure(child, _take(queues[place][child], B)))
                    if not queues[place][child]:
                        del queues[place][child]
                    if ports != N_PORT:
                        break
        tried = set()
        for departure in first:
            child = departure.child
            if child not in tried and free.take(graph.source, child[-1]):
                sent.append(departure)
            else:
                waiting.append(departure)
            tried.add(child)
        first = waiting
        queues = {place: ways for place, ways in queues.items() if ways}
        for child, packet in sent:
            for item in packet:
                if item.place != child:
                    ways = queues.setdefault(child, {})
                    ways.setdefault(item.place[: len(child) + 1], []).append(_Queued(len(cycles), item))
        cycles.append(
            tuple(Packet(child[-2], child[-1], tuple(item.piece for item in packet)) for child, packet in sent)
        )
    return Execution(graph.n, M, B, ports, True, graph.source, tuple(cycles))


def _branches(
    graph: SpanningGraph, M: int
) -> tuple[dict[_Place, list[_Place]], Counter[_Place], dict[_Place, _Packet]]:
    """The tree of all paths: by place, the places below, largest first, the elements for it and below, and for it."""
    below: dict[_Place, set[_Place]] = {(graph.source,): set()}
    sizes: Counter[_Place] = Counter()
    own: dict[_Place, _Packet] = {}
    for tree, first, stop in shares(M, graph.trees):
        for path in paths(graph, tree):
            for hops in range(1, len(path)):
                below.setdefault(path[:hops], set()).add(path[: hops + 1])
                sizes[path[: hops + 1]] += stop - first
            below.setdefault(path, set())
            own.setdefault(path, []).append(_Item(path, Piece(graph.source, path[-1], first, stop)))
    return {place: sorted(ways, key=lambda way: (-sizes[way], way)) for place, ways in below.items()}, sizes, own


def _interleaved(turns: Mapping[_Place, Sequence[_Packet]], sizes: Mapping[_Place, int]) -> list[_Departure]:
    """The packets for all children in one order: packet i of the k of a child is at the fraction (2 i + 1) / 2 k."""
    order = [
        ((2 * i + 1) / (2 * len(packets)), -sizes[child], child, packet)
        for child, packets in turns.items()
        for i, packet in enumerate(packets)
    ]
    return [_Departure(child, packet) for *_, child, packet in sorted(order, key=lambda item: item[:3])]


def _ends_short(packets: Sequence[_Packet], B: int) -> bool:
    return bool(packets) and sum(item.piece.size for item in packets[-1]) < B


def _packets(items: Iterable[_Item], B: int) -> list[_Packet]:
    """The items in packets of B elements, and a last packet of up to B."""
    packets: list[_Packet] = []
    room = 0
    for place, piece in items:
        for part in _split(piece, B, room):
            if not room:
                packets.append([])
                room = B
            packets[-1].append(_Item(place, part))
            room -= part.size
    return packets


def _take(queue: list[_Queued], B: int) -> _Packet:
    """Take up to B elements from the front of a queue."""
    taken: _Packet = []
    room = B
    while queue and room:
        cycle, (place, piece) = queue.pop(0)
        part, *rest = _split(piece, B, room)
        queue[:0] = [_Queued(cycle, _Item(place, other)) for other in rest]
        taken.append(_Item(place, part))
        room -= part.size
    return taken


def _split(piece: Piece, B: int, room: int = 0) -> list[Piece]:
    """A piece cut into pieces of B elements; the first has ``room`` elements if that is not 0."""
    bounds = [piece.first, *range(piece.first + (room or B), piece.stop, B), piece.stop]
    return [piece._replace(first=first, stop=stop) for first, stop in itertools.pairwise(bounds)]


def _urgency(graph: SpanningGraph, tree: int) -> dict[int, _Urgency]:
    """The urgency of every node of a tree."""
    found: dict[int, _Urgency] = {}
    for node in reversed([node for level in graph.levels(tree) for node in level]):
        ways = [found[child] for child in graph.children(node, tree)]
        found[node] = _Urgency(min((way.height for way in ways), default=0) - 1, sum(way.size for way in ways) - 1)
    return found
