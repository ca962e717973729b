"""What the description of a network as JSON has of its AXI4-Streams with further options: fields of the trailer, and times of ports."""

from typing import Any

from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.descriptions.fields import fields_json
from fatcube.noc.streams.timing import PortTiming, port_timing
from fatcube.rtl.interface.trailer import TrailerLayout

__all__ = ["streams_file", "timings_of"]


def streams_file(top: AxiNetwork) -> dict[str, Any]:
    """The keys ``streams``, the options, and with byte-exact packets ``trailer`` and ``port_timing``; none without options."""
    streams, options = top.streams, top.network.options
    if not (streams.byte_exact or streams.store_packets):
        return {}
    about: dict[str, Any] = {"streams": streams.to_json() | {"port_widths": list(top.port_widths)}}
    if streams.byte_exact:
        timings = timings_of(top)
        about["trailer"] = fields_json(TrailerLayout(options.width, streams.user_bits).fields())
        about["port_timing"] = [_timing_json(width, timings[width]) for width in top.port_widths]
    return about


def timings_of(top: AxiNetwork) -> dict[int, PortTiming]:
    """The times of the ports of a network with byte-exact packets, by their widths."""
    streams, options = top.streams, top.network.options
    stored = streams.longest(options.width, options.longest_packet) > 0
    return {
        width: port_timing(options.width, width, stored=stored, crossing=top.crossing_depth > 0)
        for width in dict.fromkeys(top.port_widths)
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
