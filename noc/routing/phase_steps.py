"""The possible hops of packets whose routes go up and down an order of the nodes, by phase, in arrays."""

import dataclasses
from typing import Self

import numpy

from fatcube.noc.routing.trees import Array

__all__ = ["PhaseSteps"]


@dataclasses.dataclass(frozen=True)
class PhaseSteps:
    """The hops that a packet can take in each state: in phase p at node n it is in state ``p * nodes + n``.

    A hop against the direction of the phase begins the next phase (:mod:`fatcube.noc.routing.node_order`). Each state, a
    row, has a slot, a column, for each hop. The slots are ordered by the state after the hop, then by channel, so that the
    first of several equal hops is in the lowest phase, which leaves the most classes.

    Members
    -------
    nodes : :class:`int`
        Number of nodes.
    channel : array of integers
        The channel of each hop.
    behind : array of integers
        The state after each hop; the number of states where a slot has no hop.
    """

    nodes: int
    channel: Array
    behind: Array

    @classmethod
    def of(cls, neighbours: Array, places: Array, phases: int) -> Self:
        """The hops in ``phases`` phases.

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
