"""What the failures of a network leave, numbered anew: a graph whose nodes and processors all work, which schedules are for."""

import bisect
from collections.abc import Iterator
import dataclasses
from functools import cached_property
import itertools
import re

from fatcube.noc.topology import Topology

__all__ = ["Survivors"]


@dataclasses.dataclass(frozen=True)
class Survivors(Topology, kind=None):
    """The nodes and processors of a network that have not failed, numbered in the order that they have there.

    Channels keep their numbers where all lanes of every link are left. Where one is missing, each lane is a channel of its
    own: lane l of channel c is channel c f + l. The processors have as many ports as those of the whole network.

    Parameters
    ----------
    network : :class:`Topology`
        The network with its failures.
    places : tuple of :class:`int`
        The number there of each node.
    split : :class:`bool`
        True if each lane is a channel.
    turned : :class:`bool`
        True if all links are reversed.
    """

    kind = "survivors"

    network: Topology
    places: tuple[int, ...]
    split: bool = False
    turned: bool = False

    @property
    def nodes(self) -> int:
        return len(self.places)

    @property
    def degree(self) -> int:
        # The ports of processors follow from it, so it is that of the whole network where lanes are channels, too.
        return self.network.degree

    @property
    def m(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]  (of most topologies it is given)
        return self.network.m

    @property
    def f(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]
        return 1 if self.split else self.network.f

    @cached_property
    def complete(self) -> bool:
        return not self.split and super().complete

    @cached_property
    def uniform(self) -> bool:
        return all(len(there) == self.m for there in map(self.processors_of, range(self.nodes)))

    @cached_property
    def directed(self) -> bool:
        return self.network.directed

    @property
    def processors(self) -> int:
        return len(self.network.working)

    def processors_of(self, node: int) -> range:
        return range(self._before[node], self._before[node + 1])

    def node_of(self, processor: int) -> int:
        return bisect.bisect_right(self._before, processor) - 1

    def local_of(self, processor: int) -> int:
        return processor - self._before[self.node_of(processor)]

    def neighbour(self, node: int, channel: int) -> tuple[int, int] | None:
        return self._ends[node].get(channel)

    def ends(self, node: int) -> Iterator[tuple[int, int, int]]:
        return ((channel, *end) for channel, end in sorted(self._ends[node].items()))

    def name_of(self, node: int) -> str:
        return self.network.name_of(self.places[node])

    @cached_property
    def mirror_image(self) -> Topology:
        return dataclasses.replace(self, turned=not self.turned) if self.directed else self

    @cached_property
    def mirror(self) -> range:
        return range(self.nodes)

    def _check_channels(self) -> None:
        self.network.check()

    @cached_property
    def _before(self) -> list[int]:
        """For each node the number of processors on earlier nodes, followed by the number of all."""
        working = frozenset(self.network.working)
        counts = (len(working.intersection(self.network.processors_of(place))) for place in self.places)
        return [0, *itertools.accumulate(counts)]

    @cached_property
    def _ends(self) -> list[dict[int, tuple[int, int]]]:
        """For each node its channels, with the node and the channel that each leads to."""
        numbers = {place: node for node, place in enumerate(self.places)}
        found: list[dict[int, tuple[int, int]]] = [{} for _ in self.places]
        for node, place in enumerate(self.places):
            for channel, other, back in self.network.ends(place):
                for lane in self.network.lanes_of(place, channel) if self.split else (0,):
                    far = numbers[other]
                    here, there = (c * self.network.f + lane if self.split else c for c in (channel, back))
                    if self.turned:
                        found[far][there] = node, here
                    else:
                        found[node][here] = far, there
        return found

    def processor_in_network(self, processor: int) -> int:
        """The number of ``processor`` in the network."""
        return self.network.working[processor]

    def processor_here(self, processor: int) -> int:
        """The number here of the network's ``processor``, which works."""
        return bisect.bisect_left(self.network.working, processor)

    def lane_in_network(self, node: int, other: int, lane: int) -> int:
        """The number in the network of a lane from ``node`` to ``other``; both are numbered as here."""
        network, f = self.network, self.network.f
        channel, number = self.channels_between(node, other)[lane // self.f], lane % self.f
        if self.split:
            channel, number = divmod(channel, f)
        return network.channels_between(self.places[node], self.places[other]).index(channel) * f + number

    def in_network(self, text: str) -> str:
        """A sentence on nodes and processors as they are numbered here, with the numbers of the network."""

        def renumbered(found: re.Match[str]) -> str:
            numbers = self.places if found[1].startswith("node") else self.network.working
            return f"{found[1]}{numbers[int(found[2])]}"

        return re.sub(r"\b(nodes? |processor )(\d+)", renumbered, text)

    def __str__(self) -> str:
        return str(self.network)
