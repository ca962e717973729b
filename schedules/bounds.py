"""Lower bounds on the number of steps, each with its argument; all hold for any topology and router model.

Distances are counted in transfers: the hops between two nodes, or 1 within a node. The rate k is the number
of ports of a processor. In model b the router copies a message, but it copies one message per step, so k = 1
still limits how many *different* messages a processor sends, and how many it receives.
"""

from collections.abc import Callable, Iterable, Iterator
import math

import networkx

from fatcube.noc.topologies.survivors import Survivors
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules import counting
from fatcube.schedules.bounding.among import bound_among, sums_among
from fatcube.schedules.bounding.any_collective import bound_of_any
from fatcube.schedules.bounding.cuts import cut_of_all_gather, cut_of_sums, spread_of_parts
from fatcube.schedules.bounding.direct import odd_lanes, reached_nodes
from fatcube.schedules.bounding.halves import halves_of_sums
from fatcube.schedules.bounding.lengths import lanes_by_length
from fatcube.schedules.bounding.packets import gathered, joined, scattered, shared_packets
from fatcube.schedules.bounding.senders import few_senders
from fatcube.schedules.bounding.sums import lanes_for_sums, ports_for_sums
from fatcube.schedules.bounding.totals import entries_in_total, lanes_in_total, lanes_of_channels, ports_in_total
from fatcube.schedules.collective import Collective
from fatcube.schedules.constructions.relabelled import contained
from fatcube.schedules.counting import Bound
from fatcube.schedules.participants import Participants
from fatcube.schedules.problem import Problem
from fatcube.schedules.reach import lanes_from, lanes_into
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import STANDARD, UNLIMITED, PortUse, StepModel

__all__ = ["BOUNDS", "Bound", "bound_of", "lower_bound"]


MOST_CONTAINED = (
    1024  # processors up to which a problem has the bounds of those that it contains, which take seconds then
)


def lower_bound(problem: Problem) -> Bound:
    """The best of the lower bounds of this module, as a :class:`Bound`.

    Among some processors, it is the best of those of :mod:`fatcube.schedules.bounding.among`. An all-reduce takes no fewer steps than
    the reduce-scatter of its partial sums and the all-gather of its whole sums. A collective without a root is bounded at
    processor 0, though any processor would give a bound. Gathers and reductions are bounded like what they are the reversal of
    (see :mod:`fatcube.schedules.constructions.reversal`).

    Raises
    ------
    ParameterError
        If steps cannot solve the problem.
    """
    return problem.bound_from_normal(_of_normal(problem.normal))


def _of_normal(problem: Problem) -> Bound:
    topology, collective = problem.topology, problem.collective
    if collective not in BOUNDS:
        return bound_of_any(problem)
    bounds: list[Bound] = []
    if problem.among.all:
        bounds.append(counting.highest(*BOUNDS[collective](problem)))
        if topology.processors <= MOST_CONTAINED:
            # Of single messages an all-to-all has bounds that are no lower than those of an all-gather.
            smaller = (one for one in contained(problem) if one.model.combining or one.collective is not Collective.AAB)
            bounds += map(_as_contained, smaller)
        if isinstance(topology, Survivors) and not collective.rooted:  # no processor stands for all others
            everybody = Participants(tuple(range(topology.processors)), tuple(range(topology.processors)))
            bounds.append(lower_bound(problem.changed(among=everybody)))
    else:
        bounds.append(sums_among(problem) if collective.phases_of else bound_among(problem))
    bounds += map(lower_bound, problem.phases)
    return counting.highest(*bounds)


def _as_contained(problem: Problem) -> Bound:
    """The bound of a problem of which every schedule of another is one too."""
    bound = counting.highest(*BOUNDS[problem.collective](problem))
    return Bound(bound.steps, f"{bound.reason}, in the {problem.collective.word} that it contains")


def bound_of(schedule: Schedule) -> Bound:
    """The lower bound on the steps of any schedule of the same problem."""
    return lower_bound(Problem.of(schedule))


def _broadcast(problem: Problem) -> Iterator[Bound]:
    topology, model, first = problem.topology, problem.model, problem.root or 0
    yield last_part(topology, problem.ports, first, model, problem.parts)
    yield from reached_nodes(topology, model)
    yield from spread_of_parts(topology, first, model, problem.parts)


