"""The plan of a run in which processors compute their destinations: their settings, and what every wire must show.

The packets on each wire in each step follow from a schedule, which the processors do not have. The difference from the
plan of :func:`~fatcube.sim.collectives.plan.compile_schedule` is how things are numbered: a packet along dimension j leaves and
arrives at port j (of several), and message ids are those that the processors compute with.
"""

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.machines.distributed import check_distributed
from fatcube.noc.machines.wires import LaneWire, PortWire, Wire, wires_of_node
from fatcube.noc.network import Network
from fatcube.rtl.endpoint.distributed.rules import Rule
from fatcube.schedules.collective import Collective, Message
from fatcube.schedules.participants import EVERYBODY, Participants
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step_model import STANDARD, StepModel
from fatcube.schedules.wiring import check_fits
from fatcube.sim.collectives.plan import Crossing, Delivery, Plan

__all__ = ["check_computed", "collective_of", "distributed_plan"]


def distributed_plan(schedule: Schedule, network: Network, rule: Rule, *, lockstep: bool = True) -> Plan:
    """The plan of a run by ``rule`` that is to do what a schedule says.

    Raises
    ------
    ParameterError
        For the reasons of :func:`check_computed` and of :func:`~fatcube.noc.machines.distributed.check_distributed`.
    """
    schedule = check_fits(schedule, network).expanded()
    check_distributed(network, rule)
    check_computed(
        rule,
        schedule.collective,
        among=schedule.among,
        parts=schedule.parts,
        model=schedule.model,
        lockstep=lockstep,
    )
    root = schedule.root
    assert root is not None
    several = network.processor_ports > 1
    ids = {message: _id(message, rule) for message in schedule.messages}
    parts = {message: ((root, number),) for message, number in ids.items()}
    crossings: dict[Wire, list[Crossing]] = {
        wire: [] for node in range(network.topology.nodes) for wire in wires_of_node(network, node)
    }
    banks: dict[tuple[int, Message], int] = {}
    sources: dict[tuple[int, int, int], tuple[int, int]] = {}
    for transfer in schedule.transfers:
        src, dst, message, step = transfer.src, transfer.dst, transfer.message, transfer.step
        dimension = (src ^ dst).bit_length() - 1
        port = dimension if several else 0
        crossing = Crossing(step, ids[message], ((ids[message], parts[message]),))
        for wire in (PortWire("send", src, 0, port), LaneWire(src, dimension, 0), PortWire("receive", dst, 0, port)):
            crossings[wire].append(crossing)
        banks[dst, message] = port
        sources[dst, port, step] = src, ids[message]
    deliveries = [
        Delivery(node, message, banks.get((node, message), 0), ids[message], parts[message])
        for message in schedule.messages
        for node in message.destinations(network.topology, schedule.among)
    ]
    by_id = {number: message for message, number in ids.items()}
    return Plan(
        schedule,
        network,
        lockstep,
        # A source has no message for itself, whose id is its own address.
        [by_id.get(number, Message(root, root)) for number in range(max(by_id) + 1)],
        0,
        [],
        {(root, number): number for number in ids.values()},
        deliveries,
        crossings,
        sources,
        [(node == root, schedule.parts) for node in range(network.topology.nodes)],
    )


def collective_of(rule: Rule) -> Collective:
    """The collective that processors do by a rule."""
    return Collective.OAS if rule.scatters else Collective.OAB


def _id(message: Message, rule: Rule) -> int:
    """The message id that processors compute with: the target, or the part."""
    if not rule.scatters:
        return message.part
    assert message.destination is not None
    return message.destination


def check_computed(
    rule: Rule,
    collective: Collective,
    *,
    among: Participants = EVERYBODY,
    parts: int = 1,
    model: StepModel = STANDARD,
    lockstep: bool = True,
) -> None:
    """Refuse what processors that compute their children do not do in the steps of a schedule along the same graph.

    Raises
    ------
    ParameterError
        If the collective differs from the rule's, or is among some processors only; has several messages in a
        packet, several parts in a scatter, or steps that are not the default ones; or is to run in dataflow.
    """
    where = f"where processors compute the children of {rule}"
    does = collective_of(rule)
    if collective is not does:
        raise ParameterError(f"collective must be {does.value} {where}, not {collective.value}")
    if not among.all:
        raise ParameterError(f"participants must be all processors {where}, not {among}")
    if rule.scatters and parts > 1:
        raise ParameterError(f"parts must be 1 {where}, not {parts}")
    if str(model):
        raise ParameterError(f"step model must be the default {where}, not {model}")
    if not lockstep:
        raise ParameterError(f"mode must be lockstep {where}, not dataflow")
