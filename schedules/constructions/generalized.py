"""The total exchange on balanced generalized hypercubes, dense and sparse, with the fewest steps that there can be."""

from collections.abc import Iterator

from noc.topologies.generalized import DenseGHC, SparseGHC
from rtl.port_model import PortModel
from schedules.collective import Collective, Message, Move
from schedules.constructions.coloring import color_edges
from schedules.schedule import Schedule

__all__ = ["generalized_all_to_all"]


def generalized_all_to_all(topology: DenseGHC | SparseGHC, ports: PortModel | str) -> Schedule:
    """A symmetric :class:`Schedule` of AAS for one processor a node, with a port for each link (models d and \\*).

    It takes w^(d-1) steps on a dense one and (w - 1) w^d / 2 on a sparse one, for every w and d. There is no shorter
    one: so many messages of a node, on average over its channels, have to cross each (Antonio, Lin and Metzger,
    section 3.1.3 has w^(d-1) / (w - 1) for the dense one, which is too few by a factor of w - 1).

    Proof. A message to the node that is x_i farther in coordinate i crosses one channel for every x_i that is not 0 on
    a dense one, and x_i times the channel of coordinate i on a sparse one. In which order does not matter: additions of
    nodes commute. Every node does the same, seen from where it stands, so nothing else is to be seen to than that in
    no step two messages of node 0 cross the same channel, nor one message two channels: an edge colouring of messages
    against channels. It takes as many colours as there are edges at most at one end (König). At every channel there are
    w^(d-1) or w^d (w - 1) / 2; at a message no more than d or (w - 1) d, which is never more.
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
    for coordinate in range(topology.d):
        digit = node // topology.w**coordinate % topology.w
        if topology.degree == topology.d and digit:  # one channel per coordinate: a step along it
            yield from [coordinate] * digit
        elif digit:
            yield coordinate * (topology.w - 1) + digit - 1
