"""The base of all topologies: fat nodes, numbered channels between them, and lanes on each channel.

A topology defines only which nodes are neighbours. Routers, networks, schedules and testbenches are derived from that,
so a new topology is a new subclass of :class:`Topology` and nothing else. Nodes may differ in their numbers of channels
and processors.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
import dataclasses
from functools import cached_property
from typing import Any, ClassVar, overload

import networkx

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.computed import Kept
from fatcube.noc.topology_check import check_links
from fatcube.noc.topology_members import Members

__all__ = ["MOST_NODES", "Topology", "kinds", "parameter"]


MOST_NODES = 1 << 16
WRITTEN_OUT = 1024  # nodes up to which a permutation is a list, which is faster; all of them take a megabyte


@dataclasses.dataclass(frozen=True)
class Topology(Members, ABC):
    """Base of all topologies; a subclass is a frozen dataclass of integers, checked when it is made.

    Class keywords
    --------------
    kind : :class:`str` or ``None``
        The name of the topology in files and on the command line, as in ``kind="fat-cube"``. A base of several
        topologies has none.
    proved : :class:`bool`
        Tests check the links of all topologies of this kind, so that :meth:`check` need not.

    Parameters
    ----------
    m : :class:`int`
        Processors on each node, at least 1; the most on any node where they differ (see :meth:`processors_of`).
    f : :class:`int`
        Lanes of each link, at least 1.

    A subclass declares its own parameters as fields made by :func:`parameter`, before these.

    Raises
    ------
    ParameterError
        If a parameter is out of range.
    """

    kind: ClassVar[str]
    proved: ClassVar[bool]

    def __init_subclass__(cls, *, kind: str | None, proved: bool = False, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.proved = proved
        if kind is not None:
            cls.kind = kind
            _kinds[kind] = cls

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            name, value = f"{type(self).__name__} {field.name}", getattr(self, field.name)
            if field.name in ("m", "f"):
                _check_many(name, value)
            elif field.metadata.get("minimum") is not None:
                for one in value if field.metadata["several"] and isinstance(value, tuple) else (value,):
                    check_integer(name, one, minimum=field.metadata["minimum"], maximum=field.metadata["maximum"])

    @property
    @abstractmethod
    def degree(self) -> int:
        """Channels of each node, the d of a cube; the most of any node where they differ."""

    @abstractmethod
    def neighbour(self, node: int, channel: int) -> tuple[int, int] | None:
        """The node that ``channel`` of ``node`` leads to, and the channel by which that node is entered.

        Where links go both ways, that channel leads back. Where they go one way, a channel is one link that leaves and
        another one that enters; if some link leads back from where another one leads to, the topology overrides
        :attr:`directed`. ``None`` if the node has no such channel: no link leaves there.
        """

    @property
    def intact(self) -> "Topology":
        """The topology before anything failed, with the same numbers: this one, unless something has."""
        return self

    @cached_property
    def survivors(self) -> "Topology":
        """The part that failures have left, numbered anew: this topology, unless something has failed."""
        return self

    def check(self) -> None:
        """Refuse a topology whose links are inconsistent; each topology is checked once.

        Every channel must lead to another node, and back from there where links go both ways; every channel must be
        entered by one link at most; and from every node there must be a path to all others.

        Raises
        ------
        ParameterError
            At the first node and channel that breaks one of these rules, or if there are too many channels to check.
        """
        if not self.proved and not self._checked:
            self._check_channels()
            vars(self)["_checked"] = True

    _checked: ClassVar[bool] = False

    def _check_channels(self) -> None:
        check_links(self, directed=self.directed)

    def ends(self, node: int) -> Iterator[tuple[int, int, int]]:
        """The channels that ``node`` has, in order, as ``(channel, neighbour, channel of the neighbour)``."""
        for channel in range(self.degree):
            end = self.neighbour(node, channel)
            if end is not None:
                yield channel, *end

    @cached_property
    def complete(self) -> bool:
        """``True`` if every node has ``degree`` channels."""
        return self.channels == self.nodes * self.degree

    @cached_property
    def channels(self) -> int:
        """Number of channels of all nodes by which a link leaves."""
        return self.nodes * self.degree if self.proved else sum(len([*self.ends(node)]) for node in range(self.nodes))

    @cached_property
    def lanes(self) -> int:
        """Number of lanes by which links leave all nodes: twice those that there are, where they go both ways."""
        return self.channels * self.f

    @cached_property
    def uniform(self) -> bool:
        """``True`` if every node has ``m`` processors."""
        return True

    @property
    def alike(self) -> bool:
        """``True`` if all nodes have equally many channels and processors, so that routers have no unused ports."""
        return self.complete and self.uniform

    @property
    def processors(self) -> int:
        """Number of processors, P; they are numbered over the nodes, in order."""
        return self.nodes * self.m

    def processors_of(self, node: int) -> range:
        """The processors on ``node``."""
        return range(node * self.m, (node + 1) * self.m)

    def node_of(self, processor: int) -> int:
        """The node of ``processor``."""
        return processor // self.m

    def local_of(self, processor: int) -> int:
        """The number of ``processor`` among those of its node."""
        return processor % self.m

    @cached_property
    def directed(self) -> bool:
        """``True`` if links go one way: a channel that enters a node does not lead back over the same link."""
        for node in range(self.nodes):
            for channel, *end in self.ends(node):
                return self.neighbour(*end) != (node, channel)
        return False

    @cached_property
    def translations(self) -> Sequence[Sequence[int]]:
        """Node permutations that preserve the links, of which only the identity has a fixed point.

        A step of one node, translated, is a step of every other node at the same time. Each permutation is a sequence:
        the image of every node. They must form a group. Here it is only the identity; a topology that looks the same
        from several nodes has more, and these have equally many processors.
        """
        return (range(self.nodes),)

    @cached_property
    def homeward(self) -> Mapping[int, Sequence[int]]:
        """For each node, the one translation that maps it to the first node of its class, its base."""
        return Kept(lambda node: self._home(node) if self.nodes > WRITTEN_OUT else list(self._home(node)))

    def _home(self, node: int) -> Sequence[int]:
        """The item ``node`` of :attr:`homeward`; a topology that can compute it overrides this search."""
        return min(self.translations, key=lambda permutation: permutation[node])

    @cached_property
    def mirror(self) -> Sequence[int]:
        """The node permutation that reverses every link, as the image of every node.

        A schedule that runs backwards in time on a network runs forwards on its mirror image. Where links go both ways
        it is the identity. It is its own inverse, and the mirror image of a translation is a translation.

        Raises
        ------
        ParameterError
            If links go one way, and the topology has no permutation that reverses them.
        """
        if self.directed:
            raise ParameterError(f"topology must be one that is unchanged when all links are reversed, not {self}")
        return range(self.nodes)

    @cached_property
    def mirror_image(self) -> "Topology":
        """The topology to whose nodes :attr:`mirror` maps: every link of it is one of this topology, reversed."""
        return self

    @overload
    def mirrored(self, processor: int) -> int: ...

    @overload
    def mirrored(self, processor: None) -> None: ...

    @overload
    def mirrored(self, processor: int | None) -> int | None: ...

    def mirrored(self, processor: int | None) -> int | None:
        """The image of ``processor`` under :attr:`mirror`; ``None``, which is no processor, stays ``None``."""
        if processor is None:
            return None
        return self.processors_of(self.mirror[self.node_of(processor)])[self.local_of(processor)]

    def channels_between(self, node: int, other: int) -> tuple[int, ...]:
        """The channels of ``node`` that lead to ``other``, in order; empty if they are not adjacent."""
        return self._channels[node].get(other, ())

    def other_end(self, node: int, other: int, lane: int) -> int | None:
        """The number that a lane from ``node`` to ``other`` has at its other end; ``None`` if it goes one way.

        Lanes are numbered by the channels that join the two nodes, in order, f to each channel.
        """
        if self.directed:
            return None
        end = self.neighbour(node, self.channels_between(node, other)[lane // self.f])
        assert end is not None
        return self.channels_between(other, node).index(end[1]) * self.f + lane % self.f

    @cached_property
    def _channels(self) -> Mapping[int, Mapping[int, tuple[int, ...]]]:
        """For each node the channels to each of its neighbours."""

        def channels(node: int) -> dict[int, tuple[int, ...]]:
            found: dict[int, tuple[int, ...]] = {}
            for channel, other, _ in self.ends(node):
                found[other] = *found.get(other, ()), channel
            return found

        return Kept(channels)

    @cached_property
    def graph(self) -> "networkx.MultiGraph[int]":
        """The nodes and their links as a :class:`networkx.MultiGraph`, or ``MultiDiGraph`` if links go one way.

        An edge is one lane. It has attributes ``dimension`` (the channel at its lower node, or the channel by which it
        leaves; on a cube, this is the dimension) and ``lane``, and its key is that pair.
        """
        graph = networkx.MultiDiGraph() if self.directed else networkx.MultiGraph()
        graph.add_nodes_from(range(self.nodes))
        lanes = (
            (node, other, (channel, lane), {"dimension": channel, "lane": lane})
            for node, other, channel in self._links()
            for lane in self.lanes_of(node, channel)
        )
        graph.add_edges_from(lanes)  # pyright: ignore[reportArgumentType]  (its types know no edges with a key)
        return graph

    @cached_property
    def adjacent(self) -> "networkx.Graph[int]":
        """The nodes as a :class:`networkx.Graph`, or ``DiGraph``, with one edge for all lanes between two nodes.

        Its neighbours are in the same order as those of :attr:`graph`, which takes memory for every lane.
        """
        graph = networkx.DiGraph() if self.directed else networkx.Graph()
        graph.add_nodes_from(range(self.nodes))
        graph.add_edges_from((node, other) for node, other, _ in self._links())
        return graph

    def _links(self) -> Iterator[tuple[int, int, int]]:
        """Every link once, as ``(node, neighbour, channel of the node)``."""
        self.check()
        for node in range(self.nodes):
            for channel, other, back in self.ends(node):
                if self.directed or (node, channel) <= (other, back):
                    yield node, other, channel

    @cached_property
    def served(self) -> "networkx.Graph[int]":
        """The part of :attr:`adjacent` that the steps of a schedule use: the nodes that have processors.

        A step moves a message over one link from processor to processor, so a node without processors forwards none.
        """
        if self.uniform:
            return self.adjacent
        return self.adjacent.subgraph(node for node in range(self.nodes) if self.processors_of(node)).copy()

    def sources(self, node: int) -> Iterable[int]:
        """The nodes of :attr:`served` from which a link leads to ``node``: its neighbours where links go both ways."""
        links = self.served
        return links.pred[node] if isinstance(links, networkx.DiGraph) else links[node]

    @cached_property
    def bases(self) -> tuple[int, ...]:
        """The first node of each class of nodes that translations map to each other.

        Since only the identity has a fixed point, every class has as many nodes as there are translations.
        """
        return tuple(node for node in range(self.nodes) if self.homeward[node][node] == node)

    @cached_property
    def distances(self) -> Mapping[int, Sequence[int]]:
        """``distances[u][v]``: hops from node ``u`` to node ``v``; computed for bases, translated for other nodes.

        A row is computed at its first access, and kept.
        """

        def row(node: int) -> list[int]:
            home = self.homeward[node]
            lengths = self._from_bases[home[node]]
            return [lengths[home[other]] for other in range(self.nodes)]

        return Kept(row)

    @cached_property
    def _from_bases(self) -> Mapping[int, Mapping[int, int]]:
        return Kept(lambda base: networkx.single_source_shortest_path_length(self.adjacent, base))

    @cached_property
    def served_distances(self) -> Mapping[int, Sequence[int]]:
        """Hops over :attr:`served` from a node with processors, as in :attr:`distances`; -1 where there is no path."""
        if self.uniform:
            return self.distances

        def row(node: int) -> list[int]:
            lengths = networkx.single_source_shortest_path_length(self.served, node)
            return [lengths.get(other, -1) for other in range(self.nodes)]

        return Kept(row)

    @cached_property
    def all_hops(self) -> int:
        """The sum of the hops over :attr:`served` from every processor to every other one.

        Every class has as many nodes as there are translations.
        """
        if self.uniform:
            hops = sum(sum(self._from_bases[base].values()) for base in self.bases)
            return hops * self.m**2 * len(self.translations)
        counts = {node: len(self.processors_of(node)) for node in self.served}
        return sum(
            counts[node] * counts[other] * self.served_distances[node][other] for node in counts for other in counts
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters by name, as in ``{"d": 2, "m": 2, "f": 1}``."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    def __getstate__(self) -> dict[str, Any]:
        """The state that is pickled: the parameters, without values computed from them."""
        return self.parameters

    def to_json(self) -> dict[str, Any]:
        """The topology as in a schedule file (docs/reference/schedule-files.md)."""
        return {"type": self.kind, **self.parameters}

    def __str__(self) -> str:
        return f"{self.kind}({', '.join(f'{name}={value}' for name, value in self.parameters.items())})"


_kinds: dict[str, type[Topology]] = {}


def parameter(help: str, *, default: Any = dataclasses.MISSING, several: bool = False, **limits: int | None) -> Any:
    """A field of a topology in addition to m and f: its help on the command line, and its range if that is fixed.

    ``limits`` are ``minimum`` and ``maximum``; if it may be ``several`` integers, in a tuple, these are the limits of each.
    """
    return dataclasses.field(default=default, metadata={"help": help, "maximum": None, "several": several, **limits})


def _check_many(name: str, value: object) -> None:
    """Refuse a number of processors on a node, or of lanes of a link, outside 1 to 2^32.

    Parts of fatcube that need memory for each have lower limits; this limit only keeps numbers printable.
    """
    check_integer(name, value, minimum=1)
    check_integer(name, value, minimum=1, maximum=1 << 32)


def kinds() -> dict[str, type[Topology]]:
    """All topologies: the subclasses of :class:`Topology` by kind."""
    return dict(_kinds)
