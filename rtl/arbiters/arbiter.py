"""The ports that every arbiter has."""

from amaranth.hdl import Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from groundwork.validation import check_integer

__all__ = ["Arbiter"]


class Arbiter(wiring.Component):
    """Base of all arbiters: it grants an output to one requester at a time, until the packet of that one is through.

    Parameters
    ----------
    requesters : :class:`int`
        Number of requesters.

    Members
    -------
    requests : :py:`In(requesters)`
        The requesters that have a header for the output in front. They do not count while the grant is held.
    grant : :py:`Out(requesters)`
        The requester that has the output, one-hot, from the cycle of the request on. Not registered.
    holder : :py:`Out(requesters)`
        The requester that has had it since an earlier cycle, one-hot, or zero.
    held : :py:`Out(1)`
        ``holder`` is not zero.
    done : :py:`In(1)`
        The last flit of the packet leaves in this cycle; only when ``held``.
    """

    requests: Signal
    grant: Signal
    holder: Signal
    held: Signal
    done: Signal

    def __init__(self, requesters: int) -> None:
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
