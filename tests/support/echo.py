"""The smallest design that a board can have: what comes on its serial line goes out again."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.noc.shared import Shared


class Echo(wiring.Component):
    """Members as :class:`fatcube.noc.machines.board_system.BoardSystem`; a counter of 8 bits gives the clock a path."""

    def __init__(self):
        super().__init__({"rx": In(1), "tx": Out(1), "running": Out(1), "done": Out(1), "failed": Out(1)})

    def elaborate(self, platform):
        m = Module()
        count = Signal(8)
        m.d.sync += [self.tx.eq(self.rx), count.eq(count + self.rx)]
        m.d.comb += [self.running.eq(count[7]), self.done.eq(count[6]), self.failed.eq(count[5])]
        return m


def echo():
    """It as a module ``board``."""
    return Shared(Echo(), "board")
