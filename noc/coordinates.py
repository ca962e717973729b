"""What a topology says whose nodes have coordinates: the channel in which each coordinate is corrected."""

from typing import Protocol, runtime_checkable

__all__ = ["Coordinates", "NumberedCoordinates"]


@runtime_checkable
class Coordinates(Protocol):
    """A topology whose nodes have a coordinate in each dimension, and whose channels each change one coordinate.

    Any topology that has these members is one: cubes, generalized hypercubes, meshes, rings and tori. Every line of
    nodes that differ in one coordinate only must look like every other line of that dimension.
    """

    @property
    def dimensions(self) -> int:
        """Number of coordinates."""
        ...

    def correction(self, node: int, target: int, dimension: int) -> int | None:
        """The channel of ``node`` that brings coordinate ``dimension`` a hop nearer to that of ``target``.

        It is ``None`` where the two agree. As often as it is followed, it must get there by the fewest hops, and without
        another coordinate changed.
        """
        ...

    def wraps(self, node: int, channel: int) -> bool:
        """``True`` if ``channel`` of ``node`` closes a ring: it leads from one end of the coordinate's range to the other.

        Each ring that ways can follow farther than one hop, in either direction, must have one such channel.
        """
        ...


@runtime_checkable
class NumberedCoordinates(Coordinates, Protocol):
    """One whose coordinates can be told, counted from 0, so that routers can compare their own with a destination's."""

    def coordinate(self, node: int, dimension: int) -> int:
        """Coordinate ``dimension`` of ``node``."""
        ...
