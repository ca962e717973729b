"""The part of a network that limits what it accepts, from flits that were counted on the hardware while it was saturated.

Sources count the flits that go into the network from them. As a source picks the destination of each packet at random,
independently of what waits, these flits and the routes of packets say how full each lane and each receiver is. With details,
nodes count the flits that cross their lanes, and those are taken.
"""

import enum
from typing import NamedTuple, assert_never

from fatcube.rtl.router_options import RouterOptions

__all__ = ["CAUSES", "FULL", "Cause", "Fullest", "cause_of", "sentence_of"]


FULL = 0.85
"""A lane or a port is full from this part of the flits on that it can move, as packets leave gaps between them."""


CAUSES = (
    f"Limited by: channels, receivers, answers: the fullest lane, port that receives, port that answers moves a flit in at least "
    f"{FULL:.0%} of cycles; senders: each moves as many; handshake: buffers have room for one flit; circuits: no lane and no port is "
    "full, but lanes are reserved; blocking: none is full, but packets that wait hold up those behind them, and also lanes where "
    "they are longer than a buffer"
)
"""The words of :class:`Cause`, for the notes of tables."""


class Fullest(NamedTuple):
    """The fullest parts of a network at an offered load, in flits per cycle, of which each moves at most one.

    Where processors could not send all that they offered, only the needs of their packets count.

    Members
    -------
    lane : :class:`float`
        Of all lanes; of both directions together where these wait for each other. 0 without lanes.
    sender : :class:`float`
        Of the ports of processors that send what they have to; of the starved ones that from which least is accepted.
    receiver : :class:`float`
        Of the ports of processors that receive.
    answering : :class:`float`
        Of the ports of processors that send replies; 0 without replies.
    waiting : :class:`float`
        The part of the cycles of a run in which, on average over the routers, an input waited for an output that another
        packet held.
    """

    lane: float
    sender: float
    receiver: float
    answering: float
    waiting: float


class Cause(enum.Enum):
    """The reason why a network accepts no more, in a few words."""

    SENDERS = "senders"
    CHANNELS = "channels"
    RECEIVERS = "receivers"
    ANSWERS = "answers"
    HANDSHAKE = "handshake"
    CIRCUITS = "circuits"
    BLOCKING = "blocking"


def cause_of(fullest: Fullest, options: RouterOptions, *, saturated: bool) -> Cause:
    """The reason why a network accepts no more at a load.

    A lane or a port that is full is one: of several, the fullest. If none is, packets hold up each other, or, where a buffer
    has room for one flit alone, the flits of a packet do: one has to leave before the next is taken. Buffers of virtual channels
    are never below the credit round trip.

    Parameters
    ----------
    fullest : :class:`Fullest`
    options : :class:`RouterOptions`
        The options of its routers.
    saturated : :class:`bool`
        Whether the network is saturated at that load. If not, it accepts what its processors can send.
    """
    if not saturated or fullest.sender >= FULL:
        return Cause.SENDERS
    parts = {
        Cause.CHANNELS: fullest.lane,
        Cause.RECEIVERS: fullest.receiver,
        Cause.ANSWERS: fullest.answering,
    }
    cause, part = max(parts.items(), key=lambda one: one[1])
    if part >= FULL:
        return cause
    if options.virtual_channels == 1 and options.buffer_depth == 1:
        return Cause.HANDSHAKE
    if options.answers:
        return Cause.CIRCUITS
    return Cause.BLOCKING


def sentence_of(fullest: Fullest, options: RouterOptions, packet: int, *, load: float, saturated: bool) -> str:
    """A sentence that names the limit, with the figures that it follows from, which were measured at ``load``."""
    lane, receiver = f"{fullest.lane:.2f}", f"{fullest.receiver:.2f}"
    none = (
        f"at a load of {load:.3f} no lane and no port is full (the fullest lane moves {lane} flits per cycle, the fullest "
        f"receiver {receiver})"
    )
    match cause_of(fullest, options, saturated=saturated):
        case Cause.SENDERS if not saturated and load < 1:
            return f"Not limited by the network up to a load of {load:.3f}, the highest that was measured: the fullest lane moves {lane} flits per cycle."
        case Cause.SENDERS:
            return f"Limited by senders: at a load of {load:.3f} {fullest.sender:.2f} flits per cycle are accepted of each, of at most 1."
        case Cause.CHANNELS:
            return f"Limited by channels: at a load of {load:.3f} the fullest lane moves {lane} flits per cycle, of at most 1."
        case Cause.HANDSHAKE:
            return (
                f"Limited by the handshake of buffers: with room for one flit each takes one in two cycles at most; at a load of "
                f"{load:.3f} the fullest lane moves {lane} flits per cycle."
            )
        case Cause.RECEIVERS:
            return f"Limited by receivers: at a load of {load:.3f} the fullest takes {receiver} flits per cycle, of at most 1."
        case Cause.ANSWERS:
            return (
                f"Limited by answers: at a load of {load:.3f} the fullest port that answers sends {fullest.answering:.2f} flits "
                "per cycle, of at most 1."
            )
        case Cause.CIRCUITS:
            return f"Limited by circuits: {none}, but a circuit reserves all lanes of its route before the packet crosses them."
        case Cause.BLOCKING:
            lanes = (
                f", and with buffers of {options.buffer_depth} flits a packet of {packet} that waits blocks lanes, too"
                if packet > options.buffer_depth
                else ""
            )
            return (
                f"Limited by blocking: {none}, but a packet that waits holds up those behind it; routers have an input that waits "
                f"for an output in {fullest.waiting:.0%} of all cycles{lanes}."
            )
        case cause:
            assert_never(cause)
