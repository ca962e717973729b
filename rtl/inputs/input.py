"""The interface of a router's input: the ports that every kind has to the allocator, the crossbar and the router."""

from typing import Any

from amaranth.hdl import Signal
from amaranth.lib import data, stream
from amaranth.lib.wiring import In, Out

from fatcube.rtl.flit import FlitLayout, FlitStream
from fatcube.rtl.inputs.retry_pause import DRAW_BITS
from fatcube.rtl.lanes.lane import AnswerLayout
from fatcube.rtl.optional_ports import OptionalPorts

__all__ = ["Input"]


class Input(OptionalPorts):
    """The base of all inputs. Ports of no bits are no ports of the module.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    outputs : :class:`int`
        The outputs that it can reach.
    routes_bits : :class:`int`
        Bits of the routing tables, or of the router's address; 0 where headers have routes.
    answers : :class:`int`
        The kinds of answers to circuits; 0 without circuits.
    draws : :class:`bool`
        It draws the pauses before circuits are set up again.
    restarts : :class:`bool`
        A packet can end with its header.

    Members
    -------
    i : :py:`In(FlitStream(width))`
        Flits in.
    flit : :py:`Out(FlitLayout(width))`
        The flit in front, with its route as the next router is to see it.
    valid : :py:`Out(1)`
        True if a flit is in front.
    last : :py:`Out(1)`
        The output is no longer needed once the flit in front has left: the tail flit, except with circuits that are retried.
    header : :py:`Out(1)`
        The flit in front is a header.
    copied : :py:`Out(1)`
        The flit in front is a header with a mask, of which each copy keeps the part that is for its output.
    requests : :py:`Out(outputs)`
        The outputs that the header in front is for, a bit for each that can be reached; zero if the flit in front is no
        header, or there is none.
    discard : :py:`Out(1)`
        The flit in front, if there is one, is of a packet whose header is for none of the outputs that can be reached.
    error : :py:`Out(1)`
        The header that leaves in this cycle is for an output that cannot be reached, or for none; or a packet is ended
        whose header was no error.
    advance : :py:`In(1)`
        The flit in front, if there is one, leaves in this cycle.
    left : :py:`Out(1)`
        A flit leaves the buffer in this cycle.
    routes : :py:`In(routes_bits)`
        The routing tables, or the router's address.
    answered : :py:`In(AnswerLayout(answers))`
        The answer on the lane whose output is held for this input.
    answer : :py:`Out(AnswerLayout(answers))`
        The answer to the lane that leads here.
    held : :py:`In(1)`
        An output is held for this input. Only where circuits are refused.
    release : :py:`Out(1)`
        The held output is to be freed. Only where circuits are refused.
    draw : :py:`In(16)`
        A random number. Only with ``draws``.
    restart : :py:`In(1)`
        No more flits come of the packet whose header came last: the next flit, not before the next cycle, is a header.
        Only with ``restarts``.
    """

    i: stream.Interface
    flit: data.View
    valid: Signal
    last: Signal
    header: Signal
    copied: Signal
    requests: Signal
    discard: Signal
    error: Signal
    advance: Signal
    left: Signal
    routes: Signal
    answered: Any
    answer: Any
    held: Signal
    release: Signal
    draw: Signal
    restart: Signal

    def __init__(
        self,
        width: int,
        outputs: int,
        *,
        routes_bits: int = 0,
        answers: int = 0,
        draws: bool = False,
        restarts: bool = False,
    ) -> None:
        self.width = width
        self.restarts = restarts
        refusals = int(answers == 2)
        super().__init__(
            {
                "i": In(FlitStream(width)),
                "flit": Out(FlitLayout(width)),
                "valid": Out(1),
                "last": Out(1),
                "header": Out(1),
                "copied": Out(1),
                "requests": Out(outputs),
                "discard": Out(1),
                "error": Out(1),
                "advance": In(1),
                "left": Out(1),
                "routes": In(routes_bits),
                "answered": In(AnswerLayout(answers)),
                "answer": Out(AnswerLayout(answers)),
                "held": In(refusals),
                "release": Out(refusals),
                "draw": In(DRAW_BITS * draws),
                "restart": In(int(restarts)),
            }
        )
