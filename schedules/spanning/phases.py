"""Communication along a spanning graph in phases, without pipelining (Johnsson and Ho, sections 4 to 7).

Every edge of the graph, or every edge on the path to a target, has a label: the phase in which all data for it crosses
it, in the fewest packets of B elements. Data of several trees or targets that cross an edge of the cube in one phase
share packets. A phase ends when the last of its packets has been sent.

The labels are the paper's disciplines: :func:`by_level` and :func:`farthest_first` (reverse-breadth-first) for n-port
communication, :func:`by_size` (the largest subtree first) and :func:`rotating` for one-port communication.
"""

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
import itertools
from typing import NamedTuple

from fatcube.groundwork.validation import ParameterError
from fatcube.schedules.spanning.graphs import NESBT, SpanningGraph, base
from fatcube.schedules.spanning.packets import Edge, Execution, Packet, Piece

__all__ = ["Share", "by_label", "by_level", "by_size", "farthest_first", "in_phases", "paths", "rotating", "shares"]


_When = Callable[[int, int, int], int]  # the phase in which data for a target reaches a node: (node, tree, target)


def in_phases(
    graph: SpanningGraph, ports: str, M: int, B: int, when: _When, *, personalized: bool, everybody: bool
) -> Execution:
    """The :class:`Execution` in which data crosses the edges of a graph in the phases that ``when`` gives.

    Parameters
    ----------
    graph : :class:`SpanningGraph`
        The graph; its source has the data, and its trees carry parts of it that are as equal as possible.
    ports : :class:`str`
        The ports that the execution must respect, one of :data:`PORTS`; ``when`` is responsible for that.
    M, B : :class:`int`
        Elements for all nodes together, or for every target; the most elements in a packet.
    when : callable
        The phase in which the data of a tree for a target crosses the edge to a node: ``when(node, tree, target)``.
        For a broadcast the target is the node.
    personalized, everybody : :class:`bool`
        True if every node gets data of its own; true if every node does the same as the source, which is 0 then.

    Raises
    ------
    ParameterError
        If ``everybody`` is true and the source is not 0, or a parameter is out of range.
    """
    if everybody and graph.source:
        raise ParameterError(f"graph source must be 0 if every node is a source, not {graph.source}")
    origin = graph.source
    phases: dict[int, list[_Crossing]] = {}
    for tree, first, stop in shares(M, graph.trees):
        for path in paths(graph, tree):
            target = path[-1]
            for parent, node in itertools.pairwise(path if personalized else path[-2:]):
                phases.setdefault(when(node, tree, target), []).append(
                    _Crossing(Edge(parent, node), Piece(origin, target if personalized else None, first, stop))
                )
    cycles = [cycle for _, crossings in sorted(phases.items()) for cycle in _packed(crossings, B, everybody)]
    return Execution(graph.n, M, B, ports, personalized, None if everybody else origin, tuple(cycles), everybody)


class Share(NamedTuple):
    """The elements ``first`` to ``stop`` - 1, which ``tree`` carries."""

    tree: int
    first: int
    stop: int


class _Crossing(NamedTuple):
    """A piece that crosses an edge in a phase."""

    edge: Edge
    piece: Piece


def shares(M: int, trees: int) -> list[Share]:
    """The shares of M elements that the trees carry, as equal as possible, without trees that carry none."""
    bounds = [0, *itertools.accumulate(M // trees + (tree < M % trees) for tree in range(trees))]
    found = [Share(tree, first, stop) for tree, (first, stop) in enumerate(itertools.pairwise(bounds))]
    return [share for share in found if share.first < share.stop]


@lru_cache(maxsize=256)
def paths(graph: SpanningGraph, tree: int) -> tuple[tuple[int, ...], ...]:
    """The nodes from the source to each other node of a tree, as tuples."""
    found: dict[int, tuple[int, ...]] = {graph.source: (graph.source,)}
    for level in graph.levels(tree):
        for node in level:
            found.update((child, (*found[node], child)) for child in graph.children(node, tree))
    return tuple(path for path in found.values() if len(path) > 1)


def by_level(graph: SpanningGraph) -> _When:
    """Level by level: the data that a node receives in a phase is forwarded in the next, over all its ports."""
    levels = _levels(graph)
    return lambda node, tree, target: levels[tree][node] - 1


def farthest_first(graph: SpanningGraph) -> _When:
    """Reverse-breadth-first order: data for level l leaves the source in phase h - l and is never delayed."""
    levels = _levels(graph)
    height = max(max(tree.values()) for tree in levels)
    return lambda node, tree, target: height - levels[tree][target] + levels[tree][node] - 1


def by_size(graph: SpanningGraph, start: Callable[[int], int] = lambda tree: 0) -> _When:
    """Each node serves its children in order, the largest subtree first; the source begins tree j in phase start(j)."""
    labels: list[dict[int, int]] = [{} for _ in range(graph.trees)]
    for tree in range(graph.trees):
        levels = graph.levels(tree)
        sizes: dict[int, int] = {}
        for node in reversed([node for level in levels for node in level]):
            sizes[node] = 1 + sum(sizes[child] for child in graph.children(node, tree))
        labels[tree][graph.source] = start(tree) - 1
        for node in (node for level in levels for node in level):
            for turn, child in enumerate(
                sorted(graph.children(node, tree), key=sizes.__getitem__, reverse=True), start=1
            ):
                labels[tree][child] = labels[tree][node] + turn
    return lambda node, tree, target: labels[tree][node]


def rotating(graph: SpanningGraph) -> _When:
    """All nodes use dimension t mod n in phase t; a subtree that is rotated by j steps begins in phase j (section 6).

    The subtree of the source along dimension j is taken as the rotation of the one along dimension 0, as in an SBnT.
    """
    n, source = graph.n, graph.source

    @cache
    def when(node: int, tree: int) -> int:
        j = base(node ^ source, n, tree)
        dimension = (node ^ graph.above(node, tree)).bit_length() - 1
        return j + (dimension - j) % n

    return lambda node, tree, target: when(node, tree)


def by_label(graph: NESBT) -> _When:
    """The labels of an nESBT by theorem 4.1."""

    def when(node: int, tree: int, target: int) -> int:
        label = graph.label(node, tree)
        assert label is not None  # only the source has no label
        return label

    return when


@lru_cache(maxsize=64)
def _levels(graph: SpanningGraph) -> list[dict[int, int]]:
    return [
        {node: number for number, level in enumerate(graph.levels(tree)) for node in level}
        for tree in range(graph.trees)
    ]


def _packed(crossings: Iterable[_Crossing], B: int, everybody: bool) -> list[tuple[Packet, ...]]:
    """The cycles of a phase, with the data of an edge (or a dimension, if ``everybody``) in packets of B elements."""
    lanes: dict[int | Edge, list[_Crossing]] = {}
    for crossing in crossings:
        lanes.setdefault(crossing.edge.dimension if everybody else crossing.edge, []).append(crossing)
    cycles: list[dict[Edge, list[Piece]]] = []
    for lane in lanes.values():
        number, room = 0, B
        for edge, piece in lane:
            first = piece.first
            while first < piece.stop:
                if not room:
                    number, room = number + 1, B
                stop = min(piece.stop, first + room)
                if number == len(cycles):
                    cycles.append({})
                cycles[number].setdefault(edge, []).append(piece._replace(first=first, stop=stop))
                first, room = stop, room - (stop - first)
    return [tuple(Packet(*edge, tuple(pieces)) for edge, pieces in cycle.items()) for cycle in cycles]
