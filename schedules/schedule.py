"""A schedule: the transfers of every step for one collective on one network (docs/ideas/steps.md)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
import dataclasses
import math
from typing import Any

from fatcube.groundwork.validation import ParameterError, check_boolean, check_integer, shown
from fatcube.noc.orientation import lanes_leaving
from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.participants import EVERYBODY, Participants
from fatcube.schedules.step_model import STANDARD, Links, StepModel
from fatcube.schedules.symmetry import Link, Symmetry

__all__ = ["Hop", "Schedule", "Transfer"]


Hop = tuple[int, int, int]
"""A link that a transfer crosses: the node that it leaves, the one that it enters, and the lane between them."""


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
    path : tuple of (node, lane)
        For a direct transfer over two links or more, in place of a lane: each next node, and the lane to it, numbered in
        the same way. Empty for other transfers.

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
    path: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        check_integer("step", self.step, minimum=1)
        check_integer("src", self.src, minimum=0)
        check_integer("dst", self.dst, minimum=0)
        object.__setattr__(self, "message", _check_message(self.message))
        if self.lane is not None:
            check_integer("lane", self.lane, minimum=0, why=", or null within a node")
        if self.path:
            object.__setattr__(self, "path", _check_path(self.path))
            if self.lane is not None:
                raise ParameterError(f"lane must be left out of a transfer that has a path, not {self.lane}")

    @property
    def order(self) -> tuple[int, ...]:
        """The key by which transfers are sorted: step, sender, receiver, message, lane, path."""
        lane = -1 if self.lane is None else self.lane
        return self.step, self.src, self.dst, *self.message.order, lane, *(part for hop in self.path for part in hop)

    @property
    def move(self) -> Move:
        """The transfer without its lanes."""
        return Move(self.step, self.src, self.dst, self.message, tuple(node for node, _ in self.path))

    def hops(self, topology: Topology) -> Iterator[Hop]:
        """The links that the transfer crosses in order, none within a node."""
        here = topology.node_of(self.src)
        if self.lane is not None:
            yield here, topology.node_of(self.dst), self.lane
        for there, lane in self.path:
            yield here, there, lane
            here = there


@dataclasses.dataclass(frozen=True)
class Schedule:
    """The transfers of every step for one collective on one network.

    It may be wrong: :func:`fatcube.schedules.checker.check` decides whether it does its work.

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
        :mod:`fatcube.schedules.symmetry`): what is the same seen from every node is stored once, not once per node.
    parts : :class:`int`
        The data of every pair of processors is divided into this number of messages of the same size.
    model : :class:`StepModel`
        The rules of a step. Messages from one processor to another over the same lanes in one step share packets, each
        with up to the model's number of messages per packet.
    among : :class:`Participants`
        The processors that the collective is among; if they are not all, no schedule is ``symmetric``.

    Raises
    ------
    ParameterError
        If one of them is of another kind, or the step model makes no sense for the router model or the topology.
    """

    topology: Topology
    ports: PortModel
    collective: Collective
    root: int | None
    transfers: tuple[Transfer, ...]
    symmetric: bool = False
    parts: int = 1
    model: StepModel = STANDARD
    among: Participants = EVERYBODY

    def __post_init__(self) -> None:
        if not isinstance(self.topology, Topology):
            raise ParameterError(f"topology must be a Topology, not {self.topology!r}")
        self.topology.check()
        object.__setattr__(self, "transfers", tuple(self.transfers))
        object.__setattr__(self, "ports", PortModel.parse(self.ports))
        object.__setattr__(self, "collective", Collective.parse(self.collective))
        self.collective.check_root(self.topology, self.root)
        check_integer("parts", self.parts, minimum=1)
        if not isinstance(self.model, StepModel):
            raise ParameterError(f"model must be a StepModel, not {self.model!r}")
        self.model.check_ports(self.ports)
        self.model.lanes_of(self.topology)
        for transfer in self.transfers:
            if not isinstance(transfer, Transfer):
                raise ParameterError(f"transfers must be of Transfer, not {transfer!r}")
        if not isinstance(self.among, Participants):
            raise ParameterError(f"among must be Participants, not {self.among!r}")
        self.collective.check_among(self.topology, self.root, self.among)
        check_boolean("symmetric", self.symmetric)
        if self.symmetric and self.symmetry.trivial:
            raise ParameterError(
                f"symmetric must be false for {self.collective.value} on the {self.topology.name}: it is not "
                f"the same seen from every node"
            )
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
        model: StepModel = STANDARD,
        among: Participants = EVERYBODY,
    ) -> "Schedule":
        """Return the schedule of ``moves``, which get free lanes in order.

        Messages of one step between the same two processors on the same way share packets.

        Lanes of a link do not differ, so the builder of a schedule need only count them. From the node with the
        lower number the lowest free lane is taken and from the other one the highest, so where there are enough
        lanes for both directions together, none is used in both. Simplex lanes are those that lead there.
        """
        collective = Collective.parse(collective)
        symmetry = Symmetry.of(topology, collective, model, among) if symmetric else Symmetry.none(topology)
        lanes = _FreeLanes(topology, symmetry, model)
        together: Counter[tuple[int, ...]] = Counter()
        last: dict[tuple[int, ...], tuple[tuple[int, int], ...]] = {}
        transfers = []
        if model.combining:  # messages that share a packet at one node must also do so in the stored schedule
            moves = map(symmetry.at_base, moves)
        for move in sorted(moves, key=lambda move: move.order):
            step, src, dst, message, way = move
            packet = step, src, dst, *way
            if together[packet] % model.most_messages == 0:
                nodes = way or (topology.node_of(dst),)
                last[packet] = tuple(lanes.take(step, topology.node_of(src), nodes))
            together[packet] += 1
            hops = last[packet]
            lane = hops[0][1] if len(hops) == 1 else None
            transfers.append(Transfer(step, src, dst, message, lane, hops if len(hops) > 1 else ()))
        ports = PortModel.parse(ports)
        return cls(topology, ports, collective, root, tuple(transfers), symmetric, parts, model, among)

    @property
    def work(self) -> str:
        """A phrase for the collective, and its participants if these are not all processors, as in ``"AAS from 0,3 to 1"``."""
        return f"{self.collective.value}{'' if self.among.all else f' {self.among}'}"

    @property
    def messages(self) -> tuple[Message, ...]:
        """The messages that are to be moved."""
        return self.collective.messages(self.topology, self.root, self.parts, self.among)

    @property
    def symmetry(self) -> Symmetry:
        """The translations that every transfer stands for: only the identity unless it is ``symmetric``."""
        if not self.symmetric:
            return Symmetry.none(self.topology)
        return Symmetry.of(self.topology, self.collective, self.model, self.among)

    @property
    def per_packet(self) -> int:
        """The most messages in a packet: the limit of the model or, if it has none, the most of any packet here."""
        if self.model.most_messages != math.inf:
            return int(self.model.most_messages)
        together = Counter((one.step, one.src, one.dst, one.lane, one.path) for one in self.transfers)
        return max(together.values(), default=1)

    def expanded(self) -> "Schedule":
        """The schedule with every transfer written out; itself if it is so already."""
        if not self.symmetric:
            return self
        moves = (transfer.move for transfer in self.transfers)
        return Schedule.from_moves(
            self.topology,
            self.ports,
            self.collective,
            self.root,
            self.symmetry.orbits(moves),
            parts=self.parts,
            model=self.model,
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
        if not self.model.combining:
            return [[transfer] for transfer in transfers]
        together: dict[tuple[Any, ...], list[Transfer]] = {}
        symmetry = self.symmetry
        for transfer in transfers:
            _, src, dst, _, way = symmetry.at_base(transfer.move)
            key = src, dst, way, transfer.lane, *(lane for _, lane in transfer.path)
            together.setdefault(key, []).append(transfer)
        most = min(self.model.most_messages, len(transfers))
        return [
            found[first : first + int(most)] for found in together.values() for first in range(0, len(found), int(most))
        ]


class _FreeLanes:
    """The lanes of every step that are still free, counted by class."""

    def __init__(self, topology: Topology, symmetry: Symmetry, model: StepModel) -> None:
        self._topology = topology
        self._symmetry = symmetry
        self._model = model
        self._used: Counter[tuple[int, Link]] = Counter()

    def take(self, step: int, here: int, nodes: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Take a lane to each of ``nodes``, beginning at node ``here``, and yield the node and the lane."""
        for there in nodes:
            if there != here:
                yield there, self._lane(step, here, there)
            here = there

    def _lane(self, step: int, here: int, there: int) -> int:
        """The next free lane from node ``here`` to node ``there``; if none is left, one that does not exist."""
        topology = self._topology
        link = self._symmetry.link_class(here, there)
        lane = self._used[step, link]
        self._used[step, link] += 1
        if self._model.links is Links.SIMPLEX:
            return lanes_leaving(topology, here, there).start + lane
        lanes = topology.lanes_between(here, there)
        back = self._symmetry.link_class(there, here)
        apart = self._symmetry.trivial or self._model.links is Links.HALF_DUPLEX
        if lane >= len(lanes):
            return max(lane, len(topology.channels_between(here, there)) * topology.f)
        if back < link and apart and not topology.directed:
            far = topology.other_end(there, here, topology.lanes_between(there, here)[-1 - lane])
            assert far is not None
            return far
        return lanes[lane]


def _check_path(value: object) -> tuple[tuple[int, int], ...]:
    """Return ``value`` as a tuple if it is two pairs of a node and a lane, or more."""
    if not isinstance(value, (list, tuple)) or len(value) < 2:
        raise ParameterError(f"path must be two links or more, each [node, lane], not {shown(value)}")
    for hop in value:
        if not isinstance(hop, (list, tuple)) or len(hop) != 2:
            raise ParameterError(f"path must be of [node, lane], not {shown(hop)}")
        check_integer("node of a path", hop[0], minimum=0)
        check_integer("lane of a path", hop[1], minimum=0)
    return tuple((node, lane) for node, lane in value)


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
