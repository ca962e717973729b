"""All-gather in packets of several messages, as full as they can be, step by step, on any topology.

In each step the packets with the most that is new to their receivers are taken first; what is new to the whole node of the
receiver may count more, as others of the node can pass it on without a lane. Where that leaves a choice, tries choose by a
pseudo-random order, and the shortest schedule counts. What one node sends every node sends, as far as the topology is the
same from every node; where there are few processors, tries without that symmetry follow. The result is the same in every run.

A processor may forward any message that it holds. Every try therefore terminates: while a processor lacks a message, some
holder can send it to a neighbour that lacks it, so every step delivers at least one new message.
"""

from collections.abc import Iterator, Sequence
import heapq
import itertools
import random

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.schedule import Schedule
from fatcube.schedules.step import StepRules, StepState
from fatcube.schedules.step_model import StepModel
from fatcube.schedules.symmetry import Symmetry

__all__ = ["packed_all_gather"]


TRIES = 300
WORK = 40_000  # packets that all tries examine, with a symmetry; the first try is free
ALONE = 150  # processors that are each examined by themselves
NEWS = (0, 1, 3)  # how much more a message counts that is new to a node; tries take one after the other


def packed_all_gather(topology: Topology, ports: PortModel, least_steps: int, model: StepModel) -> Schedule:
    """A :class:`Schedule` of AAB in packets of several messages; tries end with one that has ``least_steps`` steps.

    Of ``model``, the messages in a packet, half-duplex links, and processors that send or receive count.
    """
    best: list[Move] = []
    symmetric = False
    symmetry = Symmetry.of(topology, Collective.AAB, model)
    few = topology.processors <= ALONE
    for one in [symmetry] if symmetry.trivial or not few else [symmetry, Symmetry.none(topology)]:
        case = _Case(topology, ports, one, model)
        work = 0
        for number in range(TRIES):
            gathering = _Gathering(case, random.Random(number), NEWS[number % len(NEWS)])
            found = gathering.moves(best)
            if found is not None:
                best, symmetric = found, not one.trivial
            work += gathering.looked
            if best[-1].step == least_steps or work > WORK:
                break
        if best[-1].step == least_steps:
            break
    return Schedule.from_moves(topology, ports, Collective.AAB, None, best, symmetric=symmetric, model=model)


class _Case:
    """Data shared by all tries: of processors that are images of each other, only those of the bases receive."""

    def __init__(self, topology: Topology, ports: PortModel, symmetry: Symmetry, model: StepModel) -> None:
        self.rules = StepRules(topology, ports, symmetry, model)
        self.symmetry = symmetry
        self.most = int(min(model.most_messages, topology.processors))
        self.receivers = [processor for base in symmetry.bases for processor in topology.processors_of(base)]
        #: For each receiver the processors that can send to it.
        self.senders = {
            dst: [
                src
                for node in (topology.node_of(dst), *topology.sources(topology.node_of(dst)))
                for src in topology.processors_of(node)
                if src != dst
            ]
            for dst in self.receivers
        }
        #: For each processor the images of all, by the translation that takes its base to its node.
        self.images: dict[int, list[int]] = {}
        for permutation, base in itertools.product(symmetry.permutations, symmetry.bases):
            image = [place for node in permutation for place in topology.processors_of(node)]
            self.images |= {image[processor]: image for processor in topology.processors_of(base)}


class _Gathering:
    """The messages that processors hold while steps are filled, as sets of origins in the bits of a number."""

    def __init__(self, case: _Case, dice: random.Random, news: int) -> None:
        self._case = case
        self._dice = dice
        self._news = news
        self._held = {processor: 1 << processor for processor in case.receivers}
        self.looked = 0

    def moves(self, shortest: Sequence[Move]) -> list[Move] | None:
        """The moves that bring everything to everybody; ``None`` if they take no fewer steps than ``shortest``."""
        moves: list[Move] = []
        everything = (1 << self._case.rules.topology.processors) - 1
        for number in itertools.count(1):
            if shortest and number >= shortest[-1].step:
                return None
            step = StepState(number, self._case.rules)
            self._fill(step)
            moves += map(self._case.symmetry.representative, step.moves)
            if all(held == everything for held in self._held.values()):
                return moves
        return None

    def _fill(self, step: StepState) -> None:
        """Take packets, those with the most news first, until none has any that fits, and deliver them."""
        before = {
            processor: self._holding(processor) for dst in self._held for processor in (dst, *self._case.senders[dst])
        }
        beside = self._beside()
        held = self._held
        queue = [
            (-self._value(before[src], held[dst], beside[dst]), self._dice.random(), src, dst)
            for dst, senders in self._case.senders.items()
            for src in senders
        ]
        heapq.heapify(queue)
        nodes = self._case.rules.nodes
        while queue:
            said, tie, src, dst = heapq.heappop(queue)
            self.looked += 1
            if not said or not (step.sends(src, _ANY) and step.receives(dst) and step.carries(nodes[src], nodes[dst])):
                continue
            value = self._value(before[src], held[dst], beside[dst])
            if value == -said:
                packet = self._packet(before[src] & ~held[dst], beside[dst])
                step.move(src, dst, Message(packet[0], None))
                for origin in packet[1:]:
                    step.join(src, dst, Message(origin, None))
                for origin in packet:
                    held[dst] |= 1 << origin
                    for other in self._neighbours(dst):
                        beside[other] |= 1 << origin
                value = self._value(before[src], held[dst], beside[dst])
            heapq.heappush(queue, (-value, tie, src, dst))

    def _holding(self, processor: int) -> int:
        """The origins whose messages any processor holds."""
        image = self._case.images[processor]
        own = self._held[self._case.rules.classes[processor]]
        if image[0] == 0:
            return own
        return sum(1 << image[origin] for origin in _bits(own))

    def _neighbours(self, dst: int) -> Sequence[int]:
        """All processors of the node of a receiver."""
        topology = self._case.rules.topology
        return topology.processors_of(topology.node_of(dst))

    def _beside(self) -> dict[int, int]:
        """For each receiver the origins whose messages its node holds."""
        found = {}
        for dst in self._held:
            origins = 0
            for other in self._neighbours(dst):
                origins |= self._held[other]
            found[dst] = origins
        return found

    def _value(self, sent: int, held: int, beside: int) -> int:
        """The value of a packet to a receiver."""
        new = sent & ~held
        most = self._case.most
        return min(most, new.bit_count()) + self._news * min(most, (new & ~beside).bit_count())

    def _packet(self, new: int, beside: int) -> list[int]:
        """The origins of the messages of a packet: at first those that are new to the node."""
        origins = list(_bits(new))
        if len(origins) > self._case.most:
            order = {origin: (beside >> origin & 1, self._dice.random()) for origin in origins}
            origins = sorted(origins, key=order.__getitem__)[: self._case.most]
        return origins


_ANY = Message(None, None)  # nothing that is copied


def _bits(number: int) -> Iterator[int]:
    """The places of the ones of a number."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low
