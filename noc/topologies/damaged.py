"""A network with failures as a topology of its own: it keeps all numbers of the whole topology and omits failed parts."""

from collections.abc import Iterable, Iterator, Sequence
import dataclasses
from functools import cached_property
from typing import Any, NamedTuple, assert_never

import networkx

from fatcube.groundwork.validation import ParameterError, check_integer, shown
from fatcube.noc.topologies.failures import Failure
from fatcube.noc.topologies.survivors import Survivors
from fatcube.noc.topology import Topology

__all__ = ["Damaged", "damaged"]


_LISTED = 6  # failures in messages


class _Wire(NamedTuple):
    """One direction of a lane: the node and channel by which it leaves, and its number there."""

    node: int
    channel: int
    lane: int


class _Dead(NamedTuple):
    """The failed parts: nodes, processors and directions of lanes, including the processors and lanes of failed nodes."""

    nodes: frozenset[int]
    processors: frozenset[int]
    wires: frozenset[_Wire]


def damaged(whole: Topology, failures: Iterable[Failure | str]) -> Topology:
    """``whole`` with these failures, checked; itself if there are none.

    Raises
    ------
    ParameterError
        If :class:`Damaged` refuses the failures, or if they disconnect the network.
    """
    failed = tuple(map(str, failures))
    if not failed:
        return whole
    topology = Damaged(whole, failed)
    topology.check()
    return topology


