"""The failures of a network that a study goes through: each single one with those that look the same, and pairs of them."""

from collections.abc import Iterator, Sequence
import dataclasses
import itertools
import random
from typing import assert_never

import networkx

from fatcube.noc.topologies.failures import Failure
from fatcube.noc.topology import Topology

__all__ = ["Orbit", "orbits", "pairs", "single_failures"]


@dataclasses.dataclass(frozen=True)
class Orbit:
    """Single failures that automorphisms of the network take to each other: what is measured of one holds for all.

    Members
    -------
    failures : tuple of :class:`Failure`
        The failures, in order.
    """

    failures: tuple[Failure, ...]

    @property
    def first(self) -> Failure:
        """The one that stands for all."""
        return self.failures[0]


def single_failures(whole: Topology) -> Iterator[Failure]:
    """Every single failure: links, both ways and one way, their lanes if they have several, nodes, and processors beside others."""
    ends = ((node, other) for node in range(whole.nodes) for _, other, _ in whole.ends(node))
    links = [(node, other) for node, other in dict.fromkeys(ends) if whole.directed or node < other]
    yield from (Failure("link", link) for link in links)
    if not whole.directed:
        ways = ((node, other) for link in links for node, other in (link, link[::-1]))
        yield from (Failure("link", link, out=True) for link in ways)
    for link in links:
        lanes = len(whole.lanes_between(*link))
        yield from (Failure("lane", (*link, lane)) for lane in range(lanes) if lanes > 1)
    yield from (Failure("node", (node,)) for node in range(whole.nodes))
    alone = (whole.processors_of(node) for node in range(whole.nodes) if len(whole.processors_of(node)) > 1)
    yield from (Failure("processor", (processor,)) for processors in alone for processor in processors)


def orbits(whole: Topology, failures: Sequence[Failure]) -> list[Orbit]:
    """The failures in groups that automorphisms take to each other, by an isomorphism of the graphs in which each is marked.

    Lanes of a link, and processors of a node, look the same.
    """
    found: list[tuple[object, networkx.DiGraph[int], list[Failure]]] = []
    for failure in failures:
        graph = _marked(whole, failure)
        looks = failure.kind, failure.out, _colours(graph)
        for other_looks, other, group in found:
            if looks == other_looks and networkx.is_isomorphic(graph, other, _same, _same):
                group.append(failure)
                break
        else:
            found.append((looks, graph, [failure]))
    return [Orbit(tuple(group)) for _, _, group in found]


def pairs(failures: Sequence[Failure], most: int, seed: int) -> list[tuple[Failure, Failure]]:
    """All pairs of links and nodes, or ``most`` chosen by ``seed``, in order; no node with a link that fails with it."""
    some = [failure for failure in failures if failure.kind in ("link", "node") and not failure.out]
    every = [pair for pair in itertools.combinations(some, 2) if not _taken_along(*pair)]
    if len(every) <= most:
        return every
    return sorted(random.Random(seed).sample(every, most))


def _taken_along(one: Failure, other: Failure) -> bool:
    """Whether one of them is a node, and the other one a link of it."""
    return one.kind != other.kind and not set(one.numbers).isdisjoint(other.numbers)


def _marked(whole: Topology, failure: Failure) -> "networkx.DiGraph[int]":
    """The nodes and links, with their processors and lanes as marks, and the mark of the failure."""
    graph = networkx.DiGraph()
    for node in range(whole.nodes):
        graph.add_node(node, mark=f"{len(whole.processors_of(node))}")
        for other in {other for _, other, _ in whole.ends(node)}:
            graph.add_edge(node, other, mark=f"{len(whole.lanes_between(node, other))}")
    node, *others = failure.numbers
    match failure.kind:
        case "node":
            graph.nodes[node]["mark"] += failure.kind
        case "processor":
            graph.nodes[whole.node_of(node)]["mark"] += failure.kind
        case "link" | "lane":
            for link in [(node, others[0])] + [(others[0], node)] * (not failure.out):
                if graph.has_edge(*link):
                    graph.edges[link]["mark"] += failure.kind
        case _:
            assert_never(failure.kind)
    return graph


def _colours(graph: "networkx.DiGraph[int]") -> list[object]:
    """A value equal for isomorphic graphs, and mostly different for others: the surroundings of nodes, up to three links."""
    colours: dict[int, object] = {node: graph.nodes[node]["mark"] for node in graph}
    for _ in range(3):
        seen = {
            node: (
                colours[node],
                sorted((graph.edges[node, other]["mark"], colours[other]) for other in graph.successors(node)),
                sorted((graph.edges[other, node]["mark"], colours[other]) for other in graph.predecessors(node)),
            )
            for node in graph
        }
        numbers = {repr(one): number for number, one in enumerate(sorted(seen.values(), key=repr))}
        colours = {node: numbers[repr(one)] for node, one in seen.items()}
    return sorted(colours.values(), key=repr)


def _same(one: dict[str, str], other: dict[str, str]) -> bool:
    return one["mark"] == other["mark"]
