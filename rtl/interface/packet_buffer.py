"""A buffer that lets a packet go on when it is here whole, and drops one that is too long."""

from amaranth.hdl import Module, Signal
from amaranth.lib import memory, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.flit import FlitStream

__all__ = ["PacketBuffer"]


class PacketBuffer(wiring.Component):
    """Keeps a packet until its last flit is here. One that has more flits than it may is dropped, all of it.

    The first flit is offered two cycles after the last one was taken, and the others follow without a gap. Flits are
    taken while there is room, so a packet comes in while others go out.

    Room for one flit more than the longest packet has is enough for full rate: when all of a packet has left but its last
    flit, there is room for all of the next one, whose own last flit can be taken while that one leaves. The room goes up
    to a power of two, as all of the memory is used then, and the pointers need no care at its end.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    longest : :class:`int`
        The most flits of a packet, its header among them.

    Members
    -------
    i : :py:`In(FlitStream(width))`
        Flits in; ``ready`` follows from registers.
    o : :py:`Out(FlitStream(width))`
        Flits out; ``valid`` is a register, and the payload the output of a memory.
    too_long : :py:`Out(1)`
        In the cycle before, a packet had as many flits here as it may, and the latest was not its last. A register.

    Attributes
    ----------
    depth : :class:`int`
        Flits that fit.
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

        # The places go round the memory twice before they are the same again: so a full buffer is no empty one.
        round_twice = range(2 * self.depth)
        place, whole, first = Signal(round_twice), Signal(round_twice), Signal(round_twice)
        within = Signal(range(self.depth))  # Flits of the packet that comes in, from `whole` to `place`.
        taken, swallowing, exceeds = Signal(), Signal(), Signal()
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
