"""The EHXPLLL of Lattice's ECP5 (ECP5 and ECP5-5G Family Data Sheet, sysCLOCK PLL timing)."""

from collections.abc import Iterator
from fractions import Fraction

from amaranth.hdl import Const, Instance, IOPort, Signal

from fatcube.noc.boards.clocks.clock_source import ClockSource, Limits, Setting, multiplied

__all__ = ["EHXPLLL"]


_PHASE_DETECTOR = Limits(10_000_000, 400_000_000)  # Hz, as all limits here
_OSCILLATOR = Limits(400_000_000, 800_000_000)
_OUTPUT = Limits(3_125_000, 400_000_000)
_DIVIDERS = range(1, 129)


class EHXPLLL(ClockSource):
    """The PLL of an ECP5. Its output CLKOP is fed back to the phase detector, and CLKOS is the clock.

    So the clock is the input, divided by CLKI_DIV, times CLKOP_DIV, divided by CLKOS_DIV: with two dividers behind the
    phase detector, which must not be slower than 10 MHz, available clocks are 1 to 2 % apart.
    """

    primitive = "EHXPLLL"

    def made(self, oscillator: Fraction) -> Iterator[Setting]:
        for divider, factor, fast in multiplied(oscillator, _DIVIDERS, _DIVIDERS, _PHASE_DETECTOR):
            for output in _DIVIDERS if _OSCILLATOR.allow(fast) else ():
                if _OUTPUT.allow(fast / output):
                    dividers = {"CLKI_DIV": divider, "CLKFB_DIV": 1, "CLKOP_DIV": factor, "CLKOS_DIV": output}
                    yield Setting(fast / output, dividers)

    def instance(
        self, setting: Setting, oscillator: Fraction, source: Signal | IOPort, clock: Signal, locked: Signal
    ) -> Instance:
        feedback = Signal()
        return Instance(
            self.primitive,
            # As ecppll of Project Trellis sets them.
            a_ICP_CURRENT="12",
            a_LPF_RESISTOR="8",
            a_MFG_ENABLE_FILTEROPAMP="1",
            a_MFG_GMCREF_SEL="2",
            p_FEEDBK_PATH="CLKOP",
            p_CLKOP_ENABLE="ENABLED",
            p_CLKOS_ENABLE="ENABLED",
            p_CLKOP_CPHASE=setting.dividers["CLKOP_DIV"] - 1,
            p_CLKOS_CPHASE=setting.dividers["CLKOS_DIV"] - 1,
            **{f"p_{name}": value for name, value in setting.dividers.items()},
            i_CLKI=source,
            i_CLKFB=feedback,
            i_RST=Const(0),
            i_STDBY=Const(0),
            o_CLKOP=feedback,
            o_CLKOS=clock,
            o_LOCK=locked,
        )
