"""The plan of a run: the programs that a schedule becomes, and the packets that must then cross every wire."""

from collections import Counter
from collections.abc import Iterator, Sequence
import dataclasses
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from fatcube.noc.machines.wires import PortWire, Wire, wires_of_node
from fatcube.noc.network import Network
from fatcube.schedules.collective import Message
from fatcube.schedules.routes import PortedPacket, at_ports, at_ports_of_lanes, lanes_of, place_of, route_of
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.wiring import check_fits
from fatcube.sim.collectives.flow import Flow, Move, Parts, Place, Slot, by_step
from fatcube.sim.collectives.phases import phase_ends
from fatcube.sim.collectives.rounds import Rounds

__all__ = ["Contents", "Crossing", "Delivery", "Entry", "Plan", "compile_schedule", "most_entries"]


Contents: TypeAlias = tuple[tuple[int, Parts], ...]
"""The messages of a packet in order: the id of each, and the terms of its sum."""


@dataclasses.dataclass
class Entry:
    """The action of one port in one step: see :class:`fatcube.rtl.endpoint.program.ProgramEntry`."""

    header: int = 0
    bank: int = 0
    send: bool = False
    more: bool = False
    expect: bool = False
    source: int = 0
    combine: bool = False
    need: int = 0
    sync: bool = False


@dataclasses.dataclass(frozen=True)
class Crossing:
    """A packet that crosses a wire.

    Attributes
    ----------
    step : :class:`int`
    message : :class:`int`
        The id in its header.
    contents : tuple of (id, parts)
        Its messages in order, of which the first is that of its header, each with the (processor, number) of
        ``Plan.initial`` whose sum its payload is; one, if it is no sum.
    """

    step: int
    message: int
    contents: Contents


@dataclasses.dataclass(frozen=True)
class Delivery:
    """A message that must be held after the run.

    Attributes
    ----------
    processor : :class:`int`
    message : :class:`Message`
    bank : :class:`int` or ``None``
        The bank that it arrived in; ``None`` for the sum over all banks.
    slot : :class:`int`
        The id under which it is held.
    parts : tuple of (processor, number)
        The terms of its sum, as in :class:`Crossing`.
    """

    processor: int
    message: Message
    bank: int | None
    slot: int
    parts: Parts


@dataclasses.dataclass(frozen=True)
class Plan:
    """A schedule in terms of one network's hardware.

    Attributes
    ----------
    messages : list of :class:`Message`
        The message of each id. Only partial sums of the same message can have several ids.
    reduced : :class:`int`
        Ids below this are partial sums.
    programs : list of list of list of :class:`Entry`
        The entries of each port of each processor.
    initial : dict from (processor, number) to :class:`int`
        The messages that are held before the run, in bank 0, with their ids.
    final : list of :class:`Delivery`
        The messages that must be held after the run.
    crossings : dict from :class:`Wire` to list of :class:`Crossing`
        The packets that cross each wire, in the order of the steps.
    sources : dict from (processor, port, step) to (processor, id)
        The sender and the message that a receiving port waits for.
    assignments : list of (source, parts)
        For processors that compute their destinations, in place of programs: whether each is the source, and the messages
        due at each. Empty if there are programs.
    barriers : list of :class:`int`
        In dataflow, the steps after which all processors wait for each other.
    """

    schedule: Schedule
    network: Network
    lockstep: bool
    messages: list[Message]
    reduced: int
    programs: list[list[list[Entry]]]
    initial: dict[Place, int]
    final: list[Delivery]
    crossings: dict[Wire, list[Crossing]]
    sources: dict[tuple[int, int, int], Place]
    assignments: Sequence[tuple[bool, int]] = ()
    barriers: Sequence[int] = ()

    @cached_property
    def last_parts(self) -> range:
        """The ids of the last parts of divided messages."""
        last = self.schedule.parts - 1
        ids = [number for number, message in enumerate(self.messages) if last and message.part == last]
        found = range(ids[0], ids[-1] + 1) if ids else range(0)
        assert ids == [*found], "last parts have ids in a row, of which the hardware knows the ends"
        return found


