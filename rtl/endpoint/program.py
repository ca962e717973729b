"""What stands in a program memory, and what a sending port says of itself."""

from amaranth.lib import data

__all__ = ["ARRIVAL_BITS", "PortStatus", "ProgramEntry"]


#: Bits of a count of arrivals, in a machine with reductions.
ARRIVAL_BITS = 16


class ProgramEntry(data.StructLayout):
    """What one port of a processor does in one step; with ``more``, a part of it.

    Members
    -------
    header : :class:`unsigned(width)`
        The header of the packet to send, route and message id in their places.
    bank : :class:`unsigned(8)`
        The bank of the message memory that holds the message: that of the port at which it arrived.
    send : :class:`unsigned(1)`
        There is a packet to send.
    more : :class:`unsigned(1)`
        The packet goes on with the message of the next entry, whose header stands between the two and says, by its
        message id only, whose it is. In lockstep both are for one ``go``.
    expect : :class:`unsigned(1)`
        A packet arrives at this port.
    end : :class:`unsigned(1)`
        The program is over; nothing else in this entry counts.
    sync : :class:`unsigned(1)`
        In dataflow too the next entry is for the next ``go``, as all are in lockstep. With ``barriers`` only.
    source : :class:`unsigned(24)`
        The slot of the message memory to send; its receiver keeps it in the slot that the header names.
    combine : :class:`unsigned(1)`
        What is sent is the sum over all banks in which something has arrived for ``source``; ``bank`` does
        not count.
    need : :class:`unsigned(16)`
        The arrivals for ``source``, in all banks, without which a combined packet is not sent in dataflow.

    The last three are there only with ``reductions``.
    """

    def __init__(self, width, *, reductions=False, barriers=False):
        super().__init__(
            {
                "header": width,
                "bank": 8,
                "send": 1,
                "more": 1,
                "expect": 1,
                "end": 1,
                **({"sync": 1} if barriers else {}),
                **({"source": 24, "combine": 1, "need": ARRIVAL_BITS} if reductions else {}),
            }
        )


class PortStatus(data.StructLayout):
    """What a port does, for whoever asks why a run stands still.

    Members
    -------
    entry : :class:`unsigned(16)`
        The program entry that it is at.
    sending : :class:`unsigned(1)`
        It is in the middle of a packet.
    blocked : :class:`unsigned(1)`
        It offers a flit that the router does not take.
    missing : :class:`unsigned(1)`
        It waits for the message that it is to send, and for nothing else.
    ended : :class:`unsigned(1)`
        It is at the end of its program.
    expected : :class:`unsigned(16)`
        Packets that were to arrive so far.
    received : :class:`unsigned(16)`
        Packets that did.
    """

    def __init__(self):
        super().__init__(
            {"entry": 16, "sending": 1, "blocked": 1, "missing": 1, "ended": 1, "expected": 16, "received": 16}
        )
