"""The lanes of a network as a drawing shows them: side by side on their link, with the directions that work."""

from collections.abc import Iterator
import dataclasses

from fatcube.noc.orientation import lanes_leaving
from fatcube.noc.topology import Topology

__all__ = ["DrawnLane", "Way", "drawn_lanes", "joined"]


@dataclasses.dataclass(frozen=True)
class Way:
    """One direction of a lane.

    Members
    -------
    node, other : :class:`int`
        Where it leads from and to.
    number : :class:`int`
        The number of the lane from ``node`` to ``other``, as schedules and failures have it.
    channel, lane : :class:`int`
        The channel of ``node`` by which it leaves, and its number on that channel, as loads and routes have it.
    works : :class:`bool`
        False if it has failed.
    """

    node: int
    other: int
    number: int
    channel: int
    lane: int
    works: bool


@dataclasses.dataclass(frozen=True)
class DrawnLane:
    """A lane that is drawn as one line.

    Members
    -------
    low, high : :class:`int`
        The nodes that it joins, the lower one first.
    place : :class:`int`
        Its place among the lines between these nodes, from left to right as seen from the lower one, from 0 on.
    of : :class:`int`
        The lines between these nodes.
    ways : tuple of :class:`Way`
        Its directions: two where it goes both ways, that from the lower node first, and one where it goes one way.
    """

    low: int
    high: int
    place: int
    of: int
    ways: tuple[Way, ...]

    @property
    def one_way(self) -> bool:
        """Whether it has one direction only, also when nothing has failed."""
        return len(self.ways) == 1

    @property
    def offset(self) -> float:
        """How far it is to the right of the middle of its link, in distances between lines."""
        return self.place - (self.of - 1) / 2


def drawn_lanes(topology: Topology, *, simplex: bool = False) -> list[DrawnLane]:
    """Every lane of ``topology`` once, also those that have failed, in the order of their nodes.

    Parameters
    ----------
    simplex : :class:`bool`
        True if lanes of a cube have one direction each (:func:`fatcube.noc.orientation.lanes_leaving`), as in the step model of
        schedules; a topology whose links go one way needs no mark.
    """
    whole = topology.intact
    found = []
    for low, high in joined(whole):
        lines = list(_between(whole, topology, low, high, simplex))
        found += [DrawnLane(low, high, place, len(lines), ways) for place, ways in enumerate(lines)]
    return found


def joined(topology: Topology) -> list[tuple[int, int]]:
    """The nodes between which links lead, in whatever direction: every pair once, the lower one first, in order."""
    return sorted(
        {(min(node, other), max(node, other)) for node in range(topology.nodes) for _, other, _ in topology.ends(node)}
    )


def _between(whole: Topology, topology: Topology, low: int, high: int, simplex: bool) -> Iterator[tuple[Way, ...]]:
    """The directions of each line between two nodes."""
    if whole.directed or simplex:
        for node, other in ((low, high), (high, low)):
            for number in lanes_leaving(whole, node, other) if simplex else whole.lanes_between(node, other):
                yield (_way(whole, topology, node, other, number),)
        return
    for number in whole.lanes_between(low, high):
        back = whole.other_end(low, high, number)
        assert back is not None, "links go both ways"
        yield _way(whole, topology, low, high, number), _way(whole, topology, high, low, back)


def _way(whole: Topology, topology: Topology, node: int, other: int, number: int) -> Way:
    channel = whole.channels_between(node, other)[number // whole.f]
    works = number in topology.lanes_between(node, other)
    return Way(node, other, number, channel, number % whole.f, works)
