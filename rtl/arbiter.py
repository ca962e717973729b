"""Who gets an output: rotating priority, and the round-robin arbiter that holds its grant for a packet."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.parameters import check_integer

__all__ = ["rotating_first", "RoundRobinArbiter"]


def rotating_first(requests, first):
    """The one request, one-hot, that comes first when counting upwards from ``first`` and around.

    ``first`` is one-hot. Subtracting it from the requests written twice borrows through every position up to
    the first request at or above it, and that is the position which the subtraction clears: one carry chain
    of twice the width does all of it.
    """
    count = len(requests)
    doubled = requests.replicate(2)
    cleared = doubled & ~(doubled - first)[:2 * count]
    return cleared[:count] | cleared[count:]


class RoundRobinArbiter(wiring.Component):
    """Grants one requester at a time, in turn, and holds the grant until its packet is through.

    A grant is held from the cycle in which it is first given, taken or not, so what an output offers does
    not change until it is accepted. The requester after the one that was granted comes first next.

    Parameters
    ----------
    requesters : :class:`int`
        Number of requesters.

    Members
    -------
    requests : :py:`In(requesters)`
        Who asks for the output, in each cycle for the flit of that cycle.
    grant : :py:`Out(requesters)`
        Who has it in this cycle: at most one bit, and none that does not ask. Not registered.
    granted : :py:`Out(1)`
        Somebody has it.
    done : :py:`In(1)`
        The last flit of the granted packet leaves in this cycle.
    """

    def __init__(self, requesters):
        self.requesters = check_integer("requesters", requesters, minimum=1)
        super().__init__({
            "requests": In(requesters),
            "grant": Out(requesters),
            "granted": Out(1),
            "done": In(1),
        })

    def elaborate(self, platform):
        m = Module()
        # While a packet holds the output only its bit is set.
        admitted = Signal(self.requesters, init=-1)
        first = Signal(self.requesters, init=1)
        m.d.comb += [
            self.grant.eq(rotating_first(self.requests & admitted, first)),
            self.granted.eq((self.requests & admitted).any()),
        ]
        with m.If(self.granted):
            m.d.sync += [
                admitted.eq(self.grant),
                first.eq(self.grant.rotate_left(1)),
            ]
        with m.If(self.done):
            m.d.sync += admitted.eq(-1)
        return m
