"""The one normal form of the options of a network: of all files and flags that mean it, the fewest keys.

It follows from the network and not from the options that were given, so the same hardware always has the same one.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from fatcube.groundwork.options import Option, Options
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.network import Network
from fatcube.noc.network_files.keys import FORMAT, GRAPH, KEYS, NO_ROUTING, PORT, ROUTES, PortOptions
from fatcube.noc.network_files.ports import tables_of
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.routing import default_routing, make_routing
from fatcube.noc.routing.table import Table
from fatcube.noc.routing_options import DEFAULT_ROUTING, RoutingOptions
from fatcube.noc.streams.options import StreamOptions
from fatcube.noc.topologies.graph import Graph
from fatcube.noc.topology import Topology, kinds
from fatcube.rtl.protocols.axi_stream import AXI_STREAM
from fatcube.rtl.protocols.flits import FLITS
from fatcube.rtl.router_options import RouterOptions

__all__ = ["network_file_of"]


_Options = TypeVar("_Options", bound=Options)


def network_file_of(
    network: Network, axi: AxiNetwork | None = None, *, name: str | None = None, names: Mapping[int, str] = {}
) -> dict[str, Any] | None:
    """The network file of a network, or ``None`` if only a program can make it: with parts, or a class of the program's own.

    Parameters
    ----------
    network : :class:`Network`
    axi : :class:`AxiNetwork` or ``None``
        The network with AXI4-Streams at its ports, if it has these.
    name : :class:`str` or ``None``
        The name of the top module, where it is given.
    names : mapping of :class:`int` to :class:`str`
        The names of ports that have any, by their numbers.
    """
    shape, routed = _shape(network.topology), _routed(network)
    if network.parts > 1 or shape is None or routed is None:
        return None
    clocks = [] if axi is None or not axi.clocks_differ else axi.crossing_depths
    own = [place for place, depth in enumerate(clocks) if depth]
    flits = {} if axi is None else dict.fromkeys(axi.flit_ports, FLITS.name)
    tables = tables_of(names, own, flits, network)
    ports = PortOptions(
        interface=FLITS.name if axi is None else AXI_STREAM.name,
        port_clocks=axi is not None and axi.port_clocks,
        for_schedules_only=bool(network.deadlock),
    )
    found = {
        **shape,
        **_router(network),
        **routed,
        **_fewest(PortOptions, ports),
        **({} if axi is None else _streams(axi)),
        **({} if name is None else {"name": name}),
        **({PORT: tables} if tables else {}),
    }
    return {"format": FORMAT, **{key: found[key] for key in KEYS if key in found}}


def _shape(topology: Topology) -> dict[str, Any] | None:
    """The keys of a topology and its failures."""
    whole = topology.intact
    if isinstance(whole, Graph):
        shape: dict[str, Any] = {GRAPH: {key: value for key, value in whole.to_json().items() if key != "type"}}
    elif kinds().get(whole.kind) is type(whole):
        shape = {"topology": whole.kind, **{key: _plain(value) for key, value in whole.parameters.items()}}
    else:
        return None
    return {**shape, **({"failed": list(topology.failures)} if topology.failures else {})}


def _router(network: Network) -> dict[str, Any]:
    """The keys of the routers' options, without those that a routing sets."""
    options = network.options
    if not isinstance(network, RoutedNetwork):
        return _fewest(RouterOptions, options)
    needed: dict[str, Any] = {"hops": options.hops, "channel_classes": options.channel_classes}
    if options.ports.copies:
        needed["switching"] = options.switching
    return _fewest(RouterOptions, options, lambda given: RouterOptions(**given).needing(**needed), without=needed)


def _routed(network: Network) -> dict[str, Any] | None:
    """The keys of a routing; ``None`` if none of a file is this one."""
    if not isinstance(network, RoutedNetwork):
        return {"routing": NO_ROUTING}
    ways = network.ways
    found: dict[str, Any] = {
        "lanes": network.lanes.value,
        "addressing": network.addressing if network.addressing != network.automatic_addressing else "auto",
        "message_classes": network.message_classes,
    }
    if isinstance(ways, Table):
        stored = ways.to_json()
        routes = {ROUTES: {"classes": stored["classes"], "ways": stored["ways"]}}
        return _fewest(RoutingOptions, RoutingOptions(**found)) | routes
    try:
        named = DEFAULT_ROUTING if ways is default_routing(network.topology, known=ways) else ways.name
        if named != DEFAULT_ROUTING and ways != make_routing(named, network.topology):
            return None
    except ParameterError:
        return None
    return _fewest(RoutingOptions, RoutingOptions(routing=named, **found))


def _streams(axi: AxiNetwork) -> dict[str, Any]:
    """The keys of AXI4-Streams."""
    streams, widths = axi.streams, dict.fromkeys(axi.port_widths)
    if streams.byte_exact and len(widths) == 1:
        streams = streams.changed(port_widths=() if axi.network.options.width in widths else tuple(widths))
    return _fewest(StreamOptions, streams)


def _fewest(
    kind: type[_Options],
    options: _Options,
    make: Callable[[Mapping[str, Any]], _Options] | None = None,
    *,
    without: Mapping[str, Any] = {},
) -> dict[str, Any]:
    """The fewest options that, given to ``make``, make these ones.

    First the options that differ from their defaults are tried, then all; of these, each that follows from the others is left out,
    the last first.
    """
    made = make or (lambda given: kind(**given))

    def makes(given: Mapping[str, Any]) -> bool:
        try:
            return made(given) == options
        except ParameterError:
            return False

    every = {name: getattr(options, name) for name in kind.names() if name not in without}
    defaults = {name: Option.of(field).default for name, field in kind.__dataclass_fields__.items()}
    given = {name: value for name, value in every.items() if value != defaults[name]}
    if not makes(given):
        given = every
    for name in reversed(list(given)):
        fewer = {other: value for other, value in given.items() if other != name}
        if makes(fewer):
            given = fewer
    plain = options.to_json()
    return {name: plain[name] for name in given}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