@dataclasses.dataclass(frozen=True)
class Damaged(Topology, kind=None):
    """A topology in which links, lanes, nodes or processors have failed.

    Nodes, channels, lanes and processors keep the numbers that they have in the whole topology. If a node fails, its links
    and its processors fail too. A router whose processors have failed still forwards packets.

    Parameters
    ----------
    whole : :class:`Topology`
        The topology without failures.
    failed : tuple of :class:`str`
        The failures, by the names of :mod:`fatcube.noc.topologies.failures`. They are stored in a canonical form: each
        failure is named once, by the largest failed part that contains it, and links and lanes start at the lower node.

    Raises
    ------
    ParameterError
        If a failed part does not exist, nothing has failed, or fewer than two processors are left. :meth:`check` also
        refuses failures that disconnect the network.
    """

    kind = "damaged"

    whole: Topology
    failed: tuple[str, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.whole, Topology) or isinstance(self.whole, Damaged):
            raise ParameterError(f"whole must be a topology without failures, not {shown(self.whole)}")
        if not self.failed:
            raise ParameterError("failed must have at least one failure, not none")
        # The failed parts are cached at this point, so the canonical names need not be parsed again.
        object.__setattr__(self, "failed", tuple(map(str, self._named())))
        if len(self.working) < 2:
            raise ParameterError(
                f"failures must leave two processors or more of the {self.whole.name}, not {len(self.working)}, as {self._listed} do"
            )

    @cached_property
    def _dead(self) -> _Dead:
        return self._of(map(Failure.parse, self.failed))

    def _of(self, failures: Iterable[Failure]) -> _Dead:
        """The parts that these failures remove, checked."""
        nodes: set[int] = set()
        processors: set[int] = set()
        wires: set[_Wire] = set()
        for failure in failures:
            first = failure.numbers[0]
            match failure.kind:
                case "node":
                    nodes.add(check_integer("failed node", first, minimum=0, maximum=self.whole.nodes - 1))
                    processors.update(self.whole.processors_of(first))
                case "processor":
                    last = self.whole.processors - 1
                    processors.add(check_integer("failed processor", first, minimum=0, maximum=last))
                case "link" | "lane":
                    wires.update(self._wires(failure))
                case _:
                    assert_never(failure.kind)
        for node in range(self.whole.nodes) if nodes else ():
            for channel, other, _ in self.whole.ends(node):
                if not nodes.isdisjoint((node, other)):
                    wires.update(_Wire(node, channel, lane) for lane in range(self.whole.f))
        return _Dead(frozenset(nodes), frozenset(processors), frozenset(wires))

    def _between(self, node: int, other: int) -> list[_Wire]:
        """The lanes of the whole topology from one node to another, in the order of their numbers."""
        channels = self.whole.channels_between(node, other)
        return [_Wire(node, channel, lane) for channel in channels for lane in range(self.whole.f)]

    def _opposite(self, wire: _Wire) -> _Wire:
        """The other direction of a lane of a bidirectional link."""
        end = self.whole.neighbour(wire.node, wire.channel)
        assert end is not None
        return _Wire(*end, wire.lane)

    def _wires(self, failure: Failure) -> list[_Wire]:
        """The directions of lanes that a failed link or lane removes."""
        node, other, *lane = failure.numbers
        for end in (node, other):
            if not self.whole.channels:
                raise ParameterError(
                    f"failures of the {self.whole.name} must be processors, as it has no links, not {failure}"
                )
            check_integer(f"node of {failure}", end, minimum=0, maximum=self.whole.nodes - 1)
        there, back = self._between(node, other), self._between(other, node)
        if not there and (lane or failure.out or not back):
            raise ParameterError(
                f"failed {failure.kind} must be one of the {self.whole.name}, not {failure}, as no link leads from node {node} to "
                f"node {other}"
            )
        if lane:
            there = [there[check_integer(f"lane of {failure}", lane[0], minimum=0, maximum=len(there) - 1)]]
            back = [] if self.whole.directed else [self._opposite(wire) for wire in there]
        return there if failure.out else there + back

    def _named(self) -> Iterator[Failure]:
        """The canonical names of the failures."""
        dead = self._dead
        yield from (Failure("node", (node,)) for node in sorted(dead.nodes))
        of_nodes = {processor for node in dead.nodes for processor in self.whole.processors_of(node)}
        yield from (Failure("processor", (one,)) for one in sorted(dead.processors - of_nodes))
        pairs = set()
        for wire in dead.wires:
            end = self.whole.neighbour(wire.node, wire.channel)
            assert end is not None
            pairs.add((min(wire.node, end[0]), max(wire.node, end[0])))
        for node, other in sorted(pairs):
            if not dead.nodes.intersection((node, other)):
                yield from self._named_between(node, other)

    def _named_between(self, node: int, other: int) -> Iterator[Failure]:
        """The canonical names of the failed wires between two nodes."""
        dead = self._dead.wires
        there, back = self._between(node, other), self._between(other, node)
        if dead.issuperset(there + back):
            yield Failure("link", (node, other))
            return
        both = frozenset() if self.whole.directed else {wire for wire in dead if self._opposite(wire) in dead}
        for here, far, wires in ((node, other, there), (other, node, back)):
            if wires and dead.issuperset(wires):
                yield Failure("link", (here, far), out=True)
                both -= {*wires, *map(self._opposite, wires)}
                dead -= frozenset(wires)
        for here, far, wires in ((node, other, there), (other, node, back)):
            for number, wire in enumerate(wires):
                if wire in dead and (here == node or wire not in both):
                    yield Failure("lane", (here, far, number), out=not self.whole.directed and wire not in both)

    @property
    def intact(self) -> Topology:
        return self.whole

    @property
    def failures(self) -> Sequence[str]:
        return self.failed

    @property
    def nodes(self) -> int:
        return self.whole.nodes

    @property
    def degree(self) -> int:
        return self.whole.degree

    @property
    def m(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]  (of most topologies it is given)
        return self.whole.m

    @property
    def f(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.whole.f

    @cached_property
    def uniform(self) -> bool:
        return self.whole.uniform

    @cached_property
    def lanes(self) -> int:
        return sum(len(self.lanes_of(node, channel)) for node in range(self.nodes) for channel, *_ in self.ends(node))

    @property
    def processors(self) -> int:
        return self.whole.processors

    @cached_property
    def working(self) -> Sequence[int]:
        return tuple(filter(self.works, range(self.whole.processors)))

    def works(self, processor: int) -> bool:
        return processor not in self._dead.processors

    def processors_of(self, node: int) -> range:
        return self.whole.processors_of(node)

    def node_of(self, processor: int) -> int:
        return self.whole.node_of(processor)

    def local_of(self, processor: int) -> int:
        return self.whole.local_of(processor)

    def name_of(self, node: int) -> str:
        return self.whole.name_of(node)

    def node_named(self, name: str) -> int | None:
        return self.whole.node_named(name)

    def neighbour(self, node: int, channel: int) -> tuple[int, int] | None:
        end = self.whole.neighbour(node, channel)
        return None if end is None or not self.lanes_of(node, channel) else end

    def lanes_of(self, node: int, channel: int) -> Sequence[int]:
        missing = self._missing.get((node, channel))
        return range(self.f) if missing is None else [lane for lane in range(self.f) if lane not in missing]

    @cached_property
    def _missing(self) -> dict[tuple[int, int], set[int]]:
        """The failed lanes of each channel that has any."""
        missing: dict[tuple[int, int], set[int]] = {}
        for node, channel, lane in self._dead.wires:
            missing.setdefault((node, channel), set()).add(lane)
        return missing

    def channels_between(self, node: int, other: int) -> tuple[int, ...]:
        """The channels of the whole topology, as these number the lanes; empty if no lane is left from ``node`` to ``other``."""
        return self.whole.channels_between(node, other) if self.lanes_between(node, other) else ()

    def lanes_between(self, node: int, other: int) -> Sequence[int]:
        dead = self._dead.wires
        return [number for number, wire in enumerate(self._between(node, other)) if wire not in dead]

    def other_end(self, node: int, other: int, lane: int) -> int | None:
        return None if self.directed else self.whole.other_end(node, other, lane)

    @cached_property
    def directed(self) -> bool:
        if self.whole.directed:
            return True
        return any(self._opposite(wire) not in self._dead.wires for wire in self._dead.wires)

    @property
    def one_sided(self) -> bool:
        return self.directed and not self.whole.directed

    @cached_property
    def left(self) -> Sequence[int]:
        return [node for node in range(self.nodes) if node not in self._dead.nodes]

    @cached_property
    def survivors(self) -> Survivors:
        """The remaining network, renumbered, for code that assumes that all nodes and processors of a topology work."""
        return Survivors(self, tuple(self.left), split=any(len(lanes) < self.f for lanes in self._missing.values()))

    def _check_channels(self) -> None:
        self.whole.check()
        graph = networkx.DiGraph((node, other) for node in self.left for _, other, _ in self.ends(node))
        graph.add_nodes_from(self.left)
        first = self.node_of(self.working[0])
        for way, links in (("from", graph), ("back to", graph.reverse(copy=False))):
            lost = sorted(set(self.left) - {first, *networkx.descendants(links, first)})
            if lost:
                names = ", ".join(map(self.name_of, lost[:_LISTED]))
                raise ParameterError(
                    f"failures must leave a way between all other nodes of the {self.whole.name}, but {self._listed} leave none "
                    f"{way} node {self.name_of(first)} {'to' if way == 'from' else 'from'} {_counted(len(lost), 'node')}: "
                    f"{names}{', ...' if len(lost) > _LISTED else ''}"
                )

    @property
    def _listed(self) -> str:
        """The failures as a list in a sentence, shortened if there are many."""
        further = len(self.failed) - _LISTED
        return ", ".join(self.failed[:_LISTED]) + (f" and {further} more" if further > 0 else "")

    def to_json(self) -> dict[str, Any]:
        return {"type": self.kind, "whole": self.whole.to_json(), "failed": list(self.failed)}

    @property
    def name(self) -> str:
        return f"{self.whole.name} without {self._listed}"

    def __str__(self) -> str:
        return f"{self.whole} without {self._listed}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' if count > 1 else ''}"
