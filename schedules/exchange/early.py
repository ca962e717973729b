"""Packets timed as early as what they wait for allows, one packet per lane and step.

List scheduling: step after step, of the packets that wait for nothing any more those with the longest chain of others
behind them go first, in so far as ports and lanes are free.
"""

from collections import Counter
from collections.abc import Sequence
import heapq
import random
from typing import NamedTuple, assert_never

from fatcube.groundwork.validation import ParameterError, check_count
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.step_model import Links, PortUse, StepModel

__all__ = ["MOST_PACKETS", "Packet", "Task", "timed"]


MOST_PACKETS = 400_000  # as many as a schedule file has room for
_ATTEMPTS = 16
_FEW = 20_000  # packets of which several orders are tried


class Packet(NamedTuple):
    """A message that goes from processor ``src`` to processor ``dst``; ``way`` are the nodes that a direct transfer over
    several links enters, that of ``dst`` last."""

    src: int
    dst: int
    message: Message
    way: tuple[int, ...] = ()


class Task(NamedTuple):
    """Something that is done when all tasks ``after`` which it comes, given by their positions, are done.

    One with a packet takes a step; one without takes no time. Packets of a lower ``rank`` go first on a lane.
    """

    after: tuple[int, ...]
    packet: Packet | None = None
    rank: int = 0


def timed(tasks: Sequence[Task], topology: Topology, ports: PortModel, model: StepModel) -> list[Move]:
    """The packets of tasks, each in its step: the shortest of some orders of packets with chains of the same length.

    The first order is that of the tasks, the others are drawn, always the same ones.

    Parameters
    ----------
    tasks : sequence of :class:`Task`
        Each comes only after earlier ones.
    topology : :class:`Topology`
        It has the links that the packets cross.
    ports, model
        What a step allows. Packets have one message each, though the model may allow more.

    Raises
    ------
    ParameterError
        If there are too many packets, or the model restricts partners or ports in a way that is not counted here.
    """
    check_count("packets", sum(task.packet is not None for task in tasks), maximum=MOST_PACKETS, what="of a schedule")
    if model.port_use is PortUse.ONE_PARTNER or model.dedicated_ports:
        raise ParameterError(f"step model must leave ports free for packets that have no steps yet, not be {model}")
    waits = [len(task.after) for task in tasks]
    then: list[list[int]] = [[] for _ in tasks]
    for number, task in enumerate(tasks):
        for other in task.after:
            then[other].append(number)
    behind = [0] * len(tasks)  # packets in the longest chain that begins with a task
    for number in range(len(tasks) - 1, -1, -1):
        last = max((behind[other] for other in then[number]), default=0)
        behind[number] = last + (tasks[number].packet is not None)
    draws = random.Random(0)
    best: list[Move] = []
    for attempt in range(_ATTEMPTS if sum(task.packet is not None for task in tasks) <= _FEW else 1):
        order = [draws.random() if attempt else number for number in range(len(tasks))]
        urgency = [(task.rank, -behind[number], order[number]) for number, task in enumerate(tasks)]
        moves = _in_steps(tasks, waits.copy(), then, urgency, _Room(topology, ports, model))
        if not best or moves[-1].step < best[-1].step:
            best = moves
    return best


def _in_steps(
    tasks: Sequence[Task],
    waits: list[int],
    then: Sequence[Sequence[int]],
    urgency: Sequence[tuple[int, int, float]],
    room: "_Room",
) -> list[Move]:
    """The packets of tasks, step after step, the lowest ``urgency`` first.

    ``waits`` are how many tasks each still waits for, and ``then`` those that wait for it.
    """
    ready: dict[tuple[int, int, tuple[int, ...]], list[tuple[tuple[int, int, float], int]]] = {}  # by what they cross

    def release(numbers: list[int]) -> None:
        """Go on with tasks that wait for nothing: packets become ready, and the others are done."""
        while numbers:
            number = numbers.pop()
            packet = tasks[number].packet
            if packet is None:
                numbers += done(number)
            else:
                key = packet.src, packet.dst, packet.way
                heapq.heappush(ready.setdefault(key, []), (urgency[number], number))

    def done(number: int) -> list[int]:
        """The tasks that wait for nothing any more, now that this one is done."""
        free = []
        for other in then[number]:
            waits[other] -= 1
            if not waits[other]:
                free.append(other)
        return free

    release([number for number, left in enumerate(waits) if not left])
    moves: list[Move] = []
    step = 0
    while ready:
        step += 1
        room.clear()
        sent: list[int] = []
        heads = [(*queue[0], key) for key, queue in ready.items()]
        heapq.heapify(heads)
        while heads:
            _, number, key = heapq.heappop(heads)
            packet = tasks[number].packet
            assert packet is not None
            if room.takes(packet):
                sent.append(number)
                moves.append(Move(step, packet.src, packet.dst, packet.message, packet.way))
                queue = ready[key]
                heapq.heappop(queue)
                if queue:
                    heapq.heappush(heads, (*queue[0], key))
                else:
                    del ready[key]
        release([free for number in sent for free in done(number)])
    return moves


class _Room:
    """The ports and lanes that are taken in a step."""

    def __init__(self, topology: Topology, ports: PortModel, model: StepModel) -> None:
        self._topology = topology
        self._wired = model.lanes_of(topology)
        self._ports = ports.processor_ports(topology.degree, topology.m)
        self._multicast = ports.multicast
        self._in_turn = model.port_use is PortUse.SEND_OR_RECEIVE
        self._links = model.links
        self._lanes: dict[tuple[int, int], int] = {}
        self.clear()

    def clear(self) -> None:
        """The next step, in which all is free."""
        self._sent: Counter[int] = Counter()
        self._received: Counter[int] = Counter()
        self._carried: Counter[tuple[int, int]] = Counter()
        self._sources: set[tuple[int, Message]] = set()
        self._arrived: set[tuple[int, Message]] = set()

    def takes(self, packet: Packet) -> bool:
        """Take ports and lanes for a packet, if they are free, and return whether they were."""
        src, dst = packet.src, packet.dst
        here = self._topology.node_of(src)
        ways = []
        for there in packet.way or (self._topology.node_of(dst),):
            if there != here:
                ways.append((here, there))
            here = there
        copied = self._multicast and (src, packet.message) in self._sources
        if not copied and self._sent[src] >= self._ports:
            return False
        if self._received[dst] >= self._ports or (dst, packet.message) in self._arrived:
            return False
        if self._in_turn and (self._received[src] or self._sent[dst]):
            return False
        if not all(map(self._carries, ways)):
            return False
        self._sent[src] += not copied
        self._received[dst] += 1
        self._carried.update(ways)
        self._sources.add((src, packet.message))
        if not packet.message.reduced:
            self._arrived.add((dst, packet.message))
        return True

    def _carries(self, link: tuple[int, int]) -> bool:
        """Whether a lane of a link is free."""
        lanes = self._lanes.get(link)
        if lanes is None:
            lanes = self._lanes[link] = len(self._wired.lanes_between(*link))
        match self._links:
            case Links.FULL_DUPLEX | Links.SIMPLEX:
                return self._carried[link] < lanes
            case Links.HALF_DUPLEX:
                return self._carried[link] + self._carried[link[1], link[0]] < lanes
            case _:
                assert_never(self._links)
