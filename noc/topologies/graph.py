"""Graphs of any shape: named nodes with their numbers of processors, and links between them, as in a topology file."""

import bisect
from collections import Counter
from collections.abc import Mapping, Sequence
import dataclasses
from functools import cached_property
import itertools
from typing import Annotated, Any, NamedTuple, NotRequired

from pydantic import ConfigDict, FailFast, Field, Strict, TypeAdapter, with_config
from typing_extensions import TypedDict

from fatcube.groundwork.schema import Sentence, validated
from fatcube.groundwork.validation import ParameterError, check_boolean, check_integer, shown
from fatcube.noc.topologies.reversing import reversing
from fatcube.noc.topology import MOST_NODES, Topology
from fatcube.noc.topology_check import MOST_CHANNELS, check_connected, check_number

__all__ = ["Graph", "Link", "graph_from_json", "graph_schema", "graph_shape", "make_graph"]


MOST_ON_A_NODE = 1 << 16  # processors
MOST_LANES = 1 << 12  # of a link
_LONGEST_NAME = 100


@dataclasses.dataclass(frozen=True)
class Graph(Topology, kind=None):
    """A graph of any shape, whose nodes can have different numbers of channels and processors, or no processors.

    The channels of a node are numbered in the order of ``links``. If links are unidirectional, the links that leave a node
    and the links that enter it are numbered separately, and channel c is link c of both numberings.

    Parameters
    ----------
    names : tuple of :class:`str`
        The name of each node; at least one, all different.
    counts : tuple of :class:`int`
        The processors on each node; at least two in all.
    links : tuple of (:class:`int`, :class:`int`)
        The numbers of the two nodes that each link joins; several links may join the same two nodes. One node has none.
    one_way : :class:`bool`
        True if each link leads from its first node to its second only. Two opposite links between the same nodes are then
        two separate links, as in a generalized hypercube of one-way rings of which some have two nodes.

    Each link has one lane.

    Raises
    ------
    ParameterError
        If one of the conditions above does not hold.
    """

    kind = "graph"
    f = 1

    names: tuple[str, ...]
    counts: tuple[int, ...]
    links: tuple[tuple[int, int], ...]
    one_way: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_integer("nodes of a graph", len(self.names), minimum=1, maximum=MOST_NODES)
        check_integer("links of a graph", len(self.links), minimum=min(1, self.nodes - 1), maximum=MOST_CHANNELS)
        check_integer("numbers of processors of a graph", len(self.counts), minimum=self.nodes, maximum=self.nodes)
        for name, count in zip(self.names, self.counts):
            if not (isinstance(name, str) and 0 < len(name) <= _LONGEST_NAME and name.isprintable()):
                raise ParameterError(
                    f"name of a node must be of 1 to {_LONGEST_NAME} characters that can be printed, not {shown(name)}"
                )
            check_integer(f"processors of node {name}", count, minimum=0, maximum=MOST_ON_A_NODE)
        check_integer("processors of a graph", self.processors, minimum=2)
        check_boolean("one way", self.one_way)
        name, times = Counter(self.names).most_common(1)[0]
        if times > 1:
            raise ParameterError(f"nodes of a graph must have different names, not {times} times {shown(name)}")
        for link in self.links:
            for end in link:
                check_integer("node of a link", end, minimum=0, maximum=self.nodes - 1)
            if link[0] == link[1]:
                raise ParameterError(f"links must join two nodes, not {self._name(link[0])} with itself")

    @property
    def shape(self) -> str:
        return graph_shape(self.nodes, self.processors, len(self.links), one_way=self.one_way)

    @property
    def nodes(self) -> int:
        return len(self.names)

    @property
    def degree(self) -> int:
        return self._most

    @cached_property
    def _most(self) -> int:
        """The most channels of any node."""
        return max(len(ends) for ends in self._ends)

    @cached_property
    def m(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]  (of most topologies it is given)
        """The most processors of any node."""
        return max(self.counts)

    @cached_property
    def channels(self) -> int:
        return len(self.links) * (1 if self.one_way else 2)

    @cached_property
    def directed(self) -> bool:
        return self.one_way

    @cached_property
    def uniform(self) -> bool:
        return len(set(self.counts)) == 1

    @property
    def processors(self) -> int:
        return self._before[-1]

    def processors_of(self, node: int) -> range:
        return range(self._before[node], self._before[node + 1])

    def node_of(self, processor: int) -> int:
        return bisect.bisect_right(self._before, processor) - 1

    def local_of(self, processor: int) -> int:
        return processor - self._before[self.node_of(processor)]

    @cached_property
    def mirror(self) -> Sequence[int]:
        """The mirror as in :class:`Topology`; for one-way links it is searched for (:mod:`fatcube.noc.topologies.reversing`)."""
        found = reversing(self) if self.one_way else None
        return super().mirror if found is None else found

    def _check_channels(self) -> None:
        # The two ends of a link are created together, so they are consistent.
        check_number(self)
        back = () if self.one_way else ((other, node) for node, other in self.links)
        check_connected(self, itertools.chain(self.links, back), directed=self.directed)

    def neighbour(self, node: int, channel: int) -> tuple[int, int] | None:
        ends = self._ends[node]
        return ends[channel] if channel < len(ends) else None

    def name_of(self, node: int) -> str:
        return f"{node} ({self.names[node]})"

    def node_named(self, name: str) -> int | None:
        return self._numbers.get(name)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The number of each node by its name."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def _before(self) -> list[int]:
        """For each node the number of processors on earlier nodes, followed by the number of all processors."""
        return [0, *itertools.accumulate(self.counts)]

    @cached_property
    def _ends(self) -> list[list[tuple[int, int] | None]]:
        """The ends of the channels of each node."""
        ends: list[list[tuple[int, int] | None]] = [[] for _ in self.names]
        entered = [0] * self.nodes
        for node, other in self.links:
            if self.one_way:
                ends[node].append((other, entered[other]))
                entered[other] += 1
            else:
                there = len(ends[other])
                ends[other].append((node, len(ends[node])))
                ends[node].append((other, there))
        # A channel that has only an entering link is also counted.
        return [[*found, *[None] * (most - len(found))] for found, most in zip(ends, entered)]

    def _name(self, node: int) -> str:
        return shown(self.names[node])

    def to_json(self) -> dict[str, Any]:
        """The whole graph, in the form that :func:`graph_from_json` reads."""
        ends = [[self.names[end] for end in link] for link in self.links]
        return {
            "type": self.kind,
            "nodes": [{"name": name, "processors": count} for name, count in zip(self.names, self.counts)],
            "links": [{"from": node, "to": other, "one_way": True} for node, other in ends] if self.one_way else ends,
            "lanes": self.f,
        }

    def __str__(self) -> str:
        way = ", one way" if self.one_way else ""
        return (
            f"{self.kind}(nodes={self.nodes}, processors={self.processors}, links={len(self.links)}{way}, f={self.f})"
        )


