"""Translations of a topology: what one node does, every node does, seen from where it stands.

A schedule that is the same seen from every node is made of orbits: one move, and its image under every
translation. Only the moves of the messages of one node need to be found then, and a whole orbit fits as
soon as its one move does. Without symmetry every move is an orbit by itself, so whoever builds schedules
of orbits builds the others too.
"""

from noc.cubes import FatCube, Hypercube
from schedules.collective import Message

__all__ = ["Symmetry"]


class Symmetry:
    """A group of node permutations that keep the links, and of which only the identity keeps any node.

    Since no other translation keeps a node, an orbit uses every lane and every port of a class exactly
    once. A move fits into a step if its own lane and ports do, counted by class.

    Parameters
    ----------
    topology : :class:`Topology`
        The topology.
    permutations : sequence of sequences of :class:`int`
        Where each translation takes each node; the identity is one of them.
    """

    def __init__(self, topology, permutations):
        self.topology = topology
        self.permutations = permutations
        # The translation that takes a node to the first of its class, its base.
        self._to_base = [min(permutations, key=lambda permutation: permutation[node])
                         for node in range(topology.nodes)]

    @classmethod
    def none(cls, topology):
        """No symmetry: only the identity."""
        return cls(topology, [range(topology.nodes)])

    @classmethod
    def of(cls, topology, collective):
        """The translations that keep the collective: none but the identity if it has a root.

        On a cube they are every XOR; on other topologies so far only the identity.
        """
        if isinstance(topology, (FatCube, Hypercube)) and not collective.rooted:
            nodes = range(topology.nodes)
            return cls(topology, [[node ^ offset for node in nodes] for offset in nodes])
        return cls.none(topology)

    @property
    def trivial(self):
        """Whether the identity is all there is."""
        return len(self.permutations) == 1

    def node_class(self, node):
        """The base of the nodes that ``node`` can be taken to."""
        return self._to_base[node][node]

    def processor_class(self, processor):
        """The processor on the base that ``processor`` can be taken to."""
        node, local = divmod(processor, self.topology.m)
        return self.node_class(node) * self.topology.m + local

    def link_class(self, node, other):
        """The directed link from the base that the one from ``node`` to ``other`` can be taken to."""
        permutation = self._to_base[node]
        return permutation[node], permutation[other]

    def representatives(self, messages):
        """The messages of the bases: the others are their images."""
        node_of = self.topology.node_of
        return [message for message in messages
                if self.node_class(node_of(message.origin)) == node_of(message.origin)]

    def orbits(self, moves):
        """The images of ``moves`` (step, src, dst, message) under every translation."""
        m = self.topology.m
        for permutation in self.permutations:
            image = {None: None}
            for node in range(self.topology.nodes):
                for local in range(m):
                    image[node * m + local] = permutation[node] * m + local
            for step, src, dst, message in moves:
                yield step, image[src], image[dst], Message(*(image[end] for end in message))
