"""Lower bounds for packets of several messages, from the knowledge of processors and nodes after a number of steps.

An all-to-all tells every processor of every other one, as an all-gather does with packets of any size; so a bound from the
spread of knowledge holds for it without a limit of messages. Each function has the limit ``most``, the messages in a packet.
"""

from collections.abc import Iterator
import dataclasses
import math

import networkx

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules import counting
from fatcube.schedules.counting import Bound
from fatcube.schedules.reach import lanes_from, lanes_into
from fatcube.schedules.step_model import Links, StepModel

__all__ = ["gathered", "joined", "scattered", "shared_packets"]


def gathered(topology: Topology, ports: PortModel, model: StepModel, most: float) -> Bound:
    """Every processor gathers the messages of all P, and knows no more after each step than its packets can have brought.

    A processor that knows h messages sends packets of at most min(B, h). So the most that a processor knows grows by at most
    k min(B, h) in a step, and what the m processors of a node know together by at most min(B, h) for each lane that enters the node
    and port that receives; without direct transfers it is also at most what is within as many hops as steps. Half-duplex lanes that
    carry packets into one node carry none out of it: the average node of a network that is the same from all nodes grows by
    half of its lanes.

    As long as a node lacks M messages, one of them comes to at most 1 / M of what its lanes bring in the next step. From
    then on its holders in the node grow by at most k each and by one for each lane, and all m have to be holders.
    """
    P, k = topology.processors, counting.processor_ports(topology, ports)
    halved = model.links is Links.HALF_DUPLEX and not topology.directed and topology.alike
    nodes = [_Node.of(topology, node, k, halved, model) for node in ([0] if topology.alike else topology.served)]
    known, steps, best = 1, 0, 0
    while any(node.lacks for node in nodes):
        best = max([best, *(steps + node.steps_to_fill(min(most, known), k) for node in nodes if node.lacks)])
        steps += 1
        for node in nodes:
            node.grow(steps, min(most, known))
        known = min(P, known + k * int(min(most, known)), max(node.most for node in nodes))
    return Bound(
        max(best, _steps_alone(P, k, most)),
        "no processor can know all messages sooner, as packets hold no more than their sender knows",
    )


def _steps_alone(P: int, k: int, most: float) -> int:
    """The steps in which a processor can know P messages if there are no other limits than ports and packets."""
    known, steps = 1, 0
    while known < P:
        known, steps = known + k * int(min(most, known)), steps + 1
    return steps


@dataclasses.dataclass
class _Node:
    """The knowledge of a node, of ``everything``: the most, and twice the average; ``lanes`` enter the node."""

    m: int
    lanes: int
    ports: int
    halved: bool
    near: list[int]  # the processors within each number of hops, the last number for all more
    everything: int
    most: int
    twice: int

    @classmethod
    def of(cls, topology: Topology, node: int, k: int, halved: bool, model: StepModel) -> "_Node":
        m = len(topology.processors_of(node))
        near = [topology.processors]
        if not model.direct:
            graph = (
                topology.served.reverse(copy=False)
                if isinstance(topology.served, networkx.DiGraph)
                else topology.served
            )
            hops = networkx.single_source_shortest_path_length(graph, node)
            near = [
                sum(len(topology.processors_of(other)) for other, count in hops.items() if count <= distance)
                for distance in range(max(hops.values()) + 1)
            ]
        lanes = sum(lanes_into(topology, node).values())
        return cls(m, lanes, m * k, halved, near, topology.processors, m, 2 * m)

    @property
    def lacking(self) -> int:
        """The messages that the node lacks, or one that knows no more than the average."""
        return self.everything - self.twice // 2

    @property
    def lacks(self) -> bool:
        return self.lacking > 0

    def grow(self, steps: int, size: float) -> None:
        """Update the knowledge after ``steps`` steps, with packets of ``size`` messages in the last."""
        limit = self.near[min(steps, len(self.near) - 1)]
        brought = min(self.lanes, self.ports) * int(size)
        average = min(self.lanes, 2 * self.ports) * int(size) if self.halved else 2 * brought
        self.most = min(limit, self.most + brought)
        self.twice = min(2 * limit, self.twice + average)

    def steps_to_fill(self, size: float, k: int) -> int:
        """The steps until all processors have what the node lacks, with packets of ``size`` messages in the first."""
        holders = min(self.lanes, self.ports) * int(size) // self.lacking
        steps = 1
        while holders < self.m:
            holders, steps = holders * (1 + k) + self.lanes, steps + 1
        return steps


def joined(topology: Topology, ports: PortModel, model: StepModel) -> Iterator[Bound]:
    """A node that alone joins c parts of the network receives a packet from each, and sends the last one on to the others.

    Its m processors receive k packets a step each, so something from some part is received in step ceil(c / (m k)) at the
    earliest; from then on a packet has to go to each of the other c - 1 parts. Direct transfers pass its processors.
    One :class:`Bound` for each such node.
    """
    if topology.alike or topology.directed or model.direct:
        return
    for node in networkx.articulation_points(topology.served):
        rate = len(topology.processors_of(node)) * counting.processor_ports(topology, ports)
        parts = networkx.number_connected_components(topology.served.subgraph(set(topology.served) - {node}))
        yield Bound(
            counting.ceil_divide(parts, rate) + counting.ceil_divide(parts - 1, rate),
            f"node {node}, which alone joins {parts} parts of the network, receives from each before all have what it sends",
        )


def scattered(topology: Topology, ports: PortModel, root: int, model: StepModel) -> Iterator[Bound]:
    """The messages in a packet of a scatter must spread in the remaining steps: to at most k + 1 times as many holders in each.

    So with r steps left after the one in which it is sent, a packet of the root, or one that leaves its node, holds at most
    min(B, (k + 1)^r) messages. There are k packets of the root in a step, which have P - 1 messages, and as many leave
    its node as it has lanes, with those for all other nodes. One :class:`Bound` each.
    """
    k = counting.processor_ports(topology, ports)
    node = topology.node_of(root)
    beyond = topology.processors - len(topology.processors_of(node))
    for packets, messages, where in (
        (k, topology.processors - 1, f"leave processor {root}"),
        (lanes_from(topology, node), beyond, f"leave node {node}"),
    ):
        steps, sent = 0, 0
        while sent < messages:
            sent, steps = sent + packets * int(min(model.most_messages, (k + 1) ** steps)), steps + 1
        yield Bound(steps, f"{messages} messages {where}, fewer in the last packets, as these have to be spread")


def shared_packets(topology: Topology, ports: PortModel, model: StepModel) -> Bound:
    """In an all-to-all a packet holds at most one message that goes from its origin to its destination in one transfer.

    There are A pairs of processors that one transfer can join, and S transfers if all messages take the fewest. With N packets
    at most N of these A messages take one transfer, and all others of them at least two: S + A - N messages are in
    packets of B. So N >= (S + A) / (B + 1), and the P processors send at most k packets a step each.
    """
    assert model.most_messages < math.inf
    P = topology.processors
    within = sum(len(beside) * (len(beside) - 1) for beside in map(topology.processors_of, topology.served))
    near = within
    for node, others in topology.served.adjacency():
        near += sum(len(topology.processors_of(node)) * len(topology.processors_of(other)) for other in others)
    if model.direct:
        near = P * (P - 1)
    transfers = near if model.direct else within + topology.all_hops
    packets = counting.ceil_divide(transfers + near, int(model.most_messages) + 1)
    rate = P * counting.processor_ports(topology, ports)
    return Bound(counting.ceil_divide(packets, rate), f"{packets} packets, at most {rate} a step")
