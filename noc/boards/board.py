"""A board: its chip, the resources that a design uses, and the clocks that the design can have."""

from collections.abc import Mapping
import dataclasses
from fractions import Fraction
import importlib
from typing import Any

from fatcube.groundwork.validation import ParameterError, check_integer, check_number
from fatcube.noc.boards.clocks.clock_source import ClockSource, Setting
from fatcube.rtl.serial.uart import FEWEST_BIT_CYCLES

__all__ = ["BAUD", "Board", "Place"]


BAUD = 1_000_000
"""Default rate of a serial port, bits per second, which USB adapters commonly support."""
_LEAST_BAUD, _MOST_BAUD = 9600, 12_000_000  # the range that USB adapters support
_WORST_BAUD_ERROR = 0.02  # relative; the last of the ten bits of a byte is then off by a fifth of a bit


@dataclasses.dataclass(frozen=True)
class Place:
    """A resource of the board by its name in amaranth-boards, for example ``Place("rgb_led", 0, "r")``.

    Members
    -------
    name : :class:`str`
    number : :class:`int`
    part : :class:`str`
        The subsignal; empty for the resource itself.
    """

    name: str
    number: int = 0
    part: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Board:
    """A board that a network can run on.

    Members
    -------
    name : :class:`str`
        The name on the command line.
    title : :class:`str`
        The full name, with the chip.
    platform : :class:`str`
        The module and the name of a platform class, separated by a colon; most are of amaranth-boards.
    family : :class:`str`
        The FPGA family of the chip. vendor : :class:`str` The vendor's tool that generates the bitstream; empty if
        tools from pip do.
    clocks : :class:`ClockSource`
        The source of the design's clock.
    clock_mhz : :class:`float`
        The clock frequency, MHz, of a vendor's project, and the one that place and route tries first.
    leds : mapping of :class:`str` to :class:`Place`
        The LEDs ``running``, ``done`` and ``failed``. Without one for ``running``, both others are lit during a run.
    reset : :class:`Place` or ``None``
        The reset button, if the board has one. block_memories, block_bits : :class:`int` Number of block memories of
        the chip, and bits of each without parity bits.
    luts : :class:`int` or ``None``
        LUTs of the chip, if no tool from pip counts them.
    nextpnr : :class:`str`
        Options of nextpnr for this chip.
    serial : :class:`str`
        Location of the serial port.
    note : :class:`str`
        Further instructions for the user.
    """

    name: str
    title: str
    platform: str
    family: str
    vendor: str = ""
    clocks: ClockSource
    clock_mhz: float
    leds: Mapping[str, Place]
    reset: Place | None = None
    block_memories: int
    block_bits: int
    luts: int | None = None
    nextpnr: str = ""
    serial: str = "USB"
    note: str = ""

    def make_platform(self) -> Any:
        """A new platform of Amaranth, for one design.

        Raises
        ------
        ParameterError
            If amaranth-boards is not installed.
        """
        module, _, name = self.platform.partition(":")
        try:
            return getattr(importlib.import_module(module), name)()
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "amaranth_boards":
                raise
            raise ParameterError(f"board {self.name} needs amaranth-boards: pip install 'fatcube[board]'") from None

    @property
    def oscillator(self) -> Fraction:
        """The frequency of the oscillator, Hz."""
        return Fraction(self.make_platform().default_clk_frequency)

    def nearest(self, clock_mhz: float) -> Setting:
        """The setting of the clock nearest to ``clock_mhz`` MHz.

        Raises
        ------
        ParameterError
            If no clock is within 1 % of it.
        """
        return self.clocks.nearest(self.oscillator, check_number("clock", clock_mhz, above=0))

    def fastest(self, at_most_mhz: float, baud: int) -> Setting:
        """The setting of the fastest clock of at most ``at_most_mhz`` MHz from which ``baud`` can be divided.

        Raises
        ------
        ParameterError
            If there is no such clock.
        """
        slow = self.clocks.at_most(self.oscillator, at_most_mhz)
        for setting in reversed(slow):
            if _error(setting, baud) <= _WORST_BAUD_ERROR:
                return setting
        most = max(int(setting.frequency / FEWEST_BIT_CYCLES) for setting in slow)
        raise ParameterError(
            f"baud must be at most {most} with a clock of at most {at_most_mhz:.4g} MHz, of which it is to be an integer "
            f"part, not {baud}"
        )

    def bit_cycles(self, setting: Setting, baud: int) -> int:
        """Clock cycles per bit of the serial line.

        Raises
        ------
        ParameterError
            If no number of cycles is within 2 % of the rate.
        """
        if _error(setting, baud) > _WORST_BAUD_ERROR:
            nearest = float(setting.frequency / max(FEWEST_BIT_CYCLES, round(setting.frequency / baud)))
            raise ParameterError(
                f"baud must be within 2 % of the clock of {setting.mhz:.4g} MHz divided by an integer of at least "
                f"{FEWEST_BIT_CYCLES}, as {nearest:.0f} is, not {baud}"
            )
        return round(setting.frequency / baud)


def _error(setting: Setting, baud: int) -> float:
    """The relative error of the rate of a serial line against ``baud`` with that clock."""
    check_integer("baud", baud, minimum=_LEAST_BAUD, maximum=_MOST_BAUD)
    cycles = max(FEWEST_BIT_CYCLES, round(setting.frequency / baud))
    return abs(float(setting.frequency / cycles / baud) - 1)
