"""The remaining part of a network with failures, renumbered: all its nodes and processors work; schedules are made for it."""

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
    """The nodes and processors of a network that have not failed, renumbered in the order of their numbers in the network.

    Channels keep their numbers if all lanes of every remaining link work. If a lane is missing, each lane becomes a separate
    channel: lane l of channel c is channel c f + l. The processors have the same number of ports as in the whole network.

    Parameters
    ----------
    network : :class:`Topology`
        The network with its failures.
    places : tuple of :class:`int`
        The number of each node in ``network``.
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
        # It determines the ports of processors, so it is the degree of the whole network even if lanes are channels.
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
        """For each node the number of processors on earlier nodes, followed by the number of all processors."""
        working = frozenset(self.network.working)
        counts = (len(working.intersection(self.network.processors_of(place))) for place in self.places)
        return [0, *itertools.accumulate(counts)]

    @cached_property
    def _ends(self) -> list[dict[int, tuple[int, int]]]:
        """For each node its channels, each with the adjacent node and the opposite channel there."""
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
        """The number in this topology of ``processor``, a working processor of the network."""
        return bisect.bisect_left(self.network.working, processor)

    def lane_in_network(self, node: int, other: int, lane: int) -> int:
        """The number in the network of a lane from ``node`` to ``other``; nodes and ``lane`` are numbered as in this topology."""
        network, f = self.network, self.network.f
        channel, number = self.channels_between(node, other)[lane // self.f], lane % self.f
        if self.split:
            channel, number = divmod(channel, f)
        return network.channels_between(self.places[node], self.places[other]).index(channel) * f + number

    def in_network(self, text: str) -> str:
        """The sentence ``text`` with its node and processor numbers replaced by the numbers in the network."""

        def renumbered(found: re.Match[str]) -> str:
            numbers = self.places if found[1].startswith("node") else self.network.working
            return f"{found[1]}{numbers[int(found[2])]}"

        return re.sub(r"\b(nodes? |processor )(\d+)", renumbered, text)

    @property
    def name(self) -> str:
        return self.network.name

    def __str__(self) -> str:
        return str(self.network)
