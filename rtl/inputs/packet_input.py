"""The shape of an input of a router whose lanes have one channel."""

from typing import Any

from amaranth.hdl import Signal
from amaranth.lib.wiring import In, Out

from fatcube.rtl.allocators.request import PacketRequest
from fatcube.rtl.inputs.input import Input
from fatcube.rtl.inputs.retry_pause import DRAW_BITS
from fatcube.rtl.lanes.lane import AnswerLayout

__all__ = ["PacketInput"]


class PacketInput(Input):
    """The base of the inputs of routers without virtual channels.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    outputs : :class:`int`
        The outputs that it can reach.
    routes_bits : :class:`int`
        Bits of the routing tables, or of the router's address; 0 where headers have routes.
    copies : :class:`bool`
        Headers have masks.
    answers : :class:`int`
        The kinds of answers to circuits; 0 without circuits.
    draws : :class:`bool`
        It draws the pauses before circuits are set up again.
    restarts : :class:`bool`
        A packet can end with its header.

    Members
    -------
    left : :py:`Out(1)`
        A flit leaves the buffer in this cycle.
    header : :py:`Out(1)`
        The flit in front is a header.
    copied : :py:`Out(1)`
        The flit in front is a header with a mask, of which each copy keeps the part that is for its output. Only with
        ``copies``.
    answered : :py:`In(AnswerLayout(answers))`
        The answer on the lane whose output is held for this input.
    answer : :py:`Out(AnswerLayout(answers))`
        The answer to the lane that leads here.
    draw : :py:`In(16)`
        A random number. Only with ``draws``.
    restart : :py:`In(1)`
        No more flits come of the packet whose header came last: the next flit, not before the next cycle, is a header.
        Only with ``restarts``.
    """

    header: Signal
    copied: Signal
    answered: Any
    answer: Any
    draw: Signal
    restart: Signal

    def __init__(
        self,
        width: int,
        outputs: int,
        *,
        routes_bits: int = 0,
        copies: bool = False,
        answers: int = 0,
        draws: bool = False,
        restarts: bool = False,
    ) -> None:
        self.copies = copies
        self.restarts = restarts
        super().__init__(
            width,
            PacketRequest(outputs, releases=answers == 2),
            routes_bits=routes_bits,
            members={
                "header": Out(1),
                "copied": Out(int(copies)),
                "answered": In(AnswerLayout(answers)),
                "answer": Out(AnswerLayout(answers)),
                "draw": In(DRAW_BITS * draws),
                "restart": In(int(restarts)),
            },
        )