def _packets(problem: Problem, most: float | None = None) -> Iterator[Bound]:
    """Bounds for several messages in a packet: the messages of one processor spread no faster than in a broadcast.

    In a collective without a root at most ``most`` messages are in a packet.
    """
    topology, ports, model = problem.topology, problem.ports, problem.model
    if not model.combining:
        return
    yield fan_out(topology, ports, problem.root or 0, model)
    if most is not None:
        yield gathered(topology, ports, model, most)
        yield from joined(topology, ports, model)
    if problem.collective.personalized:
        yield from scattered(topology, ports, problem.root or 0, model)


def _scatter(problem: Problem) -> Iterator[Bound]:
    yield from _packets(problem)
    if problem.model.per_packet == UNLIMITED:  # no number of messages says anything
        return
    first = problem.root or 0
    yield ports_of_root(problem.topology, problem.ports, first, problem.parts, problem.model)
    yield lanes_of_root(problem.topology, first, problem.parts, problem.model)


def _all_gather(problem: Problem) -> Iterator[Bound]:
    topology, ports, model, parts = problem.topology, problem.ports, problem.model, problem.parts
    yield from _packets(problem, model.most_messages)
    if model.per_packet == UNLIMITED:
        return
    yield last_part(topology, ports, 0, model, parts)
    yield ports_of_root(topology, ports, 0, parts, model)
    yield lanes_into_node(topology, 0, parts, model)
    yield first_step(topology, ports, 0, parts, model)
    yield entries_in_total(topology, model, parts)
    yield from through_nodes(problem)
    yield from few_senders(topology, ports, model, parts)
    yield from turns(problem)
    yield cut_of_all_gather(topology, model, parts)


def _all_to_all(problem: Problem) -> Iterator[Bound]:
    topology, ports, model, parts = problem.topology, problem.ports, problem.model, problem.parts
    yield from _packets(problem, math.inf)
    if model.per_packet == UNLIMITED:
        return
    if model.combining:
        yield shared_packets(topology, ports, model)
    yield ports_of_root(topology, ports, 0, parts, model)
    yield lanes_of_root(topology, 0, parts, model)
    yield ports_in_total(topology, ports, parts, model)
    yield lanes_in_total(topology, model, parts)
    yield from lanes_of_channels(topology, model, parts)
    yield from odd_lanes(topology, ports, model, parts)
    yield from lanes_by_length(topology, model, parts)
    yield from through_nodes(problem)
    yield from turns(problem)


def _all_reduce(problem: Problem) -> Iterator[Bound]:
    topology, ports, model, parts = problem.topology, problem.ports, problem.model, problem.parts
    yield reduce_then_broadcast(problem)
    if model.per_packet == UNLIMITED:
        return
    yield ports_for_sums(topology, ports, model, parts)
    yield lanes_for_sums(topology, model, parts)
    yield cut_of_sums(topology, model, parts)
    yield halves_of_sums(topology, model, parts)


BOUNDS: dict[Collective, Callable[[Problem], Iterable[Bound]]] = {
    Collective.OAB: _broadcast,
    Collective.OAS: _scatter,
    Collective.AAB: _all_gather,
    Collective.AAS: _all_to_all,
    Collective.ALL_REDUCE: _all_reduce,
}
"""The lower bounds of a normal problem among all processors, by its collective; one that is not here has those of any collective."""


