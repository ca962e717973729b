"""Packets of several messages: patterns of senders and receivers, with all messages of use in each step.

Without a limit on packets, a scatter takes the steps of a broadcast, as every transfer takes along what is for all to whom
the receiver passes the message on; and an all-to-all takes those of an all-gather, as the message for a destination goes
the way on which the all-gather brings its origin's there. So a pattern is all that is needed:

- The gather-scatter of fat cubes (fat-cube paper, sections 4.2 and 4.4): what the processors of a node have is gathered at
  one of them, exchanged over the dimensions one after the other, and spread in the node. These are
  d + 2 ceil(log m) steps, to the base k + 1.
- The tree of a broadcast, upwards to its root and then downwards, on any topology whose links go both ways.
- For an all-to-all, the transfers of any all-gather in packets without a limit.

With a limit, a step becomes the number of steps that its largest packet needs.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.problem import Problem
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import StepModel

__all__ = ["along", "combined", "gather_scatter"]


_Round = list[tuple[int, int]]
"""Who sends to whom in a step."""


def combined(problem: Problem, broadcast: Schedule) -> Iterator[Schedule]:
    """Each :class:`Schedule` of OAS, AAB or AAS that these patterns give; ``broadcast`` is one of OAB from the root, or 0."""
    topology, collective, root = problem.topology, problem.collective, problem.root
    tree = _rounds(broadcast)
    patterns: list[list[_Round]] = []
    if collective is Collective.OAS:
        patterns.append(tree)
    elif not topology.directed:
        up = [[(dst, src) for src, dst in pairs] for pairs in reversed(tree)]
        patterns.append(up + tree)
        if isinstance(topology, (FatCube, Hypercube)):
            patterns.append(_gather_scatter(topology, problem.ports))
    for pattern in patterns:
        origins = range(topology.processors) if root is None else [root]
        yield problem.schedule(_limited(_moves(topology, collective, origins, pattern), problem.model))


def along(gathering: Schedule, model: StepModel) -> Schedule:
    """The :class:`Schedule` of AAS in which messages go the ways of an AAB; without a limit on packets it has as many steps."""
    topology = gathering.topology
    moves = _moves(topology, Collective.AAS, range(topology.processors), _rounds(gathering))
    return Schedule.from_moves(topology, gathering.ports, Collective.AAS, None, _limited(moves, model), model=model)


def _rounds(schedule: Schedule) -> list[_Round]:
    """The senders and receivers in each step of a schedule."""
    transfers = schedule.expanded().transfers
    return [
        list(dict.fromkeys((transfer.src, transfer.dst) for transfer in together))
        for _, together in groupby(transfers, key=lambda transfer: transfer.step)
    ]


def gather_scatter(problem: Problem) -> Schedule:
    """The :class:`Schedule` of AAB or AAS on a cube by the gather-scatter pattern alone."""
    topology = problem.topology
    assert isinstance(topology, (FatCube, Hypercube))
    pattern = _gather_scatter(topology, problem.ports)
    moves = _moves(topology, problem.collective, range(topology.processors), pattern)
    return problem.schedule(_limited(moves, problem.model))


def _gather_scatter(topology: FatCube | Hypercube, ports: PortModel) -> list[_Round]:
    """The pattern in which one processor of each node deals with the other nodes."""
    m, k = topology.m, ports.processor_ports(topology.degree, topology.m)
    inside: list[_Round] = []
    holding = 1
    while holding < m:
        reached = min(m, holding * (k + 1))
        inside.append(
            [
                (node * m + place % holding, node * m + place)
                for node in range(topology.nodes)
                for place in range(holding, reached)
            ]
        )
        holding = reached
    across = [[(node * m, (node ^ 1 << b) * m) for node in range(topology.nodes)] for b in range(topology.d)]
    return [[(dst, src) for src, dst in pairs] for pairs in reversed(inside)] + across + inside


def _moves(topology: Topology, collective: Collective, origins: Sequence[int], pattern: Sequence[_Round]) -> list[Move]:
    """Everything new to its receiver moves in each step; of messages for one processor, only what gets there by it."""
    # By processor: for each origin whose message it has, the step and the sender that it has it from.
    held: list[dict[int, tuple[int, int] | None]] = [{} for _ in range(topology.processors)]
    for origin in origins:
        held[origin][origin] = None
    moves: list[Move] = []
    for step, pairs in enumerate(pattern, start=1):
        before = [list(those) for those in held]
        for src, dst in pairs:
            for origin in before[src]:
                if origin not in held[dst]:
                    held[dst][origin] = step, src
                    moves.append(Move(step, src, dst, Message(origin, None)))
    if collective is Collective.AAB:
        return moves
    ways: set[Move] = set()
    for target in range(topology.processors):
        for origin in held[target]:
            place = target
            while (came := held[place][origin]) is not None:
                step, src = came
                ways.add(Move(step, src, place, Message(origin, target)))
                place = src
    return sorted(ways, key=lambda move: move.order)


def _limited(moves: Sequence[Move], model: StepModel) -> list[Move]:
    """The moves, with each step divided into the number of steps that its largest packet needs."""
    done: list[Move] = []
    step = 0
    for _, together in groupby(sorted(moves, key=lambda move: move.order), key=lambda move: move.step):
        packets: defaultdict[tuple[int, int], list[Move]] = defaultdict(list)
        for move in together:
            packets[move.src, move.dst].append(move)
        for packet in packets.values():
            size = int(min(model.most_messages, len(packet)))
            done += [move._replace(step=step + 1 + place // size) for place, move in enumerate(packet)]
        step = max(move.step for move in done)
    return done
