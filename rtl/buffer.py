"""The input buffers of a router: queues that a flit can leave in the cycle after it entered."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from groundwork.validation import check_integer
from rtl.flit import FlitLayout, FlitStream
from rtl.queue import FlitQueue, check_buffer_memory

__all__ = ["InputBuffer", "TwoFlitBuffer"]


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
        Flits that fit. With 1, a flit enters every second cycle at most; from 2 on, every cycle. Up to two flits
        are held in flip-flops; in a deeper buffer all but the first are in a memory behind the first register.
    memory : :class:`str`
        The kind of that memory, one of :data:`rtl.queue.BUFFER_MEMORIES`. What the buffer does is the same for all.

    Members
    -------
    i : :py:`In(FlitStream(width))`
        Flits in.
    o : :py:`Out(FlitStream(width))`
        Flits out.
    free : :py:`Out(1)`
        The first register is loaded at the end of this cycle.
    arriving : :py:`Out(1)`
        There is a flit to load it with; otherwise it is left empty.
    loading : :py:`Out(FlitLayout(width))`
        That flit.

    Raises
    ------
    ParameterError
        If the depth is less than 1, or there is no memory of which a kind is asked.
    """

    i: stream.Interface
    o: stream.Interface
    free: Signal
    arriving: Signal
    loading: data.View

    def __init__(self, width: int, depth: int, *, memory: str = "auto") -> None:
        self.depth = check_integer("buffer depth", depth, minimum=1, maximum=4096)
        self.memory = check_buffer_memory(memory, depth)
        self.width = width
        super().__init__(
            {
                "i": In(FlitStream(width)),
                "o": Out(FlitStream(width)),
                "free": Out(1),
                "arriving": Out(1),
                "loading": Out(FlitLayout(width)),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()

        # A flit waits behind the first register: never, in one register, or in a memory.
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
            # While nothing waits, the second register follows the input: that takes an enable, not a multiplexer.
            with m.If(~waiting):
                m.d.sync += second.eq(self.i.payload)
            m.d.sync += waiting.eq(waiting | self.i.valid)
            with m.If(self.free):
                m.d.sync += waiting.eq(0)
        else:
            m.submodules.behind = behind = FlitQueue(self.width, self.depth - 1, memory=self.memory)
            m.d.comb += [
                waiting.eq(behind.o.valid),
                self.i.ready.eq(behind.i.ready),
                self.loading.eq(Mux(waiting, behind.o.payload.as_value(), self.i.payload.as_value())),
                behind.i.payload.eq(self.i.payload),
                behind.i.valid.eq(self.i.valid & (waiting | ~self.free)),
                behind.o.ready.eq(self.free),
            ]

        m.d.comb += self.arriving.eq(waiting | self.i.valid & self.i.ready)
        # `free` settles late in the cycle, so it is an enable and nothing else: a free register is loaded whether
        # or not there is a flit.
        with m.If(self.free):
            m.d.sync += [
                self.o.payload.eq(self.loading),
                self.o.valid.eq(self.arriving),
            ]
        return m


class TwoFlitBuffer(InputBuffer):
    """An :class:`InputBuffer` of two flits of which few registers wait for ``o.ready``, the last signal of a cycle to settle.

    The newest flit stands in the first register, and the second copies that until a flit is not taken, which is then found
    there. So most of a flit passes a multiplexer on its way out, and needs none on its way in; what ``loading`` shows
    of a flit is in a register of its own in front, loaded as in any :class:`InputBuffer`.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    shown : :class:`int`
        The lowest bits of data that, with ``last``, are all of ``loading`` that is looked at.

    Members
    -------
    i, o, free, arriving, loading
        As in :class:`InputBuffer`; ``i.ready`` and the upper bits of ``o.payload`` are one level of logic away from registers.

    Raises
    ------
    ParameterError
        If there are fewer bits than are to be shown.
    """

    def __init__(self, width: int, shown: int) -> None:
        super().__init__(width, 2)
        self.shown = check_integer("shown bits", shown, minimum=0, maximum=width)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        newest = Signal.like(self.i.payload)
        upper = newest.data[self.shown :]
        second = Signal.like(upper)
        # The flit in front was not there in the cycle before, so it stands in the first register, not yet in the second.
        fresh = Signal(init=1)
        occupied, full = Signal(), Signal()  # The first register; both.
        m.d.comb += [
            full.eq(occupied & ~fresh),
            self.i.ready.eq(~full),
            self.free.eq(~self.o.valid | self.o.ready),
            self.arriving.eq(full | self.i.valid),
            self.loading.eq(Mux(full, newest.as_value(), self.i.payload.as_value())),
        ]
        front = Cat(self.o.payload.data[: self.shown], self.o.payload.last)
        m.d.comb += self.o.payload.data[self.shown :].eq(Mux(fresh, upper, second))
        with m.If(self.free):
            m.d.sync += [
                front.eq(Cat(self.loading.data[: self.shown], self.loading.last)),
                self.o.valid.eq(self.arriving),
            ]
        with m.If(~full):
            m.d.sync += newest.eq(self.i.payload)
        with m.If(fresh):
            m.d.sync += second.eq(upper)
        m.d.sync += [fresh.eq(self.free), occupied.eq(self.arriving)]
        return m