def fan_out(topology: Topology, ports: PortModel, root: int, model: StepModel = STANDARD) -> Bound:
    """The fastest spread of one message from ``root`` (fat-cube paper, section 4.1, and more).

    A holder sends to at most k processors per step, or in model b to every output of its router, or only to one
    if it may have only one partner. So the
    number of holders grows by at most that factor; within a node it grows by at most that factor and by
    the messages that lanes bring from adjacent nodes that have holders. Even if it grows as fast as these limits
    allow, every node must be full in the end. This contains the distance to the farthest node, and log P
    to the base k + 1.
    """
    k, m = (
        counting.processor_ports(topology, ports),
        [len(topology.processors_of(node)) for node in range(topology.nodes)],
    )
    lanes = {node: lanes_into(topology, node) for node in topology.served}
    copies = max(m[node] - 1 + lanes_from(topology, node) for node in lanes) if ports.copies else k
    if model.port_use is PortUse.ONE_PARTNER:
        copies = 1
    # No more processors of a node hold the message than ``holders``, and no more in total than ``total``.
    holders = dict.fromkeys(lanes, 0)
    holders[topology.node_of(root)] = total = 1
    steps = 0

    def arriving(node: int) -> int:
        """The messages that lanes bring to a node: from adjacent nodes, or with direct transfers from all others."""
        if model.direct:
            return min(sum(lanes[node].values()), (total - holders[node]) * copies)
        return sum(min(count, holders[other] * copies) for other, count in lanes[node].items())

    while total < topology.processors:
        steps += 1
        holders = {node: min(m[node], holders[node] * (1 + copies) + arriving(node)) for node in lanes}
        total = min(sum(holders.values()), total * (1 + copies))
    return Bound(steps, f"a message of processor {root} cannot reach all processors sooner")


def last_part(topology: Topology, ports: PortModel, root: int, model: StepModel = STANDARD, parts: int = 1) -> Bound:
    """Of a broadcast in parts, at most k leave ``root`` for the first time in a step; the last then has to spread."""
    alone = fan_out(topology, ports, root, model)
    leaves = counting.ceil_divide(parts, counting.messages_in(counting.processor_ports(topology, ports), model))
    if leaves == 1:
        return alone
    return Bound(
        leaves - 1 + alone.steps,
        f"the last of {parts} parts of processor {root} leaves it in step {leaves} "
        f"at the earliest, and takes {alone.steps} steps to reach all processors",
    )


def ports_of_root(
    topology: Topology, ports: PortModel, root: int, parts: int = 1, model: StepModel = STANDARD
) -> Bound:
    """A different message for or from every other processor passes the ports of ``root``.

    At most k of P - 1 per step (fat-cube paper, equations 7 and 12). Moreover a message that comes over D
    transfers arrives in step D at the earliest (or leaves D - 1 steps before the end at the latest), so
    messages of such a distance or a longer one pass in all steps but D - 1.
    """
    rate = counting.messages_in(counting.processor_ports(topology, ports), model)
    distances = [max(1, transfers) for transfers in counting.transfers_between(topology, root, model)]
    del distances[root]
    return counting.highest(
        *(
            Bound(
                distance - 1 + counting.ceil_divide(count, rate),
                f"{count} messages pass processor {root}, at most {rate} a step{counting.beyond(distance)}",
            )
            for distance, count in counting.counts_by_distance(distances, parts)
        )
    )


def lanes_of_root(topology: Topology, root: int, parts: int = 1, model: StepModel = STANDARD) -> Bound:
    """A different message for or from every processor of other nodes passes the lanes of the root's node.

    The argument is that of :func:`ports_of_root`, with the lanes of the node for ports.
    """
    node = topology.node_of(root)
    rate = counting.messages_in(lanes_from(topology, node), model)
    return counting.highest(
        *(
            Bound(
                distance - 1 + counting.ceil_divide(count, rate),
                f"{count} messages pass node {node}, at most {rate} a step{counting.beyond(distance)}",
            )
            for distance, count in counting.counts_by_distance(
                filter(None, counting.transfers_between(topology, root, model)), parts
            )
        )
    )


def lanes_into_node(topology: Topology, processor: int, parts: int = 1, model: StepModel = STANDARD) -> Bound:
    """All messages of other nodes enter the node of ``processor``, each for every processor of the node.

    As in :func:`lanes_of_root`, but a message that enters in the last step cannot be copied within the
    node any more, so it takes a lane for each of its m processors in that step.
    """
    node = topology.node_of(processor)
    rate = counting.messages_in(sum(lanes_into(topology, node).values()), model)
    late = rate // len(topology.processors_of(node))
    return counting.highest(
        *(
            Bound(
                distance + counting.ceil_divide(max(0, count - late), rate),
                f"{count} messages enter node {node}, at most {rate} a step, {late} in the last step{counting.beyond(distance)}",
            )
            for distance, count in counting.counts_by_distance(
                filter(None, counting.transfers_between(topology, processor, model, back=True)), parts
            )
        )
    )


