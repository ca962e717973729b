"""All-gather and scatter along a Hamiltonian cycle of the processors of a cube, in P - 1 steps with one port.

The cycle goes through all processors of a node, then to the next node of a Gray code. (Fat-cube paper, sections 4.2 and
4.3.)

- All-gather: in every step each processor sends on, to the next one, what it received in the step before, its own message
  first. As a processor receives one message a step, P - 1 steps are the fewest.
- Scatter: the root sends the message for the processor that is farthest along the cycle first, and every message is passed
  on in each step until it is there. All arrive in the last step. As the root sends one message a step, P - 1 steps are the
  fewest.

From two dimensions on the cycle crosses every link in one direction only, so half-duplex lanes are enough.
"""

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import StepModel

__all__ = ["hamiltonian_all_gather", "hamiltonian_scatter"]


def hamiltonian_all_gather(topology: FatCube | Hypercube, ports: PortModel, model: StepModel) -> Schedule:
    """The :class:`Schedule` of AAB on a cube."""
    cycle = _cycle(topology)
    P = topology.processors
    moves = [
        Move(step, cycle[place], cycle[(place + 1) % P], Message(cycle[(place + 1 - step) % P], None))
        for step in range(1, P)
        for place in range(P)
    ]
    return Schedule.from_moves(topology, ports, Collective.AAB, None, moves, model=model)


def hamiltonian_scatter(topology: FatCube | Hypercube, ports: PortModel, root: int, model: StepModel) -> Schedule:
    """The :class:`Schedule` of OAS on a cube."""
    cycle = _cycle(topology)
    start = cycle.index(root)
    way = cycle[start:] + cycle[:start]
    P = topology.processors
    moves = [
        Move(P - distance + place, way[place], way[place + 1], Message(root, way[distance]))
        for distance in range(1, P)
        for place in range(distance)
    ]
    return Schedule.from_moves(topology, ports, Collective.OAS, root, moves, model=model)


def _cycle(topology: FatCube | Hypercube) -> list[int]:
    """All processors in the order of the cycle."""
    return [
        processor
        for number in range(topology.nodes)
        for processor in topology.processors_of(number ^ number >> 1)  # the Gray code
    ]
