"""The barrier that all processors wait at; it counts steps, cycles, and the cycles in which nothing moves."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

__all__ = ["Barrier"]


class Barrier(wiring.Component):
    """Starts a step when every processor is done with the one before.

    In dataflow there are no steps, but programs can have barriers, at which every processor waits for all others.

    Members
    -------
    start : :py:`In(1)`
        Starts the run.
    lockstep : :py:`In(1)`
        There is a barrier after every step, and steps are counted.
    timeout : :py:`In(32)`
        Cycles without any flit moving after which the run counts as stalled.
    all_done, all_finished : :py:`In(1)`
        All processors are ``done``, and ``finished``: see :class:`Processor`.
    any_active : :py:`In(1)`
        A flit was sent or received by a processor in the previous cycle.
    go : :py:`Out(1)`
        Starts the run, and releases the processors from each barrier.
    step : :py:`Out(16)`
        The current step, counted from 1; 0 in dataflow.
    steps : :py:`Out(16)`
        Completed steps: barriers passed in lockstep.
    cycles : :py:`Out(32)`
        Cycles from the first ``go`` to the end of the run.
    running, finished, stalled : :py:`Out(1)`
    """

    start: Signal
    lockstep: Signal
    timeout: Signal
    all_done: Signal
    all_finished: Signal
    any_active: Signal
    go: Signal
    step: Signal
    steps: Signal
    cycles: Signal
    running: Signal
    finished: Signal
    stalled: Signal

    def __init__(self) -> None:
        super().__init__(
            {
                "start": In(1),
                "lockstep": In(1),
                "timeout": In(32),
                "all_done": In(1),
                "all_finished": In(1),
                "any_active": In(1),
                "go": Out(1),
                "step": Out(16),
                "steps": Out(16),
                "cycles": Out(32),
                "running": Out(1),
                "finished": Out(1),
                "stalled": Out(1),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        still = Signal(32)
        went = Signal()
        moved = Signal()
        m.d.comb += moved.eq(self.any_active | went | self.go)
        m.d.sync += [
            self.go.eq(0),
            went.eq(self.go),
        ]
        with m.If(self.running):
            m.d.sync += [
                self.cycles.eq(self.cycles + 1),
                still.eq(still + 1),
            ]
            with m.If(moved):
                m.d.sync += still.eq(0)
            with m.If(~self.go & self.all_done):
                m.d.sync += self.steps.eq(self.steps + self.lockstep)
                with m.If(~self.all_finished):
                    m.d.sync += [
                        self.go.eq(1),
                        self.step.eq(self.step + self.lockstep),
                    ]
            with m.If(~self.go & self.all_finished):
                m.d.sync += [
                    self.running.eq(0),
                    self.finished.eq(1),
                ]
            with m.Elif(~moved & (still + 1 >= self.timeout)):
                m.d.sync += [
                    self.running.eq(0),
                    self.stalled.eq(1),
                ]
        with m.Elif(self.start & ~self.finished & ~self.stalled):
            m.d.sync += [
                self.running.eq(1),
                self.go.eq(1),
                self.step.eq(self.lockstep),
            ]
        return m
