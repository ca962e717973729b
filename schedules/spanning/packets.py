"""The spanning-graphs paper's model of communication, executed: packets of at most B elements in routing cycles.

A packet goes from a node of the n-cube to a neighbour in one routing cycle and carries pieces of data; data that
arrives in a cycle can be forwarded in the next one. An :class:`Execution` consists of its packets only:
:func:`check_execution` follows every element from its origin, without assumptions on how the execution was made.
:func:`to_schedule` converts it to a schedule that runs on the routers.
"""

from collections import Counter
from collections.abc import Sequence
import dataclasses
from math import gcd
from typing import NamedTuple, TypeAlias

from fatcube.groundwork.validation import ParameterError, check_choice, check_integer
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.checker import ScheduleError
from fatcube.schedules.collective import Collective, Message
from fatcube.schedules.schedule import Schedule, Transfer
from fatcube.schedules.step_model import StepModel

__all__ = [
    "N_PORT",
    "ONE_PORT",
    "PORTS",
    "SEND_AND_RECEIVE",
    "SEND_OR_RECEIVE",
    "Edge",
    "Execution",
    "Packet",
    "Piece",
    "Price",
    "check_execution",
    "to_schedule",
]


ONE_PORT = "one-port"
SEND_AND_RECEIVE = "send and receive"
SEND_OR_RECEIVE = "send or receive"
N_PORT = "n-port"
PORTS = {
    ONE_PORT: "a node exchanges packets with one other node in a cycle",
    SEND_AND_RECEIVE: "a node sends one packet and receives one in a cycle, with any partners",
    SEND_OR_RECEIVE: "a node sends one packet or receives one in a cycle",
    N_PORT: "a node sends a packet and receives one on each of its n ports in a cycle",
}
"""The paper's assumptions on the ports that a node can use in a cycle (sections 2, 4.1.1 and 4.1.5)."""


class Piece(NamedTuple):
    """Elements ``first`` to ``stop`` - 1 of the M that ``origin`` has for ``target``, or for all nodes (``None``)."""

    origin: int
    target: int | None
    first: int
    stop: int

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.stop - self.first


class Edge(NamedTuple):
    """The link from node ``src`` to its neighbour ``dst``."""

    src: int
    dst: int

    @property
    def dimension(self) -> int:
        """The dimension in which ``src`` and ``dst`` differ."""
        return (self.src ^ self.dst).bit_length() - 1


class Packet(NamedTuple):
    """The elements that ``src`` sends to its neighbour ``dst`` in one cycle."""

    src: int
    dst: int
    pieces: tuple[Piece, ...]

    @property
    def edge(self) -> Edge:
        """The edge that the packet crosses."""
        return Edge(self.src, self.dst)

    @property
    def size(self) -> int:
        """The number of elements."""
        return sum(piece.size for piece in self.pieces)


class Price(NamedTuple):
    """The cost of a communication: ``startups`` tau + ``elements`` t_c.

    Start-ups are routing cycles; the elements are the sum of those of the largest packet of every cycle.
    """

    startups: int
    elements: int

    def time(self, tau: float, t_c: float) -> float:
        """The time if a start-up takes ``tau`` and the transfer of an element takes ``t_c``."""
        return self.startups * tau + self.elements * t_c


