"""A schedule: the transfers of every step for one collective on one network (docs/design.md)."""

from collections import Counter
from collections.abc import Iterable, Sequence
import dataclasses

from groundwork.validation import ParameterError, check_boolean, check_integer, shown
from noc.topology import Topology
from rtl.port_model import PortModel
from schedules.collective import Collective, Message, Move
from schedules.symmetry import Link, Symmetry

__all__ = ["Schedule", "Transfer"]


@dataclasses.dataclass(frozen=True)
class Transfer:
    """One message going from one processor to another in one step.

    Parameters
    ----------
    step : :class:`int`
        The step, counted from 1.
    src, dst : :class:`int`
        The processors.
    message : :class:`Message`
        The message, or a pair of origin and destination.
    lane : :class:`int` or ``None``
        The lane of the link between the nodes; ``None`` within a node. Where several channels join two
        nodes, it is the channel's position in ``topology.channels_between`` times f plus the lane.

    Raises
    ------
    ParameterError
        If one of them is of another kind. Whether the transfer is possible is for the checker to say.
    """

    step: int
    src: int
    dst: int
    message: Message
    lane: int | None = None

    def __post_init__(self) -> None:
        check_integer("step", self.step, minimum=1)
        check_integer("src", self.src, minimum=0)
        check_integer("dst", self.dst, minimum=0)
        object.__setattr__(self, "message", _check_message(self.message))
        if self.lane is not None:
            check_integer("lane", self.lane, minimum=0, why=", or null within a node")

    @property
    def order(self) -> tuple[int, ...]:
        """The key by which transfers are sorted: step, sender, receiver, message, lane."""
        return self.step, self.src, self.dst, *self.message.order, -1 if self.lane is None else self.lane

    @property
    def move(self) -> Move:
        """The transfer without its lane."""
        return Move(self.step, self.src, self.dst, self.message)


