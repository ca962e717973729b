"""All-gather and scatter along a Hamiltonian cycle of the nodes, in P - 1 steps with one port.

The cycle goes through all processors of a node, then to the next node. In a cube it is that of a Gray code (fat-cube paper,
sections 4.2 and 4.3). In a mesh of an even number of nodes and two dimensions or more it goes to and fro through the rows, all
but their first nodes, and back through those; dimensions beyond the second make longer lines of such a mesh, in the order of a
Gray code of mixed radix. In other networks whose links go both ways it is searched for: a path is made longer where it can be, and
otherwise the part behind a neighbour of its end is turned round (L. Posa, Hamiltonian circuits in random graphs, 1976), as often
as :data:`TURNS` allow. What the search does not find may exist.

- All-gather: in every step each processor sends on, to the next one, what it received in the step before, its own message
  first. As a processor receives one message a step, P - 1 steps are the fewest.
- Scatter: the root sends the message for the processor that is farthest along the cycle first, and every message is passed
  on in each step until it is there. All arrive in the last step. As the root sends one message a step, P - 1 steps are the
  fewest.

From three nodes on the cycle crosses every link in one direction only, so half-duplex lanes are enough. Processors that send or
receive take 2 (P - 1) steps for an all-gather, or 2 P if P is odd, which are the fewest too
(:func:`fatcube.schedules.constructions.rings.along_ring`).
"""

from collections.abc import Sequence
import random

import networkx

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.grids import Mesh
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.constructions.rings import Ring, along_ring
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import StepModel

__all__ = ["cycle", "has_cycle", "hamiltonian_all_gather", "hamiltonian_scatter"]


TURNS = 20_000  # parts of a path that are turned round in a search


def has_cycle(topology: Mesh) -> bool:
    """Whether a mesh has the cycle; a line has none, nor has a mesh of an odd number of nodes, as neighbours differ in colour."""
    return topology.dimensions > 1 and topology.nodes % 2 == 0


def hamiltonian_all_gather(topology: Topology, ports: PortModel, model: StepModel) -> Schedule:
    """The :class:`Schedule` of AAB on a cube, or on a mesh that :func:`has_cycle`."""
    ring = cycle(topology)
    assert ring is not None
    return along_ring(Problem(topology, ports, Collective.AAB, None, model), ring)


def hamiltonian_scatter(topology: FatCube | Hypercube, ports: PortModel, root: int, model: StepModel) -> Schedule:
    """The :class:`Schedule` of OAS on a cube."""
    ring = cycle(topology)
    assert ring is not None
    start = ring.processors.index(root)
    way = [*ring.processors[start:], *ring.processors[:start]]
    P = topology.processors
    moves = [
        Move(P - distance + place, way[place], way[place + 1], Message(root, way[distance]))
        for distance in range(1, P)
        for place in range(distance)
    ]
    return Schedule.from_moves(topology, ports, Collective.OAS, root, moves, model=model)


def cycle(topology: Topology) -> Ring | None:
    """The :class:`Ring` of a Hamiltonian cycle; ``None`` if none is known, and for links that go one way."""
    if isinstance(topology, (FatCube, Hypercube)):
        nodes = [number ^ number >> 1 for number in range(topology.nodes)]
    elif isinstance(topology, Mesh) and has_cycle(topology):
        nodes = _around(topology)
    else:
        nodes = None if topology.directed else _searched(topology.served)
    if nodes is None:
        return None
    processors = [processor for node in nodes for processor in topology.processors_of(node)]
    return Ring(processors, [()] * len(processors))


def _searched(links: "networkx.Graph[int]") -> list[int] | None:
    """A cycle through all nodes, the same in every run; ``None`` if it is not found."""
    nodes = [*links]
    if len(nodes) < 3:
        return nodes
    if min(len(links[node]) for node in nodes) < 2 or not networkx.is_biconnected(links) or _uneven(links):
        return None
    dice = random.Random(0)
    path, places = nodes[:1], {nodes[0]: 0}
    for _ in range(TURNS):
        free = [other for other in links[path[-1]] if other not in places]
        if free:  # the one with the fewest ways on, which may be lost otherwise
            path.append(min(free, key=lambda node: sum(other not in places for other in links[node])))
            places[path[-1]] = len(path) - 1
            continue
        if len(path) == len(nodes) and path[0] in links[path[-1]]:
            return path
        start = places[dice.choice([other for other in links[path[-1]] if other != path[-2]])] + 1
        path[start:] = path[: start - 1 : -1]
        places.update((node, place) for place, node in enumerate(path[start:], start))
    return None


def _uneven(links: "networkx.Graph[int]") -> bool:
    """Whether the nodes have two colours such that neighbours differ, and one has more nodes: then there is no cycle."""
    if not networkx.is_bipartite(links):
        return False
    colors = networkx.bipartite.color(links)
    return 2 * sum(colors.values()) != len(colors)


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
