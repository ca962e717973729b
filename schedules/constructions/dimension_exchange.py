"""All-gather on hypercubes with one port and packets of B messages: exchanges over one dimension after the other.

Before the exchange over dimension i every node holds the messages of the 2^i nodes that differ from it in lower dimensions only.
It sends them over dimension i in ceil(2^i / B) packets, and receives those of its neighbour, which are all others of twice
as many. So the steps are the sum of ceil(2^i / B) over all dimensions.

If B = 2^b for b <= d, these are b + 2^(d - b) - 1, which are the fewest: a node knows no more than 2, 4, ..., 2^b messages
after the first b steps, and receives at most B in each further one, of 2^d - 2^b that it lacks (:func:`fatcube.schedules.bounding.packets.gathered`).
For other B it knows at most as much after each step as if packets grew to B, so the steps are at most one more for each
dimension but the first ones with 2^i < B.
"""

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import StepModel

__all__ = ["dimension_exchange"]


def dimension_exchange(topology: FatCube | Hypercube, ports: PortModel, model: StepModel) -> Schedule:
    """The :class:`Schedule` of AAB on a cube with one processor on each node, whose links are full duplex.

    Of ``model``, only the messages in a packet count.
    """
    steps = 0
    moves: list[Move] = []
    for i in range(topology.d):
        size = int(min(model.most_messages, 1 << i))
        moves += [
            Move(steps + 1 + place // size, held, held ^ 1 << i, Message(0, None))
            for place, held in enumerate(range(1 << i))
        ]
        steps += -(-(1 << i) // size)
    heeded = StepModel(per_packet=model.per_packet)
    return Schedule.from_moves(topology, ports, Collective.AAB, None, moves, symmetric=True, model=heeded)
