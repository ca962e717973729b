"""A link with one fault, to be put into a lane: whoever looks at the run must notice, and say where."""

from amaranth.hdl import Module, Signal
from amaranth.lib import memory, wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_choice, check_integer
from fatcube.rtl.flit import FlitLayout, FlitStream

__all__ = ["FaultyLink", "KINDS"]


KINDS = ("flip", "drop", "lose", "double", "swap", "endless")


class FaultyLink(wiring.Component):
    """Passes a stream on in the same cycle, and does one thing wrong, once after each reset.

    Its neighbours keep to the stream rule and so does it: a flit that it offers stays until it is taken.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    kind : :class:`str`
        ``"flip"``: payload flit ``number`` (headers do not count) has its lowest bit inverted.
        ``"drop"``: flit ``number`` (headers count) is taken and not passed on.
        ``"lose"``: packet ``number`` is taken and not passed on.
        ``"swap"``: packet ``number`` is passed on after the one that follows it.
        ``"double"``: packet ``number`` is sent again, straight after itself.
        ``"endless"``: the last flit of packet ``number`` is not marked as the last.
    number : :class:`int`
        Which one, counted from 0.
    room : :class:`int`
        The most flits of a packet that can be sent again.

    Members
    -------
    i : :py:`In(FlitStream(width))`
    o : :py:`Out(FlitStream(width))`
    """

    def __init__(self, width, kind, number, *, room=64):
        self.width = width
        self.kind = check_choice("kind of fault", kind, KINDS)
        self.number = check_integer("number", number, minimum=0, maximum=(1 << 16) - 2)
        self.room = check_integer("room", room, minimum=2)
        super().__init__({"i": In(FlitStream(width)), "o": Out(FlitStream(width))})

    def elaborate(self, platform):
        m = Module()
        passed = Signal(16)  # of what `number` counts; it rests once the fault lies behind
        is_header = Signal(init=1)
        crossing, counts, hit = Signal(), Signal(), Signal()
        m.d.comb += [
            self.o.payload.eq(self.i.payload),
            self.o.valid.eq(self.i.valid),
            self.i.ready.eq(self.o.ready),
            crossing.eq(self.i.valid & self.i.ready),
            hit.eq(passed == self.number),
        ]
        with m.If(crossing):
            m.d.sync += is_header.eq(self.i.payload.last)
            with m.If(counts & (passed <= self.number)):
                m.d.sync += passed.eq(passed + 1)

        if self.kind == "flip":
            m.d.comb += counts.eq(~is_header)
            with m.If(hit & ~is_header):
                m.d.comb += self.o.payload.data.eq(self.i.payload.data ^ 1)
        elif self.kind == "drop":
            m.d.comb += counts.eq(1)
            self._take(m, hit)
        elif self.kind == "lose":
            m.d.comb += counts.eq(self.i.payload.last)
            self._take(m, hit)
        elif self.kind == "swap":
            m.d.comb += counts.eq(self.i.payload.last)
            self._take(m, hit)
            self._store(m, keep=hit & crossing, send=crossing & self.i.payload.last & (passed == self.number + 1))
            with m.If(crossing & self.i.payload.last & (passed == self.number + 1)):
                m.d.sync += passed.eq(self.number + 2)
        elif self.kind == "endless":
            m.d.comb += counts.eq(self.i.payload.last)
            with m.If(hit):
                m.d.comb += self.o.payload.last.eq(0)
        else:
            m.d.comb += counts.eq(self.i.payload.last)
            self._store(m, keep=hit & crossing, send=hit & crossing & self.i.payload.last)
        return m

    def _take(self, m, hit):
        """Takes flits while ``hit`` is set, and passes none on."""
        with m.If(hit):
            m.d.comb += [
                self.o.valid.eq(0),
                self.i.ready.eq(1),
            ]

    def _store(self, m, *, keep, send):
        """Stores the flits that cross while ``keep`` is set, and sends them once ``send`` has been."""
        m.submodules.store = store = memory.Memory(shape=FlitLayout(self.width), depth=self.room, init=[])
        write, read = store.write_port(), store.read_port(domain="comb")
        position = Signal(range(self.room))
        again = Signal()
        m.d.comb += [
            write.addr.eq(position),
            write.data.eq(self.i.payload),
            write.en.eq(keep),
            read.addr.eq(position),
        ]
        with m.If(again):
            m.d.comb += [
                self.o.payload.eq(read.data),
                self.o.valid.eq(1),
                self.i.ready.eq(0),
            ]
            with m.If(self.o.ready):
                m.d.sync += position.eq(position + 1)
                with m.If(read.data.last):
                    m.d.sync += again.eq(0)
        with m.If(keep):
            m.d.sync += position.eq(position + 1)
            with m.If(self.i.payload.last):
                m.d.sync += position.eq(0)
        with m.If(send):
            m.d.sync += again.eq(1)