def first_step(
    topology: Topology, ports: PortModel, processor: int, parts: int = 1, model: StepModel = STANDARD
) -> Bound:
    """In the first step of an all-gather everybody has only its own message, so not all ports of a node can receive.

    A processor can be sent no more than the m - 1 messages (each in its parts) of those beside it within the node, and
    the node no more than its lanes carry. From then on the m processors of the node receive at most k messages a step
    each, of m (P - 1) in all.
    """
    node = topology.node_of(processor)
    m = len(topology.processors_of(node))
    receivers = counting.messages_in(m * counting.processor_ports(topology, ports), model)
    entering = sum(lanes_into(topology, node).values()) * int(min(model.most_messages, parts))
    first = min(receivers, m * (m - 1) * parts + entering)
    messages = m * (topology.processors - 1) * parts
    return Bound(
        1 + counting.ceil_divide(messages - first, receivers),
        f"node {node} receives {messages} messages, at most {first} in the first step and {receivers} in each other one",
    )


def through_nodes(problem: Problem) -> Iterator[Bound]:
    """Messages through a node that alone joins parts of the network, in an all-gather, an all-reduce or an all-to-all.

    Without node v the others are in c components. In an all-to-all each message from one component to another is sent
    by the m processors of v, and so is each of their own. In an all-gather a message from a component is sent into the
    c - 1 others, and one of v into all c; in model b a packet of v may go into several at once, so each counts once.
    At most k a step leave each of the m. One :class:`Bound` for each such node. Where all nodes are alike there is none,
    and direct transfers pass the processors of v.
    """
    topology, ports, collective, parts = problem.topology, problem.ports, problem.collective, problem.parts
    if topology.alike or topology.directed or problem.model.direct:
        return
    rate = counting.messages_in(counting.processor_ports(topology, ports), problem.model)
    for node in networkx.articulation_points(topology.served):
        own, others = len(topology.processors_of(node)), topology.served.subgraph(set(topology.served) - {node})
        sizes = [
            sum(len(topology.processors_of(other)) for other in component)
            for component in networkx.connected_components(others)
        ]
        rest = sum(sizes)
        if collective.personalized:
            sent = sum(size * (rest - size) for size in sizes) + own * rest
        elif ports.copies:
            sent = rest + own
        else:
            sent = rest * (len(sizes) - 1) + own * len(sizes)
        yield Bound(
            counting.ceil_divide(parts * sent, own * rate),
            f"{parts * sent} messages are sent by node {node}, which alone joins {len(sizes)} parts of the network, at "
            f"most {own * rate} a step",
        )


def turns(problem: Problem) -> Iterator[Bound]:
    """Of processors that send or receive, as many transfers are received in a step as half of them can send.

    In an all-gather every processor is sent P - 1 messages, and in an all-to-all every message takes as many transfers as
    it has hops. Where routers copy packets, one processor may send to all others.
    """
    topology, ports, collective = problem.topology, problem.ports, problem.collective
    model, parts = problem.model, problem.parts
    if model.port_use is not PortUse.SEND_OR_RECEIVE:
        return
    P, k = topology.processors, counting.processor_ports(topology, ports)
    senders = P // 2
    received = counting.messages_in((P - 1 if ports.copies and collective is Collective.AAB else senders) * k, model)
    transfers = parts * P * (P - 1)
    if collective is Collective.AAS and not model.direct:
        within = sum(len(beside) * (len(beside) - 1) for beside in map(topology.processors_of, topology.served))
        transfers = parts * (within + topology.all_hops)
    yield Bound(
        counting.ceil_divide(transfers, received),
        f"{transfers} transfers, at most {received} a step, as a processor that receives does not send",
    )


def reduce_then_broadcast(problem: Problem) -> Bound:
    """An all-reduce brings every contribution to a processor, and only then brings the sum, or the last part, to everybody."""
    to = lower_bound(problem.changed(collective=Collective.AOR, root=0)).steps
    fro = fan_out(problem.topology, problem.ports, 0, problem.model).steps
    return Bound(
        to + fro, f"processor 0 cannot have a sum before step {to}, nor all processors have it {fro} steps later"
    )
