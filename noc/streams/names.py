"""The names that users give to ports of processors in Verilog, in place of numbers."""

from collections.abc import Mapping

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.network import Network
from fatcube.noc.shared import check_identifier
from fatcube.rtl.protocols.protocol import Protocol

__all__ = ["check_name", "named_ports", "taken_names"]


def taken_names(protocol: Protocol, network: Network) -> dict[str, str]:
    """The names that no port of a network can be given, each with what has it."""
    taken = dict.fromkeys((protocol.clock, protocol.reset, "error"), "the top module")
    for port in range(network.topology.processors * network.processor_ports):
        each = network.processor_ports
        taken |= dict.fromkeys((*protocol.streams_of(port, each), *protocol.ports_of(port, each)), f"port {port}")
    return taken


def check_name(name: object, port: int, taken: dict[str, str]) -> str:
    """Return ``name`` if a port can have it, and note that it does in ``taken``.

    Raises
    ------
    ParameterError
        If it is no identifier of Verilog's, or ``taken``: VHDL does not tell capitals from other letters.
    """
    found = check_identifier(name)
    if found.lower() in taken:
        other = taken[found.lower()]
        raise ParameterError(f"name must be unique, ignoring case, but {other} has {found}")
    taken[found.lower()] = f"port {port}"
    return found


def named_ports(protocol: Protocol, names: Mapping[int, str], network: Network) -> Protocol:
    """The protocol of the ports of a network, some of which have names.

    Parameters
    ----------
    protocol : :class:`Protocol`
    names : mapping of :class:`int` to :class:`str`
        The names of ports, by their numbers, processor by processor.
    network : :class:`Network`

    Raises
    ------
    ParameterError
        If there is no such port, or it cannot have its name.
    """
    most = network.topology.processors * network.processor_ports - 1
    taken = taken_names(protocol, network) if names else {}
    for port, name in names.items():
        check_integer("port with a name", port, minimum=0, maximum=most)
        check_name(name, port, taken)
    return protocol.named(dict(sorted(names.items())))
