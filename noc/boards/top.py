"""The top of a design on a board: clock, reset, serial port and LEDs around a network with processors."""

from typing import Any

from amaranth.hdl import ClockDomain, ClockSignal, Const, Module, ResetSignal, Signal
from amaranth.lib import io, wiring
from amaranth.lib.cdc import FFSynchronizer, ResetSynchronizer

from fatcube.noc.boards.board import Board, Place
from fatcube.noc.boards.clocks.clock_source import Setting
from fatcube.noc.embedded import Embedded
from fatcube.noc.shared import Shared

__all__ = ["Top"]


# Cycles of reset after the clock is stable. Block memories of an iCE40 read as zeros for some microseconds after
# configuration; at 275 MHz, the fastest clock there, this is 15 of them.
_RESET_CYCLES = 4096


class Top(wiring.Component):
    """A board's design. It has no ports of its own: pins are requested from the platform.

    Parameters
    ----------
    board : :class:`Board`
    system : :class:`Shared`
        The component that runs on the board, with ``rx``, ``tx``, ``running``, ``done`` and ``failed``, as
        :class:`fatcube.noc.machines.board_system.BoardSystem` has.
    setting : :class:`Setting`
        The setting of the clock.
    """

    def __init__(self, board: Board, system: Shared, setting: Setting) -> None:
        self.board = board
        self.system = system
        self.setting = setting
        super().__init__({})

    def elaborate(self, platform: Any) -> Module:
        m = Module()
        self._clock(m, platform)
        board: Any = Embedded(self.system, comment=f"The network of the board {self.board.title}")
        m.submodules.board = board

        serial = platform.request("uart", 0, dir="-")
        m.submodules.rx = rx = io.Buffer("i", serial.rx)
        m.submodules.tx = tx = io.Buffer("o", serial.tx)
        m.submodules.rx_synchronizer = FFSynchronizer(rx.i, board.rx, init=1)  # the idle level of the line
        m.d.comb += tx.o.eq(board.tx)

        for name, place in self.board.leds.items():
            m.submodules[f"led_{name}"] = led = io.Buffer("o", _request(platform, place))
            lit = getattr(board, name)
            m.d.comb += led.o.eq(lit if "running" in self.board.leds else lit | board.running)
        return m

    def _clock(self, m: Module, platform: Any) -> None:
        """Make the domain ``sync``, whose reset ends some cycles after the clock is locked and the button released."""
        m.domains.steady = steady = ClockDomain("steady", local=True)
        m.domains.sync = ClockDomain("sync")
        locked = Signal(init=0)
        source = platform.request(platform.default_clk, dir="-")
        if self.setting.dividers and self.board.clocks.takes_pin:
            self._generate(m, source.io, steady.clk, locked)
        else:
            m.submodules.oscillator = oscillator = io.Buffer("i", source)
            if self.setting.dividers:
                self._generate(m, oscillator.i, steady.clk, locked)
            else:
                m.d.comb += [steady.clk.eq(oscillator.i), locked.eq(1)]
        pressed: Any = Const(0)
        if self.board.reset is not None:
            m.submodules.reset_button = button = io.Buffer("i", _request(platform, self.board.reset))
            pressed = button.i
        m.submodules.reset_synchronizer = ResetSynchronizer(~locked | pressed, domain="steady")
        waited = Signal(range(_RESET_CYCLES))
        held = Signal(init=1)
        with m.If(waited == _RESET_CYCLES - 1):
            m.d["steady"] += held.eq(0)
        with m.Else():
            m.d["steady"] += waited.eq(waited + 1)
        m.d.comb += [ClockSignal("sync").eq(steady.clk), ResetSignal("sync").eq(held)]

    def _generate(self, m: Module, source: Any, clock: Signal, locked: Signal) -> None:
        m.submodules.pll = self.board.clocks.instance(self.setting, self.board.oscillator, source, clock, locked)


def _request(platform: Any, place: Place) -> Any:
    resource = platform.request(place.name, place.number, dir="-")
    return getattr(resource, place.part) if place.part else resource
