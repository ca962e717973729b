"""The measures of a network as a graph: all are computed from its links, and none from a formula."""

from collections import Counter
from collections.abc import Iterator, Set
import dataclasses
from fractions import Fraction
import math
from typing import TypeAlias

import networkx
import numpy

from fatcube.groundwork.solving import solve
from fatcube.noc.topology import Topology

__all__ = [
    "Bisection",
    "Measures",
    "average_distance",
    "bisection",
    "connectivity",
    "diameter",
    "links",
    "measure",
    "reaches_all",
]


EFFORT = 20.0  # CP-SAT's deterministic seconds

_Cut: TypeAlias = Counter[tuple[int, int]]  # lanes between two nodes, both directions together


@dataclasses.dataclass(frozen=True)
class Bisection:
    """The lanes that are cut when the nodes are divided into halves, which differ by at most one node.

    Members
    -------
    width : :class:`int`
        The lanes, both directions together where they go both ways, between ``half`` and the other half.
        The bisection width if ``exact``, and otherwise an upper bound of it.
    at_least : :class:`int`
        A proven lower bound, ``width`` itself if ``exact``.
    half : :class:`frozenset`
        The nodes of one half.
    by : :class:`str`
        The method that found the halves.
    """

    width: int
    at_least: int
    half: frozenset[int]
    by: str

    @property
    def exact(self) -> bool:
        """``True`` if it is proven that no division into halves cuts fewer lanes."""
        return self.width == self.at_least


@dataclasses.dataclass(frozen=True)
class Measures:
    """All measures of a topology; the members are explained at the functions of the same names."""

    nodes: int
    degree: int
    links: int
    diameter: int
    average_distance: Fraction
    bisection: Bisection
    connectivity: int


def measure(topology: Topology, *, effort: float = EFFORT) -> Measures:
    """The :class:`Measures` of a topology, without its failed parts; ``effort`` is that of :func:`bisection`."""
    topology = topology.survivors
    return Measures(
        nodes=topology.nodes,
        degree=topology.degree,
        links=links(topology),
        diameter=diameter(topology),
        average_distance=average_distance(topology),
        bisection=bisection(topology, effort=effort),
        connectivity=connectivity(topology),
    )


def links(topology: Topology) -> int:
    """Lanes, both directions together where they go both ways."""
    return topology.graph.number_of_edges()


def diameter(topology: Topology) -> int:
    """Hops between the two nodes that are farthest from each other."""
    return max(max(hops) for hops in _distances(topology))


def reaches_all(topology: Topology, hops: int) -> bool:
    """``True`` if no two nodes are more than ``hops`` hops from each other."""
    return all(max(distances) <= hops for distances in _distances(topology))


def average_distance(topology: Topology) -> Fraction:
    """Hops from a node to another one, on average over all pairs of two different nodes, as a fraction; 0 with one node."""
    if topology.nodes == 1:
        return Fraction(0)
    hops = [sum(hops) for hops in _distances(topology)]
    return Fraction(sum(hops), len(hops) * (topology.nodes - 1))


def connectivity(topology: Topology) -> int:
    """The number of paths, no two of which share a node between their ends, that join any two nodes (Menger).

    At least as many nodes must fail before two others can no longer reach each other.
    """
    return int(networkx.node_connectivity((networkx.DiGraph if topology.directed else networkx.Graph)(topology.graph)))


def bisection(topology: Topology, *, effort: float = EFFORT) -> Bisection:
    """The fewest lanes that can be cut to divide the nodes into halves, as a :class:`Bisection`.

    The cut between the lower and the upper half of the node numbers is an upper bound (on cubes, cube-connected
    cycles and generalized hypercubes of even w it splits the highest dimension). Nodes are then exchanged for as long
    as that makes the cut smaller (Kernighan and Lin), which gives another. Fiedler's lower bound, the second
    eigenvalue of the graph's Laplacian times |A| |B| / N, meets it on hypercubes and on dense generalized hypercubes
    of even w. A second lower bound, from the load that shortest paths between all nodes put on a link, meets it on
    cube-connected cycles of 3 to 9 dimensions. Elsewhere a search (OR-tools CP-SAT) looks for a smaller cut, or for
    the proof that there is none; it is exact up to some 24 nodes.

    Parameters
    ----------
    effort : :class:`float`
        The limit of the search in CP-SAT's deterministic seconds: the same effort has the same result. With 0
        there is no search.
    """
    if topology.nodes == 1:
        return Bisection(0, 0, frozenset(), "no link")
    cut: _Cut = Counter()
    for u, v in topology.graph.edges():
        cut[min(u, v), max(u, v)] += 1
    at_least = max(_fiedler(topology, cut), _betweenness(topology)) if topology.nodes <= 2048 else 0
    best = _by_number(topology, cut)
    for seed in range(4 if topology.nodes <= 4096 else 0):
        best = min(best, _exchanged(topology, cut, best.half, seed), key=lambda found: found.width)
    best = dataclasses.replace(best, at_least=at_least)
    return best if best.exact or effort == 0 else _searched(topology, cut, best, effort)


