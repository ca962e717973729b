"""The host bus: how memories and counters are written before a run and read after it."""

from amaranth.lib import enum, wiring
from amaranth.lib.wiring import In, Out

__all__ = ["HostBus", "Region"]


class Region(enum.Enum, shape=3):
    """What the host bus reaches in a processor or monitor."""

    IDLE = 0  #: Nothing: the bus rests, and ports read their memories undisturbed.
    PAYLOAD = 1  #: Message memory: bank, word. With reductions, bank 255 is the sum over all banks; read only.
    PROGRAM = 2  #: Program of a port: port as bank, entry as word. Write only.
    HELD = 3  #: Whether (how often) a message has arrived: bank, message id as word. Write only.
    STATUS = 4  #: What a port does: port as bank. Read only.
    TRACE = 5  #: Trace of a monitor. Read only.


class HostBus(wiring.Signature):
    """One access a cycle; what is read stands on ``value`` in the cycle after, zero if nothing is selected.

    Members
    -------
    select : :py:`Out(1)`
        This unit is meant.
    region : :py:`Out(Region)`
    bank : :py:`Out(8)`
    word : :py:`Out(24)`
    write : :py:`Out(1)`
        ``data`` is written.
    data : :py:`Out(width)`
    value : :py:`In(width)`
    """

    def __init__(self, width):
        super().__init__(
            {
                "select": Out(1),
                "region": Out(Region),
                "bank": Out(8),
                "word": Out(24),
                "write": Out(1),
                "data": Out(width),
                "value": In(width),
            }
        )
