"""Lower bounds for direct transfers, which start and end at processors but pass nodes: for networks whose nodes are all alike."""

from collections.abc import Iterator

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules import counting
from fatcube.schedules.counting import Bound
from fatcube.schedules.step_model import Links, StepModel

__all__ = ["odd_lanes", "reached_nodes"]


def reached_nodes(topology: Topology, model: StepModel) -> Iterator[Bound]:
    """In a broadcast, what starts in a step leaves a node that has a holder over one of its lanes.

    So no more than L as many other nodes, if each has L lanes, are reached for the first time in a step. A node that is reached in
    the last step only needs a transfer for each of its m processors.
    """
    if not (model.direct and topology.alike) or topology.nodes == 1:
        return
    nodes, m, lanes = topology.nodes, topology.m, topology.f * topology.degree
    reached, steps = 1, 0
    while nodes > reached and (m > lanes or (nodes - reached) * m > reached * lanes):
        reached, steps = min(nodes, reached * (1 + lanes)), steps + 1
    # It could not end in the last of these steps, as what it ends with was not so before.
    yield Bound(steps + 1, f"no more than {lanes} nodes are reached in a step from each that has the message")


def odd_lanes(topology: Topology, ports: PortModel, model: StepModel, parts: int = 1) -> Iterator[Bound]:
    """In an all-to-all over half-duplex lanes of which every node has an odd number, a lane or a port is idle at each node.

    At a node as many lanes carry something in as out, except for transfers that start or end there: the used lanes and these
    transfers are an even number together. Of its L lanes and of the k ports of its m processors, each of which
    sends and receives, at most L + 2 m k - 1 are used in a step then.
    """
    lanes = topology.f * topology.degree
    halved = model.direct and model.links is Links.HALF_DUPLEX and not topology.directed
    if not (halved and topology.alike and lanes % 2 and not model.combining):
        return
    used = 2 * parts * (topology.all_hops + topology.processors * (topology.processors - 1))
    rate = topology.nodes * (lanes + 2 * topology.m * counting.processor_ports(topology, ports) - 1)
    yield Bound(
        counting.ceil_divide(used, rate),
        f"{used} lanes and ports are used, at most {rate} a step, as all nodes have odd lanes",
    )
