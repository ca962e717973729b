"""The input buffers of a router: queues that a flit can leave in the cycle after it entered."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import fifo, wiring
from amaranth.lib.wiring import In, Out

from groundwork.validation import check_integer
from rtl.flit import FlitLayout, FlitStream

__all__ = ["FastInputBuffer", "InputBuffer"]


class InputBuffer(wiring.Component):
    """A queue of flits; a flit that enters an empty one can leave in the next cycle.

    ``i.ready`` and all of ``o`` come straight from registers, so the buffer ends every timing path of the
    router before it and begins those of its own. The flit that the first register loads is shown one cycle
    ahead, so that its route can be decoded into registers beside it.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    depth : :class:`int`
        Flits that fit. With 1, a flit enters every second cycle at most; from 2 on, every cycle. Two flits
        are held in flip-flops, what goes beyond in a memory behind the first register.

    Members
    -------
    i : :py:`In(FlitStream(width))`
        Flits in.
    o : :py:`Out(FlitStream(width))`
        Flits out.
    free : :py:`Out(1)`
        The first register is loaded at the end of this cycle.
    arriving : :py:`Out(1)`
        There is a flit that it can be loaded with; otherwise it is loaded with no flit.
    loading : :py:`Out(FlitLayout(width))`
        That flit.

    Raises
    ------
    ParameterError
        If the depth is less than 1.
    """

    def __init__(self, width, depth):
        self.depth = check_integer("buffer depth", depth, minimum=1, maximum=4096)
        super().__init__(
            {
                "i": In(FlitStream(width)),
                "o": Out(FlitStream(width)),
                "free": Out(1),
                "arriving": Out(1),
                "loading": Out(FlitLayout(width)),
            }
        )

    def elaborate(self, platform):
        m = Module()

        # What waits behind the first register: nothing, one register, or a memory.
        waiting = Signal()
        m.d.comb += self.free.eq(~self.o.valid | self.o.ready)

        if self.depth == 1:
            m.d.comb += [
                self.i.ready.eq(~self.o.valid),
                self.loading.eq(self.i.payload),
            ]
        elif self.depth == 2:
            second = Signal.like(self.i.payload)
            m.d.comb += [
                self.i.ready.eq(~waiting),
                self.loading.eq(Mux(waiting, second.as_value(), self.i.payload.as_value())),
            ]
            # While nothing waits, the second register follows the input: an enable and no multiplexer.
            with m.If(~waiting):
                m.d.sync += second.eq(self.i.payload)
            m.d.sync += waiting.eq(waiting | self.i.valid)
            with m.If(self.free):
                m.d.sync += waiting.eq(0)
        else:
            m.submodules.behind = behind = fifo.SyncFIFO(
                width=self.i.payload.as_value().shape().width, depth=self.depth - 1
            )
            m.d.comb += [
                waiting.eq(behind.r_rdy),
                self.i.ready.eq(behind.w_rdy),
                self.loading.eq(Mux(waiting, behind.r_data, self.i.payload.as_value())),
                behind.w_data.eq(self.i.payload),
                behind.w_en.eq(self.i.valid & (waiting | ~self.free)),
                behind.r_en.eq(self.free),
            ]

        m.d.comb += self.arriving.eq(waiting | self.i.valid & self.i.ready)
        # Whether the flit in front leaves is known late in the cycle. So that is an enable and nothing else:
        # a free register is loaded, flit or no flit.
        with m.If(self.free):
            m.d.sync += [
                self.o.payload.eq(self.loading),
                self.o.valid.eq(self.arriving),
            ]
        return m


class FastInputBuffer(wiring.Component):
    """An :class:`InputBuffer` of two flits in which no register of data waits for ``o.ready``.

    The newest flit stands in the first register. While nothing waits, the second copies the first in every
    cycle, so that is where a flit which was not taken is found again. Whether a flit is taken is known last
    of all in a cycle: here it decides one bit. In exchange a multiplexer stands before the crossbar.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.

    Members
    -------
    i, o, free, arriving, loading
        As in :class:`InputBuffer`; ``i.ready`` and ``o`` are one level of logic away from registers.
    """

    def __init__(self, width):
        super().__init__(
            {
                "i": In(FlitStream(width)),
                "o": Out(FlitStream(width)),
                "free": Out(1),
                "arriving": Out(1),
                "loading": Out(FlitLayout(width)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        newest, second = Signal.like(self.i.payload), Signal.like(self.i.payload)
        occupied, waiting = Signal(), Signal()  # Of the newest and of the second: a flit that has not left.
        m.d.comb += [
            self.i.ready.eq(~(waiting & occupied)),
            self.o.payload.eq(Mux(waiting, second.as_value(), newest.as_value())),
            self.o.valid.eq(waiting | occupied),
            self.free.eq(~self.o.valid | self.o.ready),
            self.loading.eq(Mux(self.i.ready, self.i.payload.as_value(), newest.as_value())),
            self.arriving.eq(~self.i.ready | self.i.valid),
        ]
        with m.If(self.i.ready):
            m.d.sync += newest.eq(self.i.payload)
        with m.If(~waiting):
            m.d.sync += second.eq(newest)
        m.d.sync += [
            occupied.eq(~self.i.ready | self.i.valid),
            waiting.eq(self.o.valid & ~self.o.ready),
        ]
        return m
