"""All-gather along a Hamiltonian cycle of the processors of a cube, in P - 1 steps with one port.

The cycle goes through all processors of a node, then to the next node of a Gray code. In every step each processor sends
on, to the next one, what it received in the step before, its own message first. The cycle crosses every link in one
direction only, so half-duplex lanes are enough; as a processor receives one message a step, P - 1 steps are the fewest.
(Fat-cube paper, section 4.2.)
"""

from noc.topologies.cubes import FatCube, Hypercube
from rtl.port_model import PortModel
from schedules.collective import Collective, Message, Move
from schedules.schedule import Schedule
from schedules.step_model import StepModel

__all__ = ["hamiltonian_all_gather"]


def hamiltonian_all_gather(topology: FatCube | Hypercube, ports: PortModel, model: StepModel) -> Schedule:
    """The :class:`Schedule` of AAB on a cube of two dimensions or more."""
    cycle = [
        processor
        for number in range(topology.nodes)
        for processor in topology.processors_of(number ^ number >> 1)  # the Gray code
    ]
    P = topology.processors
    moves = [
        Move(step, cycle[place], cycle[(place + 1) % P], Message(cycle[(place + 1 - step) % P], None))
        for step in range(1, P)
        for place in range(P)
    ]
    return Schedule.from_moves(topology, ports, Collective.AAB, None, moves, model=model)
