"""A monitor on a port or lane: a trace of the packets that cross it, read out after the run."""

from collections.abc import Iterable
from typing import Any

from amaranth.hdl import Array, Module, Mux, Signal, Value
from amaranth.lib import data, memory, wiring
from amaranth.lib.wiring import In

from fatcube.groundwork.validation import check_boolean, check_integer
from fatcube.rtl.endpoint.host import HostBus, Region
from fatcube.rtl.lanes.lane import lane_layout

__all__ = ["MOST_FLITS", "Monitor", "TraceEntry", "next_signature", "signature_of"]


_FLITS = 16  # bits
MOST_FLITS = (1 << _FLITS) - 1
"""The most flits of a packet, including its headers, that a monitor counts."""


class TraceEntry(data.StructLayout):
    """The entry of one packet in the trace of a monitor.

    Members
    -------
    header : :class:`unsigned(width)`
        Its header flit as it was on this wire.
    signature : :class:`unsigned(width)`
        A signature of its payload flits: see :func:`signature_of`.
    flits : :class:`unsigned(16)`
        The number of its flits, including the header.
    step : :class:`unsigned(16)`
        The step, counted from 1, in which its header crossed; 0 in a dataflow run.
    cycle : :class:`unsigned(32)`
        The cycle of the run in which its last flit crossed.
    """

    def __init__(self, width: int) -> None:
        super().__init__({"header": width, "signature": width, "flits": _FLITS, "step": 16, "cycle": 32})


def signature_of(payload: Iterable[int], width: int) -> int:
    """The signature of a list of payload words: each word is rotated in by one bit and exclusive-ored."""
    mask = (1 << width) - 1
    signature = 0
    for word in payload:
        signature = ((signature << 1 | signature >> width - 1) & mask) ^ word
    return signature


def next_signature(signature: Value, word: Value) -> Value:
    """The signature after one more word, in hardware."""
    return signature.rotate_left(1) ^ word


class Monitor(wiring.Component):
    """Observes a stream without affecting it.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    depth : :class:`int`
        Packets that fit into the trace; later ones are counted but not recorded.
    host_width : :class:`int`
        Data bits of the host bus.
    channels : :class:`int`
        Virtual channels, each of which can have its own packet in transfer.
    refusals : :class:`bool`
        A header can be refused, as on lanes with circuits that are tried again.

    Members
    -------
    payload, valid, ready : :py:`In`
        The stream's three signals; of a lane with several channels, ``ready`` is 1.
    refused : :py:`In(1)`
        The header that crossed last has been refused, and is not recorded. Only with ``refusals``.
    step : :py:`In(16)`
        The current step.
    cycle : :py:`In(32)`
        The cycle of the run.
    host : :py:`In(HostBus(host_width))`
        Reads the trace: word n is the n-th :class:`TraceEntry`. The word -1 (all ones) is the number of
        packets in its lower 32 bits and of flits in the 32 above.
    """

    payload: Any
    valid: Signal
    ready: Signal
    refused: Signal
    step: Signal
    cycle: Signal
    host: wiring.PureInterface

    def __init__(self, width: int, depth: int, host_width: int, *, channels: int = 1, refusals: bool = False) -> None:
        self.width = width
        self.channels = channels
        self.refusals = check_boolean("refusals", refusals)
        self.depth = check_integer("trace depth", depth, minimum=1)
        super().__init__(
            {
                "payload": In(lane_layout(width, channels)),
                "valid": In(1),
                "ready": In(1),
                **({"refused": In(1)} if refusals else {}),
                "step": In(16),
                "cycle": In(32),
                "host": In(HostBus(host_width)),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.trace = trace = memory.Memory(shape=TraceEntry(self.width), depth=self.depth, init=[])
        write = trace.write_port()
        read = trace.read_port()

        packets = Signal(32)
        flits = Signal(32)
        expect_header = self._of_channel("expect_header", 1, init=1)
        header = self._of_channel("header", self.width)
        count, step = self._of_channel("count", _FLITS), self._of_channel("step", 16)
        signature = self._of_channel("signature", self.width)
        crossing = Signal()

        m.d.comb += [
            crossing.eq(self.valid & self.ready),
            write.addr.eq(packets),
            write.en.eq(crossing & self.payload.last & (packets < self.depth)),
            write.data.flits.eq(count + 1),
            write.data.cycle.eq(self.cycle),
        ]
        with m.If(expect_header):
            m.d.comb += [
                write.data.header.eq(self.payload.data),
                write.data.signature.eq(0),
                write.data.flits.eq(1),
                write.data.step.eq(self.step),
            ]
        with m.Else():
            m.d.comb += [
                write.data.header.eq(header),
                write.data.signature.eq(next_signature(signature, self.payload.data)),
                write.data.flits.eq(count + 1),
                write.data.step.eq(step),
            ]
        with m.If(crossing):
            m.d.sync += [
                flits.eq(flits + 1),
                expect_header.eq(self.payload.last),
                packets.eq(packets + self.payload.last),
                header.eq(write.data.header),
                signature.eq(write.data.signature),
                count.eq(write.data.flits),
                step.eq(write.data.step),
            ]

        if self.refusals:
            # No flit crosses in this cycle. A header alone was a packet; the next packet overwrites its trace entry.
            with m.If(self.refused):
                m.d.sync += [
                    flits.eq(flits - 1),
                    packets.eq(packets - expect_header),
                    expect_header.eq(1),
                ]

        counts = Signal()
        m.d.comb += [
            read.addr.eq(self.host.word),
            read.en.eq(self.host.select),
        ]
        m.d.sync += counts.eq(self.host.word.all())
        chosen = Signal()
        m.d.sync += chosen.eq(self.host.select & (self.host.region == Region.TRACE))
        with m.If(chosen):
            m.d.comb += self.host.value.eq(Mux(counts, packets | flits << 32, read.data.as_value()))
        return m

    def _of_channel(self, name: str, bits: int, init: int = 0) -> Any:
        """A register for each channel, of which that of the flit that crosses is read and written."""
        if self.channels == 1:
            return Signal(bits, init=init, name=name)
        return Array(Signal(bits, init=init, name=f"{name}{channel}") for channel in range(self.channels))[
            self.payload.channel
        ]
