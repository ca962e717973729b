"""All routes of a routing at once, in arrays: the routes to a target form a tree, so that shared parts are processed once.

A network of 4,096 nodes has 16 million routes, each of many hops, but the number of different hops to one target is only
about the number of nodes. Properties of all routes are computed from these different hops.
"""

from collections.abc import Sequence
import dataclasses
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy

__all__ = ["AT_ONCE", "Array", "Trees", "distinct"]


AT_ONCE = 1 << 20  # states processed at a time, which take at most some hundred megabytes
_MOST_MARKS = 1 << 26

if TYPE_CHECKING:
    Array: TypeAlias = numpy.ndarray[Any, numpy.dtype[Any]]
else:
    Array = Any  # NumPy is imported late, and not for annotations.


def distinct(values: Array, limit: int) -> Array:
    """The distinct values in ``values``, which are from 0 to ``limit`` - 1, in ascending order."""
    if limit > _MOST_MARKS:
        return numpy.unique(values)
    marks = numpy.zeros(limit, dtype=bool)
    marks[values] = True
    return marks.nonzero()[0]


@dataclasses.dataclass(frozen=True)
class Trees:
    """The routes to some targets.

    A state is a hop that packets to a target take, together with the rest of the route: routes to a target share their
    states from the hop on at which they merge. States are sorted by the number of hops left.

    Members
    -------
    node, channel, channel_class : array of integers
        For each state, the node that packets leave, the channel that they take, and its virtual channel class.
    behind : array of integers
        The next state of each state; -1 where the hop leads to the target.
    target : array of integers
        For each state, the column of its target in ``starts``.
    starts : array of integers
        The first states of routes: a row for each source, a column for each target; -1 where the two are one node.
    ends : list of :class:`int`
        For each number of hops from 0, how many states have at most this number of hops left.
    """

    node: Array
    channel: Array
    channel_class: Array
    behind: Array
    target: Array
    starts: Array
    ends: Sequence[int]

    @classmethod
    def of(
        cls, node: Array, channel: Array, channel_class: Array, behind: Array, target: Array, starts: Array
    ) -> Self | None:
        """The trees of states given in any order, without the states that no route takes; ``None`` if a route has no end.

        An entry whose ``channel`` is -1 is not a state.
        """
        hops = _hops_left(channel, behind)
        if hops is None:
            return None
        taken = numpy.zeros(len(hops), dtype=bool)
        there = starts[starts >= 0]
        taken[there] = True
        if len(there) < numpy.count_nonzero(hops):
            seen = numpy.empty(len(hops), dtype=numpy.int64)
            while len(there := behind[there]):
                there = there[there >= 0]
                there = there[~taken[there]]
                taken[there] = True
                seen[there] = numbers = numpy.arange(len(there))
                there = there[seen[there] == numbers]  # each state once
        [chosen] = taken.nonzero()
        chosen = chosen[numpy.argsort(hops[chosen], kind="stable")]
        place = numpy.full(len(hops) + 1, -1, dtype=numpy.int32)  # Index -1 refers to the last entry.
        place[chosen] = numpy.arange(len(chosen))
        return cls(
            node[chosen],
            channel[chosen],
            channel_class[chosen],
            place[behind[chosen]],
            target[chosen],
            place[starts],
            numpy.bincount(hops[chosen], minlength=1).cumsum().tolist(),
        )

    def only(self, rows: Sequence[int]) -> Self:
        """The trees with only the routes from the sources in ``rows``, and only the states of these routes."""
        starts = numpy.full_like(self.starts, -1)
        starts[rows] = self.starts[rows]
        trees = self.of(self.node, self.channel, self.channel_class, self.behind, self.target, starts)
        assert trees is not None, "every way ends"
        return trees

    @property
    def hops(self) -> Array:
        """The number of hops of every route: a row for each source, a column for each target."""
        left = numpy.repeat(numpy.arange(len(self.ends)), numpy.diff([0, *self.ends]))
        return numpy.append(left, 0).astype(numpy.int32)[self.starts]  # Index -1 refers to the last entry.

    def gathered(self, amounts: Array) -> Array:
        """The total amount that passes each state, if ``amounts`` gives the amount that takes each route.

        Parameters
        ----------
        amounts : array
            A row for each source, a column for each target.
        """
        there = self.starts >= 0
        passing = numpy.zeros(len(self.node), dtype=amounts.dtype)
        numpy.add.at(passing, self.starts[there], amounts[there])
        for low, high in reversed([*zip(self.ends, self.ends[1:])][1:]):
            numpy.add.at(passing, self.behind[low:high], passing[low:high])
        return passing


def _hops_left(channel: Array, behind: Array) -> Array | None:
    """The number of hops left in each state, 0 where there is no state; ``None`` if the states have a cycle."""
    hops = numpy.append((channel >= 0).astype(numpy.int32), 0).astype(numpy.int32)
    ahead = numpy.append(numpy.where(channel >= 0, behind, -1), -1).astype(numpy.int32)
    for _ in range(len(hops).bit_length() + 1):
        if not (ahead >= 0).any():
            return hops[:-1]
        hops += hops[ahead]  # Index -1 refers to the last entry, which is 0.
        ahead = ahead[ahead]
    return None
