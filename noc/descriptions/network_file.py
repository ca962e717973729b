"""The description of a generated network as JSON, ``fatcube.network/1``: the content of its head, for programs."""

from collections.abc import Callable
import random
from typing import Any

from amaranth.hdl import Value
from amaranth.lib.wiring import In

from fatcube.groundwork.digest import versions
from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.descriptions.fields import fields_json
from fatcube.noc.descriptions.ports import port_meaning
from fatcube.noc.descriptions.streams_file import streams_file, timings_of
from fatcube.noc.latency import formula_of, interface_formulas, turning_formula, waiting_formula
from fatcube.noc.network import Network
from fatcube.noc.network_files.normal import network_file_of
from fatcube.noc.network_files.reading import DESCRIPTION, INSIDE
from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.shared import Shared
from fatcube.noc.topology import Topology
from fatcube.rtl.ports import verilog_ports
from fatcube.rtl.protocols.axi_stream import AXI_STREAM
from fatcube.rtl.protocols.flits import FLITS

__all__ = ["FORMAT", "graph_json", "network_json", "ports_json", "streams_json"]


FORMAT = DESCRIPTION
MOST_ROUTES = 1 << 16  # written out at most
_SAMPLE = 1 << 12  # routes, where not all are written out


def network_json(
    network: Network, shared: Shared, *, interface: str = "flits", name: str | None = None
) -> dict[str, Any]:
    """The description of ``network``, whose top module is ``shared``; docs/reference/network-files.md names its keys.

    ``name`` is that of the top module, if it is given.
    """
    router = network.router()
    top: Any = shared.component
    axi = top if isinstance(top, AxiNetwork) else None
    return {
        "format": FORMAT,
        INSIDE: network_file_of(network, axi, name=name, names=top.protocol.names),
        "parameters": network.to_json(),
        "top": shared.name,
        "interface": interface,
        "interface_modules": None if axi is None else axi.interface_modules,
        "ports": ports_json(shared),
        **_named(network, top),
        **graph_json(network),
        "router": streams_json(network),
        "routers": [
            {"nodes": list(nodes), "turns": [list(kind.reach(number)) for number in range(kind.crossbar_ports)]}
            for kind, nodes in network.routers
        ],
        "header": fields_json(router.header.fields()),
        "deadlock": network.deadlock or None,
        "latency": formula_of(network.options),
        "waiting": waiting_formula(kind for kind, _ in network.routers) or None,
        **({"turning": turning_formula(network.options)} if network.options.shared_lanes else {}),
        "interface_latency": _interface_latency(network, shared.component),
        **({} if axi is None else streams_file(axi)),
        "routing": _routing(network) if isinstance(network, RoutedNetwork) else None,
        "tools": versions(["amaranth", "pyosys"]),
    }


def _named(network: Network, top: Any) -> dict[str, Any]:
    """The key ``named_ports``: the processor, the number and the name of each port with a name, if there is one."""
    each = network.processor_ports
    names = sorted(top.protocol.names.items())
    found = [{"processor": port // each, "port": port, "name": name} for port, name in names]
    return {"named_ports": found} if found else {}


def graph_json(network: Network) -> dict[str, Any]:
    """The processors, nodes and links of a network."""
    topology = network.topology
    return {
        "processors": [
            {"processor": processor, "node": node, "local": local}
            for node in range(topology.nodes)
            for local, processor in enumerate(topology.processors_of(node))
        ],
        "ports_per_processor": network.processor_ports,
        "nodes": topology.nodes,
        "links": [
            {"node": node, "channel": channel, "to": other, "channel_there": back, "lanes": topology.f}
            | _left(topology, node, channel)
            for node in range(topology.nodes)
            for channel, other, back in topology.ends(node)
        ],
    }


def _left(topology: Topology, node: int, channel: int) -> dict[str, Any]:
    """The lanes of a link that are left, where some have failed."""
    lanes = list(topology.lanes_of(node, channel))
    return {} if len(lanes) == topology.f else {"lanes_left": lanes}


def streams_json(network: Network) -> dict[str, Any]:
    """The streams and lanes of a router, by number."""
    router = network.router()
    names = zip(router.input_names, router.output_names)
    return {"inputs_and_outputs": [{"input": into, "output": out} for into, out in names]}


def _interface_latency(network: Network, top: object) -> dict[str, str] | None:
    """The cycles that interfaces add at injection and at ejection; ``None`` without interfaces, or if ports differ in them."""
    if not isinstance(top, AxiNetwork):
        return None
    if top.streams.byte_exact:
        first, *others = timings_of(top).values()
        return None if others else {"in": first.latency_in, "out": first.latency_out}
    if top.clocks_differ:
        return None
    into, out = interface_formulas(network.options, crossing=top.port_clocks, stored=top.streams.store_packets > 0)
    return {"in": into, "out": out}


def ports_json(shared: Shared) -> list[dict[str, Any]]:
    """The ports of the top module."""
    component = shared.component
    clock = () if AXI_STREAM.clock in component.signature.members else (FLITS.clock, FLITS.reset)
    ports = [{"name": name, "direction": "input", "bits": 1, "meaning": port_meaning(name)} for name in clock]
    for name, usual, member, value in verilog_ports(component):
        direction = "input" if member.flow == In else "output"
        bits = len(Value.cast(value))
        ports.append({"name": name, "direction": direction, "bits": bits, "meaning": port_meaning(usual)})
    return ports


def _routing(network: RoutedNetwork) -> dict[str, Any]:
    """The routing, and the lowest bits of headers from each endpoint to each endpoint."""
    endpoints = range(network.endpoints)
    written = len(endpoints) ** 2 <= MOST_ROUTES

    def routes(source: int, destination: int) -> list[str]:
        digits = -(-network.router().header.route_bits // 4)
        return [f"{route:0{digits}x}" for route in network.routes(source, destination)]

    return {
        "name": network.ways.name,
        "classes": network.ways.classes,
        "longest_way": network.longest_way,
        "lanes": network.lanes.value,
        "addressing": network.addressing,
        "keeps_order": network.keeps_order,
        "routes": [[routes(source, destination) for destination in endpoints] for source in endpoints]
        if written
        else None,
        "sample": None if written else _sample(network, routes),
    }


def _sample(network: RoutedNetwork, routes: Callable[[int, int], list[str]]) -> list[tuple[int, int, str]]:
    """Some of the routes, always the same: the source, the destination and the lowest bits of a header."""
    pick = random.Random("routes")
    sample: list[tuple[int, int, str]] = []
    while len(sample) < _SAMPLE:
        source, destination = pick.randrange(network.endpoints), pick.randrange(network.endpoints)
        if there := routes(source, destination):
            sample.append((source, destination, pick.choice(there)))
    return sample
