"""The lookup tables of routers, which give the next hop of a packet for a destination, and the check of their contents.

The table of an input and a class of virtual channels holds, for each destination of the same message class, the output
and the class of virtual channels to take. Destinations are the receiving ports of all processors, numbered processor by
processor, port by port.
"""

from collections.abc import Iterator, Sequence

from groundwork.validation import ParameterError, check_count
from noc.routing.dependencies import dependencies_of, in_words, shortest_cycle
from noc.routing.lanes import LaneRule
from noc.routing.routing import Hop, Routing, Way
from noc.topology import Topology
from rtl.router_parameters import RouterParameters

__all__ = ["check_tables", "lookup_tables"]


MOST_DESTINATIONS = 1024

_Place = tuple[int, int, int]  # node, input of its router, class of virtual channels there


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
        If packets alternate between lanes, if two routes to one destination diverge at a node that both enter by the
        same input in the same class, or if there are too many destinations.
    """
    topology, header = routing.topology, router.header
    check_count("destinations", router.destinations, maximum=MOST_DESTINATIONS, what="to look up")
    if rule is LaneRule.IN_TURN:
        raise ParameterError("lanes must be fixed or by-source where headers carry destinations, not in-turn")
    selectors: dict[_Place, dict[int, int]] = {}

    def put(place: _Place, target: int, selector: int) -> None:
        known = selectors.setdefault(place, {}).setdefault(target, selector)
        if known != selector:
            node, number, _ = place
            raise ParameterError(
                f"{routing} must have one next hop for each destination, input and class where headers carry destinations: "
                f"at node {node}, packets for node {target} from input {number} have two"
            )

    for source in routing.homes:
        for local, processor in enumerate(topology.processors_of(source)):
            [lane] = rule.lanes(processor, topology.f)
            for target in routing.homes:
                for port in range(router.ports):
                    first = router.message_class(port) * routing.classes
                    place = source, router.processor_port(local, port), 0
                    for channel, channel_class in routing.way(source, target):
                        put(place, target, header.selector(router.lane_port(channel, lane), first + channel_class))
                        node, back = routing.ends[place[0]][channel]
                        place = node, router.lane_port(back, lane), first + channel_class
                    selectors.setdefault(place, {})
    return [_packed(topology, router, node, selectors) for node in range(topology.nodes)]


def _packed(topology: Topology, router: RouterParameters, node: int, selectors: dict[_Place, dict[int, int]]) -> int:
    """The tables of a node, concatenated."""
    header = router.header
    packed = ""
    for number, channel_class in router.tables:
        known = selectors.get((node, number, channel_class))
        words = [header.nowhere] * (1 << header.route_bits)
        message_class = (
            router.message_class(number % router.ports)
            if number < router.processor_ports
            else channel_class * router.message_classes // router.options.channel_classes
        )
        if known is not None:
            for target in {*known, node}:
                for local, processor in enumerate(topology.processors_of(target)):
                    for port in range(router.ports):
                        if router.message_class(port) != message_class:
                            continue
                        here = header.selector(router.processor_port(local, port))
                        words[processor * router.ports + port] = here if target == node else known[target]
        packed = "".join(f"{word:0{header.selector_bits}b}" for word in reversed(words)) + packed
    return int(packed, 2)


def check_tables(topology: Topology, router: RouterParameters, tables: Sequence[int]) -> None:
    """Follow every packet through the stored tables, and refuse them if one does not arrive, or can deadlock.

    Raises
    ------
    ParameterError
        If a packet is misrouted or comes to a place twice, or if channels wait for each other in a cycle; the message
        names one.
    """
    ways = list(_stored_ways(topology, router, tables))
    if (cycle := shortest_cycle(dependencies_of(topology, ways))) is not None:
        raise ParameterError(f"tables must have no channels that wait for each other in a cycle, not {in_words(cycle)}")


def _stored_ways(topology: Topology, router: RouterParameters, tables: Sequence[int]) -> Iterator[tuple[int, Way]]:
    """Each route that packets take, as its first node and its hops."""
    header = router.header
    mask, class_low = (1 << header.selector_bits) - 1, header.selector_bits - header.class_bits
    bits = {place: number * router.table_bits for number, place in enumerate(router.tables)}
    ends = [{channel: (other, back) for channel, other, back in topology.ends(node)} for node in range(topology.nodes)]
    for processor in range(topology.processors):
        source, local = topology.node_of(processor), topology.local_of(processor)
        for port in range(router.ports):
            for destination in range(topology.processors * router.ports):
                if router.message_class(port) != router.message_class(destination % router.ports):
                    continue
                node, number, channel_class = source, router.processor_port(local, port), 0
                hops: list[Hop] = []
                while True:
                    low = bits[number, channel_class] + destination * header.selector_bits
                    selector = tables[node] >> low & mask
                    output, channel_class = selector & (1 << class_low) - 1, selector >> class_low
                    if output < router.processor_ports:
                        break
                    channel, lane = divmod(output - router.processor_ports, router.lanes)
                    where = f"tables must lead from processor {processor} to destination {destination}"
                    if channel not in ends[node]:
                        raise ParameterError(f"{where}, not to a missing channel of node {node}")
                    if len(hops) > topology.nodes * router.options.channel_classes:
                        raise ParameterError(f"{where}, not into an endless cycle")
                    hops.append(Hop(channel, channel_class))
                    node, back = ends[node][channel]
                    number = router.lane_port(back, lane)
                found = topology.processors_of(node).start * router.ports + output
                if found != destination:
                    raise ParameterError(
                        f"tables must lead from processor {processor} to destination {destination}, not to {found}"
                    )
                yield source, tuple(hops)
