"""Collectives as values (fat-cube paper, section 4), and the messages that each of them moves."""

from collections.abc import Callable, Iterable, Iterator, Sequence
import dataclasses
import enum
from typing import ClassVar, NamedTuple, assert_never

from fatcube.groundwork.validation import ParameterError, check_integer, shown
from fatcube.noc.topology import Topology
from fatcube.schedules.participants import EVERYBODY, Participants

__all__ = ["Collective", "End", "Message", "Move"]


_Ends = Sequence[int] | tuple[int | None, ...]  # processors, or all that have or shall have the same (None)


class Message(NamedTuple):
    """The unit that a collective moves: the processor that has it first, and the one that it is for.

    ``destination`` is ``None`` where every target of the collective shall have the message. ``origin`` is ``None`` where
    every source contributes to it: then it is a partial sum that moves, all that its sender has
    accumulated for the destination. Where data is divided into parts that go their own ways, one after the other,
    every ``part`` is a message.
    """

    origin: int | None
    destination: int | None
    part: int = 0

    @property
    def reduced(self) -> bool:
        """True for a partial sum, to which every source contributes."""
        return self.origin is None

    @property
    def source(self) -> int:
        """The origin of what is no partial sum."""
        assert self.origin is not None
        return self.origin

    @property
    def target(self) -> int:
        """The destination of what is not for everybody."""
        assert self.destination is not None
        return self.destination

    def origins(self, topology: Topology, among: Participants = EVERYBODY) -> Sequence[int]:
        """The processors that hold the message, or a contribution to it, in the beginning."""
        return among.origins(topology) if self.origin is None else (self.origin,)

    def destinations(self, topology: Topology, among: Participants = EVERYBODY) -> Sequence[int]:
        """The processors that must hold the message in the end."""
        return among.destinations(topology) if self.destination is None else (self.destination,)

    @property
    def order(self) -> tuple[int, int, int]:
        """The key by which messages are sorted: origin, destination and part; everybody comes before processor 0."""
        return (
            -1 if self.origin is None else self.origin,
            -1 if self.destination is None else self.destination,
            self.part,
        )

    def __str__(self) -> str:
        """The message as it stands in a schedule file, as in ``[0, null]``."""
        return "[" + ", ".join("null" if end is None else str(end) for end in self.to_json()) + "]"

    def to_json(self) -> list[int | None]:
        """The message as it stands in a schedule file: without its part if that is the first or only one."""
        return list(self) if self.part else [self.origin, self.destination]


class Move(NamedTuple):
    """A message that goes from processor ``src`` to processor ``dst`` in a step, counted from 1.

    A direct transfer over several links has the nodes that it enters as its ``way``, the one of ``dst`` last. It is empty
    for a transfer over one link or within a node.
    """

    step: int
    src: int
    dst: int
    message: Message
    way: tuple[int, ...] = ()

    @property
    def order(self) -> tuple[int, ...]:
        """The key by which moves are sorted: step, sender, receiver, message, way."""
        return self.step, self.src, self.dst, *self.message.order, *self.way


class End(enum.Enum):
    """One end of the messages of a collective: whose they are in the beginning, or in the end."""

    ROOT = "root"
    """All are the root's."""
    EACH = "each"
    """There is one for each processor of this side."""
    ALL = "all"
    """Each is all processors': all shall have it in the end, or all contribute to it in the beginning, which adds it up."""


