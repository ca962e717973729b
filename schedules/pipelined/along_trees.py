"""Collectives along packed trees, for networks on which trees that are grown step by step take more than the bound.

The trees of :mod:`fatcube.schedules.pipelined.packing` use no lane more often than the cuts of the network make necessary. A broadcast goes along as
many trees as there are ways from its root to each node that share no lane; each tree carries a part in every step, and parts are divided
such that all trees end at about the same time. In an all-gather each processor has a tree for each part, and no lane has more to carry
than the bound says, so that only the steps until all lanes are busy are lost; which part goes first is a
:class:`~fatcube.schedules.pipelined.project.Project`. In an all-reduce the lanes are divided between the trees that collect and those that spread
by a linear program, with a flow to each node for both: of all divisions that one lets trees carry everything in the fewest steps.
"""

from collections.abc import Iterator, Mapping, Sequence
import itertools
import math
from typing import Any

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.bounding.cuts import ratio_of_all_gather, ways_to_all
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.pipelined.overlap import overlapped_moves
from fatcube.schedules.pipelined.packing import Tree, check_packing, pack
from fatcube.schedules.pipelined.project import Project
from fatcube.schedules.reach import lanes_into
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import STANDARD, Links, PortUse, StepModel
from fatcube.schedules.symmetry import Link, Symmetry

__all__ = ["all_gather_along_trees", "all_reduce_along_trees", "broadcast_along_trees", "lanes_limit"]


MOST_LINKS = 4000  # nodes times links, up to which trees of all nodes are packed, which takes some seconds
MOST_DIVIDED = 1600  # nodes times links, up to which a linear program divides lanes
MOST_MOVES = 20_000  # of all parts, to all nodes
_ROUNDED = 1e-6  # by which a solution of a linear program may be off


def lanes_limit(topology: Topology, ports: PortModel, model: StepModel = STANDARD) -> bool:
    """Whether only lanes limit what moves in a step: each node has one processor, which has a port for each lane."""
    one_each = topology.m == 1 and len(topology.served) == topology.nodes
    enough = ports.processor_ports(topology.degree, topology.m) >= topology.degree * topology.f
    usual = model.links is Links.FULL_DUPLEX and model.port_use is PortUse.SEND_AND_RECEIVE
    other = model.direct or model.combining or model.dedicated_ports or ports.copies
    return one_each and enough and usual and not other


def broadcast_along_trees(topology: Topology, ports: PortModel, root: int, parts: int) -> Schedule:
    """The broadcast of processor ``root`` in ``parts`` parts along the most lane-disjoint trees, where :func:`lanes_limit`."""
    home = topology.node_of(root)
    trees = pack(_lanes(topology), {home: ways_to_all(topology, home)}, together=True)
    heights = [max(tree.depths.values()) for tree in trees]
    steps = next(
        steps
        for steps in itertools.count(1)
        if sum(tree.copies * max(0, steps - height + 1) for tree, height in zip(trees, heights)) >= parts
    )
    left = iter(range(parts))
    moves: list[Move] = []
    for tree, height in zip(trees, heights):
        for begin in range(max(0, steps - height + 1)):
            for part in itertools.islice(left, tree.copies):
                moves += _along(topology, tree, Message(root, None, part), begin)
    return Schedule.from_moves(topology, ports, Collective.OAB, root, moves, parts=parts)


def all_gather_along_trees(topology: Topology, ports: PortModel, parts: int, least_steps: int) -> Schedule | None:
    """The all-gather along trees that load no lane more than the worst cut, where :func:`lanes_limit`; ``None`` if it is too large."""
    lanes = _lanes(topology)
    if topology.nodes * len(lanes) > MOST_LINKS or parts * topology.nodes**2 > MOST_MOVES:
        return None
    steps = math.ceil(ratio_of_all_gather(topology) * parts)
    trees = pack({link: count * steps for link, count in lanes.items()}, dict.fromkeys(topology.served, parts))
    project = Project(topology, ports, Symmetry.none(topology))
    order: list[int] = []
    for message, tree in _of_parts(topology, trees):
        at = {tree.root: list[int]()}
        for move in _along(topology, tree, message, 0):
            task = project.add(move, at[topology.node_of(move.src)])
            at[topology.node_of(move.dst)] = [task]
            order.append(move.step)
    moves = [move._replace(step=step) for move, step in zip(project.moves, project.shortest(order, least_steps))]
    return Schedule.from_moves(topology, ports, Collective.AAB, None, moves, parts=parts)


