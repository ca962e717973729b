"""The all-gather on cubes with one port per processor, the same seen from every node."""

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.schedule import Schedule

__all__ = ["all_gather"]


def all_gather(topology: Topology, ports: PortModel | str) -> Schedule:
    """A symmetric :class:`Schedule` of AAB on a cube for models 1 and b, in P - 1 steps, over one lane a link.

    There is no shorter one, since a processor receives P - 1 messages one by one (fat-cube paper, equation 7
    and Theorem 3). The paper lets messages go round a Hamiltonian cycle of all processors; here every node does
    the same, seen from its own position, so the schedule is stored once.

    In every step, place j of each node passes on to place j + 1 what it received in the step before, its own
    message to begin with. The last place sends to place 0 of a neighbour, all nodes in the same dimension. Let
    nodes 0, r_1, r_2, ... be a path through the whole cube (a Gray code). Its messages m - 1, m - 2, ..., 0 leave
    node 0 for r_1 in the first m steps; when they have passed through all of its places, just m steps later,
    they leave r_1 for r_2, and so on. All messages of other nodes have come in after P - m steps. In the
    last m - 1 steps the last place sends its own node's messages m - 1, ..., 1 to place 0, so each place also
    gets the messages of the places behind it.
    """
    m = topology.m
    path = [number ^ number >> 1 for number in range(topology.nodes)]
    moves = []

    def pass_on(step: int, node: int, place: int, count: int) -> None:
        """Message ``place`` comes to place 0 of a node, or is there, and is passed on ``count`` times."""
        for j in range(count):
            moves.append(Move(step + j, node * m + j, node * m + j + 1, Message(place, None)))

    for place in range(m):
        for j in range(place, m - 1):
            moves.append(Move(j - place + 1, j, j + 1, Message(place, None)))
    step = 0
    for before, node in zip(path, path[1:]):
        for place in reversed(range(m)):
            step += 1
            moves.append(Move(step, before * m + m - 1, node * m, Message(place, None)))
            pass_on(step + 1, node, place, m - 1)
    for place in reversed(range(1, m)):
        step += 1
        moves.append(Move(step, m - 1, 0, Message(place, None)))
        pass_on(step + 1, 0, place, place - 1)
    return Schedule.from_moves(topology, ports, Collective.AAB, None, moves, symmetric=True)
