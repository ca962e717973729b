"""What an input with virtual channels knows of routes."""

from collections.abc import Callable, Sequence
import dataclasses

from amaranth.hdl import Value

__all__ = ["Route"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Route:
    """How an input with channels decodes the routes of headers.

    Parameters
    ----------
    bits : :class:`int`
        The lowest bits of a header, which are looked at.
    decode : list of callable
        For each class of the channels, what makes of these bits, and of what the router knows of destinations, a bit for
        each target. Channel c has class c modulo their number.
    targets : list of list of :class:`int`
        For each class, the targets that its packets can take, as numbers of these bits. Others are not decoded.
    known_bits : :class:`int`
        Bits of what the router knows of destinations.
    shift : :class:`int`
        Bits that the header loses: this router's selector.
    kept : :class:`int`
        Bits of the selectors behind it.
    """

    bits: int
    decode: Sequence[Callable[[Value, Value], Value]]
    targets: Sequence[Sequence[int]]
    known_bits: int = 0
    shift: int = 0
    kept: int = 0
