"""The lower bound of an all-gather by the few that can send to many: a set of nodes hears of everything from its neighbours alone."""

from collections.abc import Iterator
from fractions import Fraction

from fatcube.noc.topology import Topology
from fatcube.rtl.port_model import PortModel
from fatcube.schedules import counting
from fatcube.schedules.counting import Bound
from fatcube.schedules.step_model import UNLIMITED, StepModel

__all__ = ["few_senders"]


MOST_NODES = 1024  # for which it takes a second


def few_senders(topology: Topology, ports: PortModel, model: StepModel, parts: int = 1) -> Iterator[Bound]:
    """Every node of a set S is sent the messages of all other nodes by the processors of N(S), the nodes next to one of S.

    At most k packets a step leave each of them, so with m processors on every node an all-gather takes at least
    |S| (P - m) / (k m |N(S)|) steps. It says most where S is independent, as the leaves of a star or the corners and the middle of a
    3 × 3 mesh. The best set is a minimum cut of nodes against their neighbours, for a ratio that grows until no set exceeds
    it (Dinkelbach 1967), so the bound is exact. Where all nodes are alike N(S) is never smaller than S; direct transfers
    come from anywhere, and where routers copy packets one of them reaches several nodes.
    """
    few = 1 < len(topology.served) <= MOST_NODES
    if not few or topology.alike or model.direct or ports.copies or model.per_packet == UNLIMITED:
        return
    sizes = {node: len(topology.processors_of(node)) for node in topology.served}
    rate = counting.messages_in(counting.processor_ports(topology, ports), model)
    hears = {node: parts * (topology.processors - size) for node, size in sizes.items()}
    sends = {node: rate * size for node, size in sizes.items()}
    best, heard, sent, chosen = [*topology.served], 0, 1, 0
    while best:
        senders = {other for node in best for other in topology.sources(node)}
        heard, sent, chosen = sum(hears[node] for node in best), sum(sends[node] for node in senders), len(best)
        best = _exceeding(topology, hears, sends, Fraction(heard, sent))
    yield Bound(
        counting.ceil_divide(heard, sent),
        f"{heard} messages are sent to {chosen} nodes by their neighbours, at most {sent} a step",
    )


def _exceeding(topology: Topology, hears: dict[int, int], sends: dict[int, int], ratio: Fraction) -> list[int]:
    """The set of nodes that hear the most beyond ``ratio`` times what their neighbours can send; empty if none exceeds it."""
    from ortools.graph.python import max_flow

    flow, nodes = max_flow.SimpleMaxFlow(), topology.nodes
    source, sink = 2 * nodes, 2 * nodes + 1
    everything = ratio.denominator * sum(hears.values())
    for node in topology.served:
        flow.add_arc_with_capacity(source, node, ratio.denominator * hears[node])
        flow.add_arc_with_capacity(nodes + node, sink, ratio.numerator * sends[node])
        for other in topology.sources(node):
            flow.add_arc_with_capacity(node, nodes + other, everything)
    flow.solve(source, sink)
    if flow.optimal_flow() == everything:
        return []
    return sorted({node for node in flow.get_source_side_min_cut() if node < nodes})
