"""The EHXPLLL of Lattice's ECP5 (ECP5 and ECP5-5G Family Data Sheet, sysCLOCK PLL timing)."""

from collections.abc import Iterator
from fractions import Fraction

from amaranth.hdl import Const, Instance, IOPort, Signal

from noc.boards.clocks.clock_source import ClockSource, Setting

__all__ = ["EHXPLLL"]


_PHASE_DETECTOR = (10_000_000, 400_000_000)  # Hz, as all limits here
_OSCILLATOR = (400_000_000, 800_000_000)
_OUTPUT = (3_125_000, 400_000_000)
_MOST = 128  # of each divider


class EHXPLLL(ClockSource):
    """The PLL of an ECP5. Its output CLKOP goes back to the phase detector, and CLKOS is the clock.

    So the clock is the input, divided by CLKI_DIV, times CLKOP_DIV, divided by CLKOS_DIV: with two dividers behind the
    phase detector, which must not be slower than 10 MHz, clocks are one or two per cent apart.
    """

    primitive = "EHXPLLL"

    def made(self, oscillator: Fraction) -> Iterator[Setting]:
        for divider in range(1, _MOST + 1):  # The faster the phase detector, the less the clock jitters.
            compared = oscillator / divider
            if not _PHASE_DETECTOR[0] <= compared <= _PHASE_DETECTOR[1]:
                continue
            for factor in range(1, _MOST + 1):
                if not _OSCILLATOR[0] <= compared * factor <= _OSCILLATOR[1]:
                    continue
                for output in range(1, _MOST + 1):
                    if _OUTPUT[0] <= compared * factor / output <= _OUTPUT[1]:
                        yield Setting(
                            compared * factor / output,
                            {"CLKI_DIV": divider, "CLKFB_DIV": 1, "CLKOP_DIV": factor, "CLKOS_DIV": output},
                        )

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
