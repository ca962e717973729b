"""What a topology is: fat nodes, numbered channels between them, and lanes on each channel.

A topology says only who is whose neighbour. Routers, networks, schedules and testbenches are built
from that, so a new topology is a new subclass of :class:`Topology` and nothing else.
"""

from abc import ABC, abstractmethod
from functools import cached_property
import dataclasses

import networkx

from rtl.parameters import ParameterError, check_choice

__all__ = ["Topology", "kinds", "topology_from_json"]


_kinds = {}


@dataclasses.dataclass(frozen=True)
class Topology(ABC):
    """Base of all topologies; a subclass is a frozen dataclass of integers, checked when it is made.

    Class keyword
    -------------
    kind : :class:`str`
        The name of the topology in files and on the command line, as in ``kind="fat-cube"``.

    Members of a subclass
    ---------------------
    m : :class:`int`
        Processors on each node.
    f : :class:`int`
        Lanes of each link.
    """

    def __init_subclass__(cls, *, kind, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.kind = kind
        _kinds[kind] = cls

    @property
    @abstractmethod
    def nodes(self):
        """Number of nodes."""

    @property
    @abstractmethod
    def degree(self):
        """Channels of each node: the d of a cube."""

    @abstractmethod
    def neighbour(self, node, channel):
        """The node that ``channel`` of ``node`` leads to, and the channel of that node by which it is entered.

        Where links go both ways, that channel leads back. Where they go one way, a channel is one link that
        leaves and another one that enters, and no two channels may lead from one to the other and back.
        """

    @property
    def processors(self):
        """Number of processors, P."""
        return self.nodes * self.m

    def node_of(self, processor):
        """The node that ``processor`` sits on."""
        return processor // self.m

    @cached_property
    def directed(self):
        """Whether links go one way: what enters a node by a channel has not come over a link that leads back."""
        return self.neighbour(*self.neighbour(0, 0)) != (0, 0)

    @cached_property
    def translations(self):
        """Node permutations that keep the links, of which only the identity keeps any node.

        What one node does, every node can do at the same time, seen from where it stands. Each is a sequence:
        where it takes each node. They must form a group. Here it is only the identity; a topology that looks
        the same from several nodes has more.
        """
        return (range(self.nodes),)

    @cached_property
    def mirror(self):
        """The node permutation that turns every link round: where it takes each node.

        What runs backwards in time on a network runs forwards on its mirror image. Where links go both ways it
        is the identity. It is its own inverse, and a translation seen in the mirror is a translation.

        Raises
        ------
        ParameterError
            If links go one way, and the topology does not say what turns them round.
        """
        if self.directed:
            raise ParameterError(f"topology must be one that looks the same with all links turned round, not {self}")
        return range(self.nodes)

    def mirrored(self, processor):
        """Where :attr:`mirror` takes ``processor``; ``None``, where there is none, stays ``None``."""
        return None if processor is None else self.mirror[processor // self.m] * self.m + processor % self.m

    def channels_between(self, node, other):
        """The channels of ``node`` that lead to ``other``, in order; empty if they are not adjacent."""
        return self._channels.get((node, other), ())

    def other_end(self, node, other, lane):
        """The number that a lane from ``node`` to ``other`` has at its other end; ``None`` if it goes one way.

        Lanes are numbered by the channels that join the two nodes, in order, f to each channel.
        """
        if self.directed:
            return None
        _, back = self.neighbour(node, self.channels_between(node, other)[lane // self.f])
        return self.channels_between(other, node).index(back) * self.f + lane % self.f

    @cached_property
    def _channels(self):
        channels = {}
        for node in range(self.nodes):
            for channel in range(self.degree):
                other, _ = self.neighbour(node, channel)
                channels[node, other] = channels.get((node, other), ()) + (channel,)
        return channels

    @cached_property
    def graph(self):
        """The nodes and their links as a :class:`networkx.MultiGraph`, or ``MultiDiGraph`` if links go one way.

        An edge is one lane. It has attributes ``dimension`` (the channel at its lower end, or where it leaves; on
        a cube the dimension) and ``lane``, and its key is that pair.
        """
        graph = networkx.MultiDiGraph() if self.directed else networkx.MultiGraph()
        graph.add_nodes_from(range(self.nodes))
        for node in range(self.nodes):
            for channel in range(self.degree):
                other, back = self.neighbour(node, channel)
                if self.directed or (node, channel) <= (other, back):
                    for lane in range(self.f):
                        graph.add_edge(node, other, key=(channel, lane), dimension=channel, lane=lane)
        return graph

    def sources(self, node):
        """The nodes from which a link leads to ``node``: its neighbours where links go both ways."""
        return self.graph.pred[node] if self.directed else self.graph[node]

    @cached_property
    def bases(self):
        """The first node of each class: one of those that translations take to each other.

        Since only the identity keeps a node, every class has as many nodes as there are translations.
        """
        return tuple(node for node in range(self.nodes)
                     if all(node <= permutation[node] for permutation in self.translations))

    @cached_property
    def distances(self):
        """``distances[u][v]``: hops from node ``u`` to node ``v``; counted from the bases, translated from there."""
        distances = [None] * self.nodes
        for base in self.bases:
            lengths = networkx.single_source_shortest_path_length(self.graph, base)
            for permutation in self.translations:
                row = [0] * self.nodes
                for node in range(self.nodes):
                    row[permutation[node]] = lengths[node]
                distances[permutation[base]] = row
        return distances

    @property
    def parameters(self):
        """The parameters by name, as in ``{"d": 2, "m": 2, "f": 1}``."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    def to_json(self):
        """The topology as it stands in a schedule file (docs/design.md)."""
        return {"type": self.kind, **self.parameters}

    def __str__(self):
        return f"{self.kind}({', '.join(f'{name}={value}' for name, value in self.parameters.items())})"


def kinds():
    """The topologies that there are: a subclass of :class:`Topology` by its kind."""
    return dict(_kinds)


def topology_from_json(value):
    """The topology that ``value``, read from a file, describes.

    Raises
    ------
    ParameterError
        If the type is unknown, a parameter is missing, unknown or out of range.
    """
    if not isinstance(value, dict):
        raise ParameterError(f"topology must be an object with a type, not {value!r}")
    cls = _kinds[check_choice("topology type", value.get("type"), _kinds)]
    fields = {field.name: field for field in dataclasses.fields(cls)}
    given = {name: number for name, number in value.items() if name != "type"}
    for name in given:
        if name not in fields:
            raise ParameterError(f"topology {cls.kind} has parameters {', '.join(fields)}, not {name!r}")
    for name, field in fields.items():
        if name not in given and field.default is dataclasses.MISSING:
            raise ParameterError(f"topology {cls.kind} needs the parameter {name}")
    return cls(**given)
