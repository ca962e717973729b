"""The turns that the routes of a routing take in each router, and groups of nodes that can share a router module."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
import dataclasses
import itertools
from typing import Self

from fatcube.noc.routing.followed import Followed
from fatcube.noc.routing.lanes import LaneRule
from fatcube.noc.routing.routing import Routing
from fatcube.noc.topology import Topology
from fatcube.rtl.router_parameters import RouterParameters

__all__ = [
    "MOST_GROUPS",
    "ClassTurns",
    "Group",
    "Turns",
    "class_turns",
    "group",
    "of_messages",
    "with_unused",
    "without_classes",
]


MOST_GROUPS = 4

Turns = frozenset[tuple[int, int]]  # (input, output), numbered as in RouterParameters
ClassTurns = frozenset[tuple[int, int, int, int]]  # (input, class, output, class), class 0 at processors


@dataclasses.dataclass(frozen=True)
class Group:
    """Nodes whose routers are the same module: the turns of the module, and the nodes, in order."""

    turns: Turns
    nodes: tuple[int, ...]


def class_turns(
    routing: Routing, router: RouterParameters, rule: LaneRule = LaneRule.FIXED, *, to_itself: bool = True
) -> list[ClassTurns]:
    """The turns that packets take at each node, with the classes of virtual channels.

    Every port of a processor sends on all of its routes, and every port receives. Inputs and outputs are numbered by
    ``router``; where a node has fewer processors or channels than ``router``, the absent ones have no turns.

    Parameters
    ----------
    router : :class:`RouterParameters`
        The router of every node.
    rule : :class:`LaneRule`
        The rule by which packets share the lanes of a link.
    to_itself : :class:`bool`
        True if processors can send to themselves through their router, as in uniform traffic.

    Raises
    ------
    ParameterError
        If there are too many nodes to enumerate all routes.
    """
    homes = {node: _Home.of(routing.topology, node, router, rule) for node in routing.homes}
    taken = [routing.lanes_taken(lane).tolist() for lane in range(routing.topology.f)]
    hops = _Hops.of(routing, homes, taken)
    found: list[set[tuple[int, int, int, int]]] = [set() for _ in range(routing.topology.nodes)]
    for node, home in homes.items():
        found[node].update((i, 0, o, 0) for i, o in home.within(to_itself=to_itself))
        found[node].update(
            (i, 0, router.lane_port(c, taken[lane][node][c]), of_class)
            for c, of_class in hops.first[node]
            for i, lane in home.sending
        )
        found[node].update(
            (router.lane_port(c, lane), of_class, o, 0) for c, lane, of_class in hops.last[node] for o in home.outputs
        )
    for node, passed in hops.passed.items():
        found[node].update(
            (router.lane_port(*a), of_class, router.lane_port(*b), next_class)
            for (*a, of_class), (*b, next_class) in passed
        )
    return [frozenset(some) for some in found]


def with_unused(taken: Turns, router: RouterParameters) -> Turns:
    """The turns that a router provides if routes take ``taken``: unused lanes keep their turns from and to processors."""
    found = set(taken)
    processors = range(router.processor_ports)
    of_class = [router.message_class(number % router.ports) for number in processors]
    found -= {(i, o) for i in processors for o in processors if of_class[i] != of_class[o]}
    inputs, outputs = ({turn[side] for turn in found} for side in (0, 1))
    if router.options.ports.copies:
        found |= {(i, o) for i in processors for o in range(router.crossbar_ports)}
    for number in range(router.crossbar_ports):
        if number not in inputs:
            found |= {(number, output) for output in processors}
        if number not in outputs:
            found |= {(port, number) for port in processors}
    return frozenset(found)


def without_classes(taken: ClassTurns) -> Turns:
    """The turns in ``taken``, with the classes omitted."""
    return frozenset((number, output) for number, _, output, _ in taken)


def of_messages(taken: ClassTurns, router: RouterParameters, classes: int) -> ClassTurns:
    """The turns of all message classes: each message class has ``classes`` separate copies of the routing's channel classes.

    A turn from or to a port of a processor belongs to the message class of the port.
    """

    def end(number: int, of_class: int, messages: int) -> tuple[int, int] | None:
        """The port and the class for one message class; ``None`` if it is a processor's port of another message class."""
        if number >= router.processor_ports:
            return number, messages * classes + of_class
        return (number, 0) if router.message_class(number % router.ports) == messages else None

    both = (
        (end(number, of_class, messages), end(output, next_class, messages))
        for messages in range(router.message_classes)
        for number, of_class, output, next_class in taken
    )
    return frozenset((*one, *other) for one, other in both if one and other)


