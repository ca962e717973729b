"""Translations of a topology: what one node does, every node does, seen from where it stands.

A schedule that is the same seen from every node is made of orbits: one move, and its image under every
translation. Only the moves of the messages of one node need to be found then, and a whole orbit fits as
soon as its one move does. Without symmetry every move is an orbit by itself, so code that builds schedules
of orbits builds the others too.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.noc.topologies.oriented_cube import OrientedCube
from fatcube.noc.topology import Topology
from fatcube.schedules.collective import Collective, Message, Move
from fatcube.schedules.participants import EVERYBODY, Participants
from fatcube.schedules.step_model import STANDARD, Links, PortUse, StepModel

__all__ = ["Link", "Symmetry"]


class Link(NamedTuple):
    """The link from node ``src`` to node ``dst``, with all of its lanes."""

    src: int
    dst: int


class Symmetry:
    """A group of node permutations that keep the links, and of which only the identity keeps any node.

    Since no other translation keeps a node, an orbit uses every lane and every port of a class exactly
    once. A move fits into a step if its own lane and ports do, counted by class.

    Parameters
    ----------
    topology : :class:`Topology`
        The topology.
    like : :class:`Topology` or ``None``
        A topology of the same nodes, all of whose translations are the group; without, it has only the identity.
    """

    def __init__(self, topology: Topology, like: Topology | None) -> None:
        self.topology = topology
        #: Where each translation takes each node; the identity is one of them.
        self.permutations: Sequence[Sequence[int]] = [range(topology.nodes)] if like is None else like.translations
        #: The first node of each class, which is the nodes that translations take to each other.
        self.bases: Sequence[int] = range(topology.nodes) if like is None else like.bases
        # The translation that takes a node to the first of its class, its base.
        self._to_base = None if like is None or len(self.permutations) == 1 else like.homeward

    @classmethod
    def none(cls, topology: Topology) -> "Symmetry":
        """No symmetry: only the identity."""
        return cls(topology, None)

    @classmethod
    def of(
        cls,
        topology: Topology,
        collective: Collective,
        model: StepModel = STANDARD,
        among: Participants = EVERYBODY,
    ) -> "Symmetry":
        """The translations that keep the messages of the collective and the lanes of the step model.

        Where it is not among all processors, that is only the identity.

        Simplex links are kept by those that keep the direction of all lanes. Of half-duplex links an orbit must not use
        one in both directions, so no translation may turn a link round: on cubes those by words of an even number of
        ones do not, and elsewhere there are all translations or only the identity. Where a processor sends or receives, not
        all nodes can do the same at once, so there are those of cubes or only the identity.
        """
        if not collective.invariant or not among.all:
            return cls.none(topology)
        in_turn = model.port_use is PortUse.SEND_OR_RECEIVE
        shared = model.links is Links.HALF_DUPLEX and not topology.directed
        if in_turn or shared and _turns_links(topology):
            if isinstance(topology, (FatCube, Hypercube)) and topology.d > 1:
                return cls(topology, OrientedCube(topology.d, topology.m))
            return cls.none(topology)
        return cls(topology, model.lanes_of(topology))

    @property
    def trivial(self) -> bool:
        """True if the identity is the only translation."""
        return self._to_base is None

    def node_class(self, node: int) -> int:
        """The base of the nodes that ``node`` can be taken to."""
        return node if self._to_base is None else self._to_base[node][node]

    def processor_class(self, processor: int) -> int:
        """The processor on the base that ``processor`` can be taken to."""
        if self._to_base is None:
            return processor
        return self._image(self._to_base[self.topology.node_of(processor)], processor)

    def link_class(self, node: int, other: int) -> Link:
        """The link from the base that the one from ``node`` to ``other`` can be taken to."""
        if self._to_base is None:
            return Link(node, other)
        permutation = self._to_base[node]
        return Link(permutation[node], permutation[other])

    def seen_from(self, processor: int, other: int) -> int:
        """The processor that ``other`` is taken to if ``processor`` is taken to its base."""
        if self._to_base is None:
            return other
        return self._image(self._to_base[self.topology.node_of(processor)], other)

    def _image(self, permutation: Sequence[int], processor: int) -> int:
        """The processor that a permutation of the nodes takes ``processor`` to."""
        node = permutation[self.topology.node_of(processor)]
        return self.topology.processors_of(node)[self.topology.local_of(processor)]

    def at_base(self, move: Move) -> Move:
        """The image of a move whose sender is on its base: there, packets of several messages are distinct."""
        if self._to_base is None:
            return move
        return self._moved(move, self.topology.node_of(move.src))

    def representative(self, move: Move) -> Move:
        """The image of a move whose message is of the base: the others of its orbit are its images."""
        message = move.message
        home = message.destination if message.origin is None else message.origin
        if self._to_base is None or home is None:  # a message for everybody from nobody is of no collective
            return move
        node = self.topology.node_of(home)
        if self._to_base[node][node] == node:  # only the identity keeps a node
            return move
        return self._moved(move, node)

    def _moved(self, move: Move, node: int) -> Move:
        """The image of a move if ``node`` is taken to its base."""
        assert self._to_base is not None
        permutation, message = self._to_base[node], move.message
        return Move(
            move.step,
            self._image(permutation, move.src),
            self._image(permutation, move.dst),
            Message(
                None if message.origin is None else self._image(permutation, message.origin),
                None if message.destination is None else self._image(permutation, message.destination),
                message.part,
            ),
            tuple(other if other < 0 else permutation[other] for other in move.way),
        )

    def representatives(
        self, collective: Collective, root: int | None = None, parts: int = 1, among: Participants = EVERYBODY
    ) -> Iterator[Message]:
        """The messages of the bases, one by one: the others are their images."""
        if self.trivial:
            yield from collective.each_message(self.topology, root, parts, among=among)
        else:
            for base in self.bases:
                yield from collective.each_message(self.topology, root, parts, self.topology.processors_of(base))

    def orbits(self, moves: Iterable[Move]) -> Iterator[Move]:
        """The images of ``moves`` under every translation."""
        moves = list(moves)
        for permutation in self.permutations:
            image = [place for node in permutation for place in self.topology.processors_of(node)]
            for step, src, dst, message, way in moves:
                origin = None if message.origin is None else image[message.origin]
                destination = None if message.destination is None else image[message.destination]
                yield Move(
                    step,
                    image[src],
                    image[dst],
                    Message(origin, destination, message.part),
                    tuple(permutation[node] for node in way),
                )


def _turns_links(topology: Topology) -> bool:
    """Return whether a translation takes a node to a neighbour and that one to the node."""
    bases, homeward = topology.bases, topology.homeward
    return any(
        homeward[other][node] == other and homeward[other][other] == node
        for node in bases
        for _, other, _ in topology.ends(node)
    )
