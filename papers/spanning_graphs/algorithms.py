"""The algorithms of the spanning-graphs paper that ``--by`` executes, beside those that ``--along`` does.

All are on the hypercube of n dimensions, N = 2^n nodes. Cycles and paths are those of the binary-reflected Gray code.

    =================  ======================================================================================
    name               steps
    =================  ======================================================================================
    circuit            N - 1
    two-way-circuit    ceil((N - 1) / 2) with two ports; N - 1 with one, or with one partner in a step
    nrsbt-alternative  n, in packets of N M / (2 n) elements, of which M are for every node
    opposite-paths     N - 1 with two ports, N with one: two parts
    central-path       N / 2
    =================  ======================================================================================
"""

from collections.abc import Iterator
from operator import attrgetter

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topology import Topology
from fatcube.papers.algorithm import Algorithm
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.constructions.hamiltonian import hamiltonian_all_gather
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import UNLIMITED, PortUse, StepModel

__all__ = ["ALGORITHMS"]


_PORTS = (PortModel.ONE, PortModel.D_PORT, PortModel.ALL_PORT)


def _suits(topology: Topology) -> bool:
    return isinstance(topology, (FatCube, Hypercube)) and topology.m == topology.f == 1


def _suits_from_two_dimensions(topology: Topology) -> bool:
    return _suits(topology) and topology.degree > 1


def _cycle(problem: Problem) -> list[int]:
    """All nodes in the order of the Gray code, from the root, or node 0 if there is none."""
    return [number ^ number >> 1 ^ (problem.root or 0) for number in range(problem.topology.nodes)]


def _circuit(problem: Problem) -> Schedule:
    assert isinstance(problem.topology, (FatCube, Hypercube))
    return hamiltonian_all_gather(problem.topology, problem.ports, problem.model)


def _two_way_circuit(problem: Problem) -> Schedule:
    one_partner = problem.model.port_use is PortUse.ONE_PARTNER
    return problem.schedule(
        _exchanges(_cycle(problem)) if problem.k == 1 or one_partner else _both_ways(_cycle(problem))
    )


def _both_ways(cycle: list[int]) -> Iterator[Move]:
    """Every message goes round both ways, and the ways end side by side."""
    N = len(cycle)
    for turn, hops in ((1, N // 2), (-1, (N - 1) // 2)):
        for step in range(1, hops + 1):
            for place, node in enumerate(cycle):
                origin = cycle[(place - turn * (step - 1)) % N]
                yield Move(step, node, cycle[(place + turn) % N], Message(origin, None))


def _exchanges(cycle: list[int]) -> Iterator[Move]:
    """Every node exchanges messages with its neighbours on the cycle in turn.

    Links number 0, 2, ... of the cycle are used in odd steps, the others in even ones. In its l-th step a link brings each of
    its ends the message of the node that is l links away on its other side: that came to the neighbour in the step before, or
    is its own.
    """
    N = len(cycle)
    for step in range(1, N):
        for place, node in enumerate(cycle):
            turn = 1 if (place + step) % 2 else -1
            origin = cycle[(place - turn * ((step + 1) // 2 - 1)) % N]
            yield Move(step, node, cycle[(place + turn) % N], Message(origin, None))


def _rotated_trees(problem: Problem) -> Schedule:
    """Part p of every message crosses dimension (i + p) mod n in cycle i, counted from 0, if it has to."""
    n, N = problem.topology.degree, problem.topology.nodes
    size = N // 2 if problem.model.per_packet == UNLIMITED else problem.model.per_packet
    moves = []
    for cycle in range(n):
        for part in range(problem.parts):
            link = 1 << (cycle + part) % n
            crossed = sum(1 << (before + part) % n for before in range(cycle))
            for node in range(N):
                # The origin of what is there agrees with the node where nothing was crossed, the target where it was.
                pairs = (
                    Message((node & ~crossed) | (origin & crossed), (node & crossed) | (target & ~crossed), part)
                    for origin, target in _halves(N, crossed, node, link)
                )
                for number, message in enumerate(pairs):
                    step = cycle * -(-(N // 2) // size) + 1 + number // size
                    moves.append(Move(step, node, node ^ link, message))
    return problem.schedule(moves)


def _halves(N: int, crossed: int, node: int, link: int) -> Iterator[tuple[int, int]]:
    """Bits of origins where a dimension was crossed, and of targets where not, which differ from ``node`` in ``link``."""
    for origin in range(N):
        if not origin & ~crossed:
            for target in range(N):
                if not target & crossed and (target ^ node) & link:
                    yield origin, target


def _opposite_paths(problem: Problem) -> Schedule:
    """One part goes along the cycle, the other part the other way round; with one port a step later."""
    cycle = _cycle(problem)
    back = cycle[:1] + cycle[:0:-1]
    one_port = problem.k == 1 or problem.model.port_use is not PortUse.SEND_AND_RECEIVE
    moves = [
        Move(step + (part if one_port else 0), path[step - 1], path[step], Message(problem.root, None, part))
        for part, path in enumerate((cycle, back))
        for step in range(1, len(cycle))
    ]
    return problem.schedule(moves)


def _central_path(problem: Problem) -> Schedule:
    """From the root along both sides of a path; the longer side, by a node, is the first where there is one port."""
    cycle = _cycle(problem)
    half = len(cycle) // 2
    longer, shorter = cycle[: half + 1], [cycle[0], *cycle[:half:-1]]
    moves = [
        Move(start + step, path[step - 1], path[step], Message(problem.root, None))
        for start, path in enumerate((longer, shorter))
        for step in range(1, len(path))
    ]
    return problem.schedule(moves)


def _two(_: Topology) -> int:
    return 2


ALGORITHMS = (
    Algorithm(
        name="circuit",
        does="messages go around a Hamiltonian circuit, one way",
        source="spanning graphs, 8.4",
        collectives=(Collective.AAB,),
        topologies="hypercube",
        suits=_suits,
        ports=_PORTS,
        build=_circuit,
    ),
    Algorithm(
        name="two-way-circuit",
        does="messages go around a Hamiltonian circuit, both ways",
        source="spanning graphs, 8.4",
        collectives=(Collective.AAB,),
        topologies="hypercube",
        suits=_suits,
        ports=_PORTS,
        build=_two_way_circuit,
    ),
    Algorithm(
        name="nrsbt-alternative",
        does="n parts follow n rotated binomial trees; each dimension in turn carries all messages that have to cross it",
        source="spanning graphs, 7.1",
        collectives=(Collective.AAS,),
        topologies="hypercube",
        suits=_suits,
        ports=(PortModel.D_PORT, PortModel.ALL_PORT),
        build=_rotated_trees,
        model=StepModel(per_packet=UNLIMITED),
        parts=attrgetter("degree"),
    ),
    Algorithm(
        name="opposite-paths",
        does="two parts go along two Hamiltonian paths with opposite directions",
        source="spanning graphs, 4.2",
        collectives=(Collective.OAB,),
        topologies="hypercube of 2 dimensions or more",
        suits=_suits_from_two_dimensions,
        ports=_PORTS,
        build=_opposite_paths,
        parts=_two,
    ),
    Algorithm(
        name="central-path",
        does="from the center of a Hamiltonian path to both of its ends",
        source="spanning graphs, 4.2",
        collectives=(Collective.OAB,),
        topologies="hypercube",
        suits=_suits,
        ports=_PORTS,
        build=_central_path,
    ),
)
