"""All ways of a routing at once, in arrays: the ways to a target are a tree, of which what many ways share is gone through once.

A network of 4,096 nodes has 16 million ways, each of many hops, but to each of its targets only about as many hops that
differ as it has nodes. What is asked of all ways follows from these.
"""

from collections.abc import Sequence
import dataclasses
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy

__all__ = ["AT_ONCE", "Array", "Trees", "distinct"]


AT_ONCE = 1 << 20  # states that are made at a time, so that they take no more than some hundred megabytes
_MOST_MARKS = 1 << 26

if TYPE_CHECKING:
    Array: TypeAlias = numpy.ndarray[Any, numpy.dtype[Any]]
else:
    Array = Any  # NumPy is loaded late, and not for annotations.


def distinct(values: Array, limit: int) -> Array:
    """The different values among these, which are from 0 to ``limit`` - 1, in order."""
    if limit > _MOST_MARKS:
        return numpy.unique(values)
    marks = numpy.zeros(limit, dtype=bool)
    marks[values] = True
    return marks.nonzero()[0]


@dataclasses.dataclass(frozen=True)
class Trees:
    """The ways to some targets.

    A state is a hop that packets to a target take, with all that lies behind it: where ways to a target come to be the
    same, they share their states from there on. States are sorted by the hops that are left.

    Members
    -------
    node, channel, channel_class : array of integers
        Of each state, the node that packets leave, the channel by which they do, and the class of virtual channels there.
    behind : array of integers
        The state that follows; -1 where the hop leads to the target.
    target : array of integers
        The column of its target in ``starts``.
    starts : array of integers
        The states that ways begin with: a row for each source, a column for each target; -1 where these are one node.
    ends : list of :class:`int`
        For each number of hops, from 0 on, the states that have no more hops than these left.
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
        """The trees of these states in any order, but without those that no way takes; ``None`` if a way has no end.

        Where ``channel`` is -1 there is no state.
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
                there = there[seen[there] == numbers]  # each once
        [chosen] = taken.nonzero()
        chosen = chosen[numpy.argsort(hops[chosen], kind="stable")]
        place = numpy.full(len(hops) + 1, -1, dtype=numpy.int32)  # the last one is that of -1
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
        """The same with the ways from these sources only, by row, and with the states of these."""
        starts = numpy.full_like(self.starts, -1)
        starts[rows] = self.starts[rows]
        trees = self.of(self.node, self.channel, self.channel_class, self.behind, self.target, starts)
        assert trees is not None, "every way ends"
        return trees

    @property
    def hops(self) -> Array:
        """The hops of every way: a row for each source, a column for each target."""
        left = numpy.repeat(numpy.arange(len(self.ends)), numpy.diff([0, *self.ends]))
        return numpy.append(left, 0).astype(numpy.int32)[self.starts]  # the last one is that of -1

    def gathered(self, amounts: Array) -> Array:
        """What passes each state, if so much of it takes each way.

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
    """The hops that are left in each state, 0 where there is none; ``None`` if there are states without an end."""
    hops = numpy.append((channel >= 0).astype(numpy.int32), 0).astype(numpy.int32)
    ahead = numpy.append(numpy.where(channel >= 0, behind, -1), -1).astype(numpy.int32)
    for _ in range(len(hops).bit_length() + 1):
        if not (ahead >= 0).any():
            return hops[:-1]
        hops += hops[ahead]  # that of -1 is the last one, which is 0
        ahead = ahead[ahead]
    return None
