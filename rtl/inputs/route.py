"""The description of how an input with virtual channels decodes routes."""

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
        The number of lowest bits of a header that are decoded.
    decode : list of callable
        For each class of the channels, a function of these bits, and of the router's tables or address, that returns a bit
        for each target. Channel c has class c modulo the number of classes.
    targets : list of list of :class:`int`
        For each class, the targets that its packets can take, as indices of the bits that ``decode`` returns. Others are
        not decoded.
    known_bits : :class:`int`
        Bits of the router's tables, or of its address.
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
