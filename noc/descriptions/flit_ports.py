"""The ports with flits of a network whose other ports have AXI4-Streams, as its testbench needs them: streams, and headers to all ports."""

from collections import Counter
from collections.abc import Mapping, Sequence
import dataclasses
from typing import Any

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.descriptions.flows.buses import Stream, endpoints_of, streams_of
from fatcube.rtl.protocols import protocol_of
from fatcube.rtl.protocols.flits import FLITS

__all__ = ["FlitPort", "check_routes", "flits_of_testbench"]


@dataclasses.dataclass(frozen=True)
class FlitPort:
    """A port with flits.

    Members
    -------
    endpoint : :class:`int`
    processor : :class:`int`
        The processor that has it, whose number packets from there have as their message id.
    into, out : :class:`Stream`
        The streams into the network and out of it.
    routes : :class:`str`
        The lowest bits of headers to all ports as a constant of Verilog, those to port 0 the lowest; 0 where no way leads.
    """

    endpoint: int
    processor: int
    into: Stream
    out: Stream
    routes: str


def check_routes(about: Mapping[str, Any], what: str) -> None:
    """Refuse a ``what`` that sends from ports with flits where the description of a network has not all routes.

    Raises
    ------
    ParameterError
        If there are such ports, and routes are left out, as of many ports.
    """
    protocol = protocol_of(about)
    if protocol.others and about["routing"]["routes"] is None:
        ports = len(about["port_interfaces"])
        raise ParameterError(
            f"ports must be at most 256 for a {what} where some have flits, as a description lists the routes of at most 256, not {ports}"
        )


def flits_of_testbench(about: Mapping[str, Any], dropped: Sequence[int], saturated: int) -> dict[str, Any]:
    """The values for a testbench in Verilog of ports with flits, each of which sends a header alone to every port of its class.

    Parameters
    ----------
    about : JSON value
        The description of a network with AXI4-Streams, which has all routes.
    dropped : sequence of :class:`int`
        The packets that a port with AXI4-Streams drops otherwise, by its counters.
    saturated : :class:`int`
        The number of ports that are saturated, one after the other: both kinds if there are two.
    """
    bits = next(field["low"] for field in about["header"] if field["field"] == "message id")
    flits = {port.endpoint: port for port in _flit_ports(about, bits)}
    endpoints, each, classes = (
        endpoints_of(about),
        about["ports_per_processor"],
        about["parameters"].get("message_classes", 1),
    )
    alone = Counter(port % each * classes // each for port in flits)
    counts = [
        (*((0, 0) if port in flits else dropped[:2]), alone[port % each * classes // each]) for port in range(endpoints)
    ]
    border = next((port for port in range(endpoints - 1) if (port in flits) != (port + 1 in flits)), 0)
    first = min(border, endpoints - saturated)
    return {
        "flits": flits,
        "route_bits": bits,
        "all_due": "{" + ", ".join(f"16'd{count}" for port in reversed(counts) for count in reversed(port)) + "}",
        "first": first,
        "targets": first + saturated,
    }


def _flit_ports(about: Mapping[str, Any], bits: int) -> list[FlitPort]:
    """The ports with flits, in whose headers ``bits`` bits are below the message id."""
    protocol, streams = protocol_of(about), streams_of(about)
    return [
        FlitPort(
            into.endpoint,
            into.endpoint // about["ports_per_processor"],
            into,
            out,
            _constant(about["routing"]["routes"][into.endpoint], bits),
        )
        for into, out in zip(streams[::2], streams[1::2], strict=True)
        if protocol.at(into.endpoint).name == FLITS.name
    ]


def _constant(routes: list[list[str]], bits: int) -> str:
    """The first route to each port, each in ``bits`` bits."""
    packed = sum(int(ways[0], 16) << port * bits for port, ways in enumerate(routes) if ways)
    return f"{len(routes) * bits}'h{packed:x}"
