"""The shape of an output of a router: what every kind shows to the allocator, the crossbar and the router around them."""

from typing import Any

from amaranth.hdl import Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from rtl.flit import FlitLayout
from rtl.lanes.lane import AnswerLayout
from rtl.optional_ports import OptionalPorts

__all__ = ["Output"]


class Output(OptionalPorts):
    """The base of all outputs. Ports of no bits are no ports of the module.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    port : :class:`wiring.Signature`
        The stream or the lane that leaves here, as its sender sees it.
    channels : :class:`int`
        The channels that packets go on side by side.
    answers : :class:`int`
        The kinds of answers that come back; 0 without circuits.
    permission : :class:`bool`
        Packets need permission to begin, as of :func:`~rtl.lanes.lane.LaneSignature`.

    Members
    -------
    flit : :py:`In(FlitLayout(width))`
        The flit that the crossbar has for this output.
    copied : :py:`In(1)`
        It is a header with a mask, of which the part for this output is kept.
    offer : :py:`In(1)`
        True if that flit is offered. With several channels only on one that is ready.
    channel : :py:`In(ceil_log2(channels))`
        The channel that the flit goes on.
    wanted : :py:`In(channels)`
        The channel is free, and a packet waits that could be given it. Only with permission.
    holds : :py:`In(1)`
        A packet has a channel. Only with permission.
    ready : :py:`Out(channels)`
        A flit on that channel is taken if it is offered. With several channels, registers.
    whole : :py:`Out(channels)`
        There is room for the longest packet behind that channel.
    answer : :py:`Out(AnswerLayout(answers))`
        The answer that comes back.
    sent : :py:`Out(1)`
        A flit leaves the router.
    o : :py:`Out(port)`
    """

    flit: data.View
    copied: Signal
    offer: Signal
    channel: Signal
    wanted: Signal
    holds: Signal
    ready: Signal
    whole: Signal
    answer: Any
    sent: Signal
    o: Any

    def __init__(
        self, width: int, port: wiring.Signature, channels: int = 1, answers: int = 0, permission: bool = False
    ) -> None:
        self.width = width
        self.channels = channels
        self.answers = answers
        self.permission = permission
        super().__init__(
            {
                "flit": In(FlitLayout(width)),
                "copied": In(1),
                "offer": In(1),
                "channel": In(ceil_log2(channels)),
                "wanted": In(channels * permission),
                "holds": In(int(permission)),
                "ready": Out(channels),
                "whole": Out(channels),
                "answer": Out(AnswerLayout(answers)),
                "sent": Out(1),
                "o": Out(port),
            }
        )
