"""The layout of a word in a program memory, and the status of a sending port."""

from amaranth.lib import data

__all__ = ["ARRIVAL_BITS", "PortStatus", "ProgramEntry"]


#: Bits of a count of arrivals, in a machine with reductions.
ARRIVAL_BITS = 16


class ProgramEntry(data.StructLayout):
    """The action of one port of a processor in one step; with ``more``, a part of it.

    Members
    -------
    header : :class:`unsigned(width)`
        The header of the packet to send, including route and message id.
    bank : :class:`unsigned(8)`
        The bank of the message memory that holds the message, which is the bank of the port at which it arrived.
    send : :class:`unsigned(1)`
        There is a packet to send.
    more : :class:`unsigned(1)`
        The packet continues with the message of the next entry. The header of the next entry is sent between the two
        messages; only its message id is used. In lockstep both entries are for one ``go``. Without ``send``, with
        ``combining`` only: in dataflow the next entry waits for the message of this one.
    expect : :class:`unsigned(1)`
        A packet arrives at this port.
    end : :class:`unsigned(1)`
        The program is over; the other fields of this entry are ignored.
    sync : :class:`unsigned(1)`
        The next entry waits for the next ``go`` in dataflow too, as all entries do in lockstep. With ``barriers`` only.
    source : :class:`unsigned(24)`
        The slot of the message memory to send; its receiver keeps it in the slot that the header names.
    combine : :class:`unsigned(1)`
        The sum over all banks in which something has arrived for ``source`` is sent; ``bank`` is ignored.
    need : :class:`unsigned(16)`
        The arrivals for ``source``, in all banks, without which a combined packet is not sent in dataflow.

    The last three members exist only with ``reductions``.
    """

    def __init__(self, width: int, *, reductions: bool = False, barriers: bool = False) -> None:
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
    """The state of a port, which shows why a run has stalled.

    Members
    -------
    entry : :class:`unsigned(16)`
        The current program entry.
    sending : :class:`unsigned(1)`
        The port is in the middle of a packet.
    blocked : :class:`unsigned(1)`
        The port offers a flit that the router does not take.
    missing : :class:`unsigned(1)`
        The port waits for the message that it is to send, and for nothing else.
    ended : :class:`unsigned(1)`
        The port is at the end of its program.
    expected : :class:`unsigned(16)`
        Packets that should have arrived so far.
    received : :class:`unsigned(16)`
        Packets that have arrived.
    """

    def __init__(self) -> None:
        super().__init__(
            {"entry": 16, "sending": 1, "blocked": 1, "missing": 1, "ended": 1, "expected": 16, "received": 16}
        )
