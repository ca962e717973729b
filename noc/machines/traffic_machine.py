"""A machine to put traffic on: a network, or one of its routers alone, with a source and a sink at every port."""

from collections.abc import Iterator
import dataclasses
import functools
from typing import Any, NamedTuple

from amaranth.utils import ceil_log2

from fatcube.groundwork.validation import ParameterError, check_boolean, check_integer
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.rtl.endpoint.traffic import Arrivals, LogEntry, PairEntry, Setup, Stamp, Way
from fatcube.rtl.flit import MOST_WIDTH, HeaderLayout

__all__ = ["Destination", "TrafficMachine"]


class Destination(NamedTuple):
    """A way that packets of an endpoint take, and whether they arrive.

    Members
    -------
    destination : :class:`int`
        The number of the endpoint that they reach. That of their own endpoint, if they are copied or reach none.
    route : :class:`int`
        The route that leads there, as it stands in a header.
    flits : :class:`int`
        Flits of each of these packets, header included; 0 for the number of the run.
    unnumbered : :class:`bool`
        They reach no endpoint, so they have no numbers.
    illegal : :class:`bool`
        A router counts an error for each: its header requests a turn that does not exist.
    copies : tuple of :class:`int`
        The endpoints that get a copy, the same for all ways of an endpoint that are copied.
    """

    destination: int
    route: int
    flits: int = 0
    unnumbered: bool = False
    illegal: bool = False
    copies: tuple[int, ...] = ()


