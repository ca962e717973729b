"""The rPLL of Gowin's GW1N and GW1NR (Gowin Clock User Guide; data sheet of the GW1NR-9C, speed C6/I5)."""

from collections.abc import Iterator
from fractions import Fraction

from amaranth.hdl import Const, Instance, IOPort, Signal

from fatcube.noc.boards.clocks.clock_source import ClockSource, Limits, Setting, megahertz, multiplied

__all__ = ["RPll"]


_PHASE_DETECTOR = Limits(3_000_000, 400_000_000)  # Hz, as all limits here
_OSCILLATOR = Limits(400_000_000, 1_200_000_000)
_OUTPUT = Limits(3_125_000, 600_000_000)
_OUTPUT_DIVIDERS = (2, 4, 8, 16, 32, 48, 64, 80, 96, 112, 128)


class RPll(ClockSource):
    """The PLL of a GW1N: the input times FBDIV_SEL + 1, divided by IDIV_SEL + 1. ODIV_SEL keeps its oscillator in range."""

    primitive = "rPLL"

    def made(self, oscillator: Fraction) -> Iterator[Setting]:
        for divider, factor, clock in multiplied(oscillator, range(1, 65), range(1, 65), _PHASE_DETECTOR):
            for output in _OUTPUT_DIVIDERS if _OUTPUT.allow(clock) else ():
                if _OSCILLATOR.allow(clock * output):
                    dividers = {"IDIV_SEL": divider - 1, "FBDIV_SEL": factor - 1, "ODIV_SEL": output}
                    yield Setting(clock, dividers)

    def instance(
        self, setting: Setting, oscillator: Fraction, source: Signal | IOPort, clock: Signal, locked: Signal
    ) -> Instance:
        return Instance(
            self.primitive,
            p_DEVICE="GW1NR-9C",
            p_FCLKIN=f"{megahertz(oscillator):g}",
            p_DYN_IDIV_SEL="false",
            p_DYN_FBDIV_SEL="false",
            p_DYN_ODIV_SEL="false",
            p_PSDA_SEL="0000",
            p_DUTYDA_SEL="1000",
            p_CLKFB_SEL="internal",
            p_CLKOUT_BYPASS="false",
            **{f"p_{name}": value for name, value in setting.dividers.items()},
            i_CLKIN=source,
            i_CLKFB=Const(0),
            i_RESET=Const(0),
            i_RESET_P=Const(0),
            i_FBDSEL=Const(0, 6),
            i_IDSEL=Const(0, 6),
            i_ODSEL=Const(0, 6),
            i_PSDA=Const(0, 4),
            i_DUTYDA=Const(0, 4),
            i_FDLY=Const(0, 4),
            o_CLKOUT=clock,
            o_LOCK=locked,
        )
