"""The feeds of a router: a feed connects a port to the inputs behind it.

A port of a processor, or a lane of one channel, has one input. A lane with virtual channels has one for each channel,
and a port of a processor may have several for packets that wait side by side (:mod:`fatcube.rtl.inputs.injection`).
"""

from collections.abc import Sequence
from typing import Any

from amaranth.hdl import Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from fatcube.rtl.flit import FlitStream
from fatcube.rtl.lanes.lane import AnswerLayout, LaneSignature
from fatcube.rtl.optional_ports import OptionalPorts

__all__ = ["CreditFeed", "DirectFeed", "Feed"]


class Feed(OptionalPorts):
    """The base of all feeds. Ports of no bits are no ports of the module.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    port : :class:`wiring.Signature`
        The stream or the lane that leads here, as its sender sees it.
    inputs : :class:`int`
        The inputs behind it.
    answers : :class:`int`
        The kinds of answers of the lane; 0 of others.
    watches_idle, watches_left : :class:`bool`
        It has the port ``idle``, or ``left``.

    Members
    -------
    i : :py:`In(port)`
    o : :py:`Out(FlitStream(width)).array(inputs)`
    idle : :py:`In(inputs)`
        No flit is in front at the input. Registers. Only with ``watches_idle``.
    left : :py:`In(inputs)`
        A flit left this channel of the input in the cycle before. Registers. Only with ``watches_left``.
    answer : :py:`In(AnswerLayout(answers))`
        The answer to the lane.
    """

    i: Any
    o: Sequence[stream.Interface]
    idle: Signal
    left: Signal
    answer: Any

    def __init__(
        self,
        width: int,
        port: wiring.Signature,
        inputs: int,
        *,
        answers: int = 0,
        watches_idle: bool = False,
        watches_left: bool = False,
    ) -> None:
        self.inputs = inputs
        super().__init__(
            {
                "i": In(port),
                "o": Out(FlitStream(width)).array(inputs),
                "idle": In(inputs * watches_idle),
                "left": In(inputs * watches_left),
                "answer": In(AnswerLayout(answers)),
            }
        )


class DirectFeed(Feed):
    """Leads a stream, or a lane of one channel, to its only input, and answers back.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    answers : :class:`int`
        The kinds of answers of a lane with circuits; 0 of others, and of a port of a processor.
    """

    def __init__(self, width: int, answers: int = 0) -> None:
        self.answers = answers
        super().__init__(width, LaneSignature(width, answers=answers), 1, answers=answers)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        [out] = self.o
        m.d.comb += [
            out.payload.eq(self.i.payload),
            out.valid.eq(self.i.valid),
            self.i.ready.eq(out.ready),
        ]
        if self.answers:
            m.d.comb += self.i.answer.eq(self.answer)
        return m


class CreditFeed(Feed):
    """Leads the flits of each virtual channel of a lane to an input, and returns a credit the cycle after a flit left it.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    channels : :class:`int`
        Virtual channels, at least 2.
    permission : :class:`bool`
        Senders need permission to begin, which the lane gives: a feed always does.
    """

    def __init__(self, width: int, channels: int, permission: bool = False) -> None:
        self.permission = permission
        super().__init__(width, LaneSignature(width, channels, permission=permission), channels, watches_left=True)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        if self.permission:
            m.d.comb += self.i.grant.eq(1)
        for channel, out in enumerate(self.o):
            m.d.comb += [
                out.payload.data.eq(self.i.payload.data),
                out.payload.last.eq(self.i.payload.last),
                out.valid.eq(self.i.valid & (self.i.payload.channel == channel)),
            ]
            m.d.comb += self.i.credit[channel].eq(self.left[channel])
        return m
