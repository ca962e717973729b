"""Several node-disjoint routes for each pair of nodes: the source of a packet chooses one of them.

If one of n paths fails, n - 1 are left. The virtual channel classes follow from an order of the nodes
(:mod:`fatcube.noc.routing.node_order`): a packet changes to the next class when it goes up after it has gone down, so that the
channel dependency graph has no cycle, whichever paths packets take. Of the orders tried, one that needs the fewest classes
is used.
"""

from collections.abc import Collection, Iterator, Sequence
import dataclasses
from functools import cached_property
import itertools

import numpy

from fatcube.groundwork.validation import ParameterError, check_count
from fatcube.noc.routing.disjoint_paths import disjoint_paths
from fatcube.noc.routing.followed import Followed
from fatcube.noc.routing.node_order import node_orders, shortest
from fatcube.noc.routing.routing import Hop, Routing, Way

__all__ = ["MOST_CLASSES", "Disjoint"]


MOST_NODES = 128
MOST_CLASSES = 8  # virtual channels of a lane at most
_MOST_ORDERS = 16  # orders of the nodes to try


@dataclasses.dataclass(frozen=True)
class Disjoint(Routing, name="disjoint"):
    """A maximum set of node-disjoint paths for each pair of nodes, with the fewest hops in total.

    :meth:`paths` gives the routes of a pair, the shortest first. Figures such as channel loads assume that a source uses its
    paths in turn, so that each has an equal share.

    Parameters
    ----------
    topology : :class:`Topology`
        The nodes and channels of the routes; it has at most 128 nodes.

    Raises
    ------
    ParameterError
        If there are more nodes, or more than :data:`MOST_CLASSES` classes are needed.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count("nodes", self.topology.nodes, maximum=MOST_NODES, what=f"for {self}")
        if self.classes > MOST_CLASSES:
            raise ParameterError(
                f"topology of {self.name} routing must need at most {MOST_CLASSES} classes of virtual channels, not "
                f"{self.classes} as the {self.topology.name}"
            )

    def paths(self, source: int, target: int) -> tuple[Way, ...]:
        return self._hops[source, target] if source != target else ((),)

    def _way(self, source: int, target: int) -> Way:
        return self._hops[source, target][0]

    @cached_property
    def most(self) -> int:
        """The largest number of paths of any pair, 1 if only one node has processors."""
        return max(map(len, self._nodes.values()), default=1)

    @property
    def alternatives(self) -> Sequence[Routing]:
        return self._alternatives

    @cached_property
    def _alternatives(self) -> Sequence[Routing]:
        return [_Alternative(self.topology, self, number) for number in range(self.most)]

    @cached_property
    def _nodes(self) -> dict[tuple[int, int], list[list[int]]]:
        """The nodes of the paths of every pair."""
        adjacent = [list(dict.fromkeys(other for _, other in channels)) for channels in self.links]
        pairs = itertools.permutations(self.homes, 2)
        return {(source, target): disjoint_paths(adjacent, source, target) for source, target in pairs}

    @cached_property
    def classes(self) -> int:
        return self._choice[0]

    @cached_property
    def _choice(self) -> tuple[int, list[int]]:
        """The number of classes needed, and the place of each node in the chosen order."""
        orders = node_orders(self.topology, self.links, shortest(self.links))
        best: tuple[int, list[int]] | None = None
        for order in itertools.islice(orders, _MOST_ORDERS):
            places = [0] * len(order)
            for place, node in enumerate(order):
                places[node] = place
            classes = (_classes(nodes, places)[-1] + 1 for paths in self._nodes.values() for nodes in paths)
            needed = max(classes, default=1)
            if best is None or needed < best[0]:
                best = needed, places
        assert best is not None
        return best

    @cached_property
    def _hops(self) -> dict[tuple[int, int], tuple[Way, ...]]:
        """The hops of the paths of every pair."""
        channels = [{other: channel for channel, other in reversed(some)} for some in self.links]
        return {
            pair: tuple(
                tuple(
                    Hop(channels[here][there], channel_class)
                    for here, there, channel_class in zip(nodes, nodes[1:], _classes(nodes, self._choice[1]))
                )
                for nodes in paths
            )
            for pair, paths in self._nodes.items()
        }

    def ways(self) -> Iterator[tuple[int, int, Way]]:
        """Every route, of which a pair may have several."""
        return ((*pair, way) for pair, ways in self._hops.items() for way in ways)

    @cached_property
    def followed(self) -> Followed:
        return _together([one.followed for one in self.alternatives])

    def followed_from(self, sources: Collection[int]) -> Followed:
        return _together([one.followed_from(sources) for one in self.alternatives])


@dataclasses.dataclass(frozen=True)
class _Alternative(Routing, name=None):
    """A single path for each pair: path ``number`` modulo the number of paths of the pair."""

    name = Disjoint.name

    disjoint: Disjoint
    number: int

    def _way(self, source: int, target: int) -> Way:
        paths = self.disjoint.paths(source, target)
        return paths[self.number % len(paths)]

    @property
    def classes(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.disjoint.classes


def _classes(nodes: Sequence[int], places: Sequence[int]) -> list[int]:
    """The class of each hop of a path: it is incremented at a hop up, to an earlier place, that follows a hop down."""
    found, channel_class, down = [], 0, False
    for here, there in zip(nodes, nodes[1:]):
        up = places[there] < places[here]
        if up and down:
            channel_class += 1
        down = not up
        found.append(channel_class)
    return found


def _together(some: Sequence[Followed]) -> Followed:
    """The hops of several routes of each pair; the length given for a pair is the length of its longest route."""
    first, last = (numpy.unique(numpy.concatenate([getattr(one, name) for one in some])) for name in ("first", "last"))
    pairs = numpy.unique(numpy.concatenate([one.pairs for one in some]), axis=0)
    lengths = numpy.max(numpy.stack([one.lengths for one in some]), axis=0)
    return Followed(first, last, pairs, lengths)