def graph_shape(nodes: int, processors: int, links: int, *, one_way: bool) -> str:
    """The shape of a graph by its numbers; processors are left out where their number is that of the nodes."""
    counts = {"node": nodes, "processor": processors, "one-way link" if one_way else "link": links}
    if processors == nodes:
        del counts["processor"]
    *first, last = (f"{count:,} {what}{'s' * (count != 1)}" for what, count in counts.items())
    return f"graph of {', '.join(first)} and {last}"


_LINK = Sentence("link", "[node, node], or an object with from, to and, if need be, one_way and lanes")


_STRICT = ConfigDict(strict=True, extra="forbid")
_Name = Annotated[str, Field(min_length=1, max_length=_LONGEST_NAME)]
_Lanes = Annotated[int, Field(ge=1, le=MOST_LANES)]


@with_config(_STRICT)
class NodeRecord(TypedDict):
    """A node: its name, and its processors, one if not given."""

    name: _Name
    processors: NotRequired[Annotated[int, Field(ge=0, le=MOST_ON_A_NODE)]]


# `from` cannot be the name of a class member, so the type is created by a call.
LinkRecord = with_config(_STRICT)(
    TypedDict(
        "LinkRecord",
        {"from": _Name, "to": _Name, "one_way": NotRequired[bool], "lanes": NotRequired[_Lanes]},
    )
)

