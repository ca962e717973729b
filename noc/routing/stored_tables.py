"""The stored form of the routers' tables, bit by bit: they are packed from selectors, and checked by following every packet."""

from collections.abc import Callable, Iterator, Sequence
import functools
import itertools

import numpy

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.routing.dependencies import graph_of, in_words, shortest_cycle
from fatcube.noc.routing.trees import AT_ONCE, Array, distinct
from fatcube.noc.topology import Topology
from fatcube.rtl.router_parameters import RouterParameters

__all__ = ["StoredTables"]


class StoredTables:
    """The layout of the tables of a network's routers.

    Parameters
    ----------
    topology : :class:`Topology`
    router : :class:`RouterParameters`
        The router of every node.
    """

    def __init__(self, topology: Topology, router: RouterParameters) -> None:
        self._topology, self._router, self._header = topology, router, router.header
        self._words = 1 << self._header.route_bits
        self._shifts = numpy.arange(self._header.selector_bits)
        # For each destination: its node, the output to it, and its message class.
        processors = range(topology.processors)
        self._node = numpy.repeat([topology.node_of(one) for one in processors], router.ports)
        self._local = numpy.repeat([topology.local_of(one) for one in processors], router.ports)
        self._port = numpy.tile(numpy.arange(router.ports), topology.processors)
        self._output = self._local * router.ports + self._port
        self._works = numpy.repeat([topology.works(one) for one in processors], router.ports)
        self._class = numpy.array([router.message_class(port) for port in range(router.ports)])[self._port]

    def packed(self, selectors: Array, reached: Array, homes: Sequence[int]) -> list[int]:
        """The tables of each node, packed one after the other.

        Parameters
        ----------
        selectors : array of integers
            By node, table and target (its number among ``homes``); -1 if no packet to the target uses the table.
        reached : array of :class:`bool`
            By node and table, whether any packet uses the table; if so, it also has entries for the node's own processors.
        """
        column = numpy.searchsorted(homes, self._node) % len(homes)
        classes = numpy.array([self._class_of(*place) for place in self._router.tables])
        nowhere, packed = self._header.nowhere, []
        for node in range(self._topology.nodes):
            words = numpy.full((len(classes), self._words), nowhere, dtype=numpy.int32)
            found = selectors[node][:, column]
            found = numpy.where(self._works, numpy.where(self._node == node, self._output, found), -1)
            there = reached[node][:, None] & (found >= 0) & (classes[:, None] == self._class)
            words[:, : len(column)][there] = found[there]
            bits = (words[..., None] >> self._shifts & 1).astype(numpy.uint8)
            packed.append(int.from_bytes(numpy.packbits(bits, bitorder="little").tobytes(), "little"))
        return packed

    def _class_of(self, number: int, channel_class: int) -> int:
        """The message class of the packets that use a table."""
        router = self._router
        if number < router.processor_ports:
            return router.message_class(number % router.ports)
        return channel_class * router.message_classes // router.options.channel_classes

    def check(self, tables: Sequence[int]) -> None:
        """Refuse tables with which a packet does not arrive or can deadlock.

        Raises
        ------
        ParameterError
            If a packet does not arrive or can deadlock; the message names the packet or a cycle of channels.
        """
        tables_of = self._unpacked(tables)
        at_once = max(1, AT_ONCE // len(self._node))
        first, pairs = (numpy.empty(0, dtype=numpy.int64) for _ in range(2))
        for begin in range(0, len(self._node), at_once):
            some = slice(begin, begin + at_once)
            alike = self._class[some, None] == self._class
            source, destination = numpy.nonzero(alike & self._works[some, None] & self._works)
            before = None
            for hop, goes_on in self._followed(tables_of, source + begin, destination):
                if before is None:
                    first = numpy.union1d(first, distinct(hop, self._hops))
                else:
                    pairs = numpy.union1d(pairs, distinct(before[goes_on] * self._hops + hop, self._hops**2))
                before = hop
        classes = self._router.options.channel_classes
        both = numpy.stack([pairs // self._hops, pairs % self._hops], axis=1)
        graph = graph_of(first, both, self._topology.degree, classes)
        if (cycle := shortest_cycle(graph)) is not None:
            raise ParameterError(
                f"tables must have no channels that wait for each other in a cycle, not {in_words(cycle)}"
            )

    def _followed(self, tables: Array, source: Array, destination: Array) -> Iterator[tuple[Array, Array]]:
        """The hops of packets between destinations, one after the other.

        Each item is a pair of arrays: the hop of every packet that has not arrived, numbered as in
        :class:`~fatcube.noc.routing.followed.Followed`, and, for each packet of the previous item, whether it has not arrived.
        """
        topology, router = self._topology, self._router
        outputs_mask = (1 << self._header.selector_bits - self._header.class_bits) - 1
        node, into = self._node[source], self._output[source]
        channel_class = numpy.zeros(len(source), dtype=numpy.int64)
        for hops in itertools.count():
            selector = tables[node, self._number[into, channel_class], destination]
            output, channel_class = (
                selector & outputs_mask,
                selector >> self._header.selector_bits - self._header.class_bits,
            )
            arrives = output < router.processor_ports
            arrived = self._begin[node] + output
            self._refuse(arrives & (arrived != destination), source, destination, lambda one: f"not to {arrived[one]}")
            goes_on = ~arrives
            node, output, channel_class = node[goes_on], output[goes_on], channel_class[goes_on]
            source, destination = source[goes_on], destination[goes_on]
            if not len(source):
                return
            channel, lane = numpy.divmod(output - router.processor_ports, router.lanes)
            missing = ~self._left[node, channel, lane]  # The entry after the last channel is always missing.
            self._refuse(missing, source, destination, lambda one: f"not to a missing channel of node {node[one]}")
            if hops > topology.nodes * router.options.channel_classes:
                self._refuse(missing | True, source, destination, lambda one: "not into an endless cycle")
            yield (node * topology.degree + channel) * router.options.channel_classes + channel_class, goes_on
            into = router.processor_ports + self._back[node, channel] * router.lanes + lane
            node = self._neighbour[node, channel]

    def _refuse(self, wrong: Array, source: Array, destination: Array, found: Callable[[int], str]) -> None:
        """Refuse the tables on account of the first packet marked in ``wrong``."""
        for one in wrong.nonzero()[0][:1].tolist():
            raise ParameterError(
                f"tables must lead from processor {source[one] // self._router.ports} to destination {destination[one]}, "
                f"{found(one)}"
            )

    def _unpacked(self, tables: Sequence[int]) -> Array:
        """The selectors by node, table and destination."""
        bits = self._words * len(self._router.tables) * len(self._shifts)
        found = []
        for table in tables:
            stored = numpy.frombuffer(table.to_bytes(-(-bits // 8), "little"), dtype=numpy.uint8)
            each = numpy.unpackbits(stored, count=bits, bitorder="little").reshape(-1, self._words, len(self._shifts))
            found.append(
                (each[:, : len(self._node)].astype(numpy.int32) << self._shifts).sum(axis=2, dtype=numpy.int32)
            )
        return numpy.stack(found)

    @property
    def _hops(self) -> int:
        """The number of channels of all nodes times the number of classes."""
        return self._topology.nodes * self._topology.degree * self._router.options.channel_classes

    @functools.cached_property
    def _number(self) -> Array:
        """The number of each table, by input and class; 0 where there is none, as no packet uses this entry."""
        numbers = numpy.zeros((self._router.crossbar_ports, self._router.options.channel_classes), dtype=numpy.int32)
        for number, place in enumerate(self._router.tables):
            numbers[place] = number
        return numbers

    @functools.cached_property
    def _begin(self) -> Array:
        """The first destination at each node."""
        return numpy.array(
            [self._topology.processors_of(node).start * self._router.ports for node in range(self._topology.nodes)]
        )

    @functools.cached_property
    def _left(self) -> Array:
        """By node, channel and lane, whether the lane exists and works."""
        left = numpy.zeros((self._topology.nodes, self._topology.degree + 1, self._router.lanes), dtype=bool)
        for node in range(self._topology.nodes):
            for channel, *_ in self._topology.ends(node):
                left[node, channel, list(self._topology.lanes_of(node, channel))] = True
        return left

    @property
    def _neighbour(self) -> Array:
        return self._ends[..., 0]

    @property
    def _back(self) -> Array:
        return self._ends[..., 1]

    @functools.cached_property
    def _ends(self) -> Array:
        """By node and channel, the adjacent node and the opposite channel there; -1 where there is no channel."""
        ends = numpy.full((self._topology.nodes, self._topology.degree + 1, 2), -1)
        for node in range(self._topology.nodes):
            for channel, *end in self._topology.ends(node):
                ends[node, channel] = end
        return ends
