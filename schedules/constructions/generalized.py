"""The total exchange on generalized hypercubes, dense and sparse, with the fewest steps that there can be."""

from collections.abc import Iterator

from fatcube.noc.topologies.generalized import DenseGHC, SparseGHC
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.constructions.coloring import color_edges
from fatcube.schedules.schedule import Schedule

__all__ = ["generalized_all_to_all"]


def generalized_all_to_all(topology: DenseGHC | SparseGHC, ports: PortModel | str) -> Schedule:
    """A symmetric :class:`Schedule` of AAS for one processor a node, with a port for each link (models d and \\*).

    On N nodes, with w_i nodes along dimension i, it takes N / w_i steps on a dense one, for the smallest w_i, and
    N (w_i - 1) / 2 on a sparse one, for the largest. There is no shorter one: this number of messages of a node, on average over
    the channels of the dimension, have to cross each (Antonio, Lin and Metzger, section 3.1.3 has w^(d-1) / (w - 1) for
    the dense one of equal w, which is too few by a factor of w - 1).

    Proof. A message to the node that is x_i farther in coordinate i crosses one channel for every x_i that is not 0 on
    a dense one, and x_i times the channel of coordinate i on a sparse one. In which order does not matter: additions of
    nodes commute. Every node does the same, seen from its own position, so it only remains to ensure that in
    no step two messages of node 0 cross the same channel, nor one message two channels: an edge colouring of messages
    against channels. It takes as many colours as there are edges at most at one end (König). At a channel of dimension i
    there are N / w_i or N (w_i - 1) / 2; at a message no more than d, or than the sum of all w_i - 1, which is never more
    than the most at a channel.
    """
    edges = [(node, channel) for node in range(1, topology.nodes) for channel in _channels(topology, node)]
    place = dict.fromkeys(range(1, topology.nodes), 0)
    moves = []
    for color, (node, channel) in sorted(zip(color_edges(edges), edges)):
        src, place[node] = place[node], topology.neighbour(place[node], channel)[0]
        moves.append(Move(color + 1, src, place[node], Message(0, node)))
    return Schedule.from_moves(topology, ports, Collective.AAS, None, moves, symmetric=True)


def _channels(topology: DenseGHC | SparseGHC, node: int) -> Iterator[int]:
    """The channels that a message from node 0 to ``node`` crosses."""
    for dimension in range(topology.dimensions):
        channel = topology.correction(0, node, dimension)
        if channel is not None:
            yield from [channel] * (1 if isinstance(topology, DenseGHC) else topology.coordinate(node, dimension))
