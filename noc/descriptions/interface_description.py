"""Paragraphs of the head of a generated network on its AXI4-Stream interfaces."""

from fatcube.noc.axi_network import AxiNetwork
from fatcube.noc.descriptions.paragraphs import item, paragraph, ranges
from fatcube.noc.descriptions.port_description import error, unused_axi
from fatcube.noc.descriptions.streams_file import timings_of
from fatcube.noc.latency import interface_formulas
from fatcube.rtl.interface.clock_crossing import RESET, RESET_INITIAL
from fatcube.rtl.protocols.axi_stream import CROSSING_CYCLES

__all__ = ["clock_of_axi", "streams_of_axi"]


def clock_of_axi(top: AxiNetwork) -> list[str]:
    """The paragraphs on clocks and resets."""
    own = (
        f" {_crossed(top)}s_axis_e and m_axis_e have a clock of their own, axis_e_aclk, and a reset, axis_e_aresetn, likewise; while one side "
        f"of a crossing is in reset, hold the other one in reset too, for {RESET} cycles of the slower clock, or {RESET_INITIAL} "
        "where registers have initial values."
        if any(top.crossing_depths)
        else ""
    )
    return paragraph(
        "Clock and reset: registers change at the rising edge of aclk. aresetn is synchronous and active low; hold it at 0 "
        f"for a cycle before anything is sent, or start from the initial values of the registers.{own}"
    )


def _crossed(top: AxiNetwork) -> str:
    """The beginning of a sentence on ports with clocks of their own: which these are, if not all."""
    own = [endpoint for endpoint, depth in enumerate(top.crossing_depths) if depth]
    return f"With e in {ranges(own)}, " if top.clocks_differ else ""


def streams_of_axi(top: AxiNetwork) -> list[str]:
    """The paragraphs on the streams, their contents, and packets that cannot be delivered."""
    network, streams = top.network, top.streams
    ports = network.processor_ports
    longest = streams.longest(network.options.width, network.options.longest_packet)
    endpoint = "processor e" if ports == 1 else f"port e mod {ports} of processor e / {ports}, rounded down"
    sender = "e" if ports == 1 else f"e / {ports}, rounded down"
    content = _bytes(top, longest) if streams.byte_exact else _words(top, longest)
    return [
        *paragraph(
            f"AXI4-Streams: e is {endpoint}{_with_streams(top)}. A packet that enters on s_axis_e goes to the number in s_axis_e_tdest, which is "
            f"sampled with its first beat, and leaves there with {sender} as m_axis_*_tid. {content} Packets "
            f"that leave the network are never interleaved."
        ),
        *paragraph("Obligations: a sender must complete every packet it starts, and every m_axis_e must be taken."),
        *unused_axi(clocks=any(top.crossing_depths)),
        *(_latency_of_bytes(top) if streams.byte_exact else _latency(top)),
        "Counted from reset on, up to 65,535:",
        *item("unknown_count_e", "dropped packets on s_axis_e whose tdest is not a port", room=16),
        *item("too_long_count_e", f"dropped packets on s_axis_e that are too long{_none_of(longest)}", room=16),
        *item("empty_count_e", f"packets {_empty(top)}", room=16),
        *(
            item("bad_keep_count_e", "packets on s_axis_e that were ended with an error at a gap of tkeep", room=16)
            if streams.byte_exact
            else []
        ),
        *([] if top.flit_ports else error(network, "network", legal=True)),
    ]


def _with_streams(top: AxiNetwork) -> str:
    """The ports with AXI4-Streams, as a clause to append; empty if all have them."""
    return f", and the number of a port with AXI4-Streams: {ranges([*top.kinds])}" if top.flit_ports else ""


def _none_of(longest: int) -> str:
    """The end of the sentence on packets that are too long, which there are with a longest one only."""
    return "" if longest else "; none is, as there is no limit"


def _empty(top: AxiNetwork) -> str:
    """The packets that ``empty_count`` counts."""
    if top.flit_ports:
        return "without a beat: a header alone, from a port with flits, for m_axis_e"
    return "without a beat; none is ever sent"


def _words(top: AxiNetwork, longest: int) -> str:
    """The contents of packets of words."""
    length = (
        f"A packet has 1 to {longest - 1} beats; a longer one is dropped completely and counted."
        if longest
        else "A packet has at least one beat."
    )
    return (
        f"A beat is a word of {top.network.options.width} bits; there is no TKEEP and no TSTRB: all bytes of all beats count. "
        f"{length}"
    )


def _bytes(top: AxiNetwork, longest: int) -> str:
    """The contents of packets of bytes."""
    width, widths = top.network.options.width, top.port_widths
    tdata = (
        f"All tdata have {widths[0]} bits."
        if len(set(widths)) == 1
        else f"The bits of tdata of the ports, from port 0 on, are {', '.join(map(str, widths))}."
    )
    length = (
        f"A packet has at most {(longest - 2) * width // 8} bytes; a longer one is dropped completely and counted."
        if longest
        else "A packet has any number of bytes."
    )
    return (
        f"{tdata} Packets are byte-exact: tkeep is 1 for every byte of every beat but the last, which has any number of the "
        "lowest bytes, and may have none. At a beat that breaks this rule the packet ends, with the bytes before the gap and "
        "with only bit 0 of tuser, the error bit; the rest is dropped. tuser is sampled with the last beat, and arrives with it; "
        "you may set the error bit yourself. With --stop-timeout, a packet that is ended has the error bit and fewer bytes. "
        f"{length}"
    )


def _latency(top: AxiNetwork) -> list[str]:
    options = top.network.options
    stored = options.longest_packet > 0 or top.streams.store_packets > 0
    into, out = interface_formulas(options, crossing=top.port_clocks, stored=stored)
    return paragraph(
        f"Latency of interfaces: a packet of F beats{' without gaps' if stored else ''} has L = F + 1 flits, as a header is "
        f"added. The first router takes its header {into} cycle{'' if into == '1' else 's'} after the first cycle in which the "
        f"first beat is offered on s_axis_e, and its last beat is taken on m_axis_* {out} cycle{'' if out == '1' else 's'} "
        "after its last flit is taken from the last router, without contention or backpressure"
        + (" and with equal clocks." if any(top.crossing_depths) else ".")
        + (f" At a port with a clock of its own, each is {CROSSING_CYCLES} cycles more." if top.clocks_differ else "")
    )


def _latency_of_bytes(top: AxiNetwork) -> list[str]:
    width = top.network.options.width
    lines = paragraph(
        f"Latency of interfaces: a packet of B beats without gaps has F flits of {width // 8} bytes (at least one), and "
        "L = F + 2 flits, as a header and a trailer are added. The cycles of its header are counted from the first cycle in "
        "which its first beat is offered on s_axis_e until the first router takes the header, those of its trailer from there "
        "until the first router takes the trailer, and those of its last beat from the cycle in which its trailer is taken from "
        "the last router, if that is not held up, until the last beat is taken on m_axis_*; without contention or backpressure"
        + (" and with equal clocks" if any(top.crossing_depths) else "")
        + ", and for the last beat if flits arrive without gaps. A port can send and receive a packet in each of the last "
        "numbers of cycles."
    )
    for (bits, own), timing in timings_of(top).items():
        lines += item(
            f"{bits} bits{', own clock' if own and top.clocks_differ else ''}",
            f"header {timing.latency_in}, trailer {timing.last_in}, last beat {timing.latency_out}; "
            f"sends {timing.cycles_in}, receives {timing.cycles_out}",
            room=19 if top.clocks_differ else 8,
        )
    return lines
