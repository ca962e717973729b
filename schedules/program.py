"""From a schedule to what the processors are loaded with, and to what every wire must then show."""

import dataclasses

from noc.network import Network
from noc.wires import Wire
from rtl.parameters import ParameterError
from schedules.schedule import Schedule

__all__ = ["Crossing", "Entry", "Plan", "compile_schedule"]


@dataclasses.dataclass
class Entry:
    """What one port does in one step: see :class:`rtl.program.ProgramEntry`."""

    header: int = 0
    bank: int = 0
    send: bool = False
    expect: bool = False


@dataclasses.dataclass(frozen=True, order=True)
class Crossing:
    """A packet that crosses a wire: in which step, and with which message (its id)."""

    step: int
    message: int


@dataclasses.dataclass(frozen=True)
class Plan:
    """A schedule in terms of one network's hardware.

    Attributes
    ----------
    messages : list of :class:`Message`
        The messages of the collective; a message's id is its position.
    programs : list of list of list of :class:`Entry`
        For each processor and port its entries.
    initial : list of (processor, id)
        What is held before the run, in bank 0.
    final : dict from (processor, id) to bank
        What must be held after the run, and where it arrived.
    crossings : dict from :class:`Wire` to list of :class:`Crossing`
        What crosses each wire, in the order of the steps.
    sources : dict from (processor, port, step) to (processor, id)
        Who sends what a receiving port waits for.
    """

    schedule: Schedule
    network: Network
    lockstep: bool
    messages: list
    programs: list
    initial: list
    final: dict
    crossings: dict
    sources: dict


def compile_schedule(schedule, network, *, lockstep=True):
    """The plan for a schedule that the checker has accepted.

    In lockstep entry n of every port is step n. In dataflow a port has no entries for steps in which it has
    nothing to do.

    Ports and banks: the packets that a processor sends in a step take its sending ports in order, those that
    it receives its receiving ports, and a message is kept in the bank of the port at which it first arrived.

    Raises
    ------
    ParameterError
        If the schedule is for another topology or router model than the network.
    """
    topology = schedule.topology
    if topology != network.topology or schedule.ports is not network.ports:
        raise ParameterError(f"schedule must be for {network}, not for {topology} ports={schedule.ports.value}")
    router = network.router()
    multicast = router.header.multicast
    messages = list(schedule.collective.messages(topology, schedule.root))
    ids = {message: number for number, message in enumerate(messages)}

    programs = [[[Entry() for _ in range(schedule.steps)] for _ in range(router.ports)]
                for _ in range(topology.processors)]
    banks = {(message.origin, number): 0 for message, number in ids.items()}
    initial = list(banks)
    crossings = {wire: [] for node in range(topology.nodes) for wire in Wire.of_node(network, node)}
    sources = {}

    for step, transfers in _by_step(schedule):
        receiving, sending, arrivals = {}, {}, {}
        for transfer in transfers:
            src, dst, number = transfer.src, transfer.dst, ids[transfer.message]
            arriving_port = receiving.setdefault(dst, 0)
            receiving[dst] += 1
            programs[dst][arriving_port][step - 1].expect = True
            sources[dst, arriving_port, step] = src, number
            arrivals.setdefault((dst, number), arriving_port)

            route = _route(transfer, arriving_port, topology, router)
            sending.setdefault(src, []).append((number, route))
            crossing = Crossing(step, number)
            if transfer.lane is not None:
                crossings[_lane(transfer, topology)].append(crossing)
            crossings[Wire("receive", *_place(dst, topology), arriving_port)].append(crossing)

        for src, packets in sending.items():
            if multicast:
                packets = [(packets[0][0], [route for _, route in packets])]
            for port, (number, route) in enumerate(packets):
                entry = programs[src][port][step - 1]
                entry.header = router.header.pack(route, number)
                entry.bank = banks.get((src, number), 0)
                entry.send = True
                crossings[Wire("send", *_place(src, topology), port)].append(Crossing(step, number))
        for key, port in arrivals.items():
            banks.setdefault(key, port)

    if not lockstep:
        programs = [[_close_up(port) for port in processor] for processor in programs]
    final = {(processor, number): banks.get((processor, number), 0)
             for message, number in ids.items() for processor in message.destinations(topology)}
    return Plan(schedule, network, lockstep, messages, programs, initial, final, crossings, sources)


def _by_step(schedule):
    steps = {}
    for transfer in schedule.transfers:
        steps.setdefault(transfer.step, []).append(transfer)
    return sorted(steps.items())


def _place(processor, topology):
    return topology.node_of(processor), processor % topology.m


def _lane(transfer, topology):
    node, other = topology.node_of(transfer.src), topology.node_of(transfer.dst)
    channel = topology.channels_between(node, other)[transfer.lane // topology.f]
    return Wire("lane", node, channel, transfer.lane % topology.f)


def _route(transfer, arriving_port, topology, router):
    arrival = router.processor_port(transfer.dst % topology.m, arriving_port)
    if transfer.lane is None:
        return [arrival]
    lane = _lane(transfer, topology)
    return [router.lane_port(lane.first, lane.second), arrival]


def _close_up(entries):
    """Sends and expectations without gaps: for dataflow only their order and their number count."""
    sends = [entry for entry in entries if entry.send]
    expected = sum(entry.expect for entry in entries)
    closed = [dataclasses.replace(entry, expect=index < expected) for index, entry in enumerate(sends)]
    return closed + [Entry(expect=True) for _ in range(expected - len(closed))]
