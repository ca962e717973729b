"""Lower bounds of an all-reduce of all processors, in which sums are collected and spread."""

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules import counting
from fatcube.schedules.counting import Bound
from fatcube.schedules.reach import lanes_from, lanes_into
from fatcube.schedules.step_model import STANDARD, UNLIMITED, PortUse, StepModel

__all__ = ["lanes_for_sums", "ports_for_sums"]


def ports_for_sums(topology: Topology, ports: PortModel, model: StepModel = STANDARD, parts: int = 1) -> Bound:
    """An all-reduce on all ports.

    For each of the P sums, or of the parts of each, each of the P - 1 others sends what it has accumulated at least once, and each
    receives the sum.
    """
    transfers = 2 * parts * topology.processors * (topology.processors - 1)
    able = topology.processors
    if model.port_use is PortUse.SEND_OR_RECEIVE and not ports.copies:
        able //= 2
    receivers = counting.messages_in(able * counting.processor_ports(topology, ports), model)
    return Bound(counting.ceil_divide(transfers, receivers), f"{transfers} transfers, at most {receivers} a step")


def lanes_for_sums(topology: Topology, model: StepModel = STANDARD, parts: int = 1) -> Bound:
    """An all-reduce on all lanes.

    For each of the P sums, or of the parts of each, something leaves every other node for it at least once, and every other node is
    entered by the sum. In the first step each of the m processors of a node can send only its own contribution, so what leaves in
    that step alone takes m lanes; and in the last step the sum enters on a lane for each of them. Nothing is spread in the first
    step, and nothing collected in the last one, so in each of the two a node has no more crossings than its lanes over m.
    """
    crossings = 2 * parts * topology.processors * (len(topology.served) - 1)
    plain = counting.lanes_bound(topology, model, crossings, "crossings")
    if not crossings or model.per_packet == UNLIMITED:
        return plain
    rate = counting.messages_in(counting.lanes_in_all(topology, model), model)
    nodes = {node: len(topology.processors_of(node)) for node in topology.served}
    most = rate // min(nodes.values())
    out = sum(counting.messages_in(lanes_from(topology, node), model) // m for node, m in nodes.items())
    into = sum(counting.messages_in(sum(lanes_into(topology, node).values()), model) // m for node, m in nodes.items())
    first, last = min(most, out), min(most, into)
    between = Bound(
        2 + counting.ceil_divide(max(0, crossings - first - last), rate),
        f"{crossings} crossings, at most {first} in the first step, {last} in the last and {rate} in each other one",
    )
    return counting.highest(plain, between)