@dataclasses.dataclass(frozen=True)
class Schedule:
    """The transfers of every step for one collective on one network.

    It may be wrong: :func:`schedules.checker.check` says whether it is one that does its work.

    Parameters
    ----------
    topology : :class:`Topology`
        The nodes, their links and their processors.
    ports : :class:`PortModel`
        The router model, or its name.
    collective : :class:`Collective`
        The collective, or its name.
    root : :class:`int` or ``None``
        The root of a rooted collective, and ``None`` for the others.
    transfers : iterable of :class:`Transfer`
        All transfers; kept as a tuple, sorted by step.
    symmetric : :class:`bool`
        Every transfer stands for its images under all translations of the topology too (see
        :mod:`schedules.symmetry`): what is the same seen from every node is stored once, not once per node.
    parts : :class:`int`
        The data of every pair of processors is divided into so many messages of the same size.
    per_packet : :class:`int`
        The most messages in a packet: what goes from one processor to another over one lane in one step shares one.

    Raises
    ------
    ParameterError
        If one of them is of another kind, or packets have several messages where they cannot: in a reduction, on
        routers that copy packets, or in a symmetric schedule.
    """

    topology: Topology
    ports: PortModel
    collective: Collective
    root: int | None
    transfers: tuple[Transfer, ...]
    symmetric: bool = False
    parts: int = 1
    per_packet: int = 1

    def __post_init__(self) -> None:
        if not isinstance(self.topology, Topology):
            raise ParameterError(f"topology must be a Topology, not {self.topology!r}")
        self.topology.check()
        object.__setattr__(self, "transfers", tuple(self.transfers))
        object.__setattr__(self, "ports", PortModel.parse(self.ports))
        object.__setattr__(self, "collective", Collective.parse(self.collective))
        self.collective.check_root(self.topology, self.root)
        check_integer("parts", self.parts, minimum=1)
        check_integer("per_packet", self.per_packet, minimum=1)
        for transfer in self.transfers:
            if not isinstance(transfer, Transfer):
                raise ParameterError(f"transfers must be of Transfer, not {transfer!r}")
        check_boolean("symmetric", self.symmetric)
        if self.symmetric and self.symmetry.trivial:
            raise ParameterError(
                f"symmetric must be false for {self.collective.value} on {self.topology}: it is not "
                f"the same seen from every node"
            )
        if self.per_packet > 1:
            for what, wrong in (
                (f"for {self.collective.value}, whose messages are added", self.collective.reduction),
                (f"on routers of model {self.ports.value}, which copy packets", self.ports.multicast),
                ("in a symmetric schedule", self.symmetric),
            ):
                if wrong:
                    raise ParameterError(f"per_packet must be 1 {what}, not {self.per_packet}")
        object.__setattr__(self, "transfers", tuple(sorted(self.transfers, key=lambda transfer: transfer.order)))

    @classmethod
    def from_moves(
        cls,
        topology: Topology,
        ports: PortModel | str,
        collective: Collective | str,
        root: int | None,
        moves: Iterable[Move],
        *,
        symmetric: bool = False,
        parts: int = 1,
        per_packet: int = 1,
    ) -> "Schedule":
        """Return the schedule of ``moves``, which get free lanes in order.

        Those of one step between the same two processors share packets.

        Lanes of a link do not differ, so whoever builds a schedule need only count them. From the node with the
        lower number the lowest free lane is taken and from the other one the highest, so where there are enough
        lanes for both directions together, none is used in both.
        """
        collective = Collective.parse(collective)
        symmetry = Symmetry.of(topology, collective) if symmetric else Symmetry.none(topology)
        used: Counter[tuple[int, Link]] = Counter()
        together: Counter[tuple[int, int, int]] = Counter()
        transfers = []
        for step, src, dst, message in sorted(moves, key=lambda move: move.order):
            lane = None
            here, there = topology.node_of(src), topology.node_of(dst)
            if here != there:
                link = step, symmetry.link_class(here, there)
                if together[step, src, dst] % per_packet == 0:
                    used[link] += 1
                together[step, src, dst] += 1
                lane = used[link] - 1
                lanes = len(topology.channels_between(here, there)) * topology.f
                if there < here and lane < lanes and symmetry.trivial and not topology.directed:
                    lane = topology.other_end(there, here, lanes - 1 - lane)
            transfers.append(Transfer(step, src, dst, message, lane))
        return cls(topology, PortModel.parse(ports), collective, root, tuple(transfers), symmetric, parts, per_packet)

    @property
    def symmetry(self) -> Symmetry:
        """The translations that every transfer stands for: only the identity unless it is ``symmetric``."""
        return Symmetry.of(self.topology, self.collective) if self.symmetric else Symmetry.none(self.topology)

    def expanded(self) -> "Schedule":
        """The same schedule with every transfer written out; itself if it is so already."""
        if not self.symmetric:
            return self
        moves = (transfer.move for transfer in self.transfers)
        return Schedule.from_moves(
            self.topology, self.ports, self.collective, self.root, self.symmetry.orbits(moves), parts=self.parts
        )

    @property
    def size(self) -> int:
        """Number of transfers, those that others stand for among them."""
        return len(self.transfers) * len(self.symmetry.permutations)

    @property
    def steps(self) -> int:
        """Number of steps: the last one in which something moves, 0 if nothing does."""
        return self.transfers[-1].step if self.transfers else 0

    def packets(self, transfers: Sequence[Transfer]) -> list[list[Transfer]]:
        """The packets of the transfers of one step, each a list of transfers in order."""
        if self.per_packet == 1:
            return [[transfer] for transfer in transfers]
        together: dict[tuple[int, int, int | None], list[Transfer]] = {}
        for transfer in transfers:
            together.setdefault((transfer.src, transfer.dst, transfer.lane), []).append(transfer)
        return [
            found[first : first + self.per_packet]
            for found in together.values()
            for first in range(0, len(found), self.per_packet)
        ]


def _check_message(value: object) -> Message:
    """Return ``value`` as a :class:`Message` if it is a pair of processors, either of which may be null."""
    if isinstance(value, (list, tuple)) and len(value) in (2, 3):
        try:
            for number in value[:2]:
                if number is not None:
                    check_integer("end", number, minimum=0)
            for number in value[2:]:
                check_integer("part", number, minimum=0)
            return Message(*value)
        except ParameterError:
            pass
    raise ParameterError(
        "message must be [origin, destination], each a processor or null, or [origin, destination, "
        f"part], not {shown(value)}"
    )
