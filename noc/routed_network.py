"""A network for general-purpose traffic: packets take the routes of a routing, and cannot deadlock."""

from collections.abc import Iterable, Sequence
import dataclasses
from functools import cached_property
from typing import Any, Self

from amaranth.utils import ceil_log2

from fatcube.groundwork.digest import digest
from fatcube.groundwork.options import NotGiven, not_given
from fatcube.groundwork.validation import ParameterError, check_choice, check_count, check_integer
from fatcube.noc.network import Network
from fatcube.noc.routing import default_routing
from fatcube.noc.routing.computation import addresses_of, check_addresses, destinations_of, route_computation_of
from fatcube.noc.routing.dependencies import check_deadlock
from fatcube.noc.routing.lanes import LaneRule, processor_ways
from fatcube.noc.routing.lookup import check_tables, lookup_tables
from fatcube.noc.routing.routing import Routing
from fatcube.noc.routing.table import Table
from fatcube.noc.routing.turns import ClassTurns, Turns, class_turns, group, of_messages, with_unused, without_classes
from fatcube.noc.topology import Topology
from fatcube.rtl.lanes.lane import MOST_CHANNELS
from fatcube.rtl.route_computation import RouteComputation
from fatcube.rtl.router_options import RouterOptions
from fatcube.rtl.router_parameters import RouterParameters

__all__ = ["ADDRESSING", "RoutedNetwork"]


ADDRESSING = ("auto", "route", "destination")
"""The content of headers: the route, or the number of the destination; ``auto`` is the route if it fits into a flit."""

MOST_PORTS = 1 << 10  # of a router: a million turns
_MOST_HOPS = 64  # of a route


