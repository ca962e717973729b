"""The protocols of processor ports, as data: a file per protocol, with an entry in :data:`PROTOCOLS`.

Descriptions, testbenches and files for other tools ask it for names by role; the components are in `rtl/interface/`, and
make their signatures of it. `fatcube.testing` reads it in the simulator's process. Never here: Amaranth, or a package that
takes long to import.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from fatcube.rtl.protocols.axi_stream import AXI_STREAM
from fatcube.rtl.protocols.flits import FLITS
from fatcube.rtl.protocols.protocol import Protocol

__all__ = ["PROTOCOLS", "protocol_of", "protocol_of_ports"]


PROTOCOLS: Mapping[str, Protocol] = {protocol.name: protocol for protocol in (FLITS, AXI_STREAM)}
"""Every protocol that ports of generated Verilog may have, by its name."""


def protocol_of(about: Mapping[str, Any]) -> Protocol:
    """The protocol of the ports of a described design, with their names; flits by default, as for a router."""
    names = {port["port"]: port["name"] for port in about.get("named_ports", ())}
    return protocol_of_ports(about.get("port_interfaces", [about.get("interface", FLITS.name)])).named(names)


def protocol_of_ports(interfaces: Sequence[str]) -> Protocol:
    """The protocol of ports that have these by name, of one or of each: AXI4-Stream, if any port has it, but for the others."""
    if AXI_STREAM.name not in interfaces:
        return FLITS
    return AXI_STREAM.but({port: PROTOCOLS[name] for port, name in enumerate(interfaces) if name != AXI_STREAM.name})
