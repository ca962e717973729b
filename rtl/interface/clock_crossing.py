"""The crossing of an AXI4-Stream from one clock to another."""

from amaranth.hdl import Cat, Module
from amaranth.lib import fifo, wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.rtl.interface.axi_stream import AxiStreamSignature

__all__ = ["RESET", "RESET_INITIAL", "ClockCrossing", "check_crossing_depth"]

RESET, RESET_INITIAL = 6, 3
"""Cycles of the slower clock that a reset has to last: with any state of the registers, and with their initial values."""


def check_crossing_depth(depth: int) -> int:
    """Return ``depth`` if a :class:`ClockCrossing` can have it.

    Raises
    ------
    ParameterError
        If it is no power of two from 8 to 4096.
    """
    if check_integer("crossing depth", depth, minimum=8, maximum=4096) & depth - 1:
        raise ParameterError(f"crossing depth must be a power of two from 8 to 4096, not {depth}")
    return depth


class ClockCrossing(wiring.Component):
    """Passes an AXI4-Stream from one clock domain to another; the two clocks may be unrelated.

    A beat that is taken at an edge of the input clock is offered after the third following edge of the output clock: where
    both clocks are the same, four cycles after the one in which it is taken. In hardware it may be the fourth edge, if the
    first one coincides with the arrival of the beat. The slower side never waits for the other, and neither side waits if
    both clocks are the same, which needs a depth of 8. ``tready`` and all of ``o`` depend on registers only.

    Both sides are reset together: the two resets are asserted at the same time for :data:`RESET` cycles of the slower clock,
    and no beat is offered before both have ended. Then the crossing is empty, and no beat from before the reset is seen after
    it. The write counter is 0 after an edge of its clock, and two registers later on the read side; an edge of the read clock
    sets the read counter to this value, which returns through two registers: one edge, three, and two. Registers with initial
    values begin with counters that agree, so three cycles are enough. A shorter reset leaves counters that disagree: beats are
    lost, or spurious beats appear. The crossing also works after a reset of the same length on one side alone, but any of the
    beats that were in it may be lost, so packets can be torn.

    Parameters
    ----------
    stream : :class:`AxiStreamSignature`
        The signature of the stream that crosses.
    depth : :class:`int`
        Buffer depth in beats, a power of two; one more beat is held in the output register.
    i_domain, o_domain : :class:`str`
        The clock domains of ``i`` and ``o``.

    Members
    -------
    i : :py:`In(stream)`
    o : :py:`Out(stream)`

    Raises
    ------
    ParameterError
        If the depth is no power of two from 8 to 4096.
    """

    i: wiring.PureInterface
    o: wiring.PureInterface

    def __init__(self, stream: AxiStreamSignature, *, depth: int = 8, i_domain: str, o_domain: str) -> None:
        self.stream = stream
        self.depth = check_crossing_depth(depth)
        self.i_domain = i_domain
        self.o_domain = o_domain
        super().__init__({"i": In(stream), "o": Out(stream)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.queue = queue = fifo.AsyncFIFOBuffered(
            width=sum(self.stream.payload.values()),
            depth=self.depth + 1,
            exact_depth=True,
            w_domain=self.i_domain,
            r_domain=self.o_domain,
        )
        m.d.comb += [
            queue.w_data.eq(Cat(getattr(self.i, name) for name in self.stream.payload)),
            queue.w_en.eq(self.i.tvalid),
            self.i.tready.eq(queue.w_rdy),
            Cat(getattr(self.o, name) for name in self.stream.payload).eq(queue.r_data),
            self.o.tvalid.eq(queue.r_rdy),
            queue.r_en.eq(self.o.tready),
        ]
        return m
