"""Algorithms A2 to A7 of the cube-connected cycles paper, which ``--by`` executes.

"Single I/O" is where "each processor can send or receive at most one message at a time" (section 5). The bounds that the
paper prints for it, N - 1 for a multinode broadcast among them, need processors that send one message and receive another in
the same step, so this is the default here, router model 1. With the port use send-or-receive a step in which processors do
both is divided into enough steps.
"""

from collections.abc import Callable, Iterable
from itertools import groupby

from fatcube.noc.topologies.ccc import CubeConnectedCycles
from fatcube.noc.topology import Topology
from fatcube.papers.algorithm import Algorithm
from fatcube.papers.ccc.best_broadcast import best_broadcast
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Move
from fatcube.schedules.constructions.ccc import (
    broadcast,
    multinode_broadcast,
    scatter_by_route,
    scatter_on_tree,
    total_exchange,
)
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import PortUse

__all__ = ["ALGORITHMS"]


_SINGLE = (PortModel.ONE,)
_MULTIPLE = (PortModel.D_PORT, PortModel.ALL_PORT)  # one processor on a node, with several ports


def _suits(topology: Topology) -> bool:
    return isinstance(topology, CubeConnectedCycles) and topology.k is None and topology.m == topology.f == 1


def _built(make: Callable[[CubeConnectedCycles, int], Iterable[Move]]) -> Callable[[Problem], Schedule]:
    """Makes the schedule of moves on a topology from a root, or from processor 0 in a collective without one."""

    def build(problem: Problem) -> Schedule:
        assert isinstance(problem.topology, CubeConnectedCycles)
        moves = make(problem.topology, problem.root or 0)
        one_way = problem.model.port_use is PortUse.SEND_OR_RECEIVE and problem.ports is PortModel.ONE
        return problem.schedule(_in_turns(moves) if one_way else moves)

    return build


def _in_turns(moves: Iterable[Move]) -> list[Move]:
    """The moves, with each step divided such that no processor both sends and receives."""
    done: list[Move] = []
    before = 0
    for _, together in groupby(sorted(moves, key=lambda move: move.step), key=lambda move: move.step):
        turns: list[set[int]] = []
        for move in together:
            ends = {move.src, move.dst}
            turn = next((number for number, busy in enumerate(turns) if not busy & ends), len(turns))
            if turn == len(turns):
                turns.append(set())
            turns[turn] |= ends
            done.append(move._replace(step=before + 1 + turn))
        before += len(turns)
    return done


def _algorithm(
    number: int,
    does: str,
    collective: Collective,
    ports: tuple[PortModel, ...],
    make: Callable[[CubeConnectedCycles, int], Iterable[Move]],
) -> Algorithm:
    return Algorithm(
        name=f"a{number}",
        does=does,
        source=f"cube-connected cycles, A{number}",
        collectives=(collective,),
        topologies="ccc with k = n and m = f = 1",
        suits=_suits,
        ports=ports,
        build=_built(make),
    )


ALGORITHMS = (
    _algorithm(
        2,
        "a node that receives from another cycle sends left and right in its own, and one that receives in its own sends to another cycle; one port",
        Collective.OAB,
        _SINGLE,
        lambda topology, root: best_broadcast(topology, "1", root=root),
    ),
    _algorithm(
        3,
        "the same over all ports at once",
        Collective.OAB,
        _MULTIPLE,
        lambda topology, root: broadcast(topology, "d", root),
    ),
    _algorithm(
        4,
        "messages go around two rings along the Gray code, the first, the second, and the first again",
        Collective.AAB,
        _SINGLE,
        lambda topology, root: multinode_broadcast(topology)[0],
    ),
    _algorithm(
        5,
        "messages follow the routing A1, the farthest first",
        Collective.OAS,
        _SINGLE,
        lambda topology, root: scatter_by_route(topology, "1", root),
    ),
    _algorithm(
        6,
        "messages follow the paths of A3, the farthest first",
        Collective.OAS,
        _MULTIPLE,
        lambda topology, root: scatter_on_tree(topology, "d", root),
    ),
    _algorithm(
        7,
        "halves exchange the messages for each other, dimension by dimension, and then do the same within themselves",
        Collective.AAS,
        _MULTIPLE,
        lambda topology, root: total_exchange(topology, "d"),
    ),
)
