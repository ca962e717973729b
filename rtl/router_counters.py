"""The counters of a router: flits that leave, conflicts and errors."""

from amaranth.hdl import Module, Signal
from amaranth.lib.wiring import In, Out

from fatcube.rtl.optional_ports import OptionalPorts

__all__ = ["COUNTERS", "RouterCounters"]


COUNTERS = ("flit_count", "conflict_count", "error_count")
"""The counters of a router, of 32 bits each."""


class RouterCounters(OptionalPorts):
    """Says that there was an error, and counts errors, flits and conflicts.

    Parameters
    ----------
    inputs, outputs : :class:`int`
        Inputs and outputs of the crossbar.
    late : :class:`bool`
        Errors settle late in the cycle, so each goes into a register before they are joined.
    counted : :class:`bool`
        Errors, flits and conflicts are counted; without, the counts are no ports.

    Members
    -------
    errors : :py:`In(inputs)`
        An error at that input.
    sent : :py:`In(outputs)`
        A flit leaves by that output.
    conflict : :py:`In(1)`
        An input waits for an output that another packet has.
    error : :py:`Out(1)`
        In the cycle before, there were one or more errors. A register, or of registers.
    flit_count, conflict_count, error_count : :py:`Out(32)`
        Flits, cycles with conflicts, and errors, since reset.
    """

    errors: Signal
    sent: Signal
    conflict: Signal
    error: Signal
    flit_count: Signal
    conflict_count: Signal
    error_count: Signal

    def __init__(self, inputs: int, outputs: int, *, late: bool, counted: bool) -> None:
        self.late = late
        self.counted = counted
        super().__init__(
            {
                "errors": In(inputs),
                "sent": In(outputs),
                "conflict": In(1),
                "error": Out(1),
                **dict.fromkeys(COUNTERS, Out(32 * counted)),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        if self.late:
            latched = Signal.like(self.errors)
            m.d.sync += latched.eq(self.errors)
            m.d.comb += self.error.eq(latched.any())
        else:
            m.d.sync += self.error.eq(self.errors.any())
        if self.counted:
            m.d.sync += [
                self.flit_count.eq(self.flit_count + sum(self.sent)),
                self.error_count.eq(self.error_count + sum(self.errors)),
            ]
            with m.If(self.conflict):
                m.d.sync += self.conflict_count.eq(self.conflict_count + 1)
        return m
