"""The ports that every arbiter has."""

from amaranth.hdl import Module, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.groundwork.validation import check_integer

__all__ = ["Arbiter", "add_arbiter"]


class Arbiter(wiring.Component):
    """Base of all arbiters: it says which of those that wait for an output is next.

    The winner of a cycle in which ``take`` is set gets the output. It may still request it afterwards, with a header
    that it has not sent yet, so it must not win again while another one requests: it comes last, until another
    requester is taken.

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
        The winner, if there is one, gets the output at the end of this cycle; it may be left out, see :func:`add_arbiter`.
    sent : :py:`In(requesters)`
        The requester of which a flit leaves through the output in this cycle, one-hot; zero if none does.
    latest : :py:`In(requesters)`
        The one that was taken last, one-hot; after reset, the last of all. A register: see :func:`add_arbiter`.
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
    """Add an arbiter to a module, with the register that knows who was taken last; return who is next, one-hot or zero.

    Parameters
    ----------
    m, name
        The module, and the name of the arbiter there.
    arbiter : :class:`Arbiter`
        The arbiter.
    granted : :class:`Value`
        The one that was taken last, one-hot, if its request does not count; zero if all count. It comes last, so the
        arbiter names it only where nobody else requests: it is left out behind the arbiter, where that is one LUT with the
        arbiter's last, and not in front, where it would be one more.
    """
    m.submodules[name] = arbiter
    requests, winner = arbiter.requests, arbiter.winner
    if granted is not None:
        requests, winner = requests & ~granted, winner & ~granted
    with m.If(arbiter.take & requests.any()):
        m.d.sync += arbiter.latest.eq(winner)
    return winner
