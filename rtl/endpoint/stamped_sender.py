"""The unit of a traffic source that makes packets of stamps, and sends them."""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.endpoint.traffic import CYCLE, Stamp, data_of
from fatcube.rtl.flit import FlitStream

__all__ = ["StampedSender"]


class StampedSender(wiring.Component):
    """Sends one packet after the other: the next one when it is ready.

    Every flit has the :class:`Stamp` of its packet, and its own place in it, above the data that follow from these; in the
    header, the route takes the place of the lowest of them.

    Parameters
    ----------
    width, route_bits, address_bits
        See :class:`~fatcube.rtl.endpoint.source.Source`.

    Members
    -------
    stream : :py:`Out(FlitStream(width + Stamp(address_bits).size))`
    ready : :py:`In(1)`
        The next packet is ready.
    route : :py:`In(route_bits)`
    stamp : :py:`In(Stamp(address_bits))`
        Its route, and the stamp of its header.
    start : :py:`Out(1)`
        The next packet is taken.
    sending : :py:`Out(1)`
        A packet is being sent. A register.
    random, source_pause, measuring, cycle, accepted, sent, waited
        See :class:`~fatcube.rtl.endpoint.source.Source`.
    """

    stream: stream.Interface
    ready: Signal
    route: Signal
    stamp: data.View
    start: Signal
    sending: Signal
    random: Signal
    source_pause: Signal
    measuring: Signal
    cycle: Signal
    accepted: Signal
    sent: Signal
    waited: Signal

    def __init__(self, width: int, *, route_bits: int, address_bits: int) -> None:
        self.width = width
        self.address_bits = address_bits
        super().__init__(
            {
                "stream": Out(FlitStream(width + Stamp(address_bits).size)),
                "ready": In(1),
                "route": In(route_bits),
                "stamp": In(Stamp(address_bits)),
                "start": Out(1),
                "sending": Out(1),
                "random": In(32),
                "source_pause": In(16),
                "measuring": In(1),
                "cycle": In(CYCLE),
                "accepted": Out(32),
                "sent": Out(32),
                "waited": Out(48),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        out = self.stream
        route = Signal.like(self.route)
        stamp: data.View = Signal(Stamp(self.address_bits))
        words = data_of(m, stamp, self.width)
        end = Signal()
        rests = Signal()
        m.d.comb += [
            end.eq(stamp.left == 0),
            self.start.eq(self.ready & (~self.sending | out.valid & out.ready & end)),
            rests.eq(self.random[12:28] < self.source_pause),
            out.payload.data.eq(Cat(words, stamp)),
            out.payload.last.eq(end),
        ]
        with m.If(stamp.first):
            m.d.comb += out.payload.data[: len(route)].eq(route)

        with m.If(out.valid & out.ready):
            m.d.sync += [
                stamp.left.eq(stamp.left - 1),
                stamp.first.eq(0),
                self.accepted.eq(self.accepted + self.measuring),
            ]
            with m.If(stamp.first):
                m.d.sync += self.sent.eq(self.sent + 1)
                with m.If(stamp.measured):
                    m.d.sync += self.waited.eq(self.waited + (self.cycle - stamp.created)[:CYCLE])
        with m.If(~out.valid | out.ready):
            m.d.sync += out.valid.eq(self.sending & ~rests)
            with m.If(out.valid & end):
                m.d.sync += [out.valid.eq(0), self.sending.eq(0)]
        with m.If(self.start):
            m.d.sync += [
                out.valid.eq(1),
                self.sending.eq(1),
                route.eq(self.route),
                stamp.eq(self.stamp),
            ]
        return m
