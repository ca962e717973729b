"""The unit of a traffic source that makes packets of stamps, and sends them."""

from amaranth.hdl import Array, Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from fatcube.rtl.endpoint.monitor import next_signature
from fatcube.rtl.endpoint.traffic import CYCLE, Stamp, Way, repeated, stamp_words
from fatcube.rtl.flit import FlitStream

__all__ = ["StampedSender"]


class StampedSender(wiring.Component):
    """Sends one packet after the other: the next one when it is ready.

    A packet is a header with the low bits of its sequence number as message id, its :class:`Stamp` divided into flits,
    random words, and the signature of all words behind the header; a packet with fewer flits than these is truncated.

    Parameters
    ----------
    width, route_bits, message_bits, address_bits
        See :class:`~fatcube.rtl.endpoint.source.Source`.

    Members
    -------
    stream : :py:`Out(FlitStream(width))`
    ready : :py:`In(1)`
        The next packet is ready.
    way : :py:`In(Way(route_bits, address_bits))`
    stamp : :py:`In(Stamp(address_bits))`
        Its way and stamp.
    start : :py:`Out(1)`
        The next packet is taken.
    sending : :py:`Out(1)`
        A packet is being sent. A register.
    random, source_pause, measuring, cycle, accepted, sent, waited
        See :class:`~fatcube.rtl.endpoint.source.Source`.
    """

    stream: stream.Interface
    ready: Signal
    way: data.View
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

    def __init__(self, width: int, *, route_bits: int, message_bits: int, address_bits: int) -> None:
        self.width = width
        self.message_bits = message_bits
        self.address_bits = address_bits
        super().__init__(
            {
                "stream": Out(FlitStream(width)),
                "ready": In(1),
                "way": In(Way(route_bits, address_bits)),
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
        words = stamp_words(self.width, self.address_bits)
        out, stamp, way = self.stream, self.stamp, self.way
        header = Signal(self.width)
        sent_stamp = Signal(words * self.width)
        created = Signal(CYCLE)
        measured = Signal()
        filler = Signal(32, init=1)
        flit = Signal(16)
        last = Signal(16)
        end = Signal()
        signature = Signal(self.width)
        rests = Signal()
        message = Mux(way.flits == 1, way.destination, stamp.sequence)
        stamped = Array(sent_stamp.word_select(word, self.width) for word in range(words))
        m.d.comb += [
            end.eq(flit == last),
            self.start.eq(self.ready & (~self.sending | out.valid & out.ready & end)),
            rests.eq(self.random[12:28] < self.source_pause),
            out.payload.last.eq(end),
        ]
        with m.If(flit == 0):
            m.d.comb += out.payload.data.eq(header)
        with m.Elif(end):
            m.d.comb += out.payload.data.eq(signature)
        with m.Elif(flit <= words):
            m.d.comb += out.payload.data.eq(stamped[(flit - 1)[: max(1, ceil_log2(words))]])
        with m.Else():
            m.d.comb += out.payload.data.eq(repeated(filler, self.width))

        with m.If(out.valid & out.ready):
            m.d.sync += [
                flit.eq(flit + 1),
                filler.eq(self.random | 1),
                signature.eq(next_signature(signature, out.payload.data)),
                self.accepted.eq(self.accepted + self.measuring),
            ]
            with m.If(flit == 0):
                m.d.sync += [
                    signature.eq(0),
                    self.sent.eq(self.sent + 1),
                ]
                with m.If(measured):
                    m.d.sync += self.waited.eq(self.waited + (self.cycle - created)[:CYCLE])
        with m.If(~out.valid | out.ready):
            m.d.sync += out.valid.eq(self.sending & ~rests)
            with m.If(out.valid & end):
                m.d.sync += [out.valid.eq(0), self.sending.eq(0)]
        with m.If(self.start):
            m.d.sync += [
                out.valid.eq(1),
                self.sending.eq(1),
                flit.eq(0),
                last.eq(stamp.flits - 1),
                header.eq(Cat(way.route, message[: self.message_bits])),
                sent_stamp.eq(stamp),
                created.eq(stamp.created),
                measured.eq(stamp.measured),
            ]
        return m
