"""The input buffers of a router: queues that a flit can leave in the cycle after it entered.

This module has the buffers of up to two flits. Deeper ones are in :mod:`fatcube.rtl.deep_buffer`, where
:func:`~fatcube.rtl.deep_buffer.input_buffer` chooses a buffer by its depth.
"""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_integer
from fatcube.rtl.flit import FlitLayout, FlitStream

__all__ = ["InputBuffer", "RegisterBuffer", "TwoFlitBuffer"]


class InputBuffer(wiring.Component):
    """The shape of all buffers of inputs: a queue of flits; a flit that enters an empty one can leave in the next cycle.

    ``i.ready`` and all of ``o`` come from registers, so the buffer ends every timing path of the router before it and
    begins those of its own. The part of the next flit by which it is routed is shown one cycle ahead, so that its route can
    be decoded into registers beside the buffer.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    depth : :class:`int`
        Flits that fit. With 1, a flit enters every second cycle at most; from 2 on, every cycle.

    Members
    -------
    i : :py:`In(FlitStream(width))`
        Flits in.
    o : :py:`Out(FlitStream(width))`
        Flits out.
    free : :py:`Out(1)`
        There is no flit in front, or it leaves: another one may be there in the next cycle.
    arriving : :py:`Out(1)`
        There is another flit, which moves to the front at the end of this cycle. Valid only if ``free`` is set.
    loading : :py:`Out(FlitLayout(width))`
        The flit that moves to the front, with all bits that are to be shown.

    Raises
    ------
    ParameterError
        If the depth is out of range.
    """

    i: stream.Interface
    o: stream.Interface
    free: Signal
    arriving: Signal
    loading: data.View

    def __init__(self, width: int, depth: int) -> None:
        self.depth = check_integer("buffer depth", depth, minimum=1, maximum=4096)
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


class RegisterBuffer(InputBuffer):
    """One or two flits in registers. All of ``o`` and ``i.ready`` are registers, and ``loading`` shows the whole flit.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    depth : :class:`int`
        Flits that fit: 1 or 2.

    Members
    -------
    The members of :class:`InputBuffer`.

    Raises
    ------
    ParameterError
        If it is another depth.
    """

    def __init__(self, width: int, depth: int) -> None:
        super().__init__(width, check_integer("buffer depth", depth, minimum=1, maximum=2))

    def elaborate(self, platform: object) -> Module:
        m = Module()

        # Whether a flit waits behind the first register: never with a depth of 1, else in a second register.
        waiting = Signal()
        m.d.comb += self.free.eq(~self.o.valid | self.o.ready)

        if self.depth == 1:
            m.d.comb += [
                self.i.ready.eq(~self.o.valid),
                self.loading.eq(self.i.payload),
            ]
        else:
            second = Signal.like(self.i.payload)
            m.d.comb += [
                self.i.ready.eq(~waiting),
                self.loading.eq(Mux(waiting, second.as_value(), self.i.payload.as_value())),
            ]
            # While no flit waits, the second register follows the input, which takes an enable, not a multiplexer.
            with m.If(~waiting):
                m.d.sync += second.eq(self.i.payload)
            m.d.sync += waiting.eq(waiting | self.i.valid)
            with m.If(self.free):
                m.d.sync += waiting.eq(0)
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
    """An :class:`InputBuffer` of two flits with few registers that depend on ``o.ready``, the last signal of a cycle to settle.

    The newest flit is in the first register. The second register copies the first until a flit is not taken, and then holds
    this flit. So most of a flit passes a multiplexer on its way out, and needs none on its way in. The part that ``loading``
    shows has a register of its own in front, loaded as in any :class:`InputBuffer`.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    shown : :class:`int`
        The number of lowest data bits of ``loading`` that are used, besides ``last``.

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
        # The flit in front was not there in the cycle before, so it is in the first register, not yet in the second.
        fresh = Signal(init=1)
        # The first register; both.
        occupied = Signal()
        full = Signal()
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
