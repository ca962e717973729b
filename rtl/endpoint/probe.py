"""A probe on a stream for waveform viewers: the fields of its flits as named signals."""

from typing import Any

from amaranth.hdl import Array, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_boolean
from fatcube.rtl.flit import HeaderLayout
from fatcube.rtl.lanes.lane import lane_layout

__all__ = ["Probe"]


class Probe(wiring.Component):
    """Decodes the flits on a stream into named signals, which no other logic reads.

    Parameters
    ----------
    header : :class:`HeaderLayout`
        The layout of the headers on the stream.
    channels : :class:`int`
        Virtual channels, each of which can have its own packet in transfer.
    refusals : :class:`bool`
        A header can be refused, as on lanes with circuits that are tried again.

    Members
    -------
    payload, valid, ready : :py:`In`
        The stream's three signals; of a lane with several channels, ``ready`` is 1.
    refused : :py:`In(1)`
        The header that crossed last has been refused: the next flit is a header. Only with ``refusals``.
    flit : :py:`Out(width)`
        The data of the flit.
    crosses, is_header, is_last : :py:`Out(1)`
        A flit crosses in this cycle; the offered flit is a header; the offered flit is the tail flit of a packet.
    route, selector, message : :py:`Out`
        The fields of a header: the rest of its route, the output selector that the next router takes from it, and its
        message id; 0 while no header is offered.
    """

    payload: Any
    valid: Signal
    ready: Signal
    refused: Signal
    flit: Signal
    crosses: Signal
    is_header: Signal
    is_last: Signal
    route: Signal
    selector: Signal
    message: Signal

    def __init__(self, header: HeaderLayout, *, channels: int = 1, refusals: bool = False) -> None:
        self.header = header
        self.refusals = check_boolean("refusals", refusals)
        self.channels = channels
        super().__init__(
            {
                "payload": In(lane_layout(header.width, channels)),
                "valid": In(1),
                "ready": In(1),
                **({"refused": In(1)} if refusals else {}),
                "flit": Out(header.width),
                "crosses": Out(1),
                "is_header": Out(1),
                "is_last": Out(1),
                "route": Out(header.route_bits),
                "selector": Out(header.selector_bits),
                "message": Out(header.message_bits),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        expect_headers = [Signal(init=1, name=f"expect_header{channel}") for channel in range(self.channels)]
        expect_header = Array(expect_headers)[self.payload.channel] if self.channels > 1 else expect_headers[0]
        m.d.comb += [
            self.flit.eq(self.payload.data),
            self.crosses.eq(self.valid & self.ready),
            self.is_header.eq(self.valid & expect_header),
            self.is_last.eq(self.valid & self.payload.last),
        ]
        with m.If(self.crosses):
            m.d.sync += expect_header.eq(self.payload.last)
        if self.refusals:
            with m.If(self.refused):
                m.d.sync += expect_header.eq(1)
        with m.If(self.is_header):
            m.d.comb += [
                self.route.eq(self.payload.data),
                self.selector.eq(self.payload.data),
                self.message.eq(self.payload.data[self.header.message]),
            ]
        return m