@dataclasses.dataclass(frozen=True)
class _Home:
    """The processors of a node: the ports of each at the router, and the lanes that its packets take."""

    ports: list[list[int]]
    lanes: list[range]

    @classmethod
    def of(cls, topology: Topology, node: int, router: RouterParameters, rule: LaneRule) -> Self:
        """The processors of ``node``."""
        processors = topology.processors_of(node)
        return cls(
            [[router.processor_port(local, port) for port in range(router.ports)] for local in range(len(processors))],
            [rule.lanes(processor, topology.f) for processor in processors],
        )

    @property
    def outputs(self) -> list[int]:
        """The ports of all processors."""
        return [port for ports in self.ports for port in ports]

    @property
    def sending(self) -> list[tuple[int, int]]:
        """Every port at which packets are injected, paired with each lane that these packets take."""
        return [(port, lane) for ports, lanes in zip(self.ports, self.lanes) for port in ports for lane in lanes]

    def within(self, *, to_itself: bool) -> Iterator[tuple[int, int]]:
        """The turns between processors of the node."""
        for source, inputs in enumerate(self.ports):
            for target, outputs in enumerate(self.ports):
                if source != target or to_itself:
                    yield from itertools.product(inputs, outputs)


_Entered = tuple[int, int, int]  # channel, lane, class of virtual channels


@dataclasses.dataclass(frozen=True)
class _Hops:
    """The channels that the routes take at each node.

    Members
    -------
    first : dict from node to set of (channel, class)
        Channels by which routes leave their first node, with the virtual channel classes.
    passed : dict from node to set of ((channel, lane, class), (channel, lane, class))
        Channels by which routes enter and leave intermediate nodes, with the lanes and the classes.
    last : dict from node to set of (channel, lane, class)
        Channels by which routes enter their last node, with the lanes and the classes.
    """

    first: dict[int, set[tuple[int, int]]]
    passed: dict[int, set[tuple[_Entered, _Entered]]]
    last: dict[int, set[_Entered]]

    @classmethod
    def of(cls, routing: Routing, homes: Mapping[int, _Home], taken: Sequence[list[list[int]]]) -> Self:
        """The channels of all routes of a routing; ``taken`` is :meth:`Routing.lanes_taken` of each lane."""
        hops = cls(defaultdict(set), defaultdict(set), defaultdict(set))
        sources: dict[frozenset[int], list[int]] = {}  # nodes, by the lanes that packets from them take
        for node, home in homes.items():
            sources.setdefault(frozenset(lane for lanes in home.lanes for lane in lanes), []).append(node)
        for lanes, nodes in sources.items():
            followed = routing.followed if len(sources) == 1 else routing.followed_from(nodes)
            hops._add(routing, [taken[lane] for lane in lanes], followed)
        return hops

    def _add(self, routing: Routing, lanes: Sequence[list[list[int]]], followed: Followed) -> None:
        """Add the channels of some routes, whose packets take these lanes."""
        degree, classes = routing.topology.degree, routing.classes

        def place(hop: int) -> tuple[int, int, int]:
            """The node, the channel and the class of a hop."""
            (node, channel), of_class = divmod(hop // classes, degree), hop % classes
            return node, channel, of_class

        for hop in followed.first.tolist():
            node, channel, of_class = place(hop)
            self.first[node].add((channel, of_class))
        for hop in followed.last.tolist():
            node, channel, of_class = place(hop)
            other, back = routing.ends[node][channel]
            self.last[other].update((back, lane[node][channel], of_class) for lane in lanes)
        for hop, after in followed.pairs.tolist():
            node, channel, of_class = place(hop)
            other, back = routing.ends[node][channel]
            _, leaves, next_class = place(after)
            self.passed[other].update(
                ((back, lane[node][channel], of_class), (leaves, lane[other][leaves], next_class)) for lane in lanes
            )


def group(turns: Sequence[Turns], most: int = MOST_GROUPS) -> tuple[Group, ...]:
    """Group nodes by their turns, so that few router modules are needed, in the order of their first nodes.

    If there are more than ``most`` different sets of turns, all nodes are one group, whose module has all of these turns.
    """
    nodes: dict[Turns, list[int]] = {}
    for node, some in enumerate(turns):
        nodes.setdefault(some, []).append(node)
    if len(nodes) > most:
        return (Group(frozenset().union(*nodes), tuple(range(len(turns)))),)
    return tuple(Group(some, tuple(members)) for some, members in nodes.items())
