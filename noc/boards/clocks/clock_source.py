"""The source of a design's clock, made from a board's oscillator, and its settings."""

import abc
from collections.abc import Iterator, Mapping
import dataclasses
from fractions import Fraction
from typing import NamedTuple

from amaranth.hdl import Instance, IOPort, Signal

from fatcube.groundwork.validation import ParameterError

__all__ = ["ClockSource", "Limits", "Setting", "megahertz", "multiplied"]


def megahertz(frequency: Fraction) -> float:
    """A frequency in Hz as MHz."""
    return float(frequency / 1_000_000)


class Limits(NamedTuple):
    """The lowest and the highest frequency of a part of a PLL, Hz."""

    least: int
    highest: int

    def allow(self, frequency: Fraction) -> bool:
        """True if ``frequency``, Hz, is within the limits."""
        return self.least <= frequency <= self.highest


def multiplied(
    oscillator: Fraction, dividers: range, factors: range, phase_detector: Limits
) -> Iterator[tuple[int, int, Fraction]]:
    """Each divider before a phase detector with each factor after it, and the resulting frequency, Hz.

    The fastest phase detector is first, as it gives the least jitter.
    """
    for divider in dividers:
        compared = oscillator / divider
        if phase_detector.allow(compared):
            for factor in factors:
                yield divider, factor, compared * factor


@dataclasses.dataclass(frozen=True)
class Setting:
    """An available clock, and the parameters that give it.

    Members
    -------
    frequency : :class:`fractions.Fraction`
        Exact frequency of the clock, Hz.
    dividers : mapping of :class:`str` to :class:`int`
        Parameters of the primitive, by name; empty for the oscillator itself.
    """

    frequency: Fraction
    dividers: Mapping[str, int] = dataclasses.field(default_factory=dict)

    @property
    def mhz(self) -> float:
        """The frequency, MHz."""
        return megahertz(self.frequency)


class ClockSource(abc.ABC):
    """A primitive that makes a clock from an oscillator. The oscillator itself is always available as a clock, too."""

    primitive: str
    """The name of the primitive."""
    takes_pin = False
    """True if its input is the pin of the chip itself, not a signal behind the pin's buffer."""

    @abc.abstractmethod
    def made(self, oscillator: Fraction) -> Iterator[Setting]:
        """The settings that the data sheet allows for that frequency of the oscillator, Hz.

        Of several that give the same clock, the best is first.
        """

    @abc.abstractmethod
    def instance(
        self, setting: Setting, oscillator: Fraction, source: Signal | IOPort, clock: Signal, locked: Signal
    ) -> Instance:
        """An instance of the primitive, which makes ``clock`` from ``source``.

        ``oscillator`` is the frequency of ``source``, Hz, and ``locked`` is set when ``clock`` is stable."""

    def settings(self, oscillator: Fraction) -> list[Setting]:
        """A setting for each available clock, from the slowest to the fastest."""
        found = {oscillator: Setting(oscillator)}
        for setting in self.made(oscillator):
            found.setdefault(setting.frequency, setting)
        return [found[frequency] for frequency in sorted(found)]

    def at_most(self, oscillator: Fraction, mhz: float) -> list[Setting]:
        """The settings of clocks of at most ``mhz`` MHz, from the slowest to the fastest.

        Raises
        ------
        ParameterError
            If all clocks are faster.
        """
        settings = self.settings(oscillator)
        slow = [setting for setting in settings if setting.mhz <= mhz]
        if not slow:
            raise ParameterError(f"clock must be at least {settings[0].mhz:g} MHz, not {mhz:.4g}")
        return slow

    def nearest(self, oscillator: Fraction, mhz: float) -> Setting:
        """The setting of the clock nearest to ``mhz`` MHz, within 1 % of it.

        Raises
        ------
        ParameterError
            If no clock is within 1 % of it.
        """
        settings = self.settings(oscillator)
        found = min(settings, key=lambda setting: abs(setting.mhz - mhz))
        if abs(found.mhz - mhz) > mhz / 100:
            if len(settings) == 1:
                possible = f"{found.mhz:g} MHz, the oscillator's"
            else:
                possible = (
                    f"one that the {self.primitive} can make, from {settings[0].mhz:g} to {settings[-1].mhz:g} MHz, "
                    f"the nearest {found.mhz:.4g}"
                )
            raise ParameterError(f"clock must be {possible}, not {mhz:g}")
        return found
