"""A board's oscillator without a PLL, for families whose PLLs are files that the vendor's tool generates."""

from collections.abc import Iterator
from fractions import Fraction

from amaranth.hdl import Instance, IOPort, Signal

from fatcube.noc.boards.clocks.clock_source import ClockSource, Setting

__all__ = ["Oscillator"]


class Oscillator(ClockSource):
    """A source without a PLL: its only clock is the oscillator's."""

    primitive = "oscillator"

    def made(self, oscillator: Fraction) -> Iterator[Setting]:
        return iter(())

    def instance(
        self, setting: Setting, oscillator: Fraction, source: Signal | IOPort, clock: Signal, locked: Signal
    ) -> Instance:
        raise NotImplementedError("an oscillator has no primitive")
