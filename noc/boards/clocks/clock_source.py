"""What makes a design's clock from a board's oscillator, and the settings that it has."""

import abc
from collections.abc import Iterator, Mapping
import dataclasses
from fractions import Fraction
from typing import NamedTuple

from amaranth.hdl import Instance, IOPort, Signal

from groundwork.validation import ParameterError

__all__ = ["ClockSource", "Limits", "Setting", "megahertz", "multiplied"]


def megahertz(frequency: Fraction) -> float:
    """A frequency in Hz as MHz."""
    return float(frequency / 1_000_000)


class Limits(NamedTuple):
    """The least and the highest frequency that a part of a PLL can have, Hz."""

    least: int
    highest: int

    def allow(self, frequency: Fraction) -> bool:
        """Whether it can have that frequency, Hz."""
        return self.least <= frequency <= self.highest


def multiplied(
    oscillator: Fraction, dividers: range, factors: range, phase_detector: Limits
) -> Iterator[tuple[int, int, Fraction]]:
    """Each divider in front of a phase detector with each factor behind it, and the frequency, Hz, that they make of that
    of the oscillator. The fastest phase detector comes first: with it the clock jitters least."""
    for divider in dividers:
        compared = oscillator / divider
        if phase_detector.allow(compared):
            for factor in factors:
                yield divider, factor, compared * factor


@dataclasses.dataclass(frozen=True)
class Setting:
    """A clock that can be had, and how.

    Members
    -------
    frequency : :class:`fractions.Fraction`
        Of the clock, Hz, exactly.
    dividers : mapping of :class:`str` to :class:`int`
        Parameters of the primitive, by name; none: the oscillator as it is.
    """

    frequency: Fraction
    dividers: Mapping[str, int] = dataclasses.field(default_factory=dict)

    @property
    def mhz(self) -> float:
        """The frequency, MHz."""
        return megahertz(self.frequency)


class ClockSource(abc.ABC):
    """A primitive that makes a clock from an oscillator. Every board can also do without, with the oscillator itself."""

    primitive: str
    """The name of the primitive."""
    takes_pin = False
    """Whether its input is the pin of the chip itself, and not a signal behind the pin's buffer."""

    @abc.abstractmethod
    def made(self, oscillator: Fraction) -> Iterator[Setting]:
        """The settings that the data sheet allows with an oscillator of that frequency, Hz; the best first where several
        give the same clock."""

    @abc.abstractmethod
    def instance(
        self, setting: Setting, oscillator: Fraction, source: Signal | IOPort, clock: Signal, locked: Signal
    ) -> Instance:
        """The primitive: from ``source``, which has the frequency ``oscillator``, it makes ``clock``, and ``locked`` once
        that is steady."""

    def settings(self, oscillator: Fraction) -> list[Setting]:
        """A setting for each clock that can be had, from the slowest to the fastest."""
        found = {oscillator: Setting(oscillator)}
        for setting in self.made(oscillator):
            found.setdefault(setting.frequency, setting)
        return [found[frequency] for frequency in sorted(found)]

    def at_most(self, oscillator: Fraction, mhz: float) -> list[Setting]:
        """The settings for clocks of at most so many MHz, from the slowest to the fastest.

        Raises
        ------
        ParameterError
            If all are faster.
        """
        settings = self.settings(oscillator)
        slow = [setting for setting in settings if setting.mhz <= mhz]
        if not slow:
            raise ParameterError(f"clock must be at least {settings[0].mhz:g} MHz, not {mhz:.4g}")
        return slow

    def nearest(self, oscillator: Fraction, mhz: float) -> Setting:
        """The clock nearest to so many MHz, which is no further than 1 % from it.

        Raises
        ------
        ParameterError
            If there is none.
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
