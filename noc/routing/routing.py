"""The base of all routings: a value that gives the route (a *way* in identifiers) of every ordered pair of nodes."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
import dataclasses
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy

from fatcube.groundwork.validation import ParameterError, check_count, check_integer
from fatcube.noc.computed import Kept
from fatcube.noc.routing.followed import Followed
from fatcube.noc.routing.trees import AT_ONCE, Array, Trees
from fatcube.noc.topology import Topology
from fatcube.noc.topology_check import MOST_CHANNELS

__all__ = ["MOST_NODES", "Hop", "Routing", "Way", "routings"]


MOST_NODES = 4096  # nodes up to which all routes are followed: sixteen million pairs


class Hop(NamedTuple):
    """One hop of a route.

    Members
    -------
    channel : :class:`int`
        The channel by which the packet leaves its current node.
    channel_class : :class:`int`
        The virtual channel class on that channel. The packet takes any free virtual channel of the class.
    """

    channel: int
    channel_class: int = 0


Way: TypeAlias = tuple[Hop, ...]


@dataclasses.dataclass(frozen=True)
class Routing(ABC):
    """Base of all routings; a subclass is a frozen dataclass, checked when it is created.

    Class keywords
    --------------
    name : :class:`str` or ``None``
        The name of the routing in files and on the command line, as in ``name="dimension-order"``. A base of several
        routings has none.

    Parameters
    ----------
    topology : :class:`Topology`
        The nodes and channels of the routes.

    Raises
    ------
    ParameterError
        If the routing does not support the topology.
    """

    name: ClassVar[str]

    topology: Topology

    def __init_subclass__(cls, *, name: str | None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if name is not None:
            cls.name = name
            _routings[name] = cls

    def __post_init__(self) -> None:
        if not isinstance(self.topology, Topology):
            raise ParameterError(f"topology must be a Topology, not {self.topology!r}")
        channels = self.topology.nodes * self.topology.degree
        check_count("channels of all nodes", channels, maximum=MOST_CHANNELS, what=f"for {self}")
        self.topology.check()

    def way(self, source: int, target: int) -> Way:
        """The hops from node ``source`` to node ``target``, in order; empty if they are the same node.

        Raises
        ------
        ParameterError
            If ``source`` or ``target`` is not a node.
        """
        for name, node in (("source", source), ("target", target)):
            check_integer(f"{name} node", node, minimum=0, maximum=self.topology.nodes - 1)
        return self._way(source, target) if source != target else ()

    def paths(self, source: int, target: int) -> tuple[Way, ...]:
        """The routes that packets from node ``source`` to node ``target`` may take: one, unless the routing has several."""
        return (self.way(source, target),)

    @property
    def alternatives(self) -> Sequence["Routing"]:
        """Routings with one route for each pair, used in equal shares if there are several; only this one if it has one route."""
        return (self,)

    @abstractmethod
    def _way(self, source: int, target: int) -> Way:
        """The route between two different nodes."""

    @cached_property
    def classes(self) -> int:
        """The number K of virtual channel classes that the routes need: the class of every hop is below K."""
        return 1 + max(int(trees.channel_class.max(initial=0)) for trees in self.trees())

    def check_channels(self, virtual_channels: int) -> None:
        """Refuse a number of virtual channels of each lane that is lower than the number of classes.

        Raises
        ------
        ParameterError
            If ``virtual_channels`` is lower than :attr:`classes`.
        """
        check_integer("virtual channels", virtual_channels, minimum=self.classes, why=f" for {self}")

    def ways(self) -> Iterator[tuple[int, int, Way]]:
        """Every route as ``(source, target, hops)``, between all ordered pairs of different nodes with processors.

        Raises
        ------
        ParameterError
            If there are more than :data:`MOST_NODES` nodes.
        """
        homes = self.homes
        return ((source, target, self._way(source, target)) for source in homes for target in homes if source != target)

    def trees(self) -> Iterator[Trees]:
        """The routes of :meth:`ways` as trees, for a group of targets at a time, in the order of :attr:`homes`.

        Raises
        ------
        ParameterError
            If there are more than :data:`MOST_NODES` nodes.
        """
        homes = self.homes
        at_once = max(1, AT_ONCE // (self.topology.nodes * self._states_at_a_node))
        for first in range(0, len(homes), at_once):
            yield self._trees(homes[first : first + at_once])

    @property
    def _states_at_a_node(self) -> int:
        """The approximate number of states in which packets to one target can leave a node."""
        return 1

    def _trees(self, targets: Sequence[int]) -> Trees:
        """The routes from all :attr:`homes` to these nodes; a subclass can find them faster than one by one."""
        states: list[tuple[int, int, int, int, int]] = []
        starts = numpy.full((len(self.homes), len(targets)), -1)
        for row, source in enumerate(self.homes):
            for number, target in enumerate(targets):
                node, way = source, self._way(source, target) if source != target else ()
                if way:
                    starts[row, number] = len(states)
                for left, (channel, channel_class) in zip(range(len(way) - 1, -1, -1), way):
                    states.append((node, channel, channel_class, len(states) + 1 if left else -1, number))
                    node, _ = self.ends[node][channel]
        node, channel, channel_class, behind, column = numpy.array(states, dtype=numpy.int64).reshape(-1, 5).T
        trees = Trees.of(node, channel, channel_class, behind, column, starts)
        assert trees is not None, "every way ends"
        return trees

    @cached_property
    def followed(self) -> Followed:
        """The hops of all routes, with :attr:`classes` classes."""
        return Followed.of(self.trees(), self.neighbours, self.classes)

    def followed_from(self, sources: Collection[int]) -> Followed:
        """The hops of the routes from ``sources`` only, which are some of :attr:`homes`."""
        rows = [self.homes.index(source) for source in sources]
        return Followed.of((trees.only(rows) for trees in self.trees()), self.neighbours, self.classes)

    @property
    def longest(self) -> int:
        """The number of hops that headers provide for: the longest route, unless the routing is given a larger number."""
        return int(self.lengths.max())

    @property
    def lengths(self) -> Array:
        """The number of hops of every route, with a row and a column for each of :attr:`homes` as source and as target."""
        return self.followed.lengths

    @cached_property
    def neighbours(self) -> Array:
        """The node that each channel leads to: a row for each node, a column for each channel, -1 where there is none."""
        found = numpy.full((self.topology.nodes, self.topology.degree), -1, dtype=numpy.int32)
        for node, channels in enumerate(self.links):
            for channel, other in channels:
                found[node, channel] = other
        return found

    @cached_property
    def backs(self) -> Array:
        """The channel by which the adjacent node is entered, indexed as :attr:`neighbours`."""
        found = numpy.full((self.topology.nodes, self.topology.degree), -1, dtype=numpy.int32)
        for node in range(self.topology.nodes):
            for channel, (_, back) in self.ends[node].items():
                found[node, channel] = back
        return found

    @cached_property
    def homes(self) -> Sequence[int]:
        """The nodes with working processors, where routes begin and end, in order."""
        check_count("nodes", self.topology.nodes, maximum=MOST_NODES, what=f"to follow all routes of {self}")
        topology = self.topology
        return [node for node in range(topology.nodes) if any(map(topology.works, topology.processors_of(node)))]

    def lanes_taken(self, lane: int) -> Array:
        """The lane that packets assigned to ``lane`` take on each channel, by node and channel.

        If this lane has failed, it is remaining lane ``lane`` modulo the number of remaining lanes of the channel.
        """
        found = numpy.full((self.topology.nodes, self.topology.degree), lane, dtype=numpy.int32)
        if self.topology.lanes < self.topology.channels * self.topology.f:
            for node, channels in enumerate(self.links):
                for channel, _ in channels:
                    left = self.topology.lanes_of(node, channel)
                    found[node, channel] = lane if lane in left else left[lane % len(left)]
        return found

    @cached_property
    def ends(self) -> Mapping[int, Mapping[int, tuple[int, int]]]:
        """For each node its channels in order, each with the adjacent node and the opposite channel there; computed on access."""
        return Kept(lambda node: {channel: (other, back) for channel, other, back in self.topology.ends(node)})

    @cached_property
    def links(self) -> Sequence[Sequence[tuple[int, int]]]:
        """For each node its channels in order, as ``(channel, adjacent node)``."""
        return [
            [(channel, other) for channel, (other, _) in self.ends[node].items()] for node in range(self.topology.nodes)
        ]

    def __getstate__(self) -> dict[str, Any]:
        """The state that is pickled: the fields, without values computed from them."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    def __str__(self) -> str:
        return f"{self.name} routing on the {self.topology.name}"


_routings: dict[str, type[Routing]] = {}


def routings() -> dict[str, type[Routing]]:
    """All routings: the subclasses of :class:`Routing` by name."""
    return dict(_routings)