@dataclasses.dataclass(frozen=True)
class Execution:
    """A communication on the n-cube, packet by packet.

    Parameters
    ----------
    n : :class:`int`
        Dimensions of the cube, 1 to 16.
    M : :class:`int`
        Elements that an origin has for all nodes together or, if ``personalized``, for every other node.
    B : :class:`int`
        The most elements in a packet (the paper's maximum packet size B_m).
    ports : :class:`str`
        One of :data:`PORTS`.
    personalized : :class:`bool`
        True if every target has data of its own.
    source : :class:`int` or ``None``
        The only origin; ``None`` if every node is one.
    cycles : tuple of tuples of :class:`Packet`
        The packets of each routing cycle.
    symmetric : :class:`bool`
        True if only the packets of origin 0's data are listed, and every other node o does the same with all addresses
        XORed with o. The pieces listed for the edges of one dimension are then one packet on every edge of it.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or if the execution is symmetric and has one source or ports that cannot both
        send and receive.
    """

    n: int
    M: int
    B: int
    ports: str
    personalized: bool
    source: int | None
    cycles: tuple[tuple[Packet, ...], ...]
    symmetric: bool = False

    def __post_init__(self) -> None:
        check_integer("execution n", self.n, minimum=1, maximum=16)
        check_integer("execution M", self.M, minimum=1)
        check_integer("execution B", self.B, minimum=1)
        check_choice("execution ports", self.ports, PORTS)
        if self.source is not None:
            check_integer("execution source", self.source, minimum=0, maximum=self.nodes - 1)
        if self.symmetric and (self.source is not None or self.ports == SEND_OR_RECEIVE):
            raise ParameterError(
                "execution symmetric must be False if it has one source or nodes send or receive, not True"
            )

    @property
    def nodes(self) -> int:
        """Nodes of the cube, N."""
        return 1 << self.n

    @property
    def sizes(self) -> tuple[int, ...]:
        """Elements of the largest packet of each cycle."""
        return tuple(max(_packet_sizes(self, cycle).values(), default=0) for cycle in self.cycles)

    @property
    def largest(self) -> int:
        """Elements of the largest packet that is sent."""
        return max(self.sizes, default=0)

    def expanded(self) -> "Execution":
        """The execution with every origin's packets written out."""
        if not self.symmetric:
            return self
        cycles = []
        for cycle in self.cycles:
            pieces: dict[Edge, list[Piece]] = {}
            for packet in cycle:
                for origin in range(self.nodes):
                    pieces.setdefault(Edge(packet.src ^ origin, packet.dst ^ origin), []).extend(
                        piece._replace(
                            origin=piece.origin ^ origin, target=None if piece.target is None else piece.target ^ origin
                        )
                        for piece in packet.pieces
                    )
            cycles.append(tuple(Packet(*edge, tuple(found)) for edge, found in pieces.items()))
        return dataclasses.replace(self, cycles=tuple(cycles), symmetric=False)


def check_execution(execution: Execution) -> Price:
    """The :class:`Price` of an execution, which is checked to be correct.

    Every packet goes to a neighbour and has 1 to B elements, all of which the sender held before the cycle. An edge
    carries at most one packet per cycle, and nodes respect ``ports``. No element reaches a node twice, personalized
    data is forwarded and not copied, and in the end every target has all M elements of every origin.

    Raises
    ------
    ScheduleError
        If the execution is not correct; the message has the cycle (from 0) and the node.
    """
    held = _Held(execution)
    elements = 0
    for number, cycle in enumerate(execution.cycles):
        where = f"cycle {number}"
        if not cycle:
            raise ScheduleError(f"{where}: nothing is sent")
        held.receive(held.send(cycle, where), where)
        _check_ports(execution, cycle, where)
        largest = max(_packet_sizes(execution, cycle).values())
        if largest > execution.B:
            raise ScheduleError(f"{where}: a packet of {largest} elements, not of {execution.B} at most")
        elements += largest
    held.check_end()
    return Price(len(execution.cycles), elements)


_Data: TypeAlias = tuple[int, int | None]
"""A data set: its origin, and its target if it is personalized."""

_Arrival: TypeAlias = tuple[int, _Data, int]
"""A node, a data set, and the elements of it that reach the node, a bit for each."""


class _Held:
    """The elements that every node holds, followed cycle by cycle."""

    def __init__(self, execution: Execution) -> None:
        self._execution = execution
        self._everything = (1 << execution.M) - 1
        if execution.symmetric:
            origins = [0]
        else:
            origins = range(execution.nodes) if execution.source is None else [execution.source]
        self._demands: set[tuple[int, _Data]] = {
            (node, (origin, node if execution.personalized else None))
            for origin in origins
            for node in range(execution.nodes)
            if node != origin
        }
        self._held = {(data[0], data): self._everything for _, data in self._demands}

    def send(self, cycle: Sequence[Packet], where: str) -> list[_Arrival]:
        """The arrivals of a cycle, all of elements that their senders hold."""
        arrivals: list[_Arrival] = []
        for src, dst, pieces in cycle:
            _check_link(self._execution, src, dst, where)
            if not pieces:
                raise ScheduleError(f"{where}: the packet of node {src} to {dst} is empty")
            for piece in pieces:
                data = piece.origin, piece.target
                arrivals.append((dst, data, self._take(src, data, piece.first, piece.stop, where)))
        return arrivals

    def _take(self, src: int, data: _Data, first: int, stop: int, where: str) -> int:
        """The elements, as bits, that a node sends, and no longer holds if they are personalized."""
        if not 0 <= first < stop <= self._execution.M:
            raise ScheduleError(f"{where}: node {src} sends elements {first} to {stop} of {self._execution.M}")
        mask = (1 << stop) - (1 << first)
        if self._held.get((src, data), 0) & mask != mask:
            raise ScheduleError(f"{where}: node {src} does not hold elements {first} to {stop} of {data}")
        if self._execution.personalized:
            self._held[src, data] ^= mask
        return mask

    def receive(self, arrivals: Sequence[_Arrival], where: str) -> None:
        """Add the elements that have reached nodes to those that they hold, each once."""
        for dst, data, mask in arrivals:
            if self._held.get((dst, data), 0) & mask:
                raise ScheduleError(f"{where}: elements of {data} reach node {dst} again")
            self._held[dst, data] = self._held.get((dst, data), 0) | mask

    def check_end(self) -> None:
        """Refuse an end in which a target lacks an element."""
        for node, data in sorted(self._demands, key=str):
            if self._held.get((node, data), 0) != self._everything:
                raise ScheduleError(f"in the end node {node} does not have all of {data}")


