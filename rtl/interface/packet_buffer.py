"""A store-and-forward buffer for packets, which drops a packet that is too long."""

from amaranth.hdl import Module, Signal
from amaranth.lib import memory, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.flit import FlitStream

__all__ = ["PacketBuffer"]


class PacketBuffer(wiring.Component):
    """Holds a packet until its tail flit has arrived. A packet of more than ``longest`` flits is dropped entirely.

    The first flit is offered two cycles after the last one was taken, and the others follow without a gap. Flits are
    taken while there is room, so a packet can arrive while others leave.

    A depth of one flit more than the longest packet is enough for full rate: when all of a packet but its tail flit has
    left, there is room for all of the next packet, whose own tail flit can be taken while the other one leaves. The depth
    is rounded up to a power of two, so that all of the memory is used and the pointers wrap by themselves.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    longest : :class:`int`
        The most flits of a packet, including its header.

    Members
    -------
    i : :py:`In(FlitStream(width))`
        Flits in; ``ready`` follows from registers.
    o : :py:`Out(FlitStream(width))`
        Flits out; ``valid`` is a register, and the payload the output of a memory.
    too_long : :py:`Out(1)`
        In the previous cycle, a packet reached ``longest`` flits without a tail flit. A register.

    Attributes
    ----------
    depth : :class:`int`
        Buffer depth in flits.
    """

    i: stream.Interface
    o: stream.Interface
    too_long: Signal

    def __init__(self, width: int, longest: int) -> None:
        self.longest = check_integer("longest packet", longest, minimum=1, maximum=1 << 16)
        self.depth = 1 << ceil_log2(longest + 1)
        super().__init__({"i": In(FlitStream(width)), "o": Out(FlitStream(width)), "too_long": Out(1)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        payload, last = self.i.payload.as_value(), self.i.payload.last
        m.submodules.memory = flits = memory.Memory(shape=payload.shape(), depth=self.depth, init=())
        write, read = flits.write_port(), flits.read_port()

        # The pointers count to twice the depth before they wrap, so that full and empty are distinguished.
        round_twice = range(2 * self.depth)
        place = Signal(round_twice)
        whole = Signal(round_twice)
        first = Signal(round_twice)
        within = Signal(range(self.depth))  # Flits of the arriving packet, from `whole` to `place`.
        taken = Signal()
        swallowing = Signal()
        exceeds = Signal()
        m.d.comb += [
            within.eq(place - whole),
            self.i.ready.eq(place != first ^ self.depth),
            taken.eq(self.i.valid & self.i.ready),
            exceeds.eq(taken & ~swallowing & ~last & (within == self.longest - 1)),
            write.addr.eq(place),
            write.data.eq(payload),
            write.en.eq(taken),
        ]
        m.d.sync += self.too_long.eq(exceeds)
        with m.If(exceeds):
            m.d.sync += [place.eq(whole), swallowing.eq(1)]
        with m.Elif(taken & swallowing):
            m.d.sync += swallowing.eq(~last)
        with m.Elif(taken):
            m.d.sync += place.eq(place + 1)
            with m.If(last):
                m.d.sync += whole.eq(place + 1)

        m.d.comb += [
            read.addr.eq(first),
            read.en.eq(~self.o.valid | self.o.ready),
            self.o.payload.eq(read.data),
        ]
        with m.If(read.en):
            m.d.sync += [self.o.valid.eq(first != whole), first.eq(first + (first != whole))]
        return m
