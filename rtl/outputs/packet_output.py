"""The shape of an output of a router whose lanes have one channel."""

from typing import Any

from amaranth.hdl import Signal
from amaranth.lib.wiring import In, Out

from fatcube.rtl.allocators.request import FlitOffer
from fatcube.rtl.lanes.lane import AnswerLayout, LaneSignature
from fatcube.rtl.outputs.output import Output

__all__ = ["PacketOutput"]


class PacketOutput(Output):
    """The base of the outputs of routers without virtual channels, to a port of a processor or to a lane.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    answers : :class:`int`
        The kinds of answers of a lane with circuits; 0 of others, and of a port of a processor.
    copies : :class:`bool`
        It takes headers with masks, of which it keeps a part.

    Members
    -------
    copied : :py:`In(1)`
        The flit is a header with a mask, of which the part for this output is kept. Only with ``copies``.
    answer : :py:`Out(AnswerLayout(answers))`
        The answer that comes back.
    """

    copied: Signal
    answer: Any

    def __init__(self, width: int, answers: int = 0, *, copies: bool = False) -> None:
        self.answers = answers
        super().__init__(
            width,
            LaneSignature(width, answers=answers),
            FlitOffer(),
            {"copied": In(int(copies)), "answer": Out(AnswerLayout(answers))},
        )