def all_reduce_along_trees(topology: Topology, ports: PortModel, parts: int, least_steps: int) -> Schedule | None:
    """The all-reduce whose trees share the lanes best, where :func:`lanes_limit`; ``None`` if it is too large."""
    lanes = _lanes(topology)
    if topology.nodes * len(lanes) > MOST_DIVIDED or parts * topology.nodes**2 > MOST_MOVES:
        return None
    collect, spread = _divided(lanes, dict.fromkeys(topology.served, parts))
    collecting = [one.turned for one in pack(_turned(collect), dict.fromkeys(topology.served, parts))]
    spreading = pack(spread, dict.fromkeys(topology.served, parts))
    collected = [
        move._replace(message=Message(None, message.origin, message.part))
        for message, tree in _of_parts(topology, collecting)
        for move in _along(topology, tree, message, 0)
    ]
    spreads = [move for message, tree in _of_parts(topology, spreading) for move in _along(topology, tree, message, 0)]
    moves = overlapped_moves(topology, ports, Symmetry.none(topology), collected, spreads, least_steps)
    return Schedule.from_moves(topology, ports, Collective.ALL_REDUCE, None, moves, parts=parts)


def _lanes(topology: Topology) -> dict[Link, int]:
    """The lanes of each link."""
    return {
        Link(source, node): lanes for node in topology.served for source, lanes in lanes_into(topology, node).items()
    }


def _turned(capacities: Mapping[Link, int]) -> dict[Link, int]:
    """The links in the opposite direction."""
    return {Link(node, source): lanes for (source, node), lanes in capacities.items()}


def _of_parts(topology: Topology, trees: Sequence[Tree]) -> Iterator[tuple[Message, Tree]]:
    """The parts of all processors, each with a tree from that processor."""
    used: dict[int, int] = {}
    for tree in trees:
        [origin] = topology.processors_of(tree.root)
        for _ in range(tree.copies):
            part = used.get(origin, 0)
            used[origin] = part + 1
            yield Message(origin, None, part), tree


def _along(topology: Topology, tree: Tree, message: Message, begin: int) -> Iterator[Move]:
    """The moves of a message that goes along a tree without a pause after ``begin`` steps; a tree that collects is last."""
    for (source, node), step in zip(tree.links, tree.steps):
        [src], [dst] = topology.processors_of(source), topology.processors_of(node)
        yield Move(begin + step, src, dst, message)


def _divided(lanes: Mapping[Link, int], roots: Mapping[int, int]) -> tuple[dict[Link, int], dict[Link, int]]:
    """Capacities of all links for the trees that collect and for those that spread, together of the fewest steps that were found.

    In each node flows of all trees arrive over what spreads, and leave it against what collects, which is Edmonds' condition
    for both. What the program divides is rounded to whole transfers, by which it gets a step longer at most.
    """
    from ortools.linear_solver import pywraplp  # here, as few commands need it

    nodes = sorted({node for link in lanes for node in link})
    solver: Any = pywraplp.Solver.CreateSolver("GLOP")
    steps = solver.NumVar(0, solver.infinity(), "")
    collect, spread = ({link: solver.NumVar(0, solver.infinity(), "") for link in lanes} for _ in range(2))
    for link, count in lanes.items():
        solver.Add(collect[link] + spread[link] <= count * steps)
    for half, way in ((spread, 1), (collect, -1)):
        for sink in nodes:
            flow = {link: solver.NumVar(0, solver.infinity(), "") for link in lanes}
            for link in lanes:
                solver.Add(flow[link] <= half[link])
            for node in nodes:
                if node != sink:
                    leaving = sum(one for link, one in flow.items() if link[::way][0] == node)
                    entering = sum(one for link, one in flow.items() if link[::way][1] == node)
                    solver.Add(leaving - entering == 1)
    solver.Minimize(steps)
    if solver.Solve() != pywraplp.Solver.OPTIMAL:
        raise ParameterError("lanes must let all nodes reach all others")
    parts = max(roots.values())
    spreading = {link: math.ceil(one.solution_value() * parts - _ROUNDED) for link, one in spread.items()}
    for whole in itertools.count(math.ceil(steps.solution_value() * parts - _ROUNDED)):
        collecting = {link: max(0, count * whole - spreading[link]) for link, count in lanes.items()}
        try:
            check_packing(_turned(collecting), roots)
        except ParameterError:
            continue
        return collecting, spreading
    raise AssertionError("enough steps are enough")
