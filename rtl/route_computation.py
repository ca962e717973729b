"""The way to a destination, as a router finds it by itself: from its own address and that of the destination."""

from collections.abc import Sequence
import dataclasses
from typing import NamedTuple

from amaranth.hdl import Const, Value

from fatcube.groundwork.validation import ParameterError

__all__ = ["RouteComputation", "Dimension"]


class Dimension(NamedTuple):
    """A coordinate of nodes.

    Members
    -------
    bits : :class:`int`
        Its bits.
    down, up : :class:`int`
        The channels to the nodes at which it is nearer to lower, and to higher, values. In a cube they are one.
    """

    bits: int
    down: int
    up: int


@dataclasses.dataclass(frozen=True)
class RouteComputation:
    """Dimension order without tables: the first coordinate that differs from that of the destination is corrected.

    A destination is, from the lowest bit upwards, the output to a processor of its node and the node's coordinates, the
    first dimension lowest.

    Parameters
    ----------
    dimensions : :class:`tuple` of :class:`Dimension`
        In the order in which they are corrected.
    output_bits : :class:`int`
        Bits of the output to a processor.
    """

    dimensions: tuple[Dimension, ...]
    output_bits: int

    @property
    def address_bits(self) -> int:
        """Bits of all coordinates."""
        return sum(dimension.bits for dimension in self.dimensions)

    @property
    def bits(self) -> int:
        """Bits of a destination."""
        return self.output_bits + self.address_bits

    def address(self, coordinates: Sequence[int]) -> int:
        """The coordinates of a node, as its router has them and destinations hold them above the output.

        Raises
        ------
        ParameterError
            If there are more or fewer of them than dimensions, or one does not fit.
        """
        packed, low = 0, 0
        if len(coordinates) != len(self.dimensions):
            raise ParameterError(f"coordinates must be {len(self.dimensions)}, not {len(coordinates)}")
        for coordinate, dimension in zip(coordinates, self.dimensions):
            if not 0 <= coordinate < 1 << dimension.bits:
                raise ParameterError(f"coordinates must have at most {dimension.bits} bits, not {coordinate}")
            packed |= coordinate << low
            low += dimension.bits
        return packed

    def channel(self, address: int, destination: int) -> int | None:
        """The channel that a packet for ``destination`` takes at ``address``; ``None`` if it is there."""
        target, low = destination >> self.output_bits, 0
        for dimension in self.dimensions:
            mask = (1 << dimension.bits) - 1
            here, there = address >> low & mask, target >> low & mask
            if here != there:
                return dimension.up if there > here else dimension.down
            low += dimension.bits
        return None

    def directions(self, address: Value, destination: Value) -> tuple[Value, dict[int, Value]]:
        """:meth:`channel` as hardware: that it is there, and for each channel, that it takes this one."""
        found: dict[int, Value] = {}
        target, low = destination[self.output_bits :], 0
        agree: Value = Const(1)  # All coordinates so far.
        for dimension in self.dimensions:
            here, there = (value[low : low + dimension.bits] for value in (address, target))
            differs = agree & (here != there)
            if dimension.up == dimension.down:
                found[dimension.up] = differs
            else:
                higher = there > here
                found |= {dimension.up: agree & higher, dimension.down: differs & ~higher}
            agree = agree & (here == there)
            low += dimension.bits
        return agree, found