def _distances(topology: Topology) -> Iterator[list[int]]:
    """Hops to all nodes from each base; from the other nodes they are the same."""
    for base in topology.bases:
        yield list(networkx.single_source_shortest_path_length(topology.graph, base).values())


def _width(cut: _Cut, half: Set[int]) -> int:
    return sum(lanes for (u, v), lanes in cut.items() if (u in half) != (v in half))


def _by_number(topology: Topology, cut: _Cut) -> Bisection:
    half = frozenset(range(topology.nodes // 2))
    return Bisection(_width(cut, half), 0, half, "node numbers, lower and upper half")


def _fiedler(topology: Topology, cut: _Cut) -> int:
    """Fiedler's bound: a division of N nodes into A and B cuts at least the second eigenvalue times |A| |B| / N."""
    laplacian = numpy.zeros((topology.nodes, topology.nodes))
    for (u, v), lanes in cut.items():
        laplacian[u, v] = laplacian[v, u] = -lanes
    numpy.fill_diagonal(laplacian, -laplacian.sum(axis=0))
    small = topology.nodes // 2
    bound = numpy.linalg.eigvalsh(laplacian)[1] * small * (topology.nodes - small) / topology.nodes
    return math.ceil(bound - 1e-6)  # far more than the error of eigenvalues


def _betweenness(topology: Topology) -> int:
    """The bound by betweenness: the load of the cut, divided by that of the lane with the highest load.

    Every node sends to every other, over all shortest paths equally: |A| |B| from each half cross the cut.
    """
    graph = (networkx.DiGraph if topology.directed else networkx.Graph)(topology.graph)
    loads = networkx.edge_betweenness_centrality(graph, normalized=False)  # pairs in one order where links go both ways
    most = max(load / topology.graph.number_of_edges(u, v) for (u, v), load in loads.items())
    small = topology.nodes // 2
    return math.ceil((1 + topology.directed) * small * (topology.nodes - small) / most - 1e-6)


def _exchanged(topology: Topology, cut: _Cut, half: Set[int], seed: int) -> Bisection:
    """The halves after exchanges between ``half`` and the rest, with nodes in an order that ``seed`` chooses."""
    graph = networkx.Graph()
    graph.add_nodes_from(range(topology.nodes))
    graph.add_weighted_edges_from((u, v, lanes) for (u, v), lanes in cut.items())
    halves = set(half), set(graph) - half
    found = frozenset(networkx.algorithms.community.kernighan_lin_bisection(graph, halves, seed=seed)[0])
    return Bisection(_width(cut, found), 0, found, "exchange of nodes (Kernighan and Lin)")


def _searched(topology: Topology, cut: _Cut, best: Bisection, effort: float) -> Bisection:
    """The result of the search, from ``best`` on."""
    from ortools.sat.python import cp_model  # takes half a second, which only a search is worth

    model = cp_model.CpModel()
    here = [model.new_bool_var("") for _ in range(topology.nodes)]
    model.add(here[0] == 1)  # the two halves are interchangeable
    size = topology.nodes // 2
    if topology.nodes % 2:
        model.add_linear_constraint(sum(here), size, size + 1)
    else:
        model.add(sum(here) == size)
    crossing = []
    for (u, v), lanes in cut.items():
        crossed = model.new_bool_var("")
        model.add_bool_or(here[u].Not(), here[v], crossed)
        model.add_bool_or(here[u], here[v].Not(), crossed)
        crossing.append(lanes * crossed)
    model.add(sum(crossing) >= best.at_least)
    model.minimize(sum(crossing))
    hinted = best.half if 0 in best.half else frozenset(range(topology.nodes)) - best.half
    for node in range(topology.nodes):
        model.add_hint(here[node], node in hinted)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1  # several workers race, and the winner differs from run to run
    solver.parameters.max_deterministic_time = effort
    solver.parameters.symmetry_level = 2
    status = solve(solver, model)
    proven = max(best.at_least, round(solver.best_objective_bound))
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        half = frozenset(node for node in range(topology.nodes) if solver.boolean_value(here[node]))
        if _width(cut, half) < best.width:
            best = Bisection(_width(cut, half), 0, half, "search")
    return dataclasses.replace(best, at_least=best.width if status == cp_model.OPTIMAL else proven)
