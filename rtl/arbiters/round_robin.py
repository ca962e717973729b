"""Who gets an output: the round-robin arbiter that holds its grant until a packet is through."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from groundwork.validation import check_integer

__all__ = ["rotating_first", "RoundRobinArbiter"]


def rotating_first(requests, first):
    """The one request, one-hot, that comes first when counting upwards from ``first`` and around.

    ``first`` is one-hot, or zero for no grant at all. Subtracting it from the requests written twice borrows
    through every position up to the first request at or above it, and that is the position which the
    subtraction clears: one carry chain of twice the width does all of it.
    """
    count = len(requests)
    doubled = requests.replicate(2)
    cleared = doubled & ~(doubled - first)[: 2 * count]
    return cleared[:count] | cleared[count:]


class RoundRobinArbiter(wiring.Component):
    """Grants one requester at a time, in turn, and holds the grant until its packet is through.

    A grant is held from the cycle in which it is first given, so what an output offers does not change until
    it is accepted. The requester after the one that had the output comes first next.

    Parameters
    ----------
    requesters : :class:`int`
        Number of requesters.

    Members
    -------
    requests : :py:`In(requesters)`
        Who asks for the output for the header in front of it. What stands here while the grant is held does
        not count.
    grant : :py:`Out(requesters)`
        Who has it, one-hot, from the cycle of the request on. Not registered.
    holder : :py:`Out(requesters)`
        Who has had it since an earlier cycle, one-hot, or zero.
    held : :py:`Out(1)`
        Somebody has.
    done : :py:`In(1)`
        The last flit of the packet leaves in this cycle; only when ``held``.
    """

    def __init__(self, requesters):
        self.requesters = check_integer("requesters", requesters, minimum=1)
        super().__init__(
            {
                "requests": In(requesters),
                "grant": Out(requesters),
                "holder": Out(requesters),
                "held": Out(1),
                "done": In(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        # Of holder and first, one is zero at any time: while a packet has the output nobody is first, so
        # nobody wins, and no gate is needed between a request and the carry chain.
        first = Signal(self.requesters, init=1)
        m.d.comb += self.grant.eq(self.holder | rotating_first(self.requests, first))
        with m.If(self.done | ~self.held & self.requests.any()):
            m.d.sync += [
                first.eq(self.holder.rotate_left(1)),
                self.holder.eq(self.grant),
                self.held.eq(1),
            ]
        with m.If(self.done):
            m.d.sync += [
                self.holder.eq(0),
                self.held.eq(0),
            ]
        return m
