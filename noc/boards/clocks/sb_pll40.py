"""The PLL of Lattice's iCE40 (iCE40 sysCLOCK PLL Design and Usage Guide, and the families' data sheets)."""

from collections.abc import Iterator
from fractions import Fraction

from amaranth.hdl import Const, Instance, IOPort, Signal

from fatcube.noc.boards.clocks.clock_source import ClockSource, Limits, Setting, multiplied

__all__ = ["SbPll40"]


_PHASE_DETECTOR = Limits(10_000_000, 133_000_000)  # Hz, as all limits here
_OSCILLATOR = Limits(533_000_000, 1_066_000_000)
_OUTPUT = Limits(16_000_000, 275_000_000)
# The filter for a phase detector below that frequency.
_FILTERS = {17_000_000: 1, 26_000_000: 2, 44_000_000: 3, 66_000_000: 4, 101_000_000: 5, 134_000_000: 6}


class SbPll40(ClockSource):
    """The PLL of an iCE40 with simple feedback: the input times DIVF + 1, divided by DIVR + 1 and by 2 to the power of DIVQ.

    Parameters
    ----------
    pad : :class:`bool`
        Whether the oscillator is at the pin that belongs to the PLL, which then is its input.
    """

    def __init__(self, *, pad: bool) -> None:
        self.takes_pin = pad
        self.primitive = "SB_PLL40_PAD" if pad else "SB_PLL40_CORE"

    def made(self, oscillator: Fraction) -> Iterator[Setting]:
        for divider, factor, fast in multiplied(oscillator, range(1, 17), range(1, 129), _PHASE_DETECTOR):
            for halvings in range(1, 7) if _OSCILLATOR.allow(fast) else ():
                if _OUTPUT.allow(fast / 2**halvings):
                    dividers = {"DIVR": divider - 1, "DIVF": factor - 1, "DIVQ": halvings}
                    yield Setting(fast / 2**halvings, dividers)

    def instance(
        self, setting: Setting, oscillator: Fraction, source: Signal | IOPort, clock: Signal, locked: Signal
    ) -> Instance:
        compared = oscillator / (setting.dividers["DIVR"] + 1)
        bits = {"DIVR": 4, "DIVF": 7, "DIVQ": 3}
        return Instance(
            self.primitive,
            p_FEEDBACK_PATH="SIMPLE",
            p_FILTER_RANGE=Const(next(number for limit, number in _FILTERS.items() if compared < limit), 3),
            **{f"p_{name}": Const(value, bits[name]) for name, value in setting.dividers.items()},
            i_RESETB=Const(1),
            i_BYPASS=Const(0),
            **({"io_PACKAGEPIN": source} if self.takes_pin else {"i_REFERENCECLK": source}),
            o_PLLOUTGLOBAL=clock,
            o_LOCK=locked,
        )