def _check_link(execution: Execution, src: int, dst: int, where: str) -> None:
    N = execution.nodes
    if not (0 <= src < N and 0 <= dst < N and (src ^ dst).bit_count() == 1):
        raise ScheduleError(f"{where}: nodes {src} and {dst} are not neighbours")


def to_schedule(execution: Execution, ports: PortModel | None = None, unit: int | None = None) -> tuple[Schedule, int]:
    """The communication for routers: a :class:`Schedule` of one step per cycle, and the elements of a message.

    Packets have the same contents as in the execution. A :class:`StepModel` with one partner goes with one-port
    communication.

    Parameters
    ----------
    execution : :class:`Execution`
    ports : :class:`PortModel`, optional
        The router model; by default, model d for n-port communication and model 1 for the others.
    unit : :class:`int`, optional
        The elements of a message; by default, the largest number for which no message is split among packets.

    Raises
    ------
    ParameterError
        If a packet splits messages of ``unit`` elements.
    """
    ports = ports or (PortModel.D_PORT if execution.ports == N_PORT else PortModel.ONE)
    collective = {
        (False, True): Collective.OAB,
        (True, True): Collective.OAS,
        (False, False): Collective.AAB,
        (True, False): Collective.AAS,
    }[execution.personalized, execution.source is not None]
    cycles = execution.expanded().cycles
    whole = gcd(
        execution.M,
        *(
            bound
            for cycle in cycles
            for packet in cycle
            for piece in packet.pieces
            for bound in (piece.first, piece.stop)
        ),
    )
    unit = whole if unit is None else unit
    if unit < 1 or whole % unit:
        raise ParameterError(f"unit must be a divisor of {whole}, or packets tear messages apart, not {unit}")
    transfers = tuple(
        Transfer(step, src, dst, Message(origin, target, part), 0)
        for step, cycle in enumerate(cycles, start=1)
        for src, dst, pieces in cycle
        for origin, target, first, stop in pieces
        for part in range(first // unit, stop // unit)
    )
    return Schedule(
        Hypercube(execution.n),
        ports,
        collective,
        execution.source,
        transfers,
        parts=execution.M // unit,
        model=StepModel(per_packet=max(1, execution.largest // unit)),
    ), unit


def _packet_sizes(execution: Execution, cycle: Sequence[Packet]) -> Counter[int | Edge]:
    """The elements of every packet of a cycle, by its edge, or its dimension if it is the same at every node."""
    sizes: Counter[int | Edge] = Counter()
    for packet in cycle:
        sizes[packet.edge.dimension if execution.symmetric else packet.edge] += packet.size
    return sizes


def _check_ports(execution: Execution, cycle: Sequence[Packet], where: str) -> None:
    if execution.symmetric:  # a packet in a dimension: every node sends it, and receives one, with one partner
        used = {packet.edge.dimension for packet in cycle}
        if execution.ports != N_PORT and len(used) > 1:
            raise ScheduleError(f"{where}: every node uses {len(used)} ports, {execution.ports}")
        return
    sends = Counter(packet.src for packet in cycle)
    receives = Counter(packet.dst for packet in cycle)
    if len({packet.edge for packet in cycle}) < len(cycle):
        raise ScheduleError(f"{where}: two packets on an edge")
    partners: dict[int, set[int]] = {}
    for packet in cycle:
        partners.setdefault(packet.src, set()).add(packet.dst)
        partners.setdefault(packet.dst, set()).add(packet.src)
    for node, others in partners.items():
        wrong = {
            ONE_PORT: len(others) > 1,
            SEND_AND_RECEIVE: sends[node] > 1 or receives[node] > 1,
            SEND_OR_RECEIVE: sends[node] + receives[node] > 1,
            N_PORT: False,
        }[execution.ports]
        if wrong:
            raise ScheduleError(
                f"{where}: node {node} sends {sends[node]} and receives {receives[node]} packets with "
                f"{len(others)} nodes, {execution.ports}"
            )
