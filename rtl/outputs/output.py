"""The interface of an output of a router without virtual channels to the allocator, the crossbar and the router."""

from typing import Any

from amaranth.hdl import Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.flit import FlitLayout
from fatcube.rtl.lanes.lane import AnswerLayout
from fatcube.rtl.optional_ports import OptionalPorts

__all__ = ["Output"]


class Output(OptionalPorts):
    """The base of all outputs. Ports of no bits are no ports of the module.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    port : :class:`wiring.Signature`
        The stream or the lane that leaves here, as its sender sees it.
    answers : :class:`int`
        The kinds of answers that come back; 0 without circuits.

    Members
    -------
    flit : :py:`In(FlitLayout(width))`
        The flit that the crossbar has for this output.
    copied : :py:`In(1)`
        It is a header with a mask, of which the part for this output is kept.
    offer : :py:`In(1)`
        True if that flit is offered.
    ready : :py:`Out(1)`
        The flit is taken if it is offered.
    answer : :py:`Out(AnswerLayout(answers))`
        The answer that comes back.
    sent : :py:`Out(1)`
        A flit leaves the router.
    o : :py:`Out(port)`
    """

    flit: data.View
    copied: Signal
    offer: Signal
    ready: Signal
    answer: Any
    sent: Signal
    o: Any

    def __init__(self, width: int, port: wiring.Signature, answers: int = 0) -> None:
        self.width = width
        self.answers = answers
        super().__init__(
            {
                "flit": In(FlitLayout(width)),
                "copied": In(1),
                "offer": In(1),
                "ready": Out(1),
                "answer": Out(AnswerLayout(answers)),
                "sent": Out(1),
                "o": Out(port),
            }
        )
