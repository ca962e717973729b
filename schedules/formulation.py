"""The search for a schedule as an integer program: its variables, and the limits of a step."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
import time
from typing import TYPE_CHECKING

from noc.topology import Topology
from rtl.port_model import PortModel
from schedules.collective import Message, Move
from schedules.step_model import Links, PortUse, StepModel
from schedules.symmetry import Link, Symmetry

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar  # at run time only when a search is made

__all__ = ["formulate"]


def _outputs(topology: Topology) -> list[list[int]]:
    """For each processor, the processors that it can send to."""
    return _reach(topology, topology.served.__getitem__)


def _inputs(topology: Topology) -> list[list[int]]:
    """For each processor, the processors that can send to it."""
    return _reach(topology, topology.sources)


def _reach(topology: Topology, adjacent: Callable[[int], Iterable[int]]) -> list[list[int]]:
    """For each processor, those on its node and on the nodes ``adjacent`` to it."""
    nodes = {node: [node, *adjacent(node)] for node in topology.served}
    return [
        [dst for node in nodes[topology.node_of(src)] for dst in topology.processors_of(node) if dst != src]
        for src in range(topology.processors)
    ]


def formulate(
    topology: Topology,
    ports: PortModel,
    symmetry: Symmetry,
    messages: Iterable[Message],
    steps: int,
    deadline: float,
    options: StepModel,
) -> "tuple[CpModel, dict[Move, IntVar]]":
    """The model, and for each move the variable that says whether it is made.

    Raises :exc:`TimeoutError` if the model is so large that writing it down takes too long already.
    """
    from ortools.sat.python import cp_model  # takes half a second, which only a search is worth

    model = cp_model.CpModel()
    outputs, inputs = _outputs(topology), _inputs(topology)
    moves: dict[Move, IntVar] = {}
    for message in messages:
        if time.monotonic() > deadline:
            raise TimeoutError
        # Where the message can be when: it cannot be faster than one transfer per step, nor come too late.
        first = _distances(topology, outputs, message.source)
        last = [steps] * topology.processors
        if message.destination is not None:
            last = [steps - left for left in _distances(topology, inputs, message.destination)]
        mine = {
            Move(step, src, dst, message): model.new_bool_var("")
            for step in range(1, steps + 1)
            for src in range(topology.processors)
            for dst in outputs[src]
            if first[src] < step <= last[dst]
        }
        moves.update(mine)
        _limit_message(model, topology, message, steps, mine)
    _limit_ports_and_lanes(model, topology, ports, symmetry, moves)
    if (
        options.links is Links.HALF_DUPLEX and not topology.directed
    ):  # where there are no other ways to share lanes with
        _limit_directions(model, topology, symmetry, moves)
    if options.port_use is PortUse.ONE_PARTNER:
        _limit_partners(model, symmetry, moves)
    if options.dedicated_ports:
        _limit_dedicated(model, topology, symmetry, moves)
    return model, moves


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
    model: "CpModel", topology: Topology, message: Message, steps: int, moves: "Mapping[Move, IntVar]"
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
        if processor in message.destinations(topology):
            model.add(held == 1)


def _limit_ports_and_lanes(
    model: "CpModel", topology: Topology, ports: PortModel, symmetry: Symmetry, moves: "Mapping[Move, IntVar]"
) -> None:
    """The ports and lanes of a step, counted by class."""
    sent: defaultdict[tuple[int, int], list[IntVar]] = defaultdict(list)
    received: defaultdict[tuple[int, int], list[IntVar]] = defaultdict(list)
    carried: defaultdict[tuple[int, Link], list[IntVar]] = defaultdict(list)
    copied: defaultdict[tuple[int, int, Message], list[IntVar]] = defaultdict(list)
    for (step, src, dst, message, _), variable in moves.items():
        here, there = topology.node_of(src), topology.node_of(dst)
        received[step, symmetry.processor_class(dst)].append(variable)
        if ports.multicast:
            copied[step, src, message].append(variable)
        else:
            sent[step, symmetry.processor_class(src)].append(variable)
        if here != there:
            carried[step, symmetry.link_class(here, there)].append(variable)
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
    for (_, (here, there)), variables in carried.items():
        model.add(sum(variables) <= len(topology.channels_between(here, there)) * topology.f)


def _limit_directions(model: "CpModel", topology: Topology, symmetry: Symmetry, moves: "Mapping[Move, IntVar]") -> None:
    """Half duplex: both directions of a link share its lanes."""
    carried: defaultdict[tuple[int, Link], list[IntVar]] = defaultdict(list)
    for (step, src, dst, _, _), variable in moves.items():
        here, there = topology.node_of(src), topology.node_of(dst)
        if here != there:
            for link in symmetry.link_class(here, there), symmetry.link_class(there, here):
                carried[step, link].append(variable)
    for (_, (here, there)), variables in carried.items():
        model.add(sum(variables) <= len(topology.channels_between(here, there)) * topology.f)


def _limit_partners(model: "CpModel", symmetry: Symmetry, moves: "Mapping[Move, IntVar]") -> None:
    """One partner: all that a processor sends and receives in a step is with one other."""
    exchanged: defaultdict[tuple[int, int], defaultdict[int, list[IntVar]]] = defaultdict(lambda: defaultdict(list))
    for (step, src, dst, _, _), variable in moves.items():
        for processor, other in ((src, dst), (dst, src)):
            key = step, symmetry.processor_class(processor)
            exchanged[key][symmetry.seen_from(processor, other)].append(variable)
    for partners in exchanged.values():
        chosen = []
        for variables in partners.values():
            chosen.append(model.new_bool_var(""))
            for variable in variables:
                model.add_implication(variable, chosen[-1])
        model.add_at_most_one(chosen)


def _limit_dedicated(model: "CpModel", topology: Topology, symmetry: Symmetry, moves: "Mapping[Move, IntVar]") -> None:
    """Dedicated ports: one each way for each channel, and one for each processor of the same node."""
    used: defaultdict[Hashable, list[IntVar]] = defaultdict(list)
    ports: dict[Hashable, int] = {}
    for (step, src, dst, _, _), variable in moves.items():
        for processor, other, way in ((src, dst, "out"), (dst, src, "in")):
            here, there = topology.node_of(processor), topology.node_of(other)
            port = symmetry.seen_from(processor, other) if here == there else symmetry.link_class(here, there)
            key = step, symmetry.processor_class(processor), way, port
            used[key].append(variable)
            link = topology.node_of(src), topology.node_of(dst)
            ports[key] = 1 if here == there else len(topology.channels_between(*link))
    for key, variables in used.items():
        model.add(sum(variables) <= ports[key])
