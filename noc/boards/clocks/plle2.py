"""The PLLE2_BASE of Xilinx' 7-series (UG472; DS181 for an Artix-7 of speed grade -1)."""

from collections.abc import Iterator
from fractions import Fraction

from amaranth.hdl import Const, Instance, IOPort, Signal

from fatcube.noc.boards.clocks.clock_source import ClockSource, Limits, Setting, multiplied

__all__ = ["PllE2"]


_PHASE_DETECTOR = Limits(19_000_000, 450_000_000)  # Hz, as all limits here
_OSCILLATOR = Limits(800_000_000, 1_600_000_000)
_OUTPUT = Limits(6_250_000, 464_000_000)


class PllE2(ClockSource):
    """The PLL of a 7-series chip: the input times CLKFBOUT_MULT, divided by DIVCLK_DIVIDE and by CLKOUT0_DIVIDE."""

    primitive = "PLLE2_BASE"

    def made(self, oscillator: Fraction) -> Iterator[Setting]:
        for divider, factor, fast in multiplied(oscillator, range(1, 57), range(2, 65), _PHASE_DETECTOR):
            for output in range(1, 129) if _OSCILLATOR.allow(fast) else ():
                if _OUTPUT.allow(fast / output):
                    dividers = {"DIVCLK_DIVIDE": divider, "CLKFBOUT_MULT": factor, "CLKOUT0_DIVIDE": output}
                    yield Setting(fast / output, dividers)

    def instance(
        self, setting: Setting, oscillator: Fraction, source: Signal | IOPort, clock: Signal, locked: Signal
    ) -> Instance:
        feedback = Signal()
        return Instance(
            self.primitive,
            p_CLKIN1_PERIOD=float(1_000_000_000 / oscillator),
            **{f"p_{name}": value for name, value in setting.dividers.items()},
            i_CLKIN1=source,
            i_CLKFBIN=feedback,
            i_RST=Const(0),
            i_PWRDWN=Const(0),
            o_CLKFBOUT=feedback,
            o_CLKOUT0=clock,
            o_LOCKED=locked,
        )