@dataclasses.dataclass(frozen=True, kw_only=True)
class TrafficMachine:
    """A network with a source and a sink, which are an endpoint, at every port of every processor.

    Flits say what they are in bits of their own (:attr:`built`), so packets can have any number of flits, from the header alone.

    Endpoints are numbered over nodes, then processors, then ports; of a router alone over its ports, those of lanes once
    for each virtual channel.

    Parameters
    ----------
    network : :class:`Network`
    alone : :class:`bool`
        One router of the network instead, with an endpoint at each of its ports, those of lanes among them. If these have
        several virtual channels, each must be a class of its own, so that it is known which endpoint a packet reaches.
    queue : :class:`int`
        Packets that can wait at a source.
    bins : :class:`int`
        Bins of the histogram of latencies at a sink.
    ways : :class:`int` or ``None``
        The most ways that the packets of an endpoint can take; by default the number of endpoints.
    bursts : :class:`bool`
        Packets come in bursts.
    trace : :class:`int`
        The most packets that a source can be given in advance, and that a sink can record until they are
        read: a power of two; 0: sources create packets at random.
    log : :class:`int`
        Without a trace, packets whose arrival a sink can write down.
    details : :class:`bool`
        Sinks add up latencies by source, and nodes count the flits on each lane.
    answers : :class:`int`
        Requests that can wait at an endpoint to be answered; 0: packets are not answered. Endpoints at the lower half of
        a processor's ports ask, and what they take is answered by those at the upper half.
    rates : :class:`bool`
        Sources have rates of their own, which are loaded, in place of one that a run sets for all.
    """

    network: Network
    alone: bool = False
    queue: int = 256
    bins: int = 512
    ways: int | None = None
    bursts: bool = False
    trace: int = 0
    log: int = 0
    details: bool = False
    answers: int = 0
    rates: bool = False

    def __post_init__(self) -> None:
        check_boolean("alone", self.alone)
        check_integer("queue", self.queue, minimum=2, maximum=1 << 16)
        check_integer("bins", self.bins, minimum=2, maximum=1 << 16)
        check_integer("endpoints", self.endpoints, minimum=2, maximum=1 << 16)
        check_integer("ways", self.table, minimum=1, maximum=1 << 16)
        check_boolean("bursts", self.bursts)
        check_boolean("details", self.details)
        check_boolean("rates", self.rates)
        if check_integer("trace", self.trace, minimum=0, maximum=1 << 20) & self.trace - 1:
            raise ParameterError(f"trace must be a power of two, or 0, not {self.trace}")
        check_integer("log", self.log, minimum=0, maximum=0 if self.trace else 1 << 20)
        check_integer("answers", self.answers, minimum=0, maximum=1 << 16)
        if self.answers and (self.alone or self.trace or self.network.processor_ports % 2):
            raise ParameterError(
                f"answers must be 0 for a router alone, with a trace, and where processors have an odd number of ports, not "
                f"{self.answers}"
            )
        options = self.network.options
        stamp = Stamp(self.address_bits).size
        why = f" under traffic, where flits have {stamp} bits more"
        check_integer("width", options.width, minimum=1, maximum=MOST_WIDTH - stamp, why=why)
        if self.alone and options.channel_classes != options.virtual_channels:
            raise ParameterError(
                f"channel classes of a router alone must be as many as its {options.virtual_channels} virtual channels, "
                f"not {options.channel_classes}"
            )
        if isinstance(self.network, RoutedNetwork) and not self.alone:
            self._check_ways(self.network)

    def _check_ways(self, network: RoutedNetwork) -> None:
        """Refuse ways of packets that sources do not take."""
        if len(network.lanes.lanes(0, network.topology.f)) > 1:
            raise ParameterError(f"lanes must be fixed or by-source for traffic sources, not {network.lanes.value}")
        if self.answers and len(network.ways.alternatives) > 1:
            raise ParameterError(
                f"routing must have one route for each pair with replies, not several as {network.ways}"
            )

    @property
    def settings(self) -> dict[str, int]:
        """The inputs that a run sets for all endpoints, and that the system has too: their widths by name."""
        settings = {"rate": 16, "packet_flits": 16, "source_pause": 16, "pause": 16, "histogram_shift": 5}
        if self.bursts:
            settings |= {"burst_begin": 32, "burst_end": 16}
        return settings

    @property
    def nodes(self) -> int:
        """Routers."""
        return 1 if self.alone else self.network.topology.nodes

    @functools.cached_property
    def ports(self) -> list[tuple[int, int]]:
        """The port of the router, and the virtual channel there, of each endpoint of a node that has the most."""
        router = self.network.router()
        numbers = range(router.crossbar_ports if self.alone else router.processor_ports)
        return [(number, channel) for number in numbers for channel in range(router.virtual_channels(number))]

    @property
    def node_endpoints(self) -> int:
        """Endpoints of a node, the most of any."""
        return len(self.ports)

    @functools.cached_property
    def places(self) -> list[tuple[int, int]]:
        """The node of each endpoint, and its number among those of the node."""
        if self.alone:
            return [(0, number) for number in range(self.node_endpoints)]
        topology, ports = self.network.topology, self.network.processor_ports
        return [
            (node, number)
            for node in range(topology.nodes)
            for number in range(len(topology.processors_of(node)) * ports)
        ]

    @property
    def endpoints(self) -> int:
        """Endpoints of the machine."""
        return len(self.places)

    def _endpoint(self, node: int, number: int) -> int:
        """The endpoint with this number on a node."""
        return number + self.network.topology.processors_of(node).start * self.network.processor_ports

    @property
    def table(self) -> int:
        """Entries of a source's table of ways."""
        return self.endpoints if self.ways is None else self.ways

    @property
    def node_lanes(self) -> int:
        """Lanes out of a node whose flits it counts, by channel, then lane; 0 if it does not count them."""
        router = self.network.router()
        return router.channels * router.lanes if self.details and not self.alone else 0

    @property
    def address_bits(self) -> int:
        """Bits of the number of an endpoint."""
        return ceil_log2(self.endpoints)

    @property
    def header(self) -> HeaderLayout:
        """The places of route and message id in a header."""
        return self.network.router().header

    @property
    def way(self) -> Way:
        """The layout of the ways in a source's table."""
        return Way(self.header.route_bits, self.address_bits)

    @property
    def setup(self) -> Setup:
        """The layout of the settings that are individual to an endpoint."""
        return Setup(rates=self.rates)

    @functools.cached_property
    def built(self) -> Network:
        """The network as it is built: above the data of each flit is a :class:`Stamp`, which no control looks at.

        It is for runs alone; area and speed are those of ``network``.
        """
        return self.network.with_sideband(Stamp(self.address_bits).size)

    @property
    def host_width(self) -> int:
        """Data bits of the host bus, which the widest word read or written takes."""
        further = [LogEntry().size if self.trace or self.log else 0, PairEntry().size if self.details else 0]
        return max(self.setup.size, self.way.size, Arrivals().size, *further)

    def destinations(self, endpoint: int) -> list[Destination]:
        """The other endpoints that a packet from ``endpoint`` reaches, each once, in a network without a routing over at
        most one lane.

        Of the lanes to a neighbour an endpoint takes one, by its own number, so that its packets keep their order. Of an
        endpoint that answers, these are :meth:`answers_of` it.
        """
        if self.answering(endpoint):
            return self.answers_of(endpoint)
        if isinstance(self.network, RoutedNetwork) and not self.alone:
            # A request enters at the port of the same number.
            step = self.network.processor_ports if self.answers else 1
            others = (other for other in range(endpoint % step, self.endpoints, step) if other != endpoint)
            return [self.way_to(endpoint, other) for other in others if self.network.routes(endpoint, other)]
        node, number = self.places[endpoint]
        ways: dict[int, list[Destination]] = {}
        for way in self._reach(node, number):
            ways.setdefault(way.destination, []).append(way)
        return [found[number % len(found)] for destination, found in ways.items() if destination != endpoint]

    def answering(self, endpoint: int) -> bool:
        """Whether an endpoint answers what another one takes."""
        ports = self.network.processor_ports
        return self.answers > 0 and endpoint % ports >= ports // 2

    def answers_of(self, endpoint: int) -> list[Destination]:
        """The ways of replies of an endpoint that answers, by the endpoint that asked, to that at its port that answers.

        Endpoints ask those at the port of the same number; to others there is no way.
        """
        half = self.network.processor_ports // 2
        nowhere = Destination(endpoint, 0)
        return [
            self.way_to(endpoint, other + half)
            if (endpoint - other - half) % (2 * half) == 0 and self._works(other)
            else nowhere
            for other in range(self.endpoints)
        ]

    def _works(self, endpoint: int) -> bool:
        """Whether the processor of an endpoint works."""
        return self.network.topology.works(endpoint // self.network.processor_ports)

    def way_to(self, endpoint: int, other: int) -> Destination:
        """The way of packets from one endpoint to another one, or to itself, in a network with a routing.

        Raises
        ------
        ParameterError
            If there is no routing or it has several routes for each pair, or the endpoints are of other message classes.
        """
        network = self.network
        if not isinstance(network, RoutedNetwork):
            raise ParameterError(f"network must be one with a routing, not the {network.name}")
        routes = network.routes(endpoint, other)
        if not routes:
            raise ParameterError(
                f"endpoint {other} must be of the message class of endpoint {endpoint}, not of another"
            )
        if len(routes) > 1:
            raise ParameterError(f"routing must have one route for each pair, not several as {network.ways}")
        return Destination(other, routes[0])

    def ways_to(self, endpoint: int, other: int) -> list[Destination]:
        """The ways of packets from one endpoint to another one, as often as each stands for an alternative of the routing.

        Raises
        ------
        ParameterError
            See :meth:`way_to`, but that a routing may have several routes.
        """
        network = self.network
        if not isinstance(network, RoutedNetwork) or len(network.ways.alternatives) == 1:
            return [self.way_to(endpoint, other)]
        routes = network.routes(endpoint, other)
        return [Destination(other, routes[number % len(routes)]) for number in range(len(network.ways.alternatives))]

    def _reach(self, node: int, number: int) -> Iterator[Destination]:
        router = self.network.router()
        ends = {channel: (other, back) for channel, other, back in self.network.topology.ends(node)}
        port, _ = self.ports[number]
        for output in router.reach(port):
            if self.alone:
                for channel in range(router.virtual_channels(output)):
                    target = self.ports.index((output, channel))
                    yield Destination(target, self._route(port, self.header.selector(output, channel)))
                continue
            if output < router.processor_ports:
                if (node, output) in self._there:
                    yield Destination(self._endpoint(node, output), self._route(port, output))
                continue
            channel, lane = divmod(output - router.processor_ports, router.lanes)
            if channel in ends:
                other, back = ends[channel]
                for beyond in router.reach(router.lane_port(back, lane)):
                    if (other, beyond) in self._there:
                        yield Destination(self._endpoint(other, beyond), self._route(port, output, beyond))

    @functools.cached_property
    def _there(self) -> frozenset[tuple[int, int]]:
        return frozenset(self.places)

    def _route(self, number: int, *outputs: int) -> int:
        """The route of a packet that comes in at input ``number`` and takes these outputs, router by router."""
        if not self.header.copies:
            return self.header.pack(outputs, 0)
        # A packet from a lane has the selector of its own copy only.
        return self.header.pack([outputs], 0) if number < self.network.router().processor_ports else outputs[0]

    def to_json(self) -> dict[str, Any]:
        """The parameters as they stand in a result record."""
        parameters = {"alone": self.alone, "queue": self.queue, "bins": self.bins, "ways": self.table}
        further = {
            "bursts": self.bursts,
            "trace": self.trace,
            "log": self.log,
            "details": self.details,
            "answers": self.answers,
            "rates": self.rates,
        }
        return {**self.network.to_json(), **parameters, **{name: value for name, value in further.items() if value}}
