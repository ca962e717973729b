"""All-gathers on networks so large that their transfers are not stored one by one: trees of all nodes, as tables.

They are grown as in :mod:`fatcube.schedules.pipelined.flood`, a step at a time and for all nodes at once: over one channel after the other each
node takes that message of its neighbour which it lacks and the fewest nodes have. A million transfers are two tables of 16 bits.
"""

from collections.abc import Iterator
import dataclasses

import numpy
from numpy.typing import NDArray

from fatcube.groundwork.validation import ParameterError, check_integer
from fatcube.noc.topology import Topology
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.rules import ScheduleError

__all__ = ["Trees", "check_trees", "grown_trees"]


MOST_NODES = 2048  # each pair of nodes takes some bytes, and so do its rarities in a step
_OWN = -1


@dataclasses.dataclass(frozen=True, eq=False)
class Trees:
    """A tree from each node, along which its message goes to all others, of one processor on each node.

    Members
    -------
    topology : :class:`Topology`
    channels : array of 16-bit integers
        For each origin, a row, and each node, the channel by which the message enters the node; -1 at the origin itself.
    entered : array of 16-bit integers
        The step, from 1, in which it does; 0 at the origin itself.
    """

    topology: Topology
    channels: NDArray[numpy.int16]
    entered: NDArray[numpy.int16]

    @property
    def steps(self) -> int:
        """The steps of the all-gather."""
        return int(self.entered.max())

    def moves(self, origin: int) -> Iterator[Move]:
        """The transfers of the message of one node."""
        [processor] = self.topology.processors_of(origin)
        sources = _sources(self.topology)
        for node in map(int, numpy.argsort(self.entered[origin])):
            if node != origin:
                [src], [dst] = (
                    self.topology.processors_of(one) for one in (int(sources[node, self.channels[origin, node]]), node)
                )
                yield Move(int(self.entered[origin, node]), src, dst, Message(processor, None))


def grown_trees(topology: Topology, *, seed: int = 0) -> Trees:
    """The :class:`Trees` of an all-gather in model d, full duplex, on nodes with one processor each.

    Raises
    ------
    ParameterError
        If a node has another number of processors, a link has several lanes, or there are too many nodes.
    """
    nodes = check_integer("nodes of trees as tables", topology.nodes, minimum=2, maximum=MOST_NODES)
    if topology.f > 1 or any(len(topology.processors_of(node)) != 1 for node in range(nodes)):
        raise ParameterError(
            f"trees as tables must be of nodes with a processor and links with a lane, not the {topology.name}"
        )
    dice = numpy.random.default_rng(seed)
    sources = _sources(topology)
    has = numpy.eye(nodes, dtype=bool)  # a row for each node, a column for each message
    channels = numpy.full((nodes, nodes), _OWN, dtype=numpy.int16)
    entered = numpy.zeros((nodes, nodes), dtype=numpy.int16)
    holders = numpy.ones(nodes, dtype=numpy.int32)
    step = 0
    while not has.all():
        step += 1
        before = has.copy()
        for channel in dice.permutation(sources.shape[1]):
            entering = numpy.flatnonzero((sources[:, channel] >= 0) & ~has.all(axis=1))
            useful = before[sources[entering, channel]] & ~has[entering]
            rarity = holders * nodes + dice.permutation(nodes).astype(numpy.int32)
            chosen = numpy.where(useful, rarity, numpy.iinfo(numpy.int32).max).argmin(axis=1)
            found = useful[numpy.arange(len(entering)), chosen]
            entering, chosen = entering[found], chosen[found]
            has[entering, chosen] = True
            channels[chosen, entering], entered[chosen, entering] = channel, step
            holders += numpy.bincount(chosen, minlength=nodes).astype(numpy.int32)
    return Trees(topology, channels, entered)


def _sources(topology: Topology) -> NDArray[numpy.int64]:
    """For each node and channel the node from which the channel is entered, -1 if there is none."""
    sources = numpy.full((topology.nodes, topology.degree), -1, dtype=numpy.int64)
    for node in range(topology.nodes):
        for _, other, back in topology.ends(node):
            sources[other, back] = node
    return sources


def check_trees(trees: Trees) -> None:
    """Refuse trees that are no all-gather: see :func:`fatcube.schedules.checker.check`, which takes schedules.

    Every message enters every node but its own once, over a channel of it, from a node that it entered before; and no message
    enters a node in the same step and over the same channel as another.

    Raises
    ------
    ScheduleError
        If one of these conditions does not hold.
    """
    topology, channels, entered = trees.topology, trees.channels.astype(numpy.int64), trees.entered.astype(numpy.int64)
    nodes = numpy.arange(topology.nodes)
    sources = _sources(topology)
    others = nodes[:, None] != nodes[None, :]
    if not (channels[others] >= 0).all() or (entered[~others] != 0).any():
        raise ScheduleError("every message must enter every node but its own over a channel, once")
    before = numpy.where(others, sources[nodes[None, :], channels], nodes[None, :])
    if (before < 0).any():
        raise ScheduleError("every message must enter nodes over channels that lead there")
    if (entered[others] <= numpy.take_along_axis(entered, before, axis=1)[others]).any():
        raise ScheduleError("every message must enter a node after the one that it comes from")
    taken = ((entered * topology.nodes + nodes[None, :]) * topology.degree + channels)[others]
    if len(numpy.unique(taken)) < len(taken):
        raise ScheduleError("a channel must be entered by one message in a step")
