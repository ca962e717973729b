"""Spanning graphs of several trees on a cube with failures: the trees that no failure is in carry all of the data.

The n trees of nESBT share no directed edge, and the source sends on one edge in each. So a link at the source is in one tree, any
other one in exactly two, one per direction; a failed node of relative address c is a leaf, which nothing is lost behind, in all but
the |c| trees in which it passes data on (Johnsson and Ho, section 3.5). The trees that are left are n - 1 if one direction of a link
has failed, or any link at the source, n - 2 if both directions of another one have, and n - |c| without a node. Then a broadcast
with n ports of M elements in packets of B takes at most ceil(M / (t B)) + n steps on t trees.
"""

import dataclasses

from fatcube.groundwork.validation import ParameterError
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.noc.topologies.damaged import Damaged
from fatcube.schedules.collective import Collective
from fatcube.schedules.spanning.graphs import SpanningGraph

__all__ = ["degraded"]


def degraded(graph: SpanningGraph, network: Damaged, collective: Collective) -> SpanningGraph:
    """The trees of ``graph`` that bring data from its source to all nodes of ``network`` that work.

    Raises
    ------
    ParameterError
        If the network is no hypercube with failures, the collective is neither OAB nor OAS, or no tree is left.
    """
    if network.whole != Hypercube(graph.n):
        raise ParameterError(f"topology must be a hypercube along a spanning graph, not the {network.name}")
    if collective not in (Collective.OAB, Collective.OAS):
        raise ParameterError(
            f"collective along a spanning graph must be OAB or OAS on a network with failures, not {collective.value}"
        )
    left = tuple(tree for tree in range(graph.trees) if _whole(graph, tree, network))
    name = type(graph).__name__.lower()
    if not left:
        raise ParameterError(f"spanning graph must have a tree without failures, unlike {name} on the {network.name}")
    return _Degraded(graph.n, graph.source, of=graph, left=left)


def _whole(graph: SpanningGraph, tree: int, network: Damaged) -> bool:
    """Whether every node that works is below none that does not, and the edge to it works."""
    reached = {graph.source}
    for level in graph.levels(tree)[1:]:
        for node in level:
            above = graph.above(node, tree)
            if above in reached and network.lanes_between(above, node):
                reached.add(node)
    return reached.issuperset(map(network.node_of, network.working))


@dataclasses.dataclass(frozen=True)
class _Degraded(SpanningGraph):
    """Some trees of a spanning graph.

    Parameters
    ----------
    of : :class:`SpanningGraph`
        The graph with all of them, from the same source.
    left : tuple of :class:`int`
        The numbers there of these trees.
    """

    of: SpanningGraph = dataclasses.field(kw_only=True)
    left: tuple[int, ...] = dataclasses.field(kw_only=True)

    @property
    def trees(self) -> int:
        return len(self.left)

    def _parent(self, c: int, tree: int) -> int:
        return self.of._parent(c, self.left[tree])

    def _children(self, c: int, tree: int) -> list[int]:
        return self.of._children(c, self.left[tree])
