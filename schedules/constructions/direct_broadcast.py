"""Direct broadcasts: what the holders of a message can bring to others in a step is a flow.

It does not matter who gives the message to whom, so whether some processors can be given it in one step is a question of
one flow: out of the k ports of every holder, over the lanes, and one into each of those processors. In both directions
of a link it cancels, so half-duplex lanes carry what full-duplex ones do. The receivers in all steps but the
last are drawn at random, one for each port, and the last step must reach everybody else. The all-port hypercubes
of 3, 4 and 5 dimensions take two steps so (fat-cube paper, table 3). The result is the same in every run.
"""

from collections import Counter, defaultdict
from collections.abc import Collection
import random

import networkx

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.exact.flows import paths
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import StepModel
from fatcube.schedules.symmetry import Link

__all__ = ["direct_broadcast", "given_at_once"]


TRIES = 200
NO_LANES: Counter[Link] = Counter()
WORK = 100_000  # lanes of all tries, each of which takes a flow


def direct_broadcast(
    topology: Topology, ports: PortModel, root: int, least_steps: int, most_steps: int, model: StepModel
) -> Schedule | None:
    """A :class:`Schedule` of OAB with direct transfers, on any topology whose links are not simplex.

    It has as few steps as are found, from ``least_steps`` to ``most_steps``; ``None`` if no draw reaches everybody within
    them. In model b nothing is copied.
    """
    for steps in range(max(1, least_steps), most_steps + 1):
        for number in range(max(1, min(TRIES, WORK // max(1, topology.channels * steps)))):
            moves = _draw(topology, ports, root, steps, random.Random(number))
            if moves is not None:
                return Schedule.from_moves(topology, ports, Collective.OAB, root, moves, model=model)
    return None


def _draw(topology: Topology, ports: PortModel, root: int, steps: int, dice: random.Random) -> list[Move] | None:
    """The moves of one draw; ``None`` if the last step does not reach everybody else."""
    k = ports.processor_ports(topology.degree, topology.m)
    holders = [root]
    moves: list[Move] = []
    for step in range(1, steps + 1):
        others = sorted(set(range(topology.processors)) - set(holders))
        if step < steps:
            others = dice.sample(others, min(len(others), k * len(holders)))
        found = [
            Move(step, src, dst, Message(root, None), way)
            for src, dst, way in given_at_once(topology, k, holders, others)
        ]
        moves += found
        holders += [move.dst for move in found]
    return moves if len(holders) == topology.processors else None


def given_at_once(
    topology: Topology, k: int, holders: Collection[int], others: Collection[int], used: Counter[Link] = NO_LANES
) -> list[tuple[int, int, tuple[int, ...]]]:
    """As many of ``others`` as can be given the message by ``holders`` at once: sender, receiver and way.

    ``used`` gives the number of lanes of each link that carry something else.
    """
    source, sink = -1, -2
    having = Counter(map(topology.node_of, holders))
    lacking: defaultdict[int, list[int]] = defaultdict(list)
    for processor in others:
        lacking[topology.node_of(processor)].append(processor)
    network = networkx.DiGraph()
    network.add_edges_from((source, node, {"capacity": k * count}) for node, count in having.items())
    network.add_edges_from((node, sink, {"capacity": len(those)}) for node, those in lacking.items())
    for here in range(topology.nodes):
        for there in topology.adjacent[here]:
            lanes = len(topology.channels_between(here, there)) * topology.f - used[Link(here, there)]
            network.add_edge(here, there, capacity=lanes)
    _, flow = networkx.maximum_flow(network, source, sink)
    links: dict[Link, int] = {}
    for here, ends in flow.items():
        for there, count in ends.items():
            net = count - flow.get(there, {}).get(here, 0)
            if there != sink and net > 0:
                links[Link(here, there)] = net
    free = {node: [one for one in holders if topology.node_of(one) == node] * k for node in having}
    found = []
    for here, *way in paths(source, {node: ends[sink] for node, ends in flow.items() if ends.get(sink)}, links):
        dst = lacking[way[-1] if way else here].pop()
        found.append((free[here].pop(), dst, tuple(way) if len(way) > 1 else ()))
    return found
