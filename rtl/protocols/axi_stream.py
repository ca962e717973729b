"""AXI4-Stream (AMBA AXI-Stream, IHI 0051B) at a processor's port: packets of words or of bytes, without headers."""

from collections.abc import Mapping

from fatcube.rtl.protocols.protocol import Protocol, Role, StreamSignal

__all__ = ["AXI_STREAM", "CROSSING_CYCLES", "axi_stream_bits"]


AXI_STREAM = Protocol(
    name="axi4-stream",
    signals=(
        StreamSignal(Role.DATA, "tdata", "a word of a packet"),
        StreamSignal(Role.LAST, "tlast", "the last word of a packet"),
        StreamSignal(Role.DESTINATION, "tdest", "the port that a packet is for"),
        StreamSignal(Role.SOURCE, "tid", "the processor that a packet is from"),
        StreamSignal(
            Role.KEEP,
            "tkeep",
            "the bytes of the word that count, a bit for each: all, and of the last word the lowest",
        ),
        StreamSignal(
            Role.USER,
            "tuser",
            "sampled with the last word: bit 0 is 1 if the packet has an error; any others are yours",
        ),
        StreamSignal(Role.VALID, "tvalid", "there is a word"),
        StreamSignal(Role.READY, "tready", "ready for a word"),
    ),
    streams=("s_axis_{endpoint}", "m_axis_{endpoint}"),
    streams_by_name=("s_axis_{endpoint}", "m_axis_{endpoint}"),
    joint="_",
    clock="aclk",
    reset="aresetn",
    reset_level=0,
    own="axis_{endpoint}_",
    counters={
        "unknown_count": "packets dropped because their destination is not a port",
        "too_long_count": "packets dropped because they exceeded the limit, if any",
        "empty_count": "packets dropped because a port of flits sent no word",
    },
    counters_of_bytes={"bad_keep_count": "packets ended with an error because their tkeep had a gap"},
    bus=("amba.com", "AMBA4", "AXI4Stream", "r0p0_1"),
)
"""The streams of :class:`fatcube.noc.axi_network.AxiNetwork`."""

CROSSING_CYCLES = 4
"""Cycles that a crossing to the clock of a port takes in each direction, with the same clock on both sides."""


def axi_stream_bits(
    width: int, *, dest_bits: int = 0, id_bits: int = 0, keep: bool = False, user_bits: int = 0
) -> Mapping[Role, int]:
    """The bits of the signals of a stream with these parameters, of which 0 are those of a signal that is not there."""
    return {
        Role.DATA: width,
        Role.DESTINATION: dest_bits,
        Role.SOURCE: id_bits,
        Role.KEEP: width // 8 * keep,
        Role.USER: user_bits,
    }
