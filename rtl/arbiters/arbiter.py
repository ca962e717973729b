"""The ports that every arbiter has."""

from amaranth.hdl import Module, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_integer

__all__ = ["Arbiter", "add_arbiter"]


class Arbiter(wiring.Component):
    """Base of all arbiters: an arbiter selects the next of the requesters that wait for an output.

    The winner of a cycle in which ``take`` is set gets the output. It may still request the output afterwards, with a
    header not yet sent, so it must not win again while there is another request: it has the lowest priority until
    another requester is taken.

    Parameters
    ----------
    requesters : :class:`int`
        Number of requesters.

    Members
    -------
    requests : :py:`In(requesters)`
        The requesters that have a header for the output in front.
    winner : :py:`Out(requesters)`
        The one that is next, one-hot; zero if there is none. Not registered.
    take : :py:`In(1)`
        The winner, if there is one, gets the output at the end of this cycle. Not every arbiter reads it.
    sent : :py:`In(requesters)`
        The requester of which a flit leaves through the output in this cycle, one-hot; zero if none does.
    latest : :py:`In(requesters)`
        The requester that was taken last, one-hot; after reset, the last of all. A register of the allocator.
    """

    requests: Signal
    winner: Signal
    take: Signal
    sent: Signal
    latest: Signal

    def __init__(self, requesters: int) -> None:
        self.requesters = check_integer("requesters", requesters, minimum=1)
        super().__init__(
            {
                "requests": In(requesters),
                "winner": Out(requesters),
                "take": In(1),
                "sent": In(requesters),
                "latest": In(requesters, init=1 << (requesters - 1)),
            }
        )


def add_arbiter(m: Module, name: str, arbiter: Arbiter, *, granted: Value | None = None) -> Value:
    """Add an arbiter to a module, with the register of the requester taken last; return the next one, one-hot or zero.

    Parameters
    ----------
    m, name
        The module, and the name of the arbiter there.
    arbiter : :class:`Arbiter`
        The arbiter.
    granted : :class:`Value`
        The requester taken last, one-hot, if its request does not count; zero if all count. It has the lowest priority, so
        the arbiter selects it only if there is no other request. Therefore it is masked behind the arbiter, where the mask
        fits into the arbiter's last LUT, and not in front of it, where the mask would need one more.
    """
    m.submodules[name] = arbiter
    requests, winner = arbiter.requests, arbiter.winner
    if granted is not None:
        requests, winner = requests & ~granted, winner & ~granted
    with m.If(arbiter.take & requests.any()):
        m.d.sync += arbiter.latest.eq(winner)
    return winner
