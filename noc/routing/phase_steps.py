"""The steps of packets whose ways go up and down an order of the nodes: the hops from phase to phase, in arrays."""

import dataclasses
from typing import Self

import numpy

from fatcube.noc.routing.trees import Array

__all__ = ["PhaseSteps"]


@dataclasses.dataclass(frozen=True)
class PhaseSteps:
    """The hops that a packet can take in each state: in phase p at node n it is in state ``p * nodes + n``.

    A hop in the other direction than that of the phase begins the next one (:mod:`fatcube.noc.routing.node_order`). Each state, a row,
    has a slot, a column, for each hop, ordered by the state behind it and by the channel, so that the first of equals is in
    the lowest phase, which leaves the most classes.

    Members
    -------
    nodes : :class:`int`
        Number of nodes.
    channel : array of integers
        The channel of each hop.
    behind : array of integers
        The state behind it; one more than there are states where a slot has no hop.
    """

    nodes: int
    channel: Array
    behind: Array

    @classmethod
    def of(cls, neighbours: Array, places: Array, phases: int) -> Self:
        """The steps in so many phases.

        Parameters
        ----------
        neighbours : array of integers
            The node that each channel leads to: a row for each node, a column for each channel, -1 where there is none.
        places : array of integers
            The place of each node in the order.
        """
        nodes, degree = neighbours.shape
        down = places[neighbours] > places[:, None]
        phase = numpy.arange(phases)[:, None, None]
        after = phase + (phase % 2 != down)
        states = phases * nodes
        behind = numpy.where((neighbours >= 0) & (after < phases), after * nodes + neighbours, states)
        order = numpy.argsort(behind, axis=2, kind="stable").reshape(states, degree)
        return cls(nodes, order, numpy.take_along_axis(behind.reshape(states, degree), order, axis=1))
