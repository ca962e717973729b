"""All-gather and scatter along a Hamiltonian cycle of the processors of a cube or a mesh, in P - 1 steps with one port.

The cycle goes through all processors of a node, then to the next node: of a Gray code in a cube (fat-cube paper, sections 4.2
and 4.3); in a mesh of an even number of nodes and two dimensions or more, to and fro through the rows, all but their
first nodes, and back through those. Dimensions beyond the second make longer lines of such a mesh, in the order of a Gray code of
mixed radix.

- All-gather: in every step each processor sends on, to the next one, what it received in the step before, its own message
  first. As a processor receives one message a step, P - 1 steps are the fewest.
- Scatter: the root sends the message for the processor that is farthest along the cycle first, and every message is passed
  on in each step until it is there. All arrive in the last step. As the root sends one message a step, P - 1 steps are the
  fewest.

From two dimensions on the cycle crosses every link in one direction only, so half-duplex lanes are enough.
"""

from collections.abc import Sequence

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import StepModel

__all__ = ["has_cycle", "hamiltonian_all_gather", "hamiltonian_scatter"]


def has_cycle(topology: Mesh) -> bool:
    """Whether a mesh has the cycle; a line has none, nor has a mesh of an odd number of nodes, as neighbours differ in colour."""
    return topology.dimensions > 1 and topology.nodes % 2 == 0


def hamiltonian_all_gather(topology: FatCube | Hypercube | Mesh, ports: PortModel, model: StepModel) -> Schedule:
    """The :class:`Schedule` of AAB on a cube, or on a mesh that :func:`has_cycle`."""
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


def _cycle(topology: FatCube | Hypercube | Mesh) -> list[int]:
    """All processors in the order of the cycle."""
    nodes = (
        _around(topology) if isinstance(topology, Mesh) else [number ^ number >> 1 for number in range(topology.nodes)]
    )
    return [processor for node in nodes for processor in topology.processors_of(node)]


def _around(mesh: Mesh) -> list[int]:
    """All nodes of a mesh in the order of the cycle."""
    places = [*zip(mesh.widths, mesh.weights)]
    rows, columns = _line(places[:1]), _line(places[1:])
    if len(rows) % 2:
        rows, columns = columns, rows
    back = columns[0]
    return [
        *(row + column for number, row in enumerate(rows) for column in columns[1:][:: -1 if number % 2 else 1]),
        *(row + back for row in reversed(rows)),
    ]


def _line(places: Sequence[tuple[int, int]]) -> list[int]:
    """Nodes through all digits of some places, given by their widths and weights, each next to the one before."""
    line = [0]
    for width, weight in places:
        line = [node + digit * weight for digit in range(width) for node in line[:: -1 if digit % 2 else 1]]
    return line
