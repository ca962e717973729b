# amaranth: UnusedElaboratable=no
"""The ports of processors that a generated network may have, bare flits, AXI4-Streams or some of both: the options of each."""

from collections.abc import Mapping, Sequence
import dataclasses
from typing import Annotated, Any

import typer

from fatcube.cli.app import Panel
from fatcube.cli.choices import choice
from fatcube.cli.flags import Flags, routed_network_flags
from fatcube.cli.network_files import PORTS_OF_FILE
from fatcube.groundwork.late import read_at_exit
from fatcube.groundwork.options import Option
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.axi_network import AxiNetwork, MixedNetwork
from fatcube.noc.descriptions.paragraphs import count
from fatcube.noc.network import Network
from fatcube.noc.network_files.keys import PortOptions
from fatcube.noc.network_files.ports import PortTable, own_clocks, with_widths
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.shared import check_port_bits
from fatcube.noc.streams.options import StreamOptions
from fatcube.noc.topology import Topology
from fatcube.rtl.protocols.axi_stream import AXI_STREAM
from fatcube.rtl.protocols.protocol import Protocol
from fatcube.rtl.router_options import RouterOptions

__all__ = [
    "ForSchedulesOnly",
    "InterfaceName",
    "PortClocks",
    "axi_of",
    "check_traffic",
    "interface_network_flags",
    "port_flags",
]

read_at_exit(__file__)


_CROSSING = 8  # beats: as few as there can be

_DECLARED = {field.name: Option.of(field) for field in dataclasses.fields(PortOptions)}
_INTERFACE, _PORT_CLOCKS, _SCHEDULES_ONLY = (_DECLARED[name] for name in PortOptions.names())

InterfaceName = Annotated[str, choice("--interface", _INTERFACE.choices, help=_INTERFACE.help, panel=Panel.NETWORK)]
PortClocks = Annotated[bool, typer.Option("--port-clocks", help=_PORT_CLOCKS.help, rich_help_panel=Panel.NETWORK)]
ForSchedulesOnly = Annotated[
    bool, typer.Option("--for-schedules-only", help=_SCHEDULES_ONLY.help, rich_help_panel=Panel.NETWORK)
]


def interface_network_flags(schedules: Mapping[str, str]) -> Flags:
    """The flags of a network with one of these interfaces; ``schedules`` is as of :func:`routed_network_flags`.

    It has a routing wherever it has AXI4-Streams, for all ports or by a table for one.
    """
    either, routed = (routed_network_flags(schedules=some, check_options=_check_ports) for some in (schedules, None))

    def make(given: Mapping[str, Any]) -> Network:
        network = {name: value for name, value in given.items() if name not in ("interface", PORTS_OF_FILE)}
        asked = (given.get("interface"), *(table.interface for table in given.get(PORTS_OF_FILE, ())))
        return (routed if AXI_STREAM.name in asked else either).make(network)

    return Flags(either.parameters, make, also=("interface", PORTS_OF_FILE, *either.also))


def port_flags() -> Flags:
    """The tables of ports, which only a network file has."""
    return Flags((), lambda given: given.get(PORTS_OF_FILE, ()), also=(PORTS_OF_FILE,))


def axi_of(
    network: Network,
    streams: StreamOptions,
    *,
    protocol: Protocol,
    port_clocks: bool,
    ports: Sequence[PortTable] = (),
    name: str | None = None,
    names: Mapping[int, str] = {},
    others: Sequence[str] = (),
) -> AxiNetwork | None:
    """The network with AXI4-Streams at its ports, or at some of them; ``None`` with bare flits.

    Raises
    ------
    ParameterError
        If an option that only AXI4-Streams have is given without them: one of theirs, or one of the flags ``others``; or a
        table of ``ports`` has an impossible value.
    """
    streams = with_widths(streams, ports, network, protocol)
    if protocol.name == AXI_STREAM.name:
        assert isinstance(network, RoutedNetwork)
        own = own_clocks(ports, network, protocol, port_clocks=port_clocks)
        depths = [_CROSSING * one for one in own]
        made = MixedNetwork if protocol.others else AxiNetwork
        return made(network, crossing_depth=depths, streams=streams, name=name, names=names, flit_ports=protocol.others)
    own_clocks(ports, network, protocol, port_clocks=False)
    given = [f"--{name.replace('_', '-')}" for name in StreamOptions.names() if name in streams.given]
    for option in [*["--port-clocks"] * port_clocks, *given, *others]:
        raise ParameterError(f"{option} requires --interface {AXI_STREAM.name}")
    return None


def check_traffic(network: Network, for_schedules_only: bool) -> None:
    """Refuse a network that can deadlock and is not declared to be for schedules only, and the opposite.

    Raises
    ------
    ParameterError
        If it is such a network.
    """
    if for_schedules_only and not network.deadlock:
        raise ParameterError(f"for schedules only must be left out for the {network.name}, which carries any traffic")
    if network.deadlock and not for_schedules_only:
        raise ParameterError(
            f"for schedules only must be given (--for-schedules-only) for the {network.name} with "
            f"{count(network.options.hops, 'hop')}, where {'copied ' * network.options.ports.copies}packets can wait for each other "
            "in a cycle (deadlock); --routing default cannot deadlock"
        )


def _check_ports(topology: Topology, options: RouterOptions) -> None:
    """Refuse ports of all processors that have more bits than can be written, before any route is followed.

    Each port, of flits or of AXI4-Stream, has a word and three bits more into the network; what there is besides is
    counted when the network is made.
    """
    ports = topology.processors * options.ports.processor_ports(topology.degree, topology.m)
    check_port_bits("fabric", ports * (options.width + 3), nodes=topology.nodes)
