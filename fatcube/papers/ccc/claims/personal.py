"""Algorithms A5 to A7: scatter and total exchange."""

import networkx

from fatcube.papers.ccc.graphs import DOUBLE_LINK, defined
from fatcube.papers.ccc.paper import PAPER
from fatcube.papers.ccc.steps import executed, instances
from fatcube.papers.claim import Cases
from fatcube.papers.evidence import Evidence
from fatcube.papers.verdict import case
from noc.topologies.ccc import CubeConnectedCycles
from schedules.collective import Move
from schedules.constructions.ccc import scatter_by_route, scatter_on_tree, total_exchange


@PAPER.claim(
    "algorithm A5",
    printed="N - 1 (Table 1)",
    evidence="",
    show="n == 3",
    reading="The paper does not say how many steps it takes; N - 1 is its bound.",
    graph=DOUBLE_LINK,
)
def a5_steps(evidence: Evidence) -> Cases:
    """A5 is a scatter in N - 1 steps, the lower bound for single I/O."""
    return executed(evidence, "A5", instances("OAS", "1", range(2, 6)), _a5, _others)


def _others(n: int) -> int:
    return (n << n) - 1


def _a5(topology: CubeConnectedCycles) -> list[Move]:
    return scatter_by_route(topology, "1")


@PAPER.claim(
    "algorithm A6",
    printed="a scatter",
    evidence="",
    show="n == 3",
    reading="Along the paths of A3, where a node acts on a receipt from another direction too. If it acts on its "
    "first receipt only, see a6_is_a_scatter_on_first_receipts.",
    graph=DOUBLE_LINK,
)
def a6_is_a_scatter(evidence: Evidence) -> Cases:
    """A6 is a scatter: every node receives its message."""
    return executed(evidence, "A6", instances("OAS", "d", range(2, 7)), _a6)


def _a6(topology: CubeConnectedCycles) -> list[Move]:
    return scatter_on_tree(topology, "d")


@PAPER.claim(
    "algorithm A6",
    printed="a scatter",
    evidence="every transfer and receipt checked",
    conditions=["n <= 3"],
    reading="Along the paths of A3, where a node acts on its first receipt only, which the paper does not say.",
    graph=DOUBLE_LINK,
)
def a6_is_a_scatter_on_first_receipts(evidence: Evidence) -> Cases:
    """A6 is a scatter if A3 acts on the first receipt only."""
    return executed(evidence, "A6-first", instances("OAS", "d", range(2, 7)), _a6_first)


def _a6_first(topology: CubeConnectedCycles) -> list[Move]:
    return scatter_on_tree(topology, "d", every=False)


@PAPER.claim("algorithm A7", printed="a total exchange", evidence="", show="n == 3", graph=DOUBLE_LINK)
def a7_is_a_total_exchange(evidence: Evidence) -> Cases:
    """A7 is a total exchange."""
    return executed(evidence, "A7", instances("AAS", "d", range(2, 5)), _a7)


def _a7(topology: CubeConnectedCycles) -> list[Move]:
    return total_exchange(topology, "d")


@PAPER.claim(
    "algorithm A7",
    printed="cube dimension 1",
    evidence="the links between cycles are removed but for those of the lowest dimension, and the nodes that are still "
    "connected with node (0, 0) are counted",
    misprint="dimension 0 must be meant: at dimension 1 two cycles are joined by a link",
)
def a7_recursion_ends_in_a_cycle(evidence: Evidence) -> Cases:
    """When the recursion comes down to cube dimension 1, there is a cycle."""
    for n in range(3, 9):
        links = [(u, v) for u, v in defined(n).edges() if u[0] == v[0] or u[1] == 0]
        part = networkx.node_connected_component(networkx.Graph(links), (0, 0))
        yield case(f"{len(part) // n} cycles of {n}", f"1 cycles of {n}", n=n)
