"""Protocols of topologies whose nodes have coordinates: the channel that corrects each coordinate."""

from typing import Protocol, runtime_checkable

__all__ = ["Coordinates", "NumberedCoordinates"]


@runtime_checkable
class Coordinates(Protocol):
    """A topology whose nodes have a coordinate in each dimension, and whose channels each change one coordinate.

    Any topology with these members satisfies the protocol: cubes, generalized hypercubes, meshes, rings and tori. All
    lines of nodes in a dimension, whose nodes differ only in that coordinate, must be wired alike.
    """

    @property
    def dimensions(self) -> int:
        """Number of coordinates."""
        ...

    def correction(self, node: int, target: int, dimension: int) -> int | None:
        """The channel of ``node`` that brings coordinate ``dimension`` a hop nearer to that of ``target``.

        It is ``None`` where the two coordinates agree. Following these channels must reach the target's coordinate in
        the fewest hops, without a change of any other coordinate.
        """
        ...

    def wraps(self, node: int, channel: int) -> bool:
        """``True`` if ``channel`` of ``node`` closes a ring: it leads from one end of the coordinate's range to the other.

        Each ring that routes can follow for more than one hop, in either direction, must have one such channel.
        """
        ...


@runtime_checkable
class NumberedCoordinates(Coordinates, Protocol):
    """Coordinates with values, counted from 0, so that routers can compare their own with a destination's."""

    def coordinate(self, node: int, dimension: int) -> int:
        """Coordinate ``dimension`` of ``node``."""
        ...
