"""The turns that the ways of a routing take in each router, and the groups of nodes that can share a router module."""

from collections import defaultdict
from collections.abc import Sequence
import dataclasses

from noc.routing.lanes import LaneRule
from noc.routing.routing import Routing
from rtl.router_parameters import RouterParameters

__all__ = ["MOST_GROUPS", "Group", "Turns", "group", "turns"]


MOST_GROUPS = 4

Turns = frozenset[tuple[int, int]]  # from input to output, numbered as in RouterParameters


@dataclasses.dataclass(frozen=True)
class Group:
    """Nodes whose routers are the same module: the turns that it has, and the nodes, in order."""

    turns: Turns
    nodes: tuple[int, ...]


def turns(
    routing: Routing, router: RouterParameters, rule: LaneRule = LaneRule.FIXED, *, to_itself: bool = True
) -> list[Turns]:
    """The turns that packets take at each node.

    Any port of a processor sends on all of its ways, and any receives. Inputs and outputs are numbered by ``router``;
    where a node has fewer processors or channels than it, those that are not there have no turns.

    Parameters
    ----------
    router : :class:`RouterParameters`
        The router of every node.
    rule : :class:`LaneRule`
        The rule by which packets share the lanes of a link.
    to_itself : :class:`bool`
        A processor can send to itself, as uniform traffic does, by way of its router.

    Raises
    ------
    ParameterError
        If there are too many nodes to go through all ways.
    """
    topology, f = routing.topology, routing.topology.f
    found: list[set[tuple[int, int]]] = [set() for _ in range(topology.nodes)]
    ports = {
        node: [
            [router.processor_port(local, port) for port in range(router.ports)]
            for local in range(len(topology.processors_of(node)))
        ]
        for node in routing.homes
    }
    lanes_of = {
        node: [rule.lanes(processor, f) for processor in topology.processors_of(node)] for node in routing.homes
    }
    for node, processors in ports.items():
        for source, inputs in enumerate(processors):
            for target, outputs in enumerate(processors):
                if source != target or to_itself:
                    found[node].update((i, o) for i in inputs for o in outputs)

    begins, passes, ends = defaultdict(set), defaultdict(set), defaultdict(set)
    for source, target, way in routing.ways():
        lanes = {lane for some in lanes_of[source] for lane in some}
        node, entered = source, None
        for hop in way:
            if entered is None:
                begins[node].add(hop.channel)
            else:
                passes[node].update((entered, hop.channel, lane) for lane in lanes)
            node, entered = routing.ends[node][hop.channel]
        ends[target].update((entered, lane) for lane in lanes)
    for node in routing.homes:
        for channel in begins[node]:
            for inputs, lanes in zip(ports[node], lanes_of[node]):
                found[node].update((i, router.lane_port(channel, lane)) for i in inputs for lane in lanes)
        for channel, lane in ends[node]:
            entry = router.lane_port(channel, lane)
            found[node].update((entry, output) for outputs in ports[node] for output in outputs)
    for node, through in passes.items():
        found[node].update((router.lane_port(a, lane), router.lane_port(b, lane)) for a, b, lane in through)
    return [frozenset(some) for some in found]


def group(turns: Sequence[Turns], most: int = MOST_GROUPS) -> tuple[Group, ...]:
    """The nodes by their turns, so that few router modules are needed, in the order of their first nodes.

    If there are more than ``most`` kinds, all nodes are one group, whose module has the turns of all.
    """
    nodes: dict[Turns, list[int]] = {}
    for node, some in enumerate(turns):
        nodes.setdefault(some, []).append(node)
    if len(nodes) > most:
        return (Group(frozenset().union(*nodes), tuple(range(len(turns)))),)
    return tuple(Group(some, tuple(members)) for some, members in nodes.items())
