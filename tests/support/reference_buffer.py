"""A buffer that does what buffers of inputs are proved to do, for proofs of what they are parts of."""

from amaranth.asserts import AnySeq
from amaranth.hdl import Cat, Const, Module, Mux, Signal

from fatcube.rtl.buffer import InputBuffer
from fatcube.rtl.deep_buffer import input_buffer
from fatcube.rtl.flit import FlitLayout
from tests.support.reference_queue import ReferenceQueue

__all__ = ["ReferenceBuffer", "reference_buffer"]


def reference_buffer(width, depth, *, shown, memory="auto"):
    """In place of :func:`~fatcube.rtl.deep_buffer.input_buffer`: its buffers of up to two flits, and references for deeper ones."""
    if depth > 2:
        return ReferenceBuffer(width, depth, shown=shown)
    return input_buffer(width, depth, shown=shown, memory=memory)


class ReferenceBuffer(InputBuffer):
    """A list of flits that does what :class:`~tests.support.buffer_harness.BufferHarness` asserts of a buffer.

    Whatever that does not look at may be anything in every cycle: what is offered while there is no flit, what is shown of
    the next one while it is not free or there is none, and the bits that are not to be shown. So what is proved with it
    holds with every buffer for which the harness has no failure.
    """

    def __init__(self, width, depth, *, shown):
        super().__init__(width, depth)
        self.shown = shown

    def elaborate(self, platform):
        m = Module()
        queue = ReferenceQueue(m, self.i.payload.as_value(), Const(0, 1), Const(0, 1), depth=self.depth)
        following = Signal(FlitLayout(self.width))
        m.d.comb += [
            self.i.ready.eq(~queue.full),
            self.o.valid.eq(queue.any),
            self.o.payload.as_value().eq(Mux(queue.any, queue.payload, AnySeq(self.width + 1))),
            self.free.eq(~queue.any | self.o.ready),
            queue.push.eq(self.i.valid & ~queue.full),
            queue.pop.eq(queue.any & self.o.ready),
            self.arriving.eq(Mux(self.free, queue.several | queue.push, AnySeq(1))),
            self.loading.as_value().eq(AnySeq(self.width + 1)),
            following.as_value().eq(Mux(queue.several, queue.following, self.i.payload.as_value())),
        ]
        with m.If(self.free & self.arriving):
            m.d.comb += self._shown(self.loading).eq(self._shown(following))
        return m

    def _shown(self, flit):
        return Cat(flit.data[: self.shown], flit.last)
