"""The monitor of a half-duplex lane, which no router could see to be used in both directions at once."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_integer

__all__ = ["TurnMonitor"]


class TurnMonitor(wiring.Component):
    """Counts the flits that cross too soon after one in the other direction.

    Parameters
    ----------
    turn_round : :class:`int`
        The cycles that the wires have to be idle between flits of opposite directions.

    Members
    -------
    crossing : :py:`In(2)`
        A flit arrives at the first end, and at the second.
    error_count : :py:`Out(32)`
        Cycles since reset in which flits crossed in both directions, or one crossed fewer than ``turn_round`` idle cycles
        after one in the other direction.
    """

    crossing: Signal
    error_count: Signal

    def __init__(self, turn_round: int) -> None:
        self.turn_round = check_integer("turn round", turn_round, minimum=0)
        super().__init__({"crossing": In(2), "error_count": Out(32)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        # After reset no flit has crossed, so neither direction is too soon.
        last = Signal(2)
        idle = Signal(range(self.turn_round + 1))
        with m.If(self.crossing.any()):
            m.d.sync += [last.eq(self.crossing), idle.eq(0)]
        with m.Elif(idle != self.turn_round):
            m.d.sync += idle.eq(idle + 1)
        opposite = (last != 0) & self.crossing.any() & (self.crossing != last)
        wrong = self.crossing.all() | opposite & (idle != self.turn_round)
        m.d.sync += self.error_count.eq(self.error_count + Mux(wrong, 1, 0))
        return m
