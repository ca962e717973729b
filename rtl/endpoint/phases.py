"""The phases of a run with traffic: warm-up, measurement, cool-down, and a drain until nothing moves."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.endpoint.traffic import CYCLE

__all__ = ["Phases"]


class Phases(wiring.Component):
    """Provides the phase and the cycle of the run to all sources and sinks.

    Packets are created in the first three phases, and packets created in the second are measured: the third keeps up the
    load while the measured packets are in flight. The run ends when no flit has moved for ``timeout`` cycles.

    Members
    -------
    start : :py:`In(1)`
        Starts the run.
    warm_up, measured, cool_down : :py:`In(32)`
        The cycles of the phases.
    timeout : :py:`In(32)`
        Cycles without any flit moving, after the phases, that end the run.
    all_idle : :py:`In(1)`
        No source has anything more to send.
    any_active : :py:`In(1)`
        A flit was sent or received by an endpoint in the previous cycle.
    running, creating, measuring : :py:`Out(1)`
    cycles : :py:`Out(32)`
        The cycle of the run, from 0; at its end, the number of cycles until the last flit moved.
    finished : :py:`Out(1)`
        The run has ended, and everything has been sent.
    stalled : :py:`Out(1)`
        The run has ended, and a source could not send.
    """

    start: Signal
    warm_up: Signal
    measured: Signal
    cool_down: Signal
    timeout: Signal
    all_idle: Signal
    any_active: Signal
    running: Signal
    creating: Signal
    measuring: Signal
    cycles: Signal
    finished: Signal
    stalled: Signal

    def __init__(self) -> None:
        super().__init__(
            {
                "start": In(1),
                "warm_up": In(32),
                "measured": In(32),
                "cool_down": In(32),
                "timeout": In(32),
                "all_idle": In(1),
                "any_active": In(1),
                "running": Out(1),
                "creating": Out(1),
                "measuring": Out(1),
                "cycles": Out(CYCLE),
                "finished": Out(1),
                "stalled": Out(1),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        cooling = Signal(33)
        over = Signal(34)
        still = Signal(32)
        following = Signal(CYCLE)
        m.d.comb += [
            cooling.eq(self.warm_up + self.measured),
            over.eq(self.warm_up + self.measured + self.cool_down),
            following.eq(self.cycles + 1),
        ]
        with m.If(self.running):
            m.d.sync += [
                self.cycles.eq(following),
                self.creating.eq(following < over),
                self.measuring.eq((following >= self.warm_up) & (following < cooling)),
                still.eq(still + 1),
            ]
            with m.If(self.any_active | self.creating):
                m.d.sync += still.eq(0)
            with m.Elif(still + 1 >= self.timeout):
                m.d.sync += [
                    self.running.eq(0),
                    self.finished.eq(self.all_idle),
                    self.stalled.eq(~self.all_idle),
                    self.cycles.eq(self.cycles - still),
                ]
        with m.Elif(self.start & ~self.finished & ~self.stalled):
            m.d.sync += [
                self.running.eq(1),
                self.creating.eq(over != 0),
                self.measuring.eq((self.warm_up == 0) & (cooling != 0)),
            ]
        return m
