"""Frames of bytes on a line that may lose, double or change them.

The framing is that of HDLC on asynchronous lines (RFC 1662, sections 4 and C.3): a flag before and after each frame,
an escape before each byte in it that equals a flag or an escape, whose bit 5 is then inverted, and the CRC-32 of the frame
as its last four bytes. So a flag is always a frame boundary, and a receiver that starts late or has lost a byte is
synchronised again at the next flag.
"""

from amaranth.hdl import Module, Signal
from amaranth.lib import data, memory, stream, wiring
from amaranth.lib.crc.catalog import CRC32_ISO_HDLC
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_integer

__all__ = ["CHECK_BYTES", "ESCAPE", "FLAG", "INVERTED", "FrameReceiver", "FrameSender", "LastByte"]


FLAG = 0x7E
ESCAPE = 0x7D
INVERTED = 0x20
"""The bit that is inverted in a byte after an escape."""

CHECK_BYTES = 4
"""Bytes of the CRC at the end of a frame, the lowest first."""


class LastByte(data.StructLayout):
    """A byte of a frame.

    Members
    -------
    byte : :class:`unsigned(8)`
    last : :class:`unsigned(1)`
        The last byte of the frame before its CRC.
    """

    def __init__(self) -> None:
        super().__init__({"byte": 8, "last": 1})


class FrameReceiver(wiring.Component):
    """Holds a frame until it is taken, if it has arrived complete and with a correct CRC; other frames are silently dropped.

    A frame of which a byte arrives while another frame is held is dropped too.

    Parameters
    ----------
    depth : :class:`int`
        The most bytes of a frame, including its CRC.

    Members
    -------
    i : :py:`In(stream.Signature(8, always_ready=True))`
        The bytes on the line.
    error : :py:`In(1)`
        Something other than a byte was received from the line.
    frame : :py:`Out(stream.Signature(range(depth)))`
        The number of bytes of the frame that is held, without its CRC. It is taken when it is no longer needed.
    address : :py:`In(range(depth))`
    byte : :py:`Out(8)`
        The byte of the frame at the ``address`` of the previous cycle.

    Raises
    ------
    ParameterError
        If the depth is out of its range.
    """

    i: stream.Interface
    error: Signal
    frame: stream.Interface
    address: Signal
    byte: Signal

    def __init__(self, depth: int) -> None:
        self.depth = check_integer("frame depth", depth, minimum=CHECK_BYTES + 1, maximum=1 << 16)
        super().__init__(
            {
                "i": In(stream.Signature(8, always_ready=True)),
                "error": In(1),
                "frame": Out(stream.Signature(range(depth))),
                "address": In(range(depth)),
                "byte": Out(8),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.check = check = CRC32_ISO_HDLC().create()
        m.submodules.bytes = kept = memory.Memory(shape=8, depth=self.depth, init=[])
        write, read = kept.write_port(), kept.read_port()
        count = Signal(range(self.depth + 1))
        # Bytes before the first flag are ignored.
        escaped = Signal()
        broken = Signal(init=1)
        byte = Signal(8)
        m.d.comb += [
            byte.eq(self.i.payload ^ (escaped << INVERTED.bit_length() - 1)),
            check.data.eq(byte),
            write.addr.eq(count),
            write.data.eq(byte),
            read.addr.eq(self.address),
            self.byte.eq(read.data),
        ]
        with m.If(self.frame.ready):
            m.d.sync += self.frame.valid.eq(0)
        with m.If(self.i.valid):
            with m.If(self.i.payload == FLAG):
                m.d.comb += check.start.eq(1)
                m.d.sync += [count.eq(0), escaped.eq(0), broken.eq(0)]
                # An escape before a flag ends a frame that its sender has aborted.
                whole = ~broken & ~escaped & check.match_detected & (count > CHECK_BYTES)
                with m.If(whole & ~self.frame.valid):
                    m.d.sync += [self.frame.valid.eq(1), self.frame.payload.eq(count - CHECK_BYTES)]
            with m.Elif(self.frame.valid | (count == self.depth)):
                m.d.sync += broken.eq(1)
            with m.Elif((self.i.payload == ESCAPE) & ~escaped):
                m.d.sync += escaped.eq(1)
            with m.Else():
                m.d.comb += [check.valid.eq(1), write.en.eq(1)]
                m.d.sync += [count.eq(count + 1), escaped.eq(0)]
        with m.If(self.error):
            m.d.sync += broken.eq(1)
        return m


class FrameSender(wiring.Component):
    """Sends frames on a line, each with its CRC and between flags.

    Members
    -------
    i : :py:`In(stream.Signature(LastByte()))`
        The bytes of frames.
    o : :py:`Out(stream.Signature(8))`
        The bytes on the line.
    """

    i: stream.Interface
    o: stream.Interface

    def __init__(self) -> None:
        super().__init__({"i": In(stream.Signature(LastByte())), "o": Out(stream.Signature(8))})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.check = check = CRC32_ISO_HDLC().create()
        byte = Signal(8)
        sends = Signal()
        escaped = Signal()
        crosses = Signal()
        # A byte that has to be escaped takes two cycles on the line: an escape, and the inverted byte.
        hidden = Signal()
        place = Signal(range(CHECK_BYTES))
        m.d.comb += [
            hidden.eq((byte == FLAG) | (byte == ESCAPE)),
            crosses.eq(sends & self.o.ready & (~hidden | escaped)),
            check.data.eq(byte),
        ]
        with m.If(sends):
            m.d.comb += [
                self.o.valid.eq(1),
                self.o.payload.eq(byte),
            ]
            with m.If(hidden):
                m.d.comb += self.o.payload.eq(ESCAPE)
                m.d.sync += escaped.eq(escaped ^ self.o.ready)
                with m.If(escaped):
                    m.d.comb += self.o.payload.eq(byte ^ INVERTED)

        with m.FSM():
            with m.State("FLAG"):
                m.d.comb += [
                    check.start.eq(1),
                    self.o.payload.eq(FLAG),
                    self.o.valid.eq(self.i.valid),
                ]
                with m.If(self.o.valid & self.o.ready):
                    m.next = "BYTES"
            with m.State("BYTES"):
                m.d.comb += [
                    byte.eq(self.i.payload.byte),
                    sends.eq(self.i.valid),
                    self.i.ready.eq(crosses),
                    check.valid.eq(crosses),
                ]
                with m.If(crosses & self.i.payload.last):
                    m.next = "CHECK"
            with m.State("CHECK"):
                m.d.comb += [
                    byte.eq(check.crc.word_select(place, 8)),
                    sends.eq(1),
                ]
                with m.If(crosses):
                    m.d.sync += place.eq(place + 1)
                    with m.If(place == CHECK_BYTES - 1):
                        m.next = "END"
            with m.State("END"):
                m.d.comb += [
                    self.o.payload.eq(FLAG),
                    self.o.valid.eq(1),
                ]
                with m.If(self.o.ready):
                    m.next = "FLAG"
        return m
