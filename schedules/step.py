"""The rules of a step while it is filled: ports, partners and lanes that transfers take, for everything that builds schedules.

:class:`StepRules` has the ports and lanes, looked up once, and :class:`StepState` counts those that a step has taken, by
class (:mod:`fatcube.schedules.symmetry`). Where routers copy packets, messages are of the bases. The checker
(:mod:`fatcube.schedules.rules`) states the rules again, on purpose, so that it can judge.
"""

from collections.abc import Hashable, Sequence

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Message, Move
from fatcube.schedules.step_model import STANDARD, Links, PortUse, StepModel
from fatcube.schedules.symmetry import Link, Symmetry

__all__ = ["StepRules", "StepState"]


class StepRules:
    """The ports and lanes of a network, each with its class, and the rules by which a step uses them.

    The messages in a packet are not counted here: a construction that fills packets does that. Lanes are numbered when
    a step is full (:meth:`fatcube.schedules.schedule.Schedule.from_moves`); so where a channel has several of them, a processor
    with dedicated ports exchanges one packet with each neighbour, though several channels may lead there.
    """

    def __init__(self, topology: Topology, ports: PortModel, symmetry: Symmetry, model: StepModel = STANDARD) -> None:
        self.topology = topology
        self.symmetry = symmetry
        self.in_turn = model.port_use is PortUse.SEND_OR_RECEIVE
        self.one_partner = model.port_use is PortUse.ONE_PARTNER
        self.dedicated = model.dedicated_ports
        #: True if a rule concerns the sender and the receiver together.
        self.paired = self.one_partner or self.dedicated
        self.copies = ports.copies
        self.ports = ports.processor_ports(topology.degree, topology.m)
        self.classes = [symmetry.processor_class(processor) for processor in range(topology.processors)]
        self.nodes = [topology.node_of(processor) for processor in range(topology.processors)]
        self.received_in_a_step = len(set(self.classes)) * self.ports
        shared = model.links is Links.HALF_DUPLEX and not topology.directed
        wired = model.lanes_of(topology)
        #: For each link its class, the class of the link that shares its lanes, and the number of its lanes.
        self.links = {
            (here, there): (
                symmetry.link_class(here, there),
                symmetry.link_class(there, here) if shared else None,
                len(wired.lanes_between(here, there)),
            )
            for here in range(topology.nodes)
            for there in topology.adjacent[here]
        }
        # The counts of an empty step: dictionaries, as a Counter is slow to read for keys that it lacks.
        self.no_messages = dict.fromkeys(self.classes, 0)
        self.no_links: dict[Link, int] = dict.fromkeys((link for link, _, _ in self.links.values()), 0)
        self._nearer: dict[tuple[int, int], list[int]] = {}
        self._partners: dict[tuple[int, int], tuple[tuple[int, int], tuple[int, int]]] = {}
        self._dedicated_ports: dict[tuple[int, int, tuple[int, ...]], list[tuple[Hashable, int]]] = {}

    def nearer(self, here: int, goal: int) -> list[int]:
        """The neighbours of node ``here`` that are a hop nearer to node ``goal``."""
        found = self._nearer.get((here, goal))
        if found is None:
            distances = self.topology.served_distances
            hops = distances[here][goal] - 1
            found = [there for there in self.topology.served[here] if distances[there][goal] == hops]
            self._nearer[here, goal] = found
        return found

    def partners(self, src: int, dst: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """The classes of two processors, each with the partner that it has in the other one, seen from its base."""
        found = self._partners.get((src, dst))
        if found is None:
            seen_from = self.symmetry.seen_from
            found = (self.classes[src], seen_from(src, dst)), (self.classes[dst], seen_from(dst, src))
            self._partners[src, dst] = found
        return found

    def dedicated_ports(self, src: int, dst: int, way: tuple[int, ...]) -> Sequence[tuple[Hashable, int]]:
        """The ports that a packet leaves and enters by, and how many there are of each."""
        found = self._dedicated_ports.get((src, dst, way))
        if found is None:
            path = [self.nodes[src], *(way or (self.nodes[dst],))]
            found = [self._port(True, src, dst, *path[:2]), self._port(False, dst, src, *path[:-3:-1])]
            self._dedicated_ports[src, dst, way] = found
        return found

    def _port(self, sends: bool, processor: int, other: int, here: int, there: int) -> tuple[Hashable, int]:
        """The port of a processor on node ``here`` by which it ``sends`` or receives, and how many there are of it."""
        if here == there:
            return (sends, self.classes[processor], self.symmetry.seen_from(processor, other)), 1
        lanes = self.links[(here, there) if sends else (there, here)][2]
        port = sends, self.classes[processor], self.symmetry.link_class(here, there)
        return port, lanes if self.topology.f == 1 else 1


class StepState:
    """One step while it is filled: its moves, and the ports and lanes that they take, by class.

    :meth:`takes` checks all rules for a transfer. Its parts are methods too, as many transfers have most of them in common.
    """

    def __init__(self, number: int, rules: StepRules) -> None:
        self.number = number
        self.moves: list[Move] = []
        #: Packets, each copy counted, and so those received.
        self.sent = rules.no_messages.copy()
        self.received = rules.no_messages.copy()
        self._rules = rules
        self._carried = rules.no_links.copy()
        #: The packets that routers can copy, and whether they go beyond the neighbours, for which there is one copy.
        self._far: dict[tuple[int, Message], bool] = {}
        self._arrived: set[tuple[int, Message]] = set()
        self._partners: dict[int, int] = {}
        self._taken: dict[Hashable, int] = {}

    def takes(self, src: int, dst: int, message: Message, way: tuple[int, ...] = ()) -> bool:
        """Return whether ``message`` can go from ``src`` to ``dst``; if directly, on the ``way`` through these nodes."""
        rules = self._rules
        if not (self.sends(src, message) and self.receives(dst)) or (dst, message) in self._arrived:
            return False
        if not self.carries(rules.nodes[src], rules.nodes[dst]) if len(way) < 2 else not self.carries_along(src, way):
            return False
        if (rules.in_turn or rules.paired) and not (self.meets(src, dst) and self._has_ports(src, dst, way)):
            return False
        return len(way) < 2 or not self.copies(src, message)

    def take(self, src: int, dst: int, message: Message, way: tuple[int, ...] = ()) -> bool:
        """Take the ports and lanes of a transfer if they are free, and return whether they were."""
        if not self.takes(src, dst, message, way):
            return False
        self.add(src, dst, message, way)
        return True

    def copies(self, src: int, message: Message) -> bool:
        """Return whether the router of ``src`` can copy ``message``, because it is sent already, and not beyond neighbours."""
        return self._rules.copies and not self._far.get((src, message), True)

    def sends(self, src: int, message: Message) -> bool:
        """Return whether ``src`` can send ``message``."""
        rules = self._rules
        place = rules.classes[src]
        if rules.in_turn and self.received[place]:
            return False
        return self.sent[place] < rules.ports or self.copies(src, message)

    def receives(self, dst: int) -> bool:
        """Return whether ``dst`` can receive one more message."""
        rules = self._rules
        place = rules.classes[dst]
        if rules.in_turn and self.sent[place]:
            return False
        return self.received[place] < rules.ports

    def carries(self, here: int, there: int) -> bool:
        """Return whether one more message can get from node ``here`` to node ``there``."""
        return here == there or self.left(here, there) > 0

    def left(self, here: int, there: int) -> int:
        """Return how many lanes from node ``here`` to node ``there`` are free."""
        link, back, lanes = self._rules.links[here, there]
        return lanes - self._carried[link] - (0 if back is None else self._carried[back])

    def carries_along(self, src: int, way: Sequence[int]) -> bool:
        """Return whether one more message can get from ``src`` to all nodes of a ``way``, which may cross a class twice."""
        crossed: list[Link] = []
        here = self._rules.nodes[src]
        for there in way:
            link, back, lanes = self._rules.links[here, there]
            taken = self._carried[link] + crossed.count(link)
            if back is not None:
                taken += self._carried[back] + crossed.count(back)
            if taken >= lanes:
                return False
            crossed.append(link)
            here = there
        return True

    def meets(self, src: int, dst: int) -> bool:
        """Return whether ``src`` may send and ``dst`` receive, each with the other as its partner."""
        rules = self._rules
        if rules.in_turn:
            return rules.classes[src] != rules.classes[dst]  # always so of neighbours
        if not rules.one_partner:
            return True
        first, second = rules.partners(src, dst)
        if first != second and first[0] == second[0]:
            return False
        return all(self._partners.get(place, seen) == seen for place, seen in (first, second))

    def pairs(self, src: int, dst: int) -> bool:
        """Return whether neighbours may exchange a packet, with the ports for that: always if not ``paired``."""
        return self.meets(src, dst) and self._has_ports(src, dst)

    def _has_ports(self, src: int, dst: int, way: tuple[int, ...] = ()) -> bool:
        """Return whether the dedicated ports by which a packet leaves and enters are free."""
        rules = self._rules
        return not rules.dedicated or all(
            self._taken.get(port, 0) < most for port, most in rules.dedicated_ports(src, dst, way)
        )

    def add(self, src: int, dst: int, message: Message, way: tuple[int, ...] = ()) -> None:
        """Take the ports and lanes of a packet with ``message`` from ``src`` to ``dst``."""
        rules = self._rules
        here = rules.nodes[src]
        for there in way or (rules.nodes[dst],):
            if here != there:
                self._carried[rules.links[here, there][0]] += 1
            here = there
        self.sent[rules.classes[src]] += 1
        self.received[rules.classes[dst]] += 1
        if message.origin is not None:  # partial sums may be added up
            self._arrived.add((dst, message))
        if rules.copies:
            self._far[src, message] = len(way) > 1
        if rules.one_partner:
            self._partners.update(rules.partners(src, dst))
        if rules.dedicated:
            for port, _ in rules.dedicated_ports(src, dst, way):
                self._taken[port] = self._taken.get(port, 0) + 1

    def move(self, src: int, dst: int, message: Message) -> None:
        """Move ``message`` from ``src`` to ``dst`` in a packet of its own."""
        self.add(src, dst, message)
        self.join(src, dst, message)

    def join(self, src: int, dst: int, message: Message) -> None:
        """Move ``message`` from ``src`` to ``dst`` in a packet that is taken already."""
        self.moves.append(Move(self.number, src, dst, message))
