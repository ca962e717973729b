"""A summary of all routes of a routing: their first hops, their last hops, and the pairs of consecutive hops."""

from collections.abc import Iterable
import dataclasses
from typing import Self

import numpy

from fatcube.noc.routing.trees import Array, Trees, distinct

__all__ = ["Followed"]


@dataclasses.dataclass(frozen=True)
class Followed:
    """The hops of routes. A hop is a number: ``(node * degree + channel) * classes + channel class``; all are sorted.

    Members
    -------
    first, last : array of integers
        The first and the last hops of routes.
    pairs : array of integers
        Two columns: a hop, and a hop that follows it on a route.
    lengths : array of integers
        The number of hops of every route: a row for each source, a column for each target.
    """

    first: Array
    last: Array
    pairs: Array
    lengths: Array

    @classmethod
    def of(cls, trees: Iterable[Trees], neighbours: Array, classes: int) -> Self:
        """The hops of all routes in ``trees``.

        Parameters
        ----------
        neighbours : array of integers
            The node that each channel leads to: a row for each node, a column for each channel.
        classes : :class:`int`
            Classes of virtual channels.
        """
        (nodes, degree), lengths = neighbours.shape, []
        at_a_node = degree * classes
        number = nodes * at_a_node
        first, last, pairs = (numpy.empty(0, dtype=numpy.int64) for _ in range(3))
        for one in trees:
            hop = (one.node.astype(numpy.int64) * degree + one.channel) * classes + one.channel_class
            goes_on = one.behind >= 0
            # A channel leads to one node, so the next hop is identified by its number among the hops of this node.
            keys = hop[goes_on] * at_a_node + hop[one.behind[goes_on]] % at_a_node
            first = numpy.union1d(first, distinct(hop[one.starts[one.starts >= 0]], number))
            last = numpy.union1d(last, distinct(hop[~goes_on], number))
            pairs = numpy.union1d(pairs, distinct(keys, number * at_a_node))
            lengths.append(one.hops)
        before, place = pairs // at_a_node, pairs % at_a_node
        after = neighbours.ravel()[before // classes].astype(numpy.int64) * at_a_node + place
        return cls(first, last, numpy.stack([before, after], axis=1), numpy.concatenate(lengths, axis=1))
