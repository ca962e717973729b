"""Random numbers."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

__all__ = ["Xorshift"]


class Xorshift(wiring.Component):
    """Random numbers of 32 bits: Marsaglia's xorshift with the shifts 13, 17 and 5, of period 2**32 - 1.

    Source: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003), page 4.

    Members
    -------
    seed : :py:`In(32)`
        The state while ``run`` is 0; not 0.
    run : :py:`In(1)`
        Advance to the next number.
    value : :py:`Out(32)`
    """

    seed: Signal
    run: Signal
    value: Signal

    def __init__(self) -> None:
        super().__init__({"seed": In(32), "run": In(1), "value": Out(32)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        first = Signal(32)
        second = Signal(32)
        m.d.comb += [
            first.eq(self.value ^ self.value << 13),
            second.eq(first ^ first >> 17),
        ]
        m.d.sync += self.value.eq(second ^ second << 5)
        with m.If(~self.run):
            m.d.sync += self.value.eq(self.seed)
        return m
