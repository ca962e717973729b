# amaranth: UnusedElaboratable=no
"""The ports of processors that a generated network may have, bare flits or AXI4-Streams: the options of each."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from fatcube.cli.choices import choice
from fatcube.cli.flags import Flags, routed_network_flags
from fatcube.groundwork.validation import ParameterError
from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.network import Network
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.shared import check_port_bits
from fatcube.noc.streams.options import StreamOptions
from fatcube.noc.topology import Topology
from fatcube.rtl.protocols import PROTOCOLS
from fatcube.rtl.protocols.axi_stream import AXI_STREAM
from fatcube.rtl.router_options import RouterOptions

__all__ = ["InterfaceName", "PortClocks", "axi_of", "interface_network_flags"]


_CROSSING = 8  # beats: as few as there can be

InterfaceName = Annotated[
    str,
    choice(
        "--interface",
        tuple(PROTOCOLS),
        help="Ports of processors: AXI4-Stream with the destination in TDEST (the network gets a routing), or bare "
        "flits.",
    ),
]
PortClocks = Annotated[bool, typer.Option("--port-clocks", help="Give each AXI4-Stream port its own clock.")]


def interface_network_flags(schedules: Mapping[str, str]) -> Flags:
    """The flags of a network with one of these interfaces; ``schedules`` is as of :func:`routed_network_flags`."""
    either, routed = (routed_network_flags(schedules=some, check_options=_check_ports) for some in (schedules, None))

    def make(given: Mapping[str, Any]) -> Network:
        network = {name: value for name, value in given.items() if name != "interface"}
        return (routed if given.get("interface") == AXI_STREAM.name else either).make(network)

    return Flags(either.parameters, make, also=("interface", *either.also))


def axi_of(
    network: Network,
    streams: StreamOptions,
    *,
    interface: str,
    port_clocks: bool,
    name: str | None = None,
    others: Sequence[str] = (),
) -> AxiNetwork | None:
    """The network with AXI4-Streams at its ports; ``None`` with bare flits.

    Raises
    ------
    ParameterError
        If an option that only AXI4-Streams have is given without them: one of theirs, or one of the flags ``others``.
    """
    if interface == AXI_STREAM.name:
        assert isinstance(network, RoutedNetwork)
        return AxiNetwork(network, crossing_depth=_CROSSING * port_clocks, streams=streams, name=name)
    given = [f"--{name.replace('_', '-')}" for name in StreamOptions.names() if name in streams.given]
    for option in [*["--port-clocks"] * port_clocks, *given, *others]:
        raise ParameterError(f"{option} requires --interface {AXI_STREAM.name}")
    return None


def _check_ports(topology: Topology, options: RouterOptions) -> None:
    """Refuse ports of all processors that have more bits than can be written, before any route is followed.

    Each port, of flits or of AXI4-Stream, has a word and three bits more into the network; what there is besides is
    counted when the network is made.
    """
    ports = topology.processors * options.ports.processor_ports(topology.degree, topology.m)
    check_port_bits("fabric", ports * (options.width + 3))