def compile_schedule(
    schedule: Schedule, network: Network, *, lockstep: bool = True, barriers: Sequence[int] = ()
) -> Plan:
    """The plan for a schedule that the checker has accepted.

    In lockstep every port has an entry for each step, or for each message of the packet that it sends in it. In
    dataflow a port has no entries for steps in which it has nothing to do, and there are barriers only where packets
    could wait for each other in a cycle without them (:mod:`fatcube.sim.collectives.phases`), and after the steps ``barriers``. There an entry that sends
    nothing waits for each further message of a packet before its header leaves.

    Ports and banks: packets have the ports of :func:`fatcube.schedules.routes.at_ports`, and in dataflow, where packets of different
    steps meet, those of :func:`~fatcube.schedules.routes.at_ports_of_lanes`, if there is one for each lane and it reaches any. A message is kept in the bank of the
    port at which it first arrived.

    Partial sums: a processor adds up in one slot, over all its banks, until it sends; partial sums that arrive later
    go into a new slot, whose id their senders put into the headers.

    Raises
    ------
    ParameterError
        If the schedule is for another topology or router model than the network, allows steps that the network cannot do,
        or needs more ids than a header can tell apart.
    """
    schedule = check_fits(schedule, network).expanded()
    needed = [] if lockstep else phase_ends(schedule, network)
    compilation = _Compilation(schedule, network, lockstep, sorted({*needed, *barriers}))
    for step, transfers in by_step(schedule):
        compilation.add(step, transfers)
    slots = compilation.slots
    return Plan(
        schedule,
        network,
        lockstep,
        [slot.message for slot in slots],
        sum(slot.message.reduced for slot in slots),
        compilation.in_lockstep() if lockstep else compilation.in_dataflow(),
        compilation.initial,
        compilation.final(),
        compilation.crossings,
        compilation.sources,
        barriers=compilation.barriers,
    )


class _Packet(NamedTuple):
    """A packet that is sent in a step: what crosses wires, the moves of its messages, and the route in its header."""

    crossing: Crossing
    moves: list[Move]
    route: list[int]


class _Compilation:
    """The programs, and what crosses every wire, as far as the steps of a schedule were added."""

    def __init__(self, schedule: Schedule, network: Network, lockstep: bool, barriers: Sequence[int]) -> None:
        self.schedule = schedule
        self.network = network
        self.topology = schedule.topology
        self.router = network.router()
        self.copies = self.router.header.copies
        # Where a processor has fewer ports than there are lanes, lanes share ports, and their order in a step is as good.
        unicast = not self.copies and network.options.hops == 1
        self.of_lanes = not lockstep and unicast and network.has_ports_of_lanes
        self.flow = Flow(schedule)
        self.slots = self.flow.slots(network.message_bits)
        self.ids = {slot: number for number, slot in enumerate(self.slots)}
        self.initial = {
            place: self.ids[Slot(message)] for message in self.flow.loaded for place in self.flow.whole(message)
        }
        self.banks = {(processor, number): 0 for (processor, _), number in self.initial.items()}
        self.crossings: dict[Wire, list[Crossing]] = {
            wire: [] for node in range(self.topology.nodes) for wire in wires_of_node(network, node)
        }
        self.sources: dict[tuple[int, int, int], Place] = {}
        self.barriers = barriers
        self.rounds = Rounds(self.barriers)
        # The entries of each step, at each port of each processor: several where a packet has several messages.
        self.entries = [
            [[[Entry()] for _ in range(schedule.steps)] for _ in range(self.router.ports)]
            for _ in range(self.topology.processors)
        ]

    def add(self, step: int, transfers: Sequence[Transfer]) -> None:
        """Add a step: steps are added in their order."""
        sending: dict[tuple[int, int], list[_Packet]] = {}
        arrivals: dict[Place, int] = {}
        for members, sent_at, port in self._ported(self.schedule.packets(transfers)):
            transfer = members[0]
            moves = [self.flow.moves[member] for member in members]
            contents = tuple((self.ids[move.target], move.parts) for move in moves)
            crossing = Crossing(step, contents[0][0], contents)
            self._receive(transfer, port, crossing)
            self.rounds.add(
                (transfer.src, sent_at),
                [(transfer.src, self.ids[move.source]) for move in moves],
                [(transfer.dst, number) for number, _ in contents],
            )
            sending.setdefault((transfer.src, sent_at), []).append(
                _Packet(crossing, moves, route_of(transfer, port, self.topology, self.router))
            )
            for number, _ in contents:
                arrivals.setdefault((transfer.dst, number), port)
        for (src, port), packets in sending.items():
            self._send(src, port, packets)
        for place, port in arrivals.items():  # after what is sent: it was held before the step
            self.banks.setdefault(place, port)
        self.rounds.end(step)

    def _ported(self, packets: list[list[Transfer]]) -> Iterator[PortedPacket]:
        """The packets of a step with their ports, in dataflow those of their lanes where routes can begin and end at any."""
        if self.of_lanes:
            return at_ports_of_lanes(packets, self.topology, self.router.ports)
        return at_ports(packets, copies=self.copies)

    def _receive(self, transfer: Transfer, port: int, crossing: Crossing) -> None:
        """Expect a packet at a port, and let it cross the wires on its way."""
        self.entries[transfer.dst][port][crossing.step - 1][0].expect = True
        self.sources[transfer.dst, port, crossing.step] = transfer.src, crossing.message
        for lane in lanes_of(transfer, self.topology):
            self.crossings[lane].append(crossing)
        self.crossings[PortWire("receive", *place_of(transfer.dst, self.topology), port)].append(crossing)

    def _send(self, src: int, port: int, packets: Sequence[_Packet]) -> None:
        """Send a packet of a step from a port of a processor, or the copies of one."""
        crossing, moves, route = packets[0]
        entries = self.entries[src][port][crossing.step - 1]
        entries += [Entry() for _ in moves[1:]]
        for entry, move, (number, _) in zip(entries, moves, crossing.contents):
            entry.header = self.router.header.pack([], number)
            entry.source = self.ids[move.source]
            entry.combine = move.source.message.reduced
            entry.need = move.arrivals
            entry.bank = self.banks.get((src, entry.source), 0)
            entry.send = entry.more = True
        entries[-1].more = False
        routes = [packet.route for packet in packets] if self.copies else route
        entries[0].header = self.router.header.pack(routes, crossing.message)
        self.crossings[PortWire("send", *place_of(src, self.topology), port)].append(crossing)

    def in_lockstep(self) -> list[list[list[Entry]]]:
        """The program of each port of each processor, with entries for every step."""
        return [[[entry for step in port for entry in step] for port in processor] for processor in self.entries]

    def in_dataflow(self) -> list[list[list[Entry]]]:
        """The program of each port of each processor, without gaps."""
        ends = [0, *self.barriers, self.schedule.steps]

        def phases(processor: int, port: int, steps: Sequence[Sequence[Entry]]) -> Iterator[list[Entry]]:
            waits = [self.rounds.waits.get((processor, port, step), 0) for step in range(1, len(steps) + 1)]
            for before, last in pairwise(ends):
                yield _close_up(steps[before:last], waits[before:last])

        return [
            [_with_barriers([*phases(processor, port, steps)]) for port, steps in enumerate(ports)]
            for processor, ports in enumerate(self.entries)
        ]

    def final(self) -> list[Delivery]:
        """The messages that must be held after the steps that were added."""
        return [
            Delivery(
                processor,
                message,
                None if slot.message.reduced else self.banks.get((processor, self.ids[slot]), 0),
                self.ids[slot],
                self.flow.whole(message),
            )
            for processor, message, slot in self.flow.final()
        ]


