"""The search for a schedule as an integer program: its variables, and the limits of a step.

Packets take ports and lanes: with one message per packet each move is one, otherwise there are enough for the messages that go
from one processor to another in a step. A direct transfer takes lanes all along its path. Which packet takes which
path is left open: packets from one node are a flow to the nodes where they end, and a flow is divided into paths
afterwards (:mod:`fatcube.schedules.exact.flows`).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
import dataclasses
import time
from typing import TYPE_CHECKING, assert_never

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.exact.flows import FAR, Flow, with_ways
from fatcube.schedules.exact.port_use import limit_dedicated, limit_partners, limit_turns
from fatcube.schedules.exact.sums import limit_sum
from fatcube.schedules.participants import Participants
from fatcube.schedules.problem import Problem
from fatcube.schedules.step_model import Links, PortUse, StepModel
from fatcube.schedules.symmetry import Link, Symmetry

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar  # at run time only when a search is made

__all__ = ["Program", "formulate"]


@dataclasses.dataclass(frozen=True)
class Program:
    """An integer program.

    Members
    -------
    model : ``CpModel``
    moves : dict from :class:`Move` to ``IntVar``
        For each move whether it is made; those on ways that are still to be found have :data:`FAR` for a way.
    flows : dict from (step, node, :class:`Link`) to ``IntVar``
        The direct transfers from a node that cross a link.
    per_packet : :class:`float`
        The most messages in a packet.
    """

    model: "CpModel"
    moves: "dict[Move, IntVar]"
    flows: "dict[tuple[int, int, Link], IntVar]"
    per_packet: float
    symmetry: Symmetry

    def taken(self, solver: "CpSolver") -> list[Move]:
        """The moves of a solution, with their ways."""
        taken = [move for move, variable in self.moves.items() if solver.boolean_value(variable)]
        if not self.flows:
            return taken
        flows: dict[tuple[int, int], Flow] = defaultdict(dict)
        for (step, node, link), variable in self.flows.items():
            if solver.value(variable):
                flows[step, node][link] = solver.value(variable)
        return with_ways(
            [self.symmetry.at_base(move) for move in taken], flows, self.per_packet, self.symmetry.topology
        )


def _outputs(topology: Topology, options: StepModel) -> list[list[int]]:
    """For each processor, the processors that it can send to."""
    return _everybody(topology) if options.direct else _reach(topology, topology.served.__getitem__)


def _inputs(topology: Topology, options: StepModel) -> list[list[int]]:
    """For each processor, the processors that can send to it."""
    return _everybody(topology) if options.direct else _reach(topology, topology.sources)


def _everybody(topology: Topology) -> list[list[int]]:
    """For each processor, all others."""
    everybody = range(topology.processors)
    return [[dst for dst in everybody if dst != src] for src in everybody]


def _reach(topology: Topology, adjacent: Callable[[int], Iterable[int]]) -> list[list[int]]:
    """For each processor, those on its node and on the nodes ``adjacent`` to it."""
    nodes = {node: [node, *adjacent(node)] for node in topology.served}
    return [
        [dst for node in nodes[topology.node_of(src)] for dst in topology.processors_of(node) if dst != src]
        for src in range(topology.processors)
    ]


def formulate(problem: Problem, symmetry: Symmetry, steps: int, deadline: float) -> Program:
    """The program of the question whether a normal problem has a schedule of at most ``steps`` steps.

    Raises :exc:`TimeoutError` if the model is so large that writing it down takes too long already.
    """
    from ortools.sat.python import cp_model  # takes half a second, which only a search is worth

    model = cp_model.CpModel()
    topology, ports, options, among = problem.topology, problem.ports, problem.model, problem.among
    outputs, inputs = _outputs(topology, options), _inputs(topology, options)
    moves: dict[Move, IntVar] = {}
    collected: dict[int, dict[Move, IntVar]] = {}  # moves of partial sums whose total comes later
    for message in symmetry.representatives(problem.collective, problem.root, among=among):
        if time.monotonic() > deadline:
            raise TimeoutError
        first, last = _times(problem, message, steps, outputs, inputs)
        mine = {
            Move(step, src, dst, message, way): model.new_bool_var("")
            for step in range(1, steps + 1)
            for src in range(topology.processors)
            for dst in outputs[src]
            if first[src] < step <= last[dst] and not (message.reduced and src == message.target)
            for way in _ways(topology, ports, options, src, dst)
        }
        moves.update(mine)
        if message.reduced:
            collected[message.target] = mine
            continue
        _limit_message(model, topology, message, steps, mine, among)
        if problem.collective.reduction:
            limit_sum(model, message, topology.processors, steps, collected.pop(message.source) | mine)
    packets = _packets(model, ports, topology, symmetry, moves, options) if options.combining else moves
    flows = _flows(model, topology, symmetry, packets) if options.direct else {}
    if options.direct and ports.copies:
        _limit_copies(model, symmetry, moves)
    _limit_ports_and_lanes(model, topology, ports, symmetry, packets, flows)
    if options.links is Links.HALF_DUPLEX and not topology.directed:  # else there are no other ways to share lanes with
        _limit_directions(model, topology, symmetry, packets, flows)
    match options.port_use:
        case PortUse.SEND_AND_RECEIVE:
            pass
        case PortUse.ONE_PARTNER:
            limit_partners(model, topology, ports, symmetry, packets)
        case PortUse.SEND_OR_RECEIVE:
            limit_turns(model, symmetry, packets)
        case _:
            assert_never(options.port_use)
    if options.dedicated_ports:
        limit_dedicated(model, topology, symmetry, packets, flows)
    return Program(model, moves, flows, options.most_messages, symmetry)


def _times(
    problem: Problem, message: Message, steps: int, outputs: Sequence[Sequence[int]], inputs: Sequence[Sequence[int]]
) -> tuple[list[int], list[int]]:
    """For each processor the step after which it can send a message, and the last one in which it can usefully receive it.

    The message cannot be faster than one transfer per step, nor come too late. A partial sum comes from everywhere to its
    destination, and its total goes from there to all.
    """
    processors = problem.topology.processors
    first, last = [0] * processors, [steps] * processors
    if message.origin is not None:
        first = _distances(problem.topology, outputs, message.origin)
    if message.destination is not None:
        last = [steps - left for left in _distances(problem.topology, inputs, message.destination)]
    if message.reduced:
        last = [step - max(_distances(problem.topology, outputs, message.target)) for step in last]
    elif problem.collective.reduction:
        first = [step + max(_distances(problem.topology, inputs, message.source)) for step in first]
    return first, last


def _ways(topology: Topology, ports: PortModel, options: StepModel, src: int, dst: int) -> list[tuple[int, ...]]:
    """The ways of a transfer that the program tells apart: over one link or within a node, and on any path.

    Where routers do not copy packets, a path may be of one link too.
    """
    here, there = topology.node_of(src), topology.node_of(dst)
    if not options.direct or here == there:
        return [()]
    near = ports.copies and there in topology.adjacent[here]
    return [(), FAR] if near else [FAR]


def _packets(
    model: "CpModel",
    ports: PortModel,
    topology: Topology,
    symmetry: Symmetry,
    moves: "Mapping[Move, IntVar]",
    options: StepModel,
) -> "dict[Move, IntVar]":
    """The number of packets from each processor to each other one in each step, seen from the sender's base."""
    together: defaultdict[Move, list[IntVar]] = defaultdict(list)
    for move, variable in moves.items():
        seen = symmetry.at_base(move)
        together[seen._replace(message=_PACKET)].append(variable)
    most = ports.processor_ports(topology.degree, topology.m)
    packets: dict[Move, IntVar] = {}
    for packet, variables in together.items():
        size = int(min(options.most_messages, len(variables)))
        needed = min(most, -(-len(variables) // size))
        packets[packet] = model.new_int_var(0, needed, "")
        model.add(sum(variables) <= size * packets[packet])
        # Without this a packet could be counted that holds no message.
        model.add(sum(variables) > size * (packets[packet] - 1))
        if needed == 1:
            for variable in variables:
                model.add(variable <= packets[packet])
    return packets


_PACKET = Message(None, None)


def _flows(
    model: "CpModel", topology: Topology, symmetry: Symmetry, packets: "Mapping[Move, IntVar]"
) -> "dict[tuple[int, int, Link], IntVar]":
    """Of the packets from each node of a base, how many cross each link in each step: as many end at a node as shall."""
    ending: defaultdict[tuple[int, int], defaultdict[int, list[IntVar]]] = defaultdict(lambda: defaultdict(list))
    for move, variable in packets.items():
        if move.way:
            seen = symmetry.at_base(move)
            source, end = topology.node_of(seen.src), topology.node_of(seen.dst)
            ending[move.step, source][end].append(variable)
    flows: dict[tuple[int, int, Link], IntVar] = {}
    for (step, source), ends in ending.items():
        entering: defaultdict[int, list[IntVar]] = defaultdict(list)
        leaving: defaultdict[int, list[IntVar]] = defaultdict(list)
        for here in topology.adjacent:
            for there in topology.adjacent[here]:
                if there != source:
                    lanes = len(topology.channels_between(here, there)) * topology.f
                    flow = flows[step, source, Link(here, there)] = model.new_int_var(0, lanes, "")
                    leaving[here].append(flow)
                    entering[there].append(flow)
        for node in topology.adjacent:
            if node != source:
                model.add(sum(entering[node]) == sum(leaving[node]) + sum(ends[node]))
    return flows


def _limit_copies(model: "CpModel", symmetry: Symmetry, moves: "Mapping[Move, IntVar]") -> None:
    """Where routers copy packets, one that goes far has one copy."""
    copies: defaultdict[tuple[int, int, Message], list[Move]] = defaultdict(list)
    for move in moves:
        copies[move.step, move.src, move.message].append(move)
    for together in copies.values():
        far = [move for move in together if move.way]
        for move in far:
            for other in together:
                if other != move and (not other.way or other.dst > move.dst):
                    model.add_bool_or(~moves[move], ~moves[other])


def _distances(topology: Topology, outputs: Sequence[Sequence[int]], origin: int) -> list[int]:
    """Transfers from processor ``origin`` to every processor, or with inputs for outputs the other way."""
    transfers = {origin: 0}
    queue = [origin]
    for src in queue:
        for dst in outputs[src]:
            if dst not in transfers:
                transfers[dst] = transfers[src] + 1
                queue.append(dst)
    return [transfers[processor] for processor in range(topology.processors)]


def _limit_message(
    model: "CpModel",
    topology: Topology,
    message: Message,
    steps: int,
    moves: "Mapping[Move, IntVar]",
    among: Participants,
) -> None:
    """A message is sent from where it is, stays there if all shall have it, and gets to its destinations."""
    arriving: defaultdict[tuple[int, int], list[IntVar]] = defaultdict(list)
    leaving: defaultdict[tuple[int, int], list[IntVar]] = defaultdict(list)
    for move, variable in moves.items():
        arriving[move.step, move.dst].append(variable)
        leaving[move.step, move.src].append(variable)
    for processor in range(topology.processors):
        held: int | IntVar = int(processor == message.origin)
        for step in range(1, steps + 1):
            before, held = held, model.new_bool_var("")
            if message.destination is None:
                model.add(held == before + sum(arriving[step, processor]))
                for variable in leaving[step, processor]:
                    model.add(variable <= before)
            else:
                model.add(held == before + sum(arriving[step, processor]) - sum(leaving[step, processor]))
                model.add(sum(leaving[step, processor]) <= before)
        if processor in message.destinations(topology, among):
            model.add(held == 1)


def _limit_ports_and_lanes(
    model: "CpModel",
    topology: Topology,
    ports: PortModel,
    symmetry: Symmetry,
    packets: "Mapping[Move, IntVar]",
    flows: "Mapping[tuple[int, int, Link], IntVar]",
) -> None:
    """The ports and lanes of a step, counted by class."""
    sent: defaultdict[tuple[int, int], list[IntVar]] = defaultdict(list)
    received: defaultdict[tuple[int, int], list[IntVar]] = defaultdict(list)
    copied: defaultdict[tuple[int, int, Message], list[IntVar]] = defaultdict(list)
    for (step, src, dst, message, _), variable in packets.items():
        received[step, symmetry.processor_class(dst)].append(variable)
        if ports.copies:
            copied[step, src, message].append(variable)
        else:
            sent[step, symmetry.processor_class(src)].append(variable)
    for (step, src, _), copies in copied.items():
        if len(copies) > 1:
            packet = model.new_bool_var("")
            model.add_max_equality(packet, copies)
        else:
            packet = copies[0]
        sent[step, symmetry.processor_class(src)].append(packet)
    processor_ports = ports.processor_ports(topology.degree, topology.m)
    for variables in (*sent.values(), *received.values()):
        model.add(sum(variables) <= processor_ports)
    for (_, (here, there)), variables in _carried(topology, symmetry, packets, flows, back=False).items():
        model.add(sum(variables) <= len(topology.channels_between(here, there)) * topology.f)


def _carried(
    topology: Topology,
    symmetry: Symmetry,
    packets: "Mapping[Move, IntVar]",
    flows: "Mapping[tuple[int, int, Link], IntVar]",
    *,
    back: bool,
) -> "Mapping[tuple[int, Link], list[IntVar]]":
    """The packets that cross each link in each step, by class; with ``back`` in either direction."""
    carried: defaultdict[tuple[int, Link], list[IntVar]] = defaultdict(list)

    def add(step: int, here: int, there: int, variable: "IntVar") -> None:
        carried[step, symmetry.link_class(here, there)].append(variable)
        if back:
            carried[step, symmetry.link_class(there, here)].append(variable)

    for (step, src, dst, _, way), variable in packets.items():
        here, there = topology.node_of(src), topology.node_of(dst)
        if here != there and not way:
            add(step, here, there, variable)
    for (step, _, (here, there)), variable in flows.items():
        add(step, here, there, variable)
    return carried


def _limit_directions(
    model: "CpModel",
    topology: Topology,
    symmetry: Symmetry,
    packets: "Mapping[Move, IntVar]",
    flows: "Mapping[tuple[int, int, Link], IntVar]",
) -> None:
    """Half duplex: both directions of a link share its lanes."""
    for (_, (here, there)), variables in _carried(topology, symmetry, packets, flows, back=True).items():
        model.add(sum(variables) <= len(topology.channels_between(here, there)) * topology.f)
