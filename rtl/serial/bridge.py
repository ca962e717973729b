"""A bridge from a serial line to a host bus."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.serial.frames import FrameReceiver, FrameSender
from fatcube.rtl.serial.request import FRAME_DEPTH, Operation, ReplyHead, RequestHead, Status
from fatcube.rtl.serial.uart import UARTReceiver, UARTTransmitter

__all__ = ["READ_CYCLES", "SerialBridge"]


READ_CYCLES = 2
"""Read latency of the bus in cycles, from the address to the word."""


class SerialBridge(wiring.Component):
    """Carries out the accesses to a host bus that a computer requests, and replies to each request when it is done.

    A request is carried out when all of it has arrived and its CRC is right, so no data that the line has corrupted is
    ever written. A request that arrives before the reply to the last one is dropped. A computer that gets no reply has to
    repeat its request.

    Parameters
    ----------
    bit_cycles : :class:`int`
        Cycles per bit on the line.
    host_width : :class:`int`
        Data bits of the bus.

    Members
    -------
    rx : :py:`In(1)`
        The line from the computer, synchronised to the clock.
    tx : :py:`Out(1)`
        The line to the computer.
    node, unit : :py:`Out(16)`
    region, bank : :py:`Out(8)`
        The region is 0 in every cycle without an access, and in accesses to region 0.
    word : :py:`Out(24)`
    write : :py:`Out(1)`
        ``data`` is written; asserted for one cycle.
    data : :py:`Out(host_width)`
    value : :py:`In(host_width)`
        The word read, :data:`READ_CYCLES` after its address. The address is held until the word is sent.

    Raises
    ------
    ParameterError
        If a parameter is out of its range.
    """

    rx: Signal
    tx: Signal
    node: Signal
    unit: Signal
    region: Signal
    bank: Signal
    word: Signal
    write: Signal
    data: Signal
    value: Signal

    def __init__(self, *, bit_cycles: int, host_width: int) -> None:
        self.bytes = -(-check_integer("host width", host_width, minimum=8, maximum=8 * 255) // 8)
        self._receiver, self._transmitter = UARTReceiver(bit_cycles), UARTTransmitter(bit_cycles)
        super().__init__(
            {
                "rx": In(1),
                "tx": Out(1),
                "node": Out(16),
                "unit": Out(16),
                "region": Out(8),
                "bank": Out(8),
                "word": Out(24),
                "write": Out(1),
                "data": Out(host_width),
                "value": In(host_width),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.receiver, m.submodules.transmitter = receiver, transmitter = self._receiver, self._transmitter
        m.submodules.frames = frames = FrameReceiver(FRAME_DEPTH)
        m.submodules.replies = replies = FrameSender()
        wiring.connect(m, receiver.o, frames.i)
        wiring.connect(m, replies.o, transmitter.i)
        m.d.comb += [
            receiver.rx.eq(self.rx),
            self.tx.eq(transmitter.tx),
            frames.error.eq(receiver.error),
        ]

        head = Signal(RequestHead())
        reply = Signal(ReplyHead())
        head_bytes, reply_bytes = len(head.as_value()) // 8, len(reply.as_value()) // 8
        place = Signal(range(FRAME_DEPTH))  # in the request
        # the byte at that place
        here = Signal()
        takes = Signal()
        left = Signal(16)  # words still to be read
        shifted = Signal(8 * self.bytes)  # the word that is assembled or sent byte by byte
        within = Signal(range(max(self.bytes, reply_bytes)))  # its byte, or the byte of the reply head
        waited = Signal(range(READ_CYCLES + 1))
        reading = Signal()
        writing = Signal()
        refused = Signal()
        ends = Signal()
        last = Signal()
        m.d.comb += [
            frames.address.eq(place),
            reading.eq(head.operation == Operation.READ.value),
            writing.eq(head.operation == Operation.WRITE.value),
            refused.eq(~(reading | writing) | (head.size == 0) | (head.size > self.bytes)),
            *(getattr(self, name).eq(getattr(head, name)) for name in ("node", "unit", "bank", "word")),
            self.data.eq(shifted),
            reply.sequence.eq(head.sequence),
            reply.status.eq(Mux(refused, Status.REFUSED, Status.DONE)),
            ends.eq(within == head.size - 1),
            replies.i.payload.last.eq(last),
        ]
        m.d.sync += here.eq(~takes)
        with m.If(takes):
            m.d.sync += place.eq(place + 1)

        with m.FSM():
            with m.State("WAIT"):
                m.d.sync += [place.eq(0), here.eq(0)]
                with m.If(frames.frame.valid):
                    m.next = "HEAD"
            with m.State("HEAD"):
                with m.If(here):
                    m.d.comb += takes.eq(1)
                    m.d.sync += head.as_value().eq(Cat(head.as_value()[8:], frames.byte))
                    with m.If(place == head_bytes - 1):
                        m.next = "CHOOSE"
            with m.State("CHOOSE"):
                m.d.sync += [
                    left.eq(head.count),
                    within.eq(0),
                    shifted.eq(0),
                ]
                m.next = "REPLY"
                with m.If(frames.frame.payload < head_bytes):  # incomplete: the rest is from an older request
                    m.d.sync += head.operation.eq(0)
                with m.Elif(writing & ~refused):
                    m.next = "TAKE"
            with m.State("TAKE"):
                with m.If(place == frames.frame.payload):  # an incomplete last word is not written
                    m.d.sync += within.eq(0)
                    m.next = "REPLY"
                with m.Elif(here):
                    m.d.comb += takes.eq(1)
                    m.d.sync += [
                        shifted.word_select(within, 8).eq(frames.byte),
                        within.eq(within + 1),
                    ]
                    with m.If(ends):
                        m.d.sync += within.eq(0)
                        m.next = "WRITE"
            with m.State("WRITE"):
                m.d.comb += [
                    self.region.eq(head.region),
                    self.write.eq(1),
                ]
                m.d.sync += [
                    head.word.eq(head.word + 1),
                    shifted.eq(0),
                ]
                m.next = "TAKE"
            with m.State("REPLY"):
                m.d.comb += [
                    replies.i.valid.eq(1),
                    replies.i.payload.byte.eq(reply.as_value().word_select(within, 8)),
                    last.eq((within == reply_bytes - 1) & (~reading | refused | (left == 0))),
                ]
                with m.If(replies.i.ready):
                    m.d.sync += within.eq(within + 1)
                    with m.If(within == reply_bytes - 1):
                        m.d.sync += [within.eq(0), waited.eq(0)]
                        m.next = "READ"
                        with m.If(last):
                            m.next = "END"
            with m.State("READ"):
                m.d.comb += self.region.eq(head.region)
                m.d.sync += [waited.eq(waited + 1), shifted.eq(self.value)]
                with m.If(waited == READ_CYCLES):
                    m.next = "GIVE"
            with m.State("GIVE"):
                m.d.comb += [
                    replies.i.valid.eq(1),
                    replies.i.payload.byte.eq(shifted),
                    last.eq(ends & (left == 1)),
                ]
                with m.If(replies.i.ready):
                    m.d.sync += [
                        shifted.eq(Cat(shifted[8:], Const(0, 8))),
                        within.eq(within + 1),
                    ]
                    with m.If(ends):
                        m.d.sync += [
                            within.eq(0),
                            waited.eq(0),
                            left.eq(left - 1),
                            head.word.eq(head.word + 1),
                        ]
                        m.next = "READ"
                        with m.If(left == 1):
                            m.next = "END"
            with m.State("END"):
                m.d.comb += frames.frame.ready.eq(1)
                m.next = "WAIT"
        return m