def most_entries(schedule: Schedule) -> int:
    """Program entries that are enough for every port: one per step, and two per message that shares a packet, which is
    waited for in dataflow."""
    more = Counter(
        transfer.src
        for _, transfers in by_step(schedule)
        for packet in schedule.packets(transfers)
        for transfer in packet[1:]
    )
    return schedule.steps + 2 * max(more.values(), default=0)


def _with_barriers(phases: Sequence[Sequence[Entry]]) -> list[Entry]:
    """The program of a port for dataflow: its phases, with a barrier after each but the last."""
    *ended, last = phases
    program: list[Entry] = []
    for phase in ended:
        *before, end = phase or [Entry()]
        program += [*before, dataclasses.replace(end, sync=True)]
    return [*program, *last]


def _close_up(steps: Sequence[Sequence[Entry]], waits: Sequence[int]) -> list[Entry]:
    """The sends and expectations of these steps without gaps, since in dataflow only their order and number count.

    An entry that only expects takes three cycles of its port. So packets are expected with the first entries that send, and if
    there are too few of these, in the rounds in which the port waits, and the remaining ones in the end.
    """
    packets = [_after_waiting([entry for entry in entries if entry.send]) for entries in steps]
    expected = sum(entry.expect for entries in steps for entry in entries)
    alone = max(0, expected - sum(map(len, packets)))
    with_sends = expected - alone
    program: list[Entry] = []
    for packet, wait in zip(packets, waits, strict=True):
        if packet:
            program += [Entry(expect=True) for _ in range(min(alone, wait))]
            alone -= min(alone, wait)
        for entry in packet:
            program.append(dataclasses.replace(entry, expect=with_sends > 0))
            with_sends -= with_sends > 0
    return program + [Entry(expect=True) for _ in range(alone)]


def _after_waiting(packet: Sequence[Entry]) -> list[Entry]:
    """The entries of a packet, and before those of several messages entries that wait for all but the first."""
    return [*(dataclasses.replace(one, send=False, more=True) for one in packet[1:]), *packet]
