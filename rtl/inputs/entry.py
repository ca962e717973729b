"""The interface of the units between a port and the feed of its input, through which every flit enters the router."""

from amaranth.hdl import Signal
from amaranth.lib import stream
from amaranth.lib.wiring import In, Out

from fatcube.rtl.flit import FlitStream
from fatcube.rtl.optional_ports import OptionalPorts

__all__ = ["Entry"]


class Entry(OptionalPorts):
    """The base of all units through which flits enter at a port of a processor. Ports of no bits are no ports of the module.

    Parameters
    ----------
    width : :class:`int`
        Bits of a flit.
    counts : :class:`bool`
        It counts the flits that leave the buffer behind it.
    reports : :class:`bool`
        It reports errors.

    Members
    -------
    i : :py:`In(FlitStream(width))`
    o : :py:`Out(FlitStream(width))`
        To the buffer.
    left : :py:`In(1)`
        A flit leaves the buffer in this cycle, or left it in the cycle before. Only of a unit that counts.
    legal : :py:`In(1)`
        The header that goes out in this cycle has a target: the packets of others are reported elsewhere. Only of a unit
        that reports.
    error : :py:`Out(1)`
        A packet is ended in this cycle whose header had a target. Only of a unit that reports.
    """

    i: stream.Interface
    o: stream.Interface
    left: Signal
    legal: Signal
    error: Signal

    def __init__(self, width: int, *, counts: bool = False, reports: bool = False) -> None:
        super().__init__(
            {
                "i": In(FlitStream(width)),
                "o": Out(FlitStream(width)),
                "left": In(int(counts)),
                "legal": In(int(reports)),
                "error": Out(int(reports)),
            }
        )
