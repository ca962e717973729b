"""The pause after which a refused circuit is set up again."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from fatcube.groundwork.validation import check_integer

__all__ = ["DRAW_BITS", "MOST_RETRY", "RetryPause"]


MOST_RETRY = 4096
"""The most cycles after which a blocked set-up can be torn down."""

DRAW_BITS = 16
"""Bits of the random numbers that pauses are taken from."""


class RetryPause(wiring.Component):
    """The pause between a refusal and the next set-up: random, and from a range that each refusal in a row doubles.

    The first range is at least 16 cycles and more than ``retry``, and the last 64 times as long, of at most 65536.

    Parameters
    ----------
    retry : :class:`int`
        The cycles for which a set-up waits before it is refused.

    Members
    -------
    draw : :py:`In(16)`
        A random number.
    refused : :py:`In(1)`
        A set-up was refused: the pause begins in the next cycle.
    granted : :py:`In(1)`
        One was granted: the range is the first again.
    resting : :py:`Out(1)`
        The pause lasts. A register.
    """

    draw: Signal
    refused: Signal
    granted: Signal
    resting: Signal

    def __init__(self, retry: int) -> None:
        self.retry = check_integer("setup retry", retry, minimum=1, maximum=MOST_RETRY)
        super().__init__({"draw": In(DRAW_BITS), "refused": In(1), "granted": In(1), "resting": Out(1)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        first = max(4, bits_for(self.retry))
        last = min(first + 6, DRAW_BITS)
        shortest = (1 << first) - 1
        within = Signal(last, init=shortest)
        left = Signal(last)
        with m.If(self.refused):
            m.d.sync += [self.resting.eq(1), left.eq(self.draw & within), within.eq(within << 1 | 1)]
        with m.Elif(self.resting):
            m.d.sync += [self.resting.eq(left != 0), left.eq(left - 1)]
        with m.If(self.granted):
            m.d.sync += within.eq(shortest)
        return m
