"""A buffer of an input with anything at its ports, beside the flits that must be in it."""

from amaranth.hdl import Assert, Cat, ClockDomain, Const, Elaboratable, Module, Signal

from tests.support.reference_queue import ReferenceQueue

__all__ = ["BufferHarness"]


class BufferHarness(Elaboratable):
    """A buffer and a reference queue. Nothing is assumed, not even that what is offered stays. Asserted is

    - the buffer takes a flit if, and only if, fewer are in it than it is deep;
    - what it offers is the oldest flit in it, from the cycle after that entered;
    - it is free if it offers nothing or that is taken, and then shows of the flit that it offers in the next cycle what it is
      to show, and whether there is one.
    """

    def __init__(self, buffer):
        self.buffer = buffer
        self.sync = ClockDomain("sync", reset_less=True)
        self.valid, self.ready, self.payload = Signal(), Signal(), Signal(buffer.width + 1)

    @property
    def ports(self):
        """The clock, and what may have any value in every cycle."""
        return [self.sync.clk, self.valid, self.ready, self.payload]

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = self.sync
        m.submodules.buffer = buffer = self.buffer
        queue = ReferenceQueue(m, self.payload, Const(0, 1), Const(0, 1), depth=buffer.depth)
        m.d.comb += [
            buffer.i.valid.eq(self.valid),
            buffer.i.payload.eq(self.payload),
            buffer.o.ready.eq(self.ready),
            queue.push.eq(self.valid & ~queue.full),
            queue.pop.eq(queue.any & self.ready),
        ]

        def shown(flit):
            return Cat(flit.data[: buffer.shown], flit.last)

        loading, arriving, looked = Signal.like(shown(buffer.loading)), Signal(), Signal()
        m.d.sync += [loading.eq(shown(buffer.loading)), arriving.eq(buffer.arriving), looked.eq(buffer.free)]
        right = [
            buffer.i.ready == ~queue.full,
            buffer.o.valid == queue.any,
            ~queue.any | (buffer.o.payload.as_value() == queue.payload),
            buffer.free == (~queue.any | self.ready),
            ~looked | (arriving == queue.any),
            ~looked | ~arriving | (loading == shown(buffer.o.payload)),
        ]
        m.d.comb += Assert(Cat(right).all())
        return m
