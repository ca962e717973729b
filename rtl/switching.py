"""The switching techniques: what a packet needs before its header moves on (fat-cube paper, section 2)."""

import enum

from fatcube.groundwork.validation import ParameterError, check_choice, check_integer

__all__ = ["CIRCUIT_DEPTH", "SWITCHING", "WHOLE_PACKETS", "Switching", "check_switching"]


class Switching(enum.StrEnum):
    """A switching technique. Code that distinguishes techniques matches them exhaustively."""

    WORMHOLE = "wormhole"
    """A header moves on when the next router has room for a flit."""
    VIRTUAL_CUT_THROUGH = "virtual-cut-through"
    """A header moves on when the next router has room for the longest packet."""
    STORE_AND_FORWARD = "store-and-forward"
    """A header moves on when the whole packet has arrived in its router."""
    CIRCUIT = "circuit"
    """The payload follows its header when the whole route is reserved."""


SWITCHING = tuple(one.value for one in Switching)
"""The names of all techniques."""

WHOLE_PACKETS = (Switching.VIRTUAL_CUT_THROUGH, Switching.STORE_AND_FORWARD)
"""The techniques with which a buffer has to hold a whole packet, so that there is a longest one."""

CIRCUIT_DEPTH = 2
"""Flits in the buffer of an input with circuit switching: a register for the flit in front, and one to skid into."""


def check_switching(switching: object, *, longest: int, depth: int) -> str:
    """Return ``switching`` if buffers of ``depth`` flits can do it with packets of at most ``longest`` flits.

    Parameters
    ----------
    switching : :class:`str`
        One of :data:`SWITCHING`.
    longest : :class:`int`
        The most flits of a packet, its header among them; 0 for any number, which wormhole and circuit switching take.
    depth : :class:`int`
        Flits in the buffer of an input.

    Raises
    ------
    ParameterError
        If it is none of them, the longest packet has to be given or to fit into a buffer, or buffers have another depth than
        circuits take.
    """
    chosen = check_choice("switching", switching, SWITCHING)
    check_integer("longest packet", longest, minimum=0, maximum=1 << 16)
    if chosen in WHOLE_PACKETS:
        if not longest:
            raise ParameterError(f"longest packet must be given for {chosen} switching, not be 0")
        if longest > depth:
            raise ParameterError(
                f"longest packet must be at most the buffer depth, {depth}, for {chosen} switching, not {longest}"
            )
    if chosen == Switching.CIRCUIT and depth != CIRCUIT_DEPTH:
        raise ParameterError(
            f"buffer depth must be {CIRCUIT_DEPTH} for circuit switching, where a flit and one behind it never wait for more "
            f"room, not {depth}"
        )
    return chosen
