"""The host bus, over which memories and counters are written before a run and read after it."""

from amaranth.hdl import ShapeLike
from amaranth.lib import enum, wiring
from amaranth.lib.wiring import In, Out

__all__ = ["FROM_HOST", "HostBus", "Region"]


FROM_HOST = ("select", "region", "bank", "word", "write", "data")
"""The members of the bus that the host drives."""


class Region(enum.Enum, shape=3):
    """The part of a processor or monitor that the host bus addresses."""

    IDLE = 0  #: Nothing: the bus is idle, and ports read their memories undisturbed.
    PAYLOAD = 1  #: Message memory: bank, word. With reductions, bank 255 is the sum over all banks; read only.
    PROGRAM = 2  #: Program of a port: port as bank, entry as word. Write only.
    HELD = 3  #: Arrivals of a message (with reductions, their count): bank, message id as word. Write only.
    STATUS = 4  #: State of a port: port as bank. Read only.
    TRACE = 5  #: Trace of a monitor. Read only.


class HostBus(wiring.Signature):
    """One access per cycle; the word read is on ``value`` in the next cycle, zero if nothing is selected.

    Members
    -------
    select : :py:`Out(1)`
        This unit is addressed.
    region : :py:`Out(Region)`
    bank : :py:`Out(8)`
    word : :py:`Out(24)`
    write : :py:`Out(1)`
        ``data`` is written.
    data : :py:`Out(width)`
    value : :py:`In(width)`

    Parameters
    ----------
    width : :class:`int`
        Data bits.
    regions : :class:`amaranth.lib.enum.EnumType`
        The regions that are addressed: those of processors and monitors, if not given.
    """

    def __init__(self, width: int, regions: ShapeLike = Region) -> None:
        super().__init__(
            {
                "select": Out(1),
                "region": Out(regions),
                "bank": Out(8),
                "word": Out(24),
                "write": Out(1),
                "data": Out(width),
                "value": In(width),
            }
        )
