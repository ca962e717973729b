"""Theorems 3, 4 and 5 of the fat-cube paper, executed: between the nodes first, and then within them.

With one port (models 1 and b) AAB and OAS go along the Hamiltonian cycle, as the proofs say, in P - 1 steps, and AAS takes
d P / 2 + m - 1 steps where m <= f d (equation 14); the paper has no algorithm for larger m. If x = min(f d, m) is the
number of messages that a node sends in a step, the others take

    ==========  ======================================  ===========================================================
    collective  steps                                   printed
    ==========  ======================================  ===========================================================
    AAB         (2^d - 1) ceil(m / x) + inside 2^d      ceil((P - m) / x) in place of the first term
    OAS         ceil((P - m) / d) + inside              the same; it is proved for every f, and for f >= 2 it is
                                                        less than the root has ports for, so f must be 1
    AAS         ceil(P m / (2 min(f, m))) + inside      the same
    ==========  ======================================  ===========================================================

The ceilings that Theorem 3 prints as one belong to single super-messages, one after the other: merged they are less than
the executed steps where m is no multiple of x. ``inside`` is ceil((m - 1) / k) for k ports; in OAS in model \\* it is 0, because
the last step between nodes leaves m - 1 ports free.
"""

from collections.abc import Iterator
import itertools
import math

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.papers.algorithm import from_every_node
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.constructions.all_to_all import between_nodes_over_one_port
from fatcube.schedules.constructions.edelman import between_nodes
from fatcube.schedules.constructions.hamiltonian import hamiltonian_all_gather, hamiltonian_scatter
from fatcube.schedules.constructions.scatter import scatter
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.spanning.graphs import SBT, rotated

__all__ = ["two_phase"]


def two_phase(problem: Problem) -> Schedule:
    """The :class:`Schedule` of AAB, OAS or AAS on a cube.

    Raises
    ------
    ParameterError
        If there are several lanes, and it is an OAS over several ports.
    """
    assert isinstance(problem.topology, (FatCube, Hypercube))
    single = problem.ports in (PortModel.ONE, PortModel.BROADCAST)
    match problem.collective:
        case Collective.AAB if single:
            return hamiltonian_all_gather(problem.topology, problem.ports, problem.model)
        case Collective.AAB:
            return from_every_node(problem, _all_gather(problem))
        case Collective.OAS if single:
            assert problem.root is not None
            return hamiltonian_scatter(problem.topology, problem.ports, problem.root, problem.model)
        case Collective.OAS:
            return problem.schedule(_scatter(problem))
        case _:
            return from_every_node(problem, _all_to_all(problem, single))


def _all_gather(problem: Problem) -> Iterator[Move]:
    """Super-messages go along translated trees, one node of each in a super-step; then within the nodes.

    The m messages of a super-message go along m rotations of a binomial tree, so that they use all dimensions alike, and
    keep their places.
    """
    d, m, lanes = problem.topology.degree, problem.topology.m, problem.topology.f * problem.topology.degree
    substeps = math.ceil(m / lanes)
    tree = SBT(d)
    for number, node in enumerate(node for level in tree.levels()[1:] for node in level):
        for place in range(m):
            here, there = (rotated(address, place, d) for address in (tree.above(node), node))
            step = number * substeps + place // lanes + 1
            yield Move(step, here * m + place, there * m + place, Message(place, None))
    step = (problem.topology.nodes - 1) * substeps
    for node in range(problem.topology.nodes):
        for place in range(m):
            yield from _inside(step, node, place, problem)
        step += math.ceil((m - 1) / problem.k)


def _inside(before: int, node: int, place: int, problem: Problem) -> Iterator[Move]:
    """A place of node 0 sends to all others, or any other node passes on what it has from that place, after a step.

    In each step all places do so over all of their ports, each port for another shift.
    """
    m = problem.topology.m
    for shift in range(1, m):
        target = (place + shift) % m
        message = Message(place, target if problem.collective is Collective.AAS else None)
        yield Move(before + 1 + (shift - 1) // problem.k, node * m + place, node * m + target, message)


def _scatter(problem: Problem) -> Iterator[Move]:
    """The moves of :func:`fatcube.schedules.constructions.scatter.scatter` between nodes; then within the node of the root."""
    topology, root = problem.topology, problem.root
    assert root is not None
    if topology.f > 1:
        raise ParameterError(
            f"f must be 1 for OAS by two-phase over several ports, as Theorem 4 is wrong for more lanes, not {topology.f}"
        )
    beside = topology.processors_of(topology.node_of(root))
    last = 0
    for transfer in scatter(topology, problem.ports, root).transfers:
        if transfer.message.target not in beside:
            last = transfer.step
            yield transfer.move
    start = last if problem.ports is PortModel.ALL_PORT else last + 1
    for number, target in enumerate(other for other in beside if other != root):
        yield Move(max(1, start) + number // problem.k, root, target, Message(root, target))


def _all_to_all(problem: Problem, single: bool) -> list[Move]:
    """By Edelman's table, a super-message after the other, or over one port; and then within the nodes."""
    d, m, f = problem.topology.degree, problem.topology.m, problem.topology.f
    if single and m > f * d:
        raise ParameterError(f"m must be at most f d = {f * d} for AAS by two-phase over one port, not {m}")
    moves = between_nodes_over_one_port(d, m, f) if single else between_nodes(d, m, min(f, m))
    last = max(move.step for move in moves)
    inside = (_inside(last, 0, place, problem) for place in range(m))
    return [*moves, *itertools.chain.from_iterable(inside)]