@dataclasses.dataclass(frozen=True)
class RoutedNetwork(Network):
    """A network whose packets take the routes of a routing, checked when it is made.

    Its routers have the turns that these routes take, unless the option ``turns`` specifies others. There are up to
    four kinds of routers; if more were needed, all routers have the turns of all nodes. Where they are not given, the
    option ``hops`` is that of the longest route, ``channel_classes`` the classes of the routing times the message
    classes, and ``virtual_channels`` the number that these need; model b has virtual cut-through. The message id in a header
    is free for use by the sending processor.

    Endpoints are the ports of processors, numbered processor by processor, port by port.

    Parameters
    ----------
    routing : :class:`Routing`
        The default routing of the topology if not given.
    lanes : :class:`LaneRule` or :class:`str`
        The rule by which packets share the lanes of a link.
    addressing : :class:`str`
        One of :data:`ADDRESSING`; the attribute of a network is never ``auto``.
    message_classes : :class:`int`
        Classes of messages that never wait for each other: each has ports and virtual channels of its own. Receivers that
        answer need one for requests and one for replies.

    Raises
    ------
    ParameterError
        If packets can deadlock, or the routing needs more classes than there are virtual channels: the message names
        the channels that wait for each other. Also if routers copy packets without virtual cut-through, or a given
        option contradicts the routing.
    """

    _: dataclasses.KW_ONLY
    routing: Routing | None = None
    lanes: LaneRule = LaneRule.BY_SOURCE
    addressing: str = "auto"
    message_classes: int = not_given(1)

    def __post_init__(self) -> None:
        def put(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        self._check_ports()
        copies, asked = self.options.ports.copies, self.options.given
        if copies and "switching" in asked and self.options.switching != "virtual-cut-through":
            # There must be room for the whole packet behind every copy (docs/ideas/deadlock.md, "Copies").
            raise ParameterError(
                "switching must be virtual-cut-through with model b and a routing, or copies can deadlock, not "
                f"{self.options.switching}"
            )
        if copies and self.options.shared_lanes:
            raise ParameterError(
                f"links must be full-duplex in model b with a routing, or packets that are copied to several lanes can wait "
                f"for each other's directions in a cycle, not {self.options.links}"
            )
        routing = default_routing(self.topology) if self.routing is None else self.routing
        if routing.topology != self.topology:
            raise ParameterError(f"routing must be one of the {self.topology.name}, not {routing}")
        put("_as_asked", {"message_classes": self.message_classes, "addressing": self.addressing})
        if isinstance(self._asked["message_classes"], NotGiven):
            put("message_classes", self._asked["message_classes"].default)
        classes = routing.classes * check_integer(
            "message classes", self.message_classes, minimum=1, maximum=MOST_CHANNELS
        )
        self._check_classes(routing, classes)
        put("routing", routing)
        put("lanes", LaneRule.parse(self.lanes))
        check_choice("addressing", self.addressing, ADDRESSING)
        if copies and self.addressing == "destination":
            raise ParameterError(
                "addressing must be route with model b, whose headers say where copies go, not destination"
            )
        # With longer routes, headers name destinations, except in model b, where they carry routes only.
        hops = max(1, self.longest_way if copies else min(_MOST_HOPS, self.longest_way))
        for name, value in {"channel_classes": classes, "hops": hops}.items():
            if name in asked and getattr(self.options, name) != value:
                raise ParameterError(
                    f"{name.replace('_', ' ')} must be the {value} of {routing}, not {getattr(self.options, name)}"
                )
        switching = {"switching": "virtual-cut-through"} if copies else {}
        put("options", self.options.needing(hops=hops, channel_classes=classes, **switching))
        if self.addressing == "auto":
            put("addressing", self.automatic_addressing)
        super().__post_init__()
        if self.addressing == "destination":
            if self.route_computation is not None:
                check_addresses(self.ways, self.route_computation, self.tables)
            else:
                check_tables(self.topology, self.router(), self.tables)

    def _check_classes(self, routing: Routing, classes: int) -> None:
        """Refuse a routing that can deadlock, or needs more classes of virtual channels than there are or can be."""
        options, messages = self.options, self.message_classes
        if "virtual_channels" in options.given:
            if messages > 1:
                check_integer(
                    "virtual channels",
                    options.virtual_channels,
                    minimum=classes,
                    why=f" for {messages} message classes and {routing}",
                )
            check_deadlock(routing, options.virtual_channels // messages, links_held=options.links_held)
            return
        check_deadlock(routing, links_held=options.links_held)
        circuits = options.switching == "circuit"
        for one, why in (options.ports.copies, "in model b"), (circuits, "with circuit switching"):
            if one and classes > 1:
                raise ParameterError(
                    f"routing must take one virtual channel of each lane {why}, not {classes} as {routing}"
                    f"{f' with {messages} message classes' if messages > 1 else ''}"
                )

    def _check_ports(self) -> None:
        """Refuse routers with too many ports before anything is made for each of them."""
        topology = self.topology
        if isinstance(topology, Topology) and isinstance(self.options, RouterOptions):
            classes = self.message_classes if isinstance(self.message_classes, int) else 1  # checked below
            each = self.options.ports.processor_ports(topology.degree, topology.m) * classes
            ports = topology.m * each + topology.degree * topology.f
            check_count("ports of a router", ports, maximum=MOST_PORTS, what=f"with a routing on the {topology.name}")

    @cached_property
    def automatic_addressing(self) -> str:
        """The addressing that ``auto`` stands for: the route if it fits into a flit."""
        fits = self.options.ports.copies or len(self.ways.alternatives) > 1
        try:
            fits = fits or self.longest_way <= _MOST_HOPS and bool(dataclasses.replace(self._numbering, destinations=0))
        except ParameterError:
            pass
        return "route" if fits else "destination"

    def for_replies(self) -> Self:
        """This network for packets that are answered: with two message classes, if they are not given."""
        if self._classes_given or self.message_classes > 1:
            return self
        return self._replaced(message_classes=not_given(2))

    @property
    def chosen(self) -> dict[str, Any]:
        """The options of :attr:`Network.chosen`, and the message classes if they were not given and are several."""
        several = not self._classes_given and self.message_classes > 1
        return {**({"message_classes": self.message_classes} if several else {}), **super().chosen}

    @property
    def _classes_given(self) -> bool:
        return not isinstance(self._asked["message_classes"], NotGiven)

    @property
    def _asked(self) -> dict[str, Any]:
        """Message classes and addressing as they were given, before they were resolved."""
        return self.__dict__["_as_asked"]

    def _replaced(self, **changes: Any) -> Self:
        return super()._replaced(**self._asked | changes)

    @property
    def ways(self) -> Routing:
        """The routing, which is never ``None`` once the network is made."""
        assert self.routing is not None
        return self.routing

    def hops_between(self, source: int, target: int) -> int:
        """The links that packets cross from one processor to another."""
        return len(self.ways.way(self.topology.node_of(source), self.topology.node_of(target)))

    @cached_property
    def longest_way(self) -> int:
        """Hops of the longest way, from node to node, or more if headers are to have room for more."""
        return self.ways.longest

    @property
    def endpoints(self) -> int:
        """Number of endpoints: the ports of all processors."""
        return self.topology.processors * self.processor_ports

    @property
    def message_bits(self) -> int:
        """Bits of the number of a processor."""
        return max(1, ceil_log2(self.topology.processors))

    @property
    def keeps_order(self) -> bool:
        """``True`` if packets from one endpoint to another arrive in the order in which they are sent: they do not alternate
        between routes, and a class has one virtual channel."""
        return super().keeps_order and self.most_routes == 1

    @property
    def most_routes(self) -> int:
        """The most routes from one endpoint to another, among which its packets alternate: see :meth:`routes`."""
        return len(self.ways.alternatives) * (1 if self.lanes.keeps_order else self.topology.f)

    @property
    def deadlock(self) -> str:
        """Empty: it was checked that packets cannot deadlock, as long as receivers take them."""
        return ""

    @property
    def processor_ports(self) -> int:
        """Ports of a processor: k for each message class."""
        return super().processor_ports * self.message_classes

    def router(self, *, counters: bool = False) -> RouterParameters:
        """The parameters of a router with the turns of all nodes."""
        return dataclasses.replace(self._of_all_nodes, counters=True) if counters else self._of_all_nodes

    @cached_property
    def _of_all_nodes(self) -> RouterParameters:
        return self._router(
            turns=self.turns,
            class_turns=self._class_turns_at(range(self.topology.nodes)),
            destinations=self.destinations,
            route_computation=self.route_computation,
            by_source=self.lanes is LaneRule.BY_SOURCE,
            message_classes=self.message_classes,
        )

    @cached_property
    def route_computation(self) -> RouteComputation | None:
        """The computation of routes in routers; ``None`` if these have lookup tables, or headers carry routes."""
        if self.addressing != "destination":
            return None
        return route_computation_of(self.ways, self._numbering.processor_ports, self.lanes)

    @property
    def destinations(self) -> int:
        """Destinations that headers can name; 0 where they carry routes."""
        if self.addressing != "destination":
            return 0
        return self.endpoints if self.route_computation is None else 1 << self.route_computation.bits

    @cached_property
    def turns(self) -> frozenset[tuple[int, int]] | None:
        """The turns that the routes take at any node; ``None`` if the option ``turns`` specifies the turns."""
        if self.options.turns != "used":
            return None
        return with_unused(frozenset().union(*self._turns_of_nodes), self._numbering)

    @cached_property
    def routers(self) -> Sequence[tuple[RouterParameters, Sequence[int]]]:
        """The different routers of the network, each with the nodes that have it.

        Nodes differ in the turns that packets take there, if there are few kinds; see :func:`~fatcube.noc.routing.turns.group`.
        Their ports differ as in every :class:`Network`.
        """
        router = self.router()
        found = self._turns_of_nodes if router.turns is not None else []
        groups = group([with_unused(some, self._numbering) for some in found])
        if len(groups) <= 1:
            return self._with_own_ports([(router, range(self.topology.nodes))])
        kinds = [
            (dataclasses.replace(router, turns=one.turns, class_turns=self._class_turns_at(one.nodes)), one.nodes)
            for one in groups
        ]
        return self._with_own_ports(kinds)

    @cached_property
    def _turns_of_nodes(self) -> list[Turns]:
        return [without_classes(some) for some in self._class_turns_of_nodes]

    @cached_property
    def _class_turns_of_nodes(self) -> list[ClassTurns]:
        return class_turns(self.ways, self._numbering, self.lanes)

    def _class_turns_at(self, nodes: Iterable[int]) -> ClassTurns | None:
        """The turns of some nodes with their classes; ``None`` where headers may ask for others, or there is one class."""
        if self.turns is None or self.options.channel_classes == 1 or not self.destinations or self.route_computation:
            return None
        taken = ClassTurns().union(*(self._class_turns_of_nodes[node] for node in nodes))
        return of_messages(taken, self._numbering, self.ways.classes)

    @cached_property
    def _numbering(self) -> RouterParameters:
        """The router before its turns are known, with headers that always fit, to number ports by."""
        destinations = 0 if self.options.ports.copies else self.endpoints
        return self._router(destinations=destinations, message_classes=self.message_classes)

    @cached_property
    def tables(self) -> Sequence[int]:
        """For each node, the value of the port ``routes`` of its router; empty where headers carry routes."""
        if self.route_computation is not None:
            return addresses_of(self.ways, self.route_computation)
        return lookup_tables(self.ways, self.router(), self.lanes) if self.destinations else []

    def routes(self, source: int, destination: int) -> Sequence[int]:
        """The lowest bits of headers from one endpoint to another, a value for each route and lane that they may take.

        The sequence is empty if the endpoints are of different message classes, or a processor of one does not work.
        """
        classes = self._classes_of_ports
        works = [self.topology.works(endpoint // len(classes)) for endpoint in (source, destination)]
        if classes[source % len(classes)] != classes[destination % len(classes)] or not all(works):
            return []
        if self.addressing == "destination":
            return [self._addresses[destination]]
        router, (target, port) = self.router(), divmod(destination, len(classes))
        first = classes[port] * self.ways.classes
        last, header = router.processor_port(self.topology.local_of(target), port), router.header
        selectors = [
            [header.selector(router.lane_port(hop.channel, hop.lane), hop.channel_class + first) for hop in way]
            for way in processor_ways(self.ways, source // len(classes), target, self.lanes)
        ]
        return [header.pack([[*way, last]] if header.copies else [*way, last], 0) for way in selectors]

    @cached_property
    def _classes_of_ports(self) -> list[int]:
        """The message class of each port of a processor."""
        return [self.router().message_class(port) for port in range(self.processor_ports)]

    @cached_property
    def _addresses(self) -> Sequence[int]:
        """The number of each endpoint in headers that carry destinations."""
        if self.route_computation is None:
            return range(self.endpoints)
        return destinations_of(self.topology, self.router(), self.route_computation, self.tables)

    def route_of_copies(self, source: int, destinations: Sequence[int]) -> int:
        """The lowest bits of a header from which routers of model b make a copy for each destination.

        Parameters
        ----------
        source : :class:`int`
            The endpoint that sends.
        destinations : list of :class:`int`
            Endpoints on the same node, ``source`` itself included, and on neighbours; on each of these at most as many
            as there are lanes to it.

        Raises
        ------
        ParameterError
            If routers do not copy packets, or a destination is none of these endpoints.
        """
        router, topology = self.router(), self.topology
        if not router.header.copies:
            raise ParameterError(f"ports must be of model b for copies, not {self.options.ports.value}")
        node = topology.node_of(source // self.processor_ports)
        lanes = [(c, lane, other) for c, other, _ in topology.ends(node) for lane in topology.lanes_of(node, c)]
        copies: list[tuple[int, ...]] = []
        for destination in destinations:
            processor, port = divmod(destination, self.processor_ports)
            there, last = topology.node_of(processor), router.processor_port(topology.local_of(processor), port)
            lane = next((lane for lane in lanes if lane[2] == there), None)
            if there == node:
                copies.append((last,))
            elif lane is None:
                raise ParameterError(
                    f"destinations of copies must be on node {node} and its neighbours, one for each lane, not {destination}"
                )
            else:
                lanes.remove(lane)
                copies.append((router.lane_port(*lane[:2]), last))
        return router.header.pack(copies, 0)

    def to_json(self) -> dict[str, Any]:
        """The parameters as in a result record."""
        return {
            **super().to_json(),
            "routing": self.ways.name,
            **({"routing_digest": digest(self.ways.entries)} if isinstance(self.ways, Table) else {}),
            "lanes": self.lanes.value,
            "addressing": self.addressing,
            **({"message_classes": self.message_classes} if self.message_classes > 1 else {}),
        }
