"""AXI4-Streams with further options in the description of a network as JSON: fields of the trailer, and times of ports."""

from typing import Any

from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.descriptions.fields import fields_json
from fatcube.noc.latency import interface_formulas
from fatcube.noc.streams.timing import PortTiming, port_timing
from fatcube.rtl.interface.trailer import TrailerLayout

__all__ = ["streams_file", "timings_of"]


def streams_file(top: AxiNetwork) -> dict[str, Any]:
    """The keys ``streams``, the options, and with byte-exact packets ``trailer`` and ``port_timing``; none without options.

    Where the clocks of AXI4-Streams differ, ``crossing_modules`` and ``port_timing`` are there in any case. Where some ports have
    flits, there is ``port_interfaces``, the protocol of each, and they have no times of interfaces.
    """
    streams, options = top.streams, top.network.options
    about: dict[str, Any] = {}
    if top.flit_ports:
        about["port_interfaces"] = [top.protocol.at(port).name for port in range(top.network.endpoints)]
    if top.clocks_differ:
        about["crossing_modules"] = top.crossing_modules
    if streams.byte_exact or streams.store_packets:
        about["streams"] = streams.to_json() | {"port_widths": list(top.port_widths)}
    if streams.byte_exact:
        timings = timings_of(top)
        about["trailer"] = fields_json(TrailerLayout(options.width, streams.user_bits).fields())
        about["port_timing"] = [_timing_json(width, timings[width, depth > 0]) for width, depth in top.kinds.values()]
    elif top.clocks_differ:
        stored = streams.store_packets > 0
        about["port_timing"] = [
            {"width": options.width, "in": into, "out": out} if port in top.kinds else None
            for port, depth in enumerate(top.crossing_depths)
            for into, out in [interface_formulas(options, crossing=depth > 0, stored=stored)]
        ]
    return about


def timings_of(top: AxiNetwork) -> dict[tuple[int, bool], PortTiming]:
    """The times of the ports of a network with byte-exact packets, by their widths and whether they have clocks of their own."""
    streams, options = top.streams, top.network.options
    stored = streams.longest(options.width, options.longest_packet) > 0
    return {
        (width, crossing): port_timing(options.width, width, stored=stored, crossing=crossing)
        for width, crossing in dict.fromkeys((width, depth > 0) for width, depth in top.kinds.values())
    }


def _timing_json(width: int, timing: PortTiming) -> dict[str, Any]:
    return {
        "width": width,
        "in": timing.latency_in,
        "last_in": timing.last_in,
        "out": timing.latency_out,
        "cycles_in": timing.cycles_in,
        "cycles_out": timing.cycles_out,
    }