class _Known(type):
    """Iterates over the collectives that are known, in the order in which they were made."""

    known: "dict[str, Collective]" = {}

    def __iter__(cls) -> "Iterator[Collective]":
        return iter(_Known.known.values())


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Collective(metaclass=_Known):
    """A collective communication of all processors or some of them, as a value: what its participants have, and must end with.

    There is one value for each collective, which commands and files know by its symbol and its words.
    :mod:`fatcube.schedules.collectives` has those of the papers, ``Collective.OAB`` and so on, and may have others.

    Parameters
    ----------
    value : :class:`str`
        The papers' symbol.
    words : tuple of :class:`str`
        The everyday names, the usual one first; in lower case.
    origin : :class:`End`
        The processors that have a message in the beginning. ``ALL`` makes it a partial sum, to which every source contributes.
    destination : :class:`End`
        The processors that must have a message in the end.
    phases_of : tuple of :class:`Collective`
        The collectives that are done one after the other, if it is made of others; then its ends are theirs.
    pairs : callable or ``None``
        From a topology the origin and the destination of each message, for a collective in which not everybody of one side
        has something for everybody of the other one. Its ends are ``EACH``.

    Raises
    ------
    ParameterError
        If one of its names is that of another collective.
    """

    OAB: ClassVar["Collective"]
    OAS: ClassVar["Collective"]
    AOG: ClassVar["Collective"]
    AOR: ClassVar["Collective"]
    AAB: ClassVar["Collective"]
    AAR: ClassVar["Collective"]
    AAS: ClassVar["Collective"]
    ALL_REDUCE: ClassVar["Collective"]

    value: str
    words: tuple[str, ...]
    origin: End = End.EACH
    destination: End = End.EACH
    phases_of: "tuple[Collective, ...]" = ()
    pairs: Callable[[Topology], Iterable[tuple[int, int]]] | None = None

    def __post_init__(self) -> None:
        taken = {name for one in Collective for name in (one.value.lower(), *one.words)}
        if both := taken & {self.value.lower(), *self.words}:
            raise ParameterError(f"name of a collective must be that of no other one, not {shown(min(both))}")
        _Known.known[self.value] = self

    def __reduce__(self) -> "tuple[Callable[[str], Collective], tuple[str]]":
        """The collective of this name, wherever it is unpickled: there is one value for each."""
        return Collective.parse, (self.value,)

    def __repr__(self) -> str:
        return f"<Collective {self.value}>"

    @classmethod
    def parse(cls, text: object) -> "Collective":
        """The collective named by the papers' symbol or by its word, in capitals or not.

        Raises
        ------
        ParameterError
            If ``text`` is neither.
        """
        if isinstance(text, cls):
            return text
        if isinstance(text, str):
            for collective in cls:
                if text.lower() in (collective.value.lower(), *collective.words):
                    return collective
        symbols = ", ".join(collective.value for collective in cls)
        words = ", ".join(collective.word for collective in cls if collective.word != collective.value)
        raise ParameterError(f"collective must be one of {symbols} or {words}, not {shown(text)}")

    @property
    def word(self) -> str:
        """The everyday name of the collective."""
        return self.words[0]

    @property
    def rooted(self) -> bool:
        """True if one processor, the root, has all the messages in the beginning or in the end."""
        return End.ROOT in (self.origin, self.destination)

    @property
    def reduction(self) -> bool:
        """True if messages are added up on their way."""
        return self.origin is End.ALL or any(phase.reduction for phase in self.phases_of)

    @property
    def personalized(self) -> bool:
        """True if every message goes from one processor to one other."""
        return not self.phases_of and End.ALL not in (self.origin, self.destination)

    @property
    def invariant(self) -> bool:
        """True if every translation of any topology maps the set of messages to itself; if not, only the identity does.

        A schedule of an invariant collective may be the same seen from every node (:mod:`fatcube.schedules.symmetry`).
        """
        return not self.rooted and self.pairs is None

    @property
    def phases(self) -> "tuple[Collective, ...]":
        """The collectives that are done one after the other: an all-reduce is two, and each other collective is itself."""
        return self.phases_of or (self,)

    @property
    def reversal(self) -> "Collective | None":
        """The collective built for this one and run backwards, a scatter for a gather; ``None`` if this one is built itself."""
        if self.phases_of or (self.origin is not End.ALL and self.destination is not End.ROOT):
            return None
        ends = self.destination, self.origin
        return next(one for one in Collective if not one.phases_of and (one.origin, one.destination) == ends)

    def number_of_messages(self, topology: Topology) -> int:
        """The messages of all processors in one part, those of a processor to itself among them; of phases those of the first."""
        if self.phases_of:
            return self.phases_of[0].number_of_messages(topology)
        if self.pairs is not None:
            return len([*self.pairs(topology)])
        return topology.processors ** [self.origin, self.destination].count(End.EACH)

    def root_of(self, topology: Topology, root: int | None) -> int | None:
        """Return the root, checked, if the collective has one; ``root`` does not count otherwise.

        Raises
        ------
        ParameterError
            If :meth:`check_root` refuses it.
        """
        return self.check_root(topology, root) if self.rooted else None

    def check_root(self, topology: Topology, root: int | None) -> int | None:
        """Return ``root`` if it is a processor and the collective has a root, or if both are absent.

        Raises
        ------
        ParameterError
            If it is anything else.
        """
        if self.rooted:
            root = check_integer(f"root of {self.value}", root, minimum=0, maximum=topology.processors - 1)
            if not topology.works(root):
                must = f"must be a processor that works on the {topology.name}"
                raise ParameterError(f"root of {self.value} {must}, not {root}")
            return root
        if root is not None:
            raise ParameterError(f"root of {self.value} must be None (null in a file), not {shown(root)}")
        return None

    def check_among(self, topology: Topology, root: int | None, among: Participants) -> Participants:
        """Return ``among`` if the collective can be among these processors of the topology.

        Raises
        ------
        ParameterError
            If one is no processor, the root has both sides to itself, nothing would move, or the two phases of an all-reduce
            would be among different processors.
        """
        among.check(topology)
        for key, side, given in (("from", 0, among.sources), ("to", 1, among.targets)):
            if self.rooted and given is not None and all(ends[side] == (root,) for ends in self._ends(topology, root)):
                raise ParameterError(f"{key} must be left out for {self.value}, where it is the root alone")
        if among.homes and not self.phases_of:
            raise ParameterError(f"homes must be left out for {self.value}, as only an all-reduce has them")
        if len(self.phases) > 1 and among.sources != among.targets:
            raise ParameterError(f"{self.value} must be among the same processors from and to, a subset, not {among}")
        if not among.all and not any(True for _ in self.each_message(topology, root, among=among)):
            raise ParameterError(f"{self.value} must have something to move, which it has not {among}")
        return among

    def among(self, *sides: Iterable[int] | None) -> Participants:
        """The participants of a collective from, to, or on a subset of processors, and the homes of its sums; ``None``: not given.

        On a subset, the side of the root stays the root alone, and that need not be in the subset.

        Raises
        ------
        ParameterError
            If a subset and another side are given, or a side is no list of processors.
        """
        given = [None if side is None else tuple(side) for side in sides]
        sources, targets, subset, homes = *given, *[None] * (4 - len(given))
        if subset is not None:
            for key, side in (("from", sources), ("to", targets)):
                if side is not None:
                    raise ParameterError(f"{key} must be left out with a subset, which is both sides of a collective")
            sources = None if self.origin is End.ROOT else subset
            targets = None if self.destination is End.ROOT else subset
        return Participants(sources, targets, homes)

    def messages(
        self, topology: Topology, root: int | None = None, parts: int = 1, among: Participants = EVERYBODY
    ) -> tuple[Message, ...]:
        """The messages that the collective moves, as a tuple of :class:`Message`, each in ``parts`` parts.

        Raises
        ------
        ParameterError
            If ``root`` is out of range, missing, or given where there is none.
        """
        self.check_root(topology, root)
        return tuple(self.each_message(topology, root, parts, among=among))

    def each_message(
        self,
        topology: Topology,
        root: int | None = None,
        parts: int = 1,
        homes: range | None = None,
        among: Participants = EVERYBODY,
    ) -> Iterator[Message]:
        """The messages one by one, where there may be too many for a tuple; raises the same.

        With ``homes`` (a range of processors) only those that start there, or the partial sums that end there.
        """
        origins: Iterable[int | None]
        destinations: Iterable[int | None]
        for origins, destinations in self._ends(topology, root, among):
            if homes is not None and origins == (None,):
                destinations = filter(destinations.__contains__, homes)
            elif homes is not None:
                origins = filter(origins.__contains__, homes)
            for origin in origins:
                for destination in destinations:
                    if _moves(origin, destination, among):
                        for part in range(parts):
                            yield Message(origin, destination, part)

    def moves(
        self,
        message: Message,
        topology: Topology,
        root: int | None = None,
        parts: int = 1,
        among: Participants = EVERYBODY,
    ) -> bool:
        """Return whether ``message`` is one of :meth:`messages`; raises the same."""
        return (
            _moves(message.origin, message.destination, among)
            and message.part < parts
            and any(
                _is_among(message.origin, origins) and _is_among(message.destination, destinations)
                for origins, destinations in self._ends(topology, root, among)
            )
        )

    def _ends(self, topology: Topology, root: int | None, among: Participants = EVERYBODY) -> list[tuple[_Ends, _Ends]]:
        """The origins and the destinations of messages: each of the first with each of the second."""
        self.check_root(topology, root)
        sources, targets = among.origins(topology), among.destinations(topology)
        if self.phases_of:
            phases = zip(self.phases_of, among.phases, strict=True)
            return [ends for phase, some in phases for ends in phase._ends(topology, root, some)]
        if self.pairs is not None:
            return [((src,), (dst,)) for src, dst in self.pairs(topology) if src in sources and dst in targets]
        return [(_side(self.origin, root, sources), _side(self.destination, root, targets))]


def _side(end: End, root: int | None, processors: Sequence[int]) -> _Ends:
    match end:
        case End.ROOT:
            return (root,)
        case End.EACH:
            return processors
        case End.ALL:
            return (None,)
        case _:
            assert_never(end)


def _is_among(end: int | None, ends: _Ends) -> bool:
    """Return whether ``end`` is among ``ends``; None is looked for in no range, which would be gone through."""
    return (end is not None or isinstance(ends, tuple)) and end in ends


def _moves(origin: int | None, destination: int | None, among: Participants) -> bool:
    """Return whether a message with these ends has to go anywhere: its origin is not all that shall have it."""
    if origin is None or destination is None:
        ends, other = (among.targets, origin) if destination is None else (among.sources, destination)
        return ends is None or ends != (other,)
    return origin != destination
