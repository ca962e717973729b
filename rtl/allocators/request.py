"""The dialogues of a router whose lanes have one channel: a packet requests outputs and holds them, within a cycle."""

from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.optional_ports import OptionalSignature

__all__ = ["FlitOffer", "PacketRequest"]


class PacketRequest(OptionalSignature):
    """The dialogue between an input and the allocator, as the input sees it. Members of no bits are no ports.

    Parameters
    ----------
    outputs : :class:`int`
        The outputs that the input can reach.
    releases : :class:`bool`
        An output can be freed before the last flit of the packet that holds it, as circuits that are refused need it.

    Members
    -------
    valid : :py:`Out(1)`
        A flit is in front.
    last : :py:`Out(1)`
        The output is no longer needed once the flit in front has left: the tail flit, except with circuits that are retried.
    requests : :py:`Out(outputs)`
        The outputs that the header in front is for, a bit for each that can be reached; zero if the flit in front is no
        header, or there is none.
    discard : :py:`Out(1)`
        The flit in front, if there is one, is of a packet whose header is for none of the outputs that can be reached.
    release : :py:`Out(1)`
        The held output is freed at the end of this cycle, in which no flit of this input passes. Only with ``releases``.
    advance : :py:`In(1)`
        The flit in front, if there is one, leaves in this cycle. Without one it does not count.
    held : :py:`In(1)`
        An output is held for this input. From registers. Only with ``releases``.
    """

    def __init__(self, outputs: int, *, releases: bool = False) -> None:
        super().__init__(
            {
                "valid": Out(1),
                "last": Out(1),
                "requests": Out(outputs),
                "discard": Out(1),
                "release": Out(int(releases)),
                "advance": In(1),
                "held": In(int(releases)),
            }
        )


class FlitOffer(wiring.Signature):
    """The dialogue between the allocator and an output, as the allocator sees it.

    Members
    -------
    offer : :py:`Out(1)`
        The flit that the crossbar has for the output is offered.
    ready : :py:`In(1)`
        The flit is taken if it is offered.
    """

    def __init__(self) -> None:
        super().__init__({"offer": Out(1), "ready": In(1)})
