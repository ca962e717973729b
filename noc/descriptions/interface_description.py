"""Paragraphs of the head of a generated network on its AXI4-Stream interfaces."""

from noc.axi_network import AxiNetwork
from noc.descriptions.paragraphs import item, paragraph
from noc.descriptions.port_description import error, unused_axi
from noc.latency import interface_formulas

__all__ = ["clock_of_axi", "streams_of_axi"]


def clock_of_axi(top: AxiNetwork) -> list[str]:
    """The paragraphs on clocks and resets."""
    own = (
        " s_axis_e and m_axis_e have a clock of their own, axis_e_aclk, and a reset, axis_e_aresetn, likewise; while one side "
        "of a crossing is in reset, hold the other one in reset too, for three cycles of the slower clock."
        if top.crossing_depth
        else ""
    )
    return paragraph(
        "Clock and reset: registers change at the rising edge of aclk. aresetn is synchronous and active low; hold it at 0 "
        f"for a cycle before anything is sent, or start from the initial values of the registers.{own}"
    )


def streams_of_axi(top: AxiNetwork) -> list[str]:
    """The paragraphs on the streams, their contents, and packets that cannot be delivered."""
    network = top.network
    options, ports = network.options, network.processor_ports
    endpoint = "processor e" if ports == 1 else f"port e mod {ports} of processor e / {ports}, rounded down"
    sender = "e" if ports == 1 else f"e / {ports}, rounded down"
    longest = options.longest_packet
    length = (
        f"A packet has 1 to {longest - 1} beats; a longer one is dropped completely and counted."
        if longest
        else "A packet has at least one beat."
    )
    into, out = interface_formulas(options, crossing=top.crossing_depth > 0)
    latency = (
        f"Latency of interfaces: a packet of F beats{' without gaps' if longest else ''} has L = F + 1 flits, as a header is "
        f"added. The first router takes its header {into} cycle{'' if into == '1' else 's'} after the first cycle in which the "
        f"first beat is offered on s_axis_e, and its last beat is taken on m_axis_* {out} cycle{'' if out == '1' else 's'} "
        "after its last flit is taken from the last router, without contention or backpressure"
        + (" and with equal clocks." if top.crossing_depth else ".")
    )
    return [
        *paragraph(
            f"AXI4-Streams: e is {endpoint}. A packet that enters on s_axis_e goes to the number in s_axis_e_tdest, which is "
            f"sampled with its first beat, and leaves there with {sender} as m_axis_*_tid. A beat is a word of "
            f"{options.width} bits; there is no TKEEP and no TSTRB: all bytes of all beats count. {length} Packets "
            f"that leave the network are never interleaved."
        ),
        *paragraph(
            "Obligations: a sender that has sent the first beat of a packet must send the rest, and every m_axis_e must be taken."
        ),
        *unused_axi(clocks=top.crossing_depth > 0),
        *paragraph(latency),
        "Counted from reset on, up to 65,535:",
        *item("unknown_count_e", "dropped packets on s_axis_e whose tdest is not a port", room=16),
        *item("too_long_count_e", "dropped packets on s_axis_e that are too long", room=16),
        *item("empty_count_e", "packets without a beat; none is ever sent", room=16),
        *error("network"),
        *paragraph("The network makes the headers itself, so the only cause here is --stop-timeout."),
    ]
