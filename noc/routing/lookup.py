"""The lookup tables of routers, which give the next hop of a packet for a destination, and the check of their contents.

The table of an input and a class of virtual channels holds, for each destination of the same message class, the output
and the class of virtual channels to take. Destinations are the receiving ports of all processors, numbered processor by
processor, port by port.
"""

from collections.abc import Sequence

import numpy

from fatcube.groundwork.validation import ParameterError, check_count
from fatcube.noc.routing.lanes import LaneRule
from fatcube.noc.routing.routing import Routing
from fatcube.noc.routing.stored_tables import StoredTables
from fatcube.noc.routing.trees import Array, Trees
from fatcube.noc.topology import Topology
from fatcube.rtl.router_parameters import RouterParameters

__all__ = ["check_tables", "lookup_tables"]


MOST_DESTINATIONS = 1024

_NONE = -1  # in place of a selector where no packet looks one up


def lookup_tables(routing: Routing, router: RouterParameters, rule: LaneRule) -> list[int]:
    """For each node, the value of the port ``routes`` of its router.

    Parameters
    ----------
    router : :class:`RouterParameters`
        The router of every node; its headers name destinations.
    rule : :class:`LaneRule`
        The rule by which packets share the lanes of a link.

    Raises
    ------
    ParameterError
        If packets alternate between lanes, or take different lanes where single lanes have failed, if a pair has several
        routes, if two routes to one destination diverge at a node that both enter by the same input in the same class, or if
        there are too many destinations.
    """
    check_count("destinations", router.destinations, maximum=MOST_DESTINATIONS, what="to look up")
    if rule is LaneRule.IN_TURN:
        raise ParameterError("lanes must be fixed or by-source where headers carry destinations, not in-turn")
    topology = routing.topology
    if len(routing.alternatives) > 1:
        raise ParameterError(
            f"addressing must be route with several routes for each pair, as {routing} has, not destination"
        )
    if rule is not LaneRule.FIXED and topology.lanes < topology.channels * topology.f:
        # Packets of different lanes share one lane where the other has failed, and would have to separate after it.
        raise ParameterError(
            f"lanes must be fixed where headers carry destinations and single lanes have failed, not {rule.value}"
        )
    selectors = _Selectors(routing, router)
    sources: dict[int, dict[int, list[int]]] = {}  # by lane, then by number of the home: the processors that take it
    for row, source in enumerate(routing.homes):
        for local, processor in enumerate(topology.processors_of(source)):
            [lane] = rule.lanes(processor, topology.f)
            sources.setdefault(lane, {}).setdefault(row, []).append(local)
    for lane, processors in sources.items():
        begin = 0
        for trees in routing.trees():
            end = begin + trees.starts.shape[1]
            some = trees if len(processors) == len(routing.homes) else trees.only(sorted(processors))
            for message_class in range(router.message_classes):
                selectors.add(some, begin, lane, message_class, processors)
            begin = end
    return StoredTables(topology, router).packed(selectors.found, selectors.reached, routing.homes)


class _Selectors:
    """The selectors in the tables of all nodes.

    Attributes
    ----------
    found : array of integers
        By node, table of its router, and target (its number among the homes); -1 if no packet to the target uses the table.
    reached : array of :class:`bool`
        By node and table, whether any packet uses the table.
    """

    def __init__(self, routing: Routing, router: RouterParameters) -> None:
        self._routing, self._router = routing, router
        nodes, tables = routing.topology.nodes, len(router.tables)
        self.found = numpy.full((nodes, tables, len(routing.homes)), _NONE, dtype=numpy.int32)
        self.reached = numpy.zeros((nodes, tables), dtype=bool)
        self._tables = numpy.full((router.crossbar_ports, router.options.channel_classes), -1, dtype=numpy.int32)
        for number, place in enumerate(router.tables):
            self._tables[place] = number

    def add(self, trees: Trees, begin: int, lane: int, message_class: int, processors: dict[int, list[int]]) -> None:
        """Add the entries that packets of a message class look up when they take ``lane``.

        Parameters
        ----------
        begin : :class:`int`
            The number of the first target of the trees.
        processors : dict
            By number of the home, the processors there whose packets take this lane.
        """
        routing, router, header = self._routing, self._router, self._router.header
        classes = message_class * routing.classes + trees.channel_class
        taken = routing.lanes_taken(lane)[trees.node, trees.channel]
        output = router.processor_ports + trees.channel * router.lanes + taken
        selectors = (output | classes << header.selector_bits - header.class_bits).astype(numpy.int32)
        into = router.processor_ports + routing.backs[trees.node, trees.channel] * router.lanes + taken
        other, table = routing.neighbours[trees.node, trees.channel], self._tables[into, classes]
        self.reached[other, table] = True
        on = trees.behind >= 0
        self._put(other[on], table[on], begin + trees.target[on], selectors[trees.behind[on]])
        firsts = numpy.append(selectors, _NONE)[trees.starts]
        ports = [port for port in range(router.ports) if router.message_class(port) == message_class]
        for row, locals_here in processors.items():
            tables = [self._tables[router.processor_port(local, port), 0] for local in locals_here for port in ports]
            self.found[routing.homes[row], tables, begin : begin + firsts.shape[1]] = firsts[row]
            self.reached[routing.homes[row], tables] = True

    def _put(self, node: Array, table: Array, target: Array, selectors: Array) -> None:
        """Put selectors into tables, and refuse two different selectors in one entry."""
        known = self.found[node, table, target]
        self.found[node, table, target] = selectors
        stored = self.found[node, table, target]
        [twice] = ((known != _NONE) & (known != stored) | (stored != selectors)).nonzero()
        for one in twice[:1].tolist():
            number, _ = self._router.tables[int(table[one])]
            raise ParameterError(
                f"{self._routing} must have one next hop for each destination, input and class where headers carry "
                f"destinations: at node {node[one]}, packets for node {self._routing.homes[int(target[one])]} from input "
                f"{number} have two"
            )


def check_tables(topology: Topology, router: RouterParameters, tables: Sequence[int]) -> None:
    """Follow every packet through the stored tables, and refuse them if a packet does not arrive or can deadlock.

    Raises
    ------
    ParameterError
        If a packet is misrouted or its route has a cycle, or if the channel dependency graph has a cycle; the message
        names the packet or the cycle of channels.
    """
    StoredTables(topology, router).check(tables)
