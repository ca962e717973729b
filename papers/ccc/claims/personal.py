"""Algorithms A5 to A7: scatter and total exchange."""

from functools import partial

import networkx

from fatcube.papers.ccc.graphs import DOUBLE_LINK, defined
from fatcube.papers.ccc.paper import PAPER
from fatcube.papers.ccc.steps import executed, instances
from fatcube.papers.claim import Cases, each, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.verdict import Case, case
from fatcube.schedules.constructions.ccc import scatter_by_route, scatter_on_tree, total_exchange

claim = partial(PAPER.claim, evidence="", graph=DOUBLE_LINK)


@claim("algorithm A5", "N - 1 (Table 1)")
@said(show="n == 3", reading="The paper does not say how many steps it takes; N - 1 is its bound.")
def a5_steps(evidence: Evidence) -> Cases:
    """A5 is a scatter in N - 1 steps, the lower bound for single I/O."""
    return executed(evidence, "A5", instances("OAS", "1", range(2, 6)), scatter_by_route, _others)


def _others(n: int) -> int:
    return (n << n) - 1


@claim("algorithm A6", "a scatter")
@said(
    show="n == 3",
    reading="Along the paths of A3, where a node acts on a receipt from another direction too. If it acts on its "
    "first receipt only, see a6_is_a_scatter_on_first_receipts.",
)
def a6_is_a_scatter(evidence: Evidence) -> Cases:
    """A6 is a scatter: every node receives its message."""
    return executed(evidence, "A6", instances("OAS", "d", range(2, 7)), scatter_on_tree)


@claim("algorithm A6", "a scatter")
@said(
    evidence="every transfer and receipt checked",
    conditions=["n <= 3"],
    reading="Along the paths of A3, where a node acts on its first receipt only, which the paper does not say.",
)
def a6_is_a_scatter_on_first_receipts(evidence: Evidence) -> Cases:
    """A6 is a scatter if A3 acts on the first receipt only."""
    return executed(evidence, "A6-first", instances("OAS", "d", range(2, 7)), partial(scatter_on_tree, every=False))


@claim("algorithm A7", "a total exchange", show="n == 3")
def a7_is_a_total_exchange(evidence: Evidence) -> Cases:
    """A7 is a total exchange."""
    return executed(evidence, "A7", instances("AAS", "d", range(2, 5)), total_exchange)


@claim("algorithm A7", "cube dimension 1", over=each(n=range(3, 9)))
@said(
    evidence="the links between cycles are removed but for those of the lowest dimension, and the nodes that are still "
    "connected with node (0, 0) are counted",
    misprint="dimension 0 must be meant: at dimension 1 two cycles are joined by a link",
    graph="",
)
def a7_recursion_ends_in_a_cycle(n: int) -> Case:
    """When the recursion comes down to cube dimension 1, there is a cycle."""
    links = [(u, v) for u, v in defined(n).edges() if u[0] == v[0] or u[1] == 0]
    part = networkx.node_connected_component(networkx.Graph(links), (0, 0))
    return case(f"{len(part) // n} cycles of {n}", f"1 cycles of {n}")
