"""From a schedule to what the processors are loaded with, and to what every wire must then show."""

from collections import Counter
import dataclasses
from itertools import pairwise
from typing import NamedTuple

from groundwork.validation import ParameterError
from noc.network import Network
from noc.wires import Wire
from schedules.collective import Collective, Message
from schedules.schedule import Schedule
from sim.routes import lane_of, place_of, route_of

__all__ = ["Crossing", "Delivery", "Entry", "Plan", "compile_schedule", "most_entries"]


@dataclasses.dataclass
class Entry:
    """What one port does in one step: see :class:`rtl.endpoint.program.ProgramEntry`."""

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
        Its messages in order, the first the one of its header, each with those (processor, id) of ``Plan.initial``
        whose sum its payload is; one, if it is no sum.
    """

    step: int
    message: int
    contents: tuple


@dataclasses.dataclass(frozen=True)
class Delivery:
    """A message that must be held after the run.

    Attributes
    ----------
    processor : :class:`int`
    message : :class:`Message`
    bank : :class:`int` or ``None``
        Where it arrived; ``None`` for the sum over all banks.
    slot : :class:`int`
        The id under which it is held.
    parts : tuple of (processor, id)
        Those of ``Plan.initial`` whose sum it is, as in :class:`Crossing`.
    """

    processor: int
    message: Message
    bank: int | None
    slot: int
    parts: tuple


@dataclasses.dataclass(frozen=True)
class Plan:
    """A schedule in terms of one network's hardware.

    Attributes
    ----------
    messages : list of :class:`Message`
        What each id stands for. Only partial sums of the same message can have several ids.
    reduced : :class:`int`
        Ids below this are partial sums.
    programs : list of list of list of :class:`Entry`
        For each processor and port its entries.
    initial : list of (processor, id)
        What is held before the run, in bank 0.
    final : list of :class:`Delivery`
        What must be held after the run.
    crossings : dict from :class:`Wire` to list of :class:`Crossing`
        What crosses each wire, in the order of the steps.
    sources : dict from (processor, port, step) to (processor, id)
        Who sends what a receiving port waits for.
    """

    schedule: Schedule
    network: Network
    lockstep: bool
    messages: list
    reduced: int
    programs: list
    initial: list
    final: list
    crossings: dict
    sources: dict


def compile_schedule(schedule, network, *, lockstep=True):
    """The plan for a schedule that the checker has accepted.

    In lockstep every port has an entry for each step, or for each message of the packet that it sends in it. In
    dataflow a port has no entries for steps in which it has nothing to do, and there are barriers only where packets
    would have to wait for each other in a ring without them: see :func:`_barriers`.

    Ports and banks: the packets that a processor sends in a step take its sending ports in order, those that
    it receives its receiving ports, and a message is kept in the bank of the port at which it first arrived.

    Partial sums: a processor adds up in one slot, over all its banks, until it sends; what arrives from that
    step on goes into a new slot, and whoever sends it puts the new slot's id into the header.

    Raises
    ------
    ParameterError
        If the schedule is for another topology or router model than the network, or needs more ids than a
        header can tell apart, or its packets have several messages in dataflow.
    """
    if schedule.per_packet > 1 and not lockstep:
        # A packet that waits for its next message would hold what that message may need to come.
        raise ParameterError(f"per_packet must be 1 in dataflow, not {schedule.per_packet}; run it in lockstep")
    schedule = schedule.expanded()
    topology = schedule.topology
    if topology != network.topology or schedule.ports is not network.ports:
        raise ParameterError(f"schedule must be for {network}, not for {topology} ports={schedule.ports.value}")
    router = network.router()
    multicast = router.header.multicast
    flow = _Flow(schedule)
    slots = flow.slots(network.message_bits)
    ids = {slot: number for number, slot in enumerate(slots)}

    programs = [
        [[[Entry()] for _ in range(schedule.steps)] for _ in range(router.ports)] for _ in range(topology.processors)
    ]
    initial = [place for message in flow.loaded for place in flow.whole(message)]
    banks = dict.fromkeys(initial, 0)
    crossings = {wire: [] for node in range(topology.nodes) for wire in Wire.of_node(network, node)}
    sources = {}

    for step, transfers in _by_step(schedule):
        receiving, sending, arrivals = {}, {}, {}
        for packet in schedule.packets(transfers):
            transfer, moves = packet[0], [flow.moves[one] for one in packet]
            src, dst = transfer.src, transfer.dst
            contents = tuple((ids[move.target], move.parts) for move in moves)
            crossing = Crossing(step, contents[0][0], contents)
            arriving_port = receiving.setdefault(dst, 0)
            receiving[dst] += 1
            programs[dst][arriving_port][step - 1][0].expect = True
            sources[dst, arriving_port, step] = src, crossing.message
            for number, _ in contents:
                arrivals.setdefault((dst, number), arriving_port)

            route = route_of(transfer, arriving_port, topology, router)
            sending.setdefault(src, []).append((crossing, moves, route))
            if transfer.lane is not None:
                crossings[lane_of(transfer, topology)].append(crossing)
            crossings[Wire("receive", *place_of(dst, topology), arriving_port)].append(crossing)

        for src, packets in sending.items():
            if multicast:
                packets = [(*packets[0][:2], [route for _, _, route in packets])]
            for port, (crossing, moves, route) in enumerate(packets):
                entries = programs[src][port][step - 1]
                entries += [Entry(more=True) for _ in moves[1:]]
                entries[0].more, entries[-1].more = len(moves) > 1, False
                for entry, move, (number, _) in zip(entries, moves, crossing.contents):
                    source = ids[move.source]
                    entry.header = router.header.pack([], number)
                    entry.source = source
                    entry.combine = move.source.message.reduced
                    entry.need = move.arrivals
                    entry.bank = banks.get((src, source), 0)
                    entry.send = True
                entries[0].header = router.header.pack(route, crossing.message)
                crossings[Wire("send", *place_of(src, topology), port)].append(crossing)
        for key, port in arrivals.items():
            banks.setdefault(key, port)

    programs = [[[entry for entries in port for entry in entries] for port in processor] for processor in programs]
    if not lockstep:
        barriers = _barriers(schedule) if multicast else []
        programs = [[_in_phases(port, barriers) for port in processor] for processor in programs]
    final = []
    for processor, message, slot in flow.final():
        bank = None if slot.message.reduced else banks.get((processor, ids[slot]), 0)
        final.append(Delivery(processor, message, bank, ids[slot], flow.whole(message)))
    reduced = sum(slot.message.reduced for slot in slots)
    return Plan(
        schedule,
        network,
        lockstep,
        [slot.message for slot in slots],
        reduced,
        programs,
        initial,
        final,
        crossings,
        sources,
    )


def most_entries(schedule):
    """Program entries with which no port runs short: one a step, and one for every message that shares a packet."""
    more = Counter(
        transfer.src
        for _, transfers in _by_step(schedule)
        for packet in schedule.packets(transfers)
        for transfer in packet[1:]
    )
    return schedule.steps + max(more.values(), default=0)


class _Slot(NamedTuple):
    """A place in every message memory: a message, and how often a partial sum of it was sent away before."""

    message: Message
    generation: int = 0


@dataclasses.dataclass(frozen=True)
class _Move:
    """What a transfer moves: from which slot into which, the sum of what, and after how many arrivals."""

    source: _Slot
    target: _Slot
    parts: tuple
    arrivals: int


class _Flow:
    """A schedule followed step by step: the :class:`_Move` of each transfer, and what is where in the end."""

    def __init__(self, schedule):
        self.schedule = schedule
        self.topology = schedule.topology
        messages = schedule.collective.messages(self.topology, schedule.root, schedule.parts)
        self._sums = {}  # all-reduce: of the message that tells a complete sum to all, the sum
        if schedule.collective is Collective.ALL_REDUCE:
            self._sums = {
                message: Message(None, message.origin, message.part) for message in messages if not message.reduced
            }
        # What is loaded before the run, by the ids under which it is.
        self.loaded = {
            message: number
            for number, message in enumerate(message for message in messages if message not in self._sums)
        }
        self._whole = {
            message: tuple((processor, number) for processor in message.origins(self.topology))
            for message, number in self.loaded.items()
        }
        self._order = {message: number for number, message in enumerate(messages)}
        self._used = {_Slot(message) for message in messages}
        self._generation = {}
        # What a processor has accumulated in its slot for a partial sum.
        self._parts = {
            (part[0], _Slot(message)): (part,)
            for message in self.loaded
            if message.reduced
            for part in self._whole[message]
        }
        self._arrivals = dict.fromkeys(self._parts, 1)
        self.moves = {}
        for _, transfers in _by_step(schedule):
            self._step(transfers)

    def _step(self, transfers):
        # First all that is sent: what arrives in this step goes to other slots.
        sent = {(transfer.src, transfer.message): self._send(transfer.src, transfer.message) for transfer in transfers}
        for processor, message in sent:
            if message.reduced:
                self._generation[processor, message] = self._generation.get((processor, message), 0) + 1
        for transfer in transfers:
            source, parts, arrivals = sent[transfer.src, transfer.message]
            target = self._slot(transfer.dst, transfer.message)
            self.moves[transfer] = _Move(source, target, parts, arrivals)
            self._used.update((source, target))
            if transfer.message.reduced:
                place = transfer.dst, target
                self._parts[place] = (*self._parts.get(place, ()), *parts)
                self._arrivals[place] = self._arrivals.get(place, 0) + 1

    def _slot(self, processor, message):
        """Where ``processor`` adds up or holds ``message`` now."""
        return _Slot(message, self._generation.get((processor, message), 0))

    def _holds(self, processor, message):
        """The slot from which ``processor`` has ``message``: who has made a complete sum has it there."""
        if processor == message.origin and message in self._sums:
            message = self._sums[message]
        return self._slot(processor, message)

    def _send(self, processor, message):
        slot = self._holds(processor, message)
        parts = self._parts.get((processor, slot), ()) if message.reduced else self.whole(message)
        return slot, parts, self._arrivals.get((processor, slot), 0)

    def whole(self, message):
        """The ``(processor, id)`` whose sum a message is when it is complete."""
        return self._whole[self._sums.get(message, message)]

    def slots(self, bits):
        """All slots, by their ids: partial sums first, those that are loaded first of all."""
        slots = sorted(
            self._used, key=lambda slot: (not slot.message.reduced, slot.generation, self._order[slot.message])
        )
        if len(slots) > 1 << bits:
            why = (
                "a processor that is sent partial sums after it has sent its own needs more ids"
                if self.schedule.parts == 1
                else f"the network must be made for {self.schedule.parts} parts"
            )
            raise ParameterError(
                f"message ids must be at most {1 << bits}, which is what a header of this network can "
                f"tell apart, not {len(slots)}: {why}"
            )
        return slots

    def final(self):
        """Who must hold which message in the end, and in which slot: ``(processor, message, slot)``."""
        return [
            (processor, message, self._holds(processor, message))
            for message in self._order
            if message not in self._sums.values()  # told to all, and looked at there
            for processor in message.destinations(self.topology)
        ]


def _by_step(schedule):
    steps = {}
    for transfer in schedule.transfers:
        steps.setdefault(transfer.step, []).append(transfer)
    return sorted(steps.items())


def _barriers(schedule):
    """The steps after which all processors must wait for each other in dataflow, if the routers copy.

    All copies of a packet go on only as fast as the slowest. So while one holds the output to a processor, another
    may wait in the next router for an output that a copy of another packet holds, and so on in a ring, if packets
    are longer than buffers. In a step no two packets want the same output, but in dataflow packets of different
    steps meet.

    The barriers divide the run into phases. **In no phase does a processor that is sent a copy receive another
    packet too.** That is enough:

    - A packet that is not copied waits for nothing once it has the output to its processor: it then holds all
      outputs on its way, its sender does not pause, and processors take what comes. So it ends, and so does the
      wait for such an output, as all who want it take turns.
    - A copy that comes to the end of a lane's buffer has its output at once: no other packet wants the same.
    - Before it in that buffer are only packets that its own router admitted before it. So in each router the
      packets that are admitted end, one after the other, whatever happens in others.
    - A packet that is not admitted yet waits in turn for outputs that admitted ones hold.
    - So all that is sent arrives. A processor that waits for a message that it is to send holds no output
      meanwhile, and the message is sent in a step before.

    By this rule schedules without copies need no barrier, nor do broadcasts (OAB), in which a processor receives
    one packet; and a single step is always a phase, as the port model lets a processor receive one packet in it.
    """
    barriers = []
    reached, copied = set(), set()
    for step, transfers in _by_step(schedule):
        packets = Counter(transfer.src for transfer in transfers)
        reached_now = {transfer.dst for transfer in transfers}
        copied_now = {transfer.dst for transfer in transfers if packets[transfer.src] > 1}
        if copied_now & reached or reached_now & copied:
            barriers.append(step - 1)
            reached, copied = set(), set()
        reached |= reached_now
        copied |= copied_now
    return barriers


def _in_phases(entries, barriers):
    """The program of a port for dataflow: phases end with the steps ``barriers``, and in them there are no gaps."""
    program = []
    for before, last in pairwise([0, *barriers]):
        *phase, end = _close_up(entries[before:last]) or [Entry()]
        program += [*phase, dataclasses.replace(end, sync=True)]
    return program + _close_up(entries[barriers[-1] if barriers else 0 :])


def _close_up(entries):
    """Sends and expectations without gaps: for dataflow only their order and their number count."""
    sends = [entry for entry in entries if entry.send]
    expected = sum(entry.expect for entry in entries)
    closed = [dataclasses.replace(entry, expect=index < expected) for index, entry in enumerate(sends)]
    return closed + [Entry(expect=True) for _ in range(expected - len(closed))]
