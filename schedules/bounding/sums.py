"""Lower bounds of an all-reduce of all processors, in which sums are collected and spread."""

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules import counting
from fatcube.schedules.counting import Bound
from fatcube.schedules.step_model import STANDARD, PortUse, StepModel

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
    entered by the sum.
    """
    crossings = 2 * parts * topology.processors * (len(topology.served) - 1)
    return counting.lanes_bound(topology, model, crossings, "crossings")
