"""The value from which everything else is derived: a topology, and the options of its routers."""

from collections.abc import Sequence
import dataclasses
from functools import cached_property
import itertools
from typing import Any, Self

from amaranth.utils import ceil_log2

from fatcube.groundwork.arguments import refuse_unknown
from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.routing.turns import MOST_GROUPS
from fatcube.noc.topology import Topology
from fatcube.rtl.router_options import RouterOptions
from fatcube.rtl.router_parameters import RouterParameters

__all__ = ["Network"]


@dataclasses.dataclass(frozen=True)
class Network:
    """A network on chip, checked when it is made.

    Parameters
    ----------
    topology : :class:`Topology`
        The nodes and their neighbours, processors on a node, lanes of a link.
    options : :class:`RouterOptions`
        The options of the routers: their model, the bits of a flit, buffers, turns.
    parts : :class:`int`
        The most messages that the data for one processor may be divided into: headers have bits to distinguish them.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or a header does not fit into a flit.
    """

    topology: Topology
    options: RouterOptions = RouterOptions()
    _: dataclasses.KW_ONLY
    parts: int = 1

    def __new__(cls, *_: object, **given: object) -> Self:
        elsewhere = {"options=RouterOptions({})": RouterOptions.names()}
        refuse_unknown(cls.__name__, [field.name for field in dataclasses.fields(cls)], given, elsewhere)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for name, kind in (("topology", Topology), ("options", RouterOptions)):
            if not isinstance(getattr(self, name), kind):
                raise ParameterError(f"{name} must be a {kind.__name__}, not {getattr(self, name)!r}")
        self.topology.check()
        check_integer("parts", self.parts, minimum=1)
        if self.topology.directed and self.options.shared_lanes:
            raise ParameterError(
                f"links must be full-duplex where they go one way, as in the {self.topology.name}, not {self.options.links}"
            )
        self.router()  # This call refuses parameters from which no router can be built.

    def with_options(self, **changes: Any) -> Self:
        """This network with other values of some router options; options that were not given are resolved again."""
        return self._replaced(options=self.options.changed(**changes))

    def for_packets(self, flits: int) -> Self:
        """This network for packets of ``flits`` flits, headers included: see :meth:`RouterOptions.for_packets`.

        Raises
        ------
        ParameterError
            If its routers would cut such packets.
        """
        options = self.options.for_packets(flits)
        return self if options == self.options else self._replaced(options=options)

    def with_sideband(self, bits: int) -> Self:
        """This network with ``bits`` more in each flit, above the data: in all else as it is, as what follows from the width is kept.

        Raises
        ------
        ParameterError
            If flits would be wider than they can be.
        """
        return dataclasses.replace(self, options=dataclasses.replace(self.options, width=self.options.width + bits))

    def _replaced(self, **changes: Any) -> Self:
        return dataclasses.replace(self, **changes)

    @property
    def chosen(self) -> dict[str, Any]:
        """The options that were not given and differ from their defaults, because others need other values."""
        return self.options.chosen

    @property
    def message_bits(self) -> int:
        """Bits of a message id: enough for every part for every pair of origin and destination."""
        return max(1, 2 * ceil_log2(self.topology.processors) + ceil_log2(self.parts))

    def router(self, *, counters: bool = False) -> RouterParameters:
        """The parameters of the router at every node, with the most channels and the most processors of any node."""
        return self._router(counters=counters)

    @cached_property
    def routers(self) -> Sequence[tuple[RouterParameters, Sequence[int]]]:
        """The different routers of the network, each with the nodes that have it.

        Where links go one way or have failed, routers have no ports for lanes that do not enter or leave their nodes, unless more than
        :data:`MOST_GROUPS` kinds of routers were needed. Otherwise all nodes have the same.
        """
        return self._with_own_ports([(self.router(), range(self.topology.nodes))])

    def _with_own_ports(
        self, routers: Sequence[tuple[RouterParameters, Sequence[int]]]
    ) -> Sequence[tuple[RouterParameters, Sequence[int]]]:
        """Its routers, without the ports that no lane of their nodes uses where links go one way or have failed."""
        failed = bool(self.topology.failures) and not self.options.shared_lanes
        if not (self.topology.directed or failed):
            return routers
        entered = {
            (other, back, lane)
            for node in range(self.topology.nodes)
            for channel, other, back in self.topology.ends(node)
            for lane in self.topology.lanes_of(node, channel)
        }
        kinds: dict[RouterParameters, list[int]] = {}
        for router, nodes in routers:
            lanes = {router.lane_port(c, l): (c, l) for c in range(router.channels) for l in range(router.lanes)}
            for node in nodes:
                own = dataclasses.replace(
                    router,
                    absent_inputs=frozenset(number for number, lane in lanes.items() if (node, *lane) not in entered),
                    absent_outputs=frozenset(self.absent(node)).intersection(lanes),
                )
                kinds.setdefault(own, []).append(node)
        return list(kinds.items()) if len(kinds) <= MOST_GROUPS else routers

    @cached_property
    def tables(self) -> Sequence[int]:
        """For each node, the value of the port ``routes`` of its router; empty where headers carry routes, as here."""
        return ()

    def _router(self, **further: Any) -> RouterParameters:
        """The parameters that follow from the topology, and ``further`` ones."""
        return RouterParameters(
            processors=self.topology.m,
            channels=self.topology.degree,
            lanes=self.topology.f,
            one_way=self.topology.directed,
            message_bits=self.message_bits,
            options=self.options,
            **further,
        )

    def absent(self, node: int) -> tuple[int, ...]:
        """The numbers of the outputs of the router of ``node`` that lead nowhere, as other nodes have more."""
        router, topology = self.router(), self.topology
        if topology.alike:
            return ()
        processors = range(len(topology.processors_of(node)), router.processors)
        lanes = {(channel, lane) for channel, _, _ in topology.ends(node) for lane in topology.lanes_of(node, channel)}
        lacking = set(itertools.product(range(router.channels), range(router.lanes))) - lanes
        return (
            *(router.processor_port(local, port) for local in processors for port in range(router.ports)),
            *(router.lane_port(channel, lane) for channel, lane in sorted(lacking)),
        )

    @property
    def processor_ports(self) -> int:
        """Ports k of a processor."""
        return self.options.ports.processor_ports(self.topology.degree, self.topology.m)

    @property
    def has_ports_of_lanes(self) -> bool:
        """``True`` if a processor has as many ports as its node has lanes, so that each lane can have one of its own."""
        return self.processor_ports >= self.topology.degree * self.topology.f

    @property
    def keeps_order(self) -> bool:
        """``True`` if packets from one endpoint to another over the same lanes arrive in the order in which they are sent.

        They may not where a class has several virtual channels.
        """
        return self.options.virtual_channels == self.options.channel_classes

    @property
    def deadlock(self) -> str:
        """The reason why packets that no schedule keeps apart can deadlock, as a clause; empty if they cannot.

        Without a routing (:class:`~fatcube.noc.routed_network.RoutedNetwork` has one), the reason follows from the turns and
        copies of the routers. A packet holds the lanes behind it while it waits for the next one. If routes turn from
        lane to lane, a path along such turns comes to a lane for the second time, as lanes are finite in number:
        packets along that cycle can all wait, each for the next. If a router copies packets, a copy holds its outputs
        while another copy waits in the next router. Otherwise, a packet waits for receivers only. With set-up retries,
        no circuit set-up holds a lane forever, and payload follows a reserved route, so packets wait for receivers
        only, too. The exception is a route that crosses a lane twice, which can never be reserved: it blocks only the port
        from which it is sent.
        """
        if self.options.setup_retry:
            return ""
        router = self.router()
        if self.options.ports.copies:
            if any(len(router.reach(number)) > 1 for number in range(router.processor_ports)):
                return (
                    "each copy of a packet holds its outputs while another copy waits, so packets that are copied can "
                    "wait for each other in a cycle"
                )
            return ""
        lanes = range(router.processor_ports, router.crossbar_ports)
        if self.options.hops > 1 and any(output in lanes for number in lanes for output in router.reach(number)):
            return (
                "each packet holds its lanes while it waits for the next one, so packets that turn from lane to lane "
                "can wait for each other in a cycle"
            )
        return ""

    def to_json(self) -> dict[str, Any]:
        """The parameters as in a result record."""
        return {
            "topology": self.topology.to_json(),
            **self.options.to_json(),
            **({"parts": self.parts} if self.parts > 1 else {}),
        }

    @property
    def name(self) -> str:
        """The name of the network in text for people: that of its topology, and the router model if it is not 1.

        Records and keys have :func:`str` of a network instead.
        """
        return f"{self.topology.name}{self.options.ports.suffix}"

    def __str__(self) -> str:
        return f"{self.topology} ports={self.options.ports.value}"
