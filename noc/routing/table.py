"""A user's routing table: the route of every ordered pair of nodes, read from JSON and checked."""

import dataclasses
import functools
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, Strict, TypeAdapter, with_config
from typing_extensions import TypedDict

from fatcube.groundwork.schema import Sentence, validated
from fatcube.groundwork.strict.json_text import read_json
from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.routing.routing import Hop, Routing, Way
from fatcube.noc.topologies import topology_from_json
from fatcube.noc.topology import Topology

__all__ = ["Table", "read_table"]


FORMAT = "fatcube.routing/1"
MOST_BYTES = 1 << 25  # about 300,000 routes
MOST_CLASSES = 64

_STRICT = ConfigDict(strict=True, extra="forbid")
_Count = Annotated[int, Field(ge=0)]


_HOP = Sentence("hop", "[channel, class], two integers of at least 0")


@with_config(_STRICT)
class _WayRecord(TypedDict):
    """The route of one pair, each hop as ``[channel, class]``."""

    src: _Count
    dst: _Count
    # JSON has lists in place of tuples.
    hops: list[Annotated[tuple[_Count, _Count], Strict(False), _HOP]]


@with_config(_STRICT)
class _RoutesRecord(TypedDict):
    """The routes of a network."""

    classes: Annotated[int, Field(ge=1, le=MOST_CLASSES)]
    ways: list[_WayRecord]


@with_config(_STRICT)
class _TableRecord(_RoutesRecord):
    """A routing file."""

    format: Literal["fatcube.routing/1"]
    topology: dict[str, Any]


_RECORD, _ROUTES = TypeAdapter(_TableRecord), TypeAdapter(_RoutesRecord)


@dataclasses.dataclass(frozen=True)
class Table(Routing, name="table"):
    """Routes listed by a user; any routes are accepted here, and only the deadlock check can refuse them.

    Parameters
    ----------
    topology : :class:`Topology`
        The nodes and channels of the routes.
    number_of_classes : :class:`int`
        Classes of virtual channels, 1 to 64; every hop names one.
    entries : tuple
        One ``(source, target, way)`` for every ordered pair of different nodes with processors, and no pair twice.

    Raises
    ------
    ParameterError
        If a pair is missing, given twice or of one node, if a route takes a channel that the current node does not have
        or a class out of range, or if it does not end at its target.
    """

    number_of_classes: int
    entries: tuple[tuple[int, int, Way], ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        check_integer("classes", self.number_of_classes, minimum=1, maximum=MOST_CLASSES)
        if len(self._ways) < len(self.entries):
            seen = set()
            for source, target, _ in self.entries:
                if (source, target) in seen:
                    raise ParameterError(f"route from node {source} to {target} must occur once, not twice")
                seen.add((source, target))
        for source, target, way in self.entries:
            self._check(source, target, way)
        for source in self.homes:
            for target in self.homes:
                if source != target and (source, target) not in self._ways:
                    raise ParameterError(
                        f"route from node {source} to {target} must be given, as for every pair of nodes"
                    )

    @functools.cached_property
    def classes(self) -> int:
        """Number of classes of virtual channels, as in the table."""
        return self.number_of_classes

    def _way(self, source: int, target: int) -> Way:
        return self._ways[source, target]

    @functools.cached_property
    def _ways(self) -> dict[tuple[int, int], Way]:
        return {(source, target): way for source, target, way in self.entries}

    def _check(self, source: int, target: int, way: Way) -> None:
        name = f"route from node {source} to {target}"
        for node in (source, target):
            check_integer(f"node of the {name}", node, minimum=0, maximum=self.topology.nodes - 1)
        if source == target:
            raise ParameterError(f"{name} must be left out, as source and destination are the same")
        node = source
        for index, hop in enumerate(way):
            where = f"hop {index} of the {name}"
            channels = dict(self.links[node])
            if hop.channel not in channels:
                known = ", ".join(map(str, channels))
                raise ParameterError(f"{where} must take a channel of node {node}, {known}, not {hop.channel}")
            check_integer(f"class of {where}", hop.channel_class, minimum=0, maximum=self.number_of_classes - 1)
            node = channels[hop.channel]
        if node != target:
            raise ParameterError(f"{name} must end at node {target}, not at {node}")

    @classmethod
    def from_json(cls, topology: Topology, value: object) -> "Table":
        """The routing that ``value``, read from a file, describes.

        Raises
        ------
        ParameterError
            If its form differs from the result of :meth:`to_json`, it is for another topology, or its routes are refused.
        """
        record = validated(_RECORD, value, "routing")
        other = topology_from_json(record["topology"])
        if other != topology:
            raise ParameterError(f"topology of the routing must be the {topology.name}, not the {other.name}")
        return cls._of_record(topology, record)

    @classmethod
    def of_routes(cls, topology: Topology, value: object) -> "Table":
        """The routing of a topology that ``value``, the routes in a network file, describes: a routing file without the topology.

        Raises
        ------
        ParameterError
            If its form is another one, or its routes are refused.
        """
        return cls._of_record(topology, validated(_ROUTES, value, "routes"))

    @classmethod
    def _of_record(cls, topology: Topology, record: "_RoutesRecord") -> "Table":
        ways = ((way["src"], way["dst"], tuple(Hop(*hop) for hop in way["hops"])) for way in record["ways"])
        return cls(topology, record["classes"], tuple(ways))

    @classmethod
    def of(cls, routing: Routing) -> "Table":
        """The table of all routes of another routing, to be written to a file or modified."""
        return cls(routing.topology, routing.classes, tuple(routing.ways()))

    def to_json(self) -> dict[str, Any]:
        """The JSON form of the table, as in a file (docs/reference/routing-files.md)."""
        return {
            "format": FORMAT,
            "topology": self.topology.to_json(),
            "classes": self.number_of_classes,
            "ways": [
                {"src": source, "dst": target, "hops": [list(hop) for hop in way]}
                for source, target, way in self.entries
            ],
        }


def read_table(path: Path, topology: Topology) -> Table:
    """The routing of ``topology`` in the file ``path``.

    Raises
    ------
    ParameterError
        If the file holds no such routing; the message begins with the path and gives the reason.
    OSError
        If the file does not exist or cannot be read.
    """
    return read_json(path, functools.partial(Table.from_json, topology), most=MOST_BYTES, what="a routing file")