# JSON has lists in place of tuples.
_Pair = Annotated[tuple[_Name, _Name], Strict(False)]


@with_config(_STRICT)
class GraphRecord(TypedDict):
    """A graph as in files: ``lanes`` is the default for links without lanes of their own, and is 1 if not given."""

    nodes: Annotated[list[NodeRecord], FailFast()]
    links: Annotated[list[Annotated[_Pair | LinkRecord, _LINK]], FailFast()]
    lanes: NotRequired[_Lanes]


_GRAPH = TypeAdapter(GraphRecord)


def graph_schema() -> dict[str, Any]:
    """The JSON Schema of a graph in a file, without the member that identifies the format."""
    return _GRAPH.json_schema()


def graph_from_json(value: Mapping[str, Any]) -> Graph:
    """The graph of nodes and links that ``value``, read from a file, describes, checked.

    Raises
    ------
    ParameterError
        If ``value`` describes no such graph.
    """
    for name, most in (("nodes", MOST_NODES), ("links", MOST_CHANNELS)):  # before each item is checked
        given = value.get(name)
        if isinstance(given, list) and len(given) > most:
            raise ParameterError(f"{name} of a graph must be at most {most:,}, not {len(given):,}")
    record = validated(_GRAPH, value, "graph")
    lanes = record.get("lanes", 1)
    links = []
    for link in record["links"]:
        if isinstance(link, dict):
            links.append(Link(link["from"], link["to"], link.get("one_way", False), link.get("lanes", lanes)))
        else:
            links.append(Link(*link, False, lanes))
    return make_graph([(node["name"], node.get("processors", 1)) for node in record["nodes"]], links)


class Link(NamedTuple):
    """A link in a file: the names of the nodes that it joins, whether it is unidirectional, and its number of lanes."""

    node: str
    other: str
    one_way: bool
    lanes: int


def make_graph(nodes: Sequence[tuple[str, int]], links: Sequence[Link]) -> Graph:
    """The graph of ``nodes``, each a name and a number of processors, and ``links``, checked.

    Each lane becomes a separate link, parallel to the others: a link with two lanes and two links give the same network.

    Raises
    ------
    ParameterError
        If an end of a link is not a node, if links are partly unidirectional and partly bidirectional, if there are too
        many lanes, or if nodes cannot be reached.
    """
    numbers = {name: number for number, (name, _) in enumerate(nodes)}
    for link in links:
        for end in (link.node, link.other):
            if end not in numbers:
                raise ParameterError(
                    f"links must join nodes of the graph, not {shown(link.node)} and {shown(link.other)}, as there is "
                    f"no node {shown(end)}"
                )
    for link in links:
        first = links[0]
        if link.one_way != first.one_way:
            two, one = (first, link) if link.one_way else (link, first)
            raise ParameterError(
                f"links must all be unidirectional or all bidirectional, not unidirectional from {shown(one.node)} to {shown(one.other)} "
                f"and bidirectional from {shown(two.node)} to {shown(two.other)}"
            )
    if links:
        check_integer("lanes of a graph", sum(link.lanes for link in links), minimum=1, maximum=MOST_CHANNELS)
    graph = Graph(
        tuple(name for name, _ in nodes),
        tuple(count for _, count in nodes),
        tuple((numbers[link.node], numbers[link.other]) for link in links for _ in range(link.lanes)),
        any(link.one_way for link in links),
    )
    graph.check()
    return graph
