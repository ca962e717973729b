"""The algorithms of the fat-cube paper that ``--by`` executes."""

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topology import Topology
from fatcube.papers.algorithm import Algorithm, from_every_node
from fatcube.papers.fat_cube.two_phase import two_phase
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective
from fatcube.schedules.constructions.all_to_all import all_to_all
from fatcube.schedules.constructions.combining import gather_scatter
from fatcube.schedules.constructions.greedy import greedy
from fatcube.schedules.constructions.hamiltonian import hamiltonian_all_gather, hamiltonian_scatter
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import UNLIMITED, StepModel

__all__ = ["ALGORITHMS"]


_ONE_PORT = (PortModel.ONE, PortModel.BROADCAST)
_MANY_PORTS = (PortModel.D_PORT, PortModel.ALL_PORT)


def _cube(topology: Topology) -> bool:
    return isinstance(topology, (FatCube, Hypercube))


def _hypercube(topology: Topology) -> bool:
    return _cube(topology) and topology.m == topology.f == 1


def _of_two_dimensions(topology: Topology) -> bool:
    return _cube(topology) and topology.degree > 1


def _hamiltonian(problem: Problem) -> Schedule:
    assert isinstance(problem.topology, (FatCube, Hypercube))
    if problem.collective is Collective.AAB:
        return hamiltonian_all_gather(problem.topology, problem.ports, problem.model)
    assert problem.root is not None
    return hamiltonian_scatter(problem.topology, problem.ports, problem.root, problem.model)


def _time_arc_disjoint_trees(problem: Problem) -> Schedule:
    """The greedy schedule that is the same seen from every node: what goes for node 0 is a tree as is wanted."""
    least = -(-(problem.topology.processors - 1) // problem.k)
    tree = greedy(Problem(problem.topology, problem.ports, Collective.AAB, None), least)
    return from_every_node(problem, (transfer.move for transfer in tree.transfers))


def _edelman(problem: Problem) -> Schedule:
    return from_every_node(problem, (one.move for one in all_to_all(problem.topology, problem.ports).transfers))


def _gather_scatter(problem: Problem) -> Schedule:
    assert isinstance(problem.topology, (FatCube, Hypercube))
    return gather_scatter(problem)


ALGORITHMS = (
    Algorithm(
        name="hamiltonian",
        does="messages go along a cycle through all processors of a node, then the next node; the farthest first",
        source="fat cubes, 4.2 and 4.3",
        collectives=(Collective.AAB, Collective.OAS),
        topologies="fat-cube or hypercube",
        suits=_cube,
        ports=_ONE_PORT,
        build=_hamiltonian,
    ),
    Algorithm(
        name="tadt",
        does="a spanning tree from every node, translated, with no two edges of one step in the same dimension",
        source="fat cubes, 4.2",
        collectives=(Collective.AAB,),
        topologies="hypercube",
        suits=_hypercube,
        ports=_MANY_PORTS,
        build=_time_arc_disjoint_trees,
    ),
    Algorithm(
        name="two-phase",
        does="first between the nodes, then within them",
        source="fat cubes, Theorems 3, 4 and 5",
        collectives=(Collective.AAB, Collective.OAS, Collective.AAS),
        topologies="fat-cube or hypercube",
        suits=_cube,
        ports=(*_ONE_PORT, *_MANY_PORTS),
        build=two_phase,
    ),
    Algorithm(
        name="edelman",
        does="a table gives the dimension that each relative address crosses in each super-step",
        source="fat cubes, 4.4, Fig. 7",
        collectives=(Collective.AAS,),
        topologies="fat-cube or hypercube of 2 dimensions or more",
        suits=_of_two_dimensions,
        ports=_MANY_PORTS,
        build=_edelman,
    ),
    Algorithm(
        name="gather-scatter",
        does="one processor of each node gathers messages, exchanges packets over all dimensions, and distributes the messages in its node",
        source="fat cubes, 4.2 and 4.4",
        collectives=(Collective.AAB, Collective.AAS),
        topologies="fat-cube or hypercube",
        suits=_cube,
        ports=(PortModel.ONE, *_MANY_PORTS),
        build=_gather_scatter,
        model=StepModel(per_packet=UNLIMITED),
    ),
)
