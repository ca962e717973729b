"""The ports and lanes of a network, and a step while it is filled: what all constructions take that fill steps one by one."""

from collections.abc import Sequence

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.step_model import STANDARD, Links, PortUse, StepModel
from fatcube.schedules.symmetry import Link, Symmetry

__all__ = ["Capacity", "Step"]


class Capacity:
    """The ports and lanes that there are, each with its class, looked up once."""

    def __init__(self, topology: Topology, ports: PortModel, symmetry: Symmetry, model: StepModel = STANDARD) -> None:
        self.topology = topology
        self.in_turn = model.port_use is PortUse.SEND_OR_RECEIVE
        shared = model.links is Links.HALF_DUPLEX and not topology.directed
        self.multicast = ports.multicast
        self.ports = ports.processor_ports(topology.degree, topology.m)
        self.classes = [symmetry.processor_class(processor) for processor in range(topology.processors)]
        self.nodes = [topology.node_of(processor) for processor in range(topology.processors)]
        self.received_in_a_step = len(set(self.classes)) * self.ports
        # For each link its class, that of what shares its lanes, and the lanes that it has.
        self.links = {
            (here, there): (
                symmetry.link_class(here, there),
                symmetry.link_class(there, here) if shared else None,
                len(topology.channels_between(here, there)) * topology.f,
            )
            for here in topology.served
            for there in topology.served[here]
        }
        # What a step begins with. No counters: what they lack is slow to read, and they are read more than they count.
        self.no_messages = dict.fromkeys(self.classes, 0)
        self.no_links: dict[Link, int] = dict.fromkeys((link for link, _, _ in self.links.values()), 0)
        self._nearer: dict[tuple[int, int], list[int]] = {}

    def beats(self, moves: Sequence[Move], steps: int, shortest: Sequence[Move]) -> bool:
        """Return whether ``moves``, the first so many ``steps``, can become fewer steps than ``shortest``, if there is one."""
        left = -(-(len(shortest) - len(moves)) // self.received_in_a_step)
        return not shortest or steps + left < shortest[-1].step

    def nearer(self, here: int, goal: int) -> list[int]:
        """The neighbours of node ``here`` that are a hop nearer to node ``goal``."""
        found = self._nearer.get((here, goal))
        if found is None:
            distances = self.topology.served_distances
            hops = distances[here][goal] - 1
            found = [there for there in self.topology.served[here] if distances[there][goal] == hops]
            self._nearer[here, goal] = found
        return found


class Step:
    """One step while it is filled: its moves, and the ports and lanes that they take, by class."""

    def __init__(self, number: int, capacity: Capacity) -> None:
        self.number = number
        self.moves: list[Move] = []
        self.sent = capacity.no_messages.copy()
        self.received = capacity.no_messages.copy()
        self._capacity = capacity
        self._carried = capacity.no_links.copy()
        self._sources: set[tuple[int, Message]] = set()

    def copies(self, src: int, message: Message) -> bool:
        """Return whether the router of ``src`` can copy ``message``, because it is sent already."""
        return self._capacity.multicast and (src, message) in self._sources

    def sends(self, src: int, message: Message) -> bool:
        """Return whether ``src`` can send ``message``."""
        place = self._capacity.classes[src]
        if self._capacity.in_turn and self.received[place]:
            return False
        return self.sent[place] < self._capacity.ports or self.copies(src, message)

    def receives(self, dst: int) -> bool:
        """Return whether ``dst`` can receive one more message."""
        place = self._capacity.classes[dst]
        if self._capacity.in_turn and self.sent[place]:
            return False
        return self.received[place] < self._capacity.ports

    def carries(self, here: int, there: int) -> bool:
        """Return whether one more message can get from node ``here`` to node ``there``."""
        if here == there:
            return True
        link, back, lanes = self._capacity.links[here, there]
        return self._carried[link] + (0 if back is None else self._carried[back]) < lanes

    def take(self, src: int, dst: int, message: Message) -> None:
        """Move ``message`` from ``src`` to ``dst``."""
        here, there = self._capacity.nodes[src], self._capacity.nodes[dst]
        if here != there:
            self._carried[self._capacity.links[here, there][0]] += 1
        self.sent[self._capacity.classes[src]] += 1
        self.received[self._capacity.classes[dst]] += 1
        self._sources.add((src, message))
        self.join(src, dst, message)

    def join(self, src: int, dst: int, message: Message) -> None:
        """Move ``message`` from ``src`` to ``dst`` in a packet that is taken already."""
        self.moves.append(Move(self.number, src, dst, message))
