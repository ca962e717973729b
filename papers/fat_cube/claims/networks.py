"""Sections 1 and 2: sizes, degrees and bisections, and what the router models have in common."""

from collections.abc import Callable, Iterable
import dataclasses
from functools import partial
import itertools
from typing import Any

import networkx
from ortools.sat.python import cp_model

from fatcube.groundwork.solving import solve
from fatcube.noc import measures
from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.papers.arithmetic import ceil_log
from fatcube.papers.claim import columns, each, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.fat_cube.fat_case import FAT, FIGURE_1, FatCase, cases, compared, equal
from fatcube.papers.fat_cube.paper import PAPER
from fatcube.papers.verdict import Case, case, judged

claim = partial(PAPER.claim, evidence="counted on the graph")


Graph = networkx.MultiGraph

_BOTH_WAYS = (
    "The two directions of a link count apart, which is the only way for the hypercube to have P. With both together, "
    "as L in section 2 and conclusion 5 count, hypercube and cube-connected cycles have half of what is printed"
)


@claim("section 1", "P = 2^d nodes, d is also the node degree, D = d = log P", over=each(d=range(1, 9)))
@said(words="%s nodes, of degree %s, diameter %s")
def hypercube_measures(d: int) -> Case:
    """The hypercube has 2^d nodes of degree d, and its diameter is d = log P."""
    graph = Hypercube(d).graph
    degrees = {degree for _, degree in graph.degree()}
    return case((len(graph), degrees, networkx.diameter(graph)), (1 << d, {d}, d))


@claim("section 1", "node and edge symmetric", over=each(d=range(1, 7)))
@said(evidence="orbits under the XORs and the exchanges of two dimensions", words="orbits of nodes: %s, of edges: %s")
def hypercube_symmetric(d: int) -> Case:
    """The hypercube is node and edge symmetric."""
    graph = networkx.Graph(Hypercube(d).graph)
    maps = [[node ^ (1 << bit) for node in graph] for bit in range(d)]
    maps += [[_exchanged(node, bit) for node in graph] for bit in range(d - 1)]
    assert all(graph.has_edge(image[u], image[v]) for image in maps for u, v in graph.edges())
    nodes, edges = networkx.Graph(), networkx.Graph()
    for image in maps:
        nodes.add_edges_from((node, image[node]) for node in graph)
        edges.add_edges_from((frozenset((u, v)), frozenset((image[u], image[v]))) for u, v in graph.edges())
    orbits = networkx.number_connected_components(nodes), networkx.number_connected_components(edges)
    return case(orbits, (1, 1))


def _exchanged(node: int, bit: int) -> int:
    """The node whose number has two adjacent bits exchanged."""
    low, high = node >> bit & 1, node >> bit + 1 & 1
    return node & ~(3 << bit) | low << bit + 1 | high << bit


@claim("section 1", "P", over=each(d=range(1, 8)))
@said(reading=_BOTH_WAYS, evidence="a cut of that width, and Fiedler's bound that none is smaller")
def hypercube_bisection(d: int) -> Case:
    """The bisection width of the hypercube is P."""
    found = measures.bisection(Hypercube(d), effort=0)
    assert found.exact
    return case(2 * found.width, 1 << d)


def _cube_connected_cycles(d: int) -> Graph:
    """Position i of cycle w is joined to the next one, and to position i of the cycle that differs in bit i."""
    graph = networkx.MultiGraph()
    for w, i in itertools.product(range(1 << d), range(d)):
        graph.add_edge((w, i), (w, (i + 1) % d))
        if not w >> i & 1:
            graph.add_edge((w, i), (w | 1 << i, i))
    return graph


def _butterfly(wrapped: bool, d: int) -> Graph:
    """Row w of rank i is joined to the rows of the next rank that are w but for bit i.

    There are d + 1 ranks, or d if it is ``wrapped``, the last then joined to the first.
    """
    graph = networkx.MultiGraph()
    for w, i, bit in itertools.product(range(1 << d), range(d), (0, 1)):
        graph.add_edge((w, i), (w ^ bit << i, (i + 1) % d if wrapped else i + 1))
    return graph


_DERIVED: dict[str, Callable[[int], Graph]] = {
    "CCC": _cube_connected_cycles,
    "wrapped butterfly": partial(_butterfly, True),
    "butterfly": partial(_butterfly, False),
}
_BISECTED = each(topology=("CCC", "wrapped butterfly"))


@claim("section 1", "2^d = P/d", name="{topology}_bisection", parameters=_BISECTED, over=each(d=(2, 3)))
@said(reading=f"{_BOTH_WAYS}, and the wrapped butterfly has what is printed", evidence="the smallest cut, by search")
def derived_bisection(topology: str, d: int) -> Case:
    """The bisection width of the {topology} is 2^d = P/d."""
    return case(2 * _smallest_cut(_DERIVED[topology](d)), 1 << d)


def _smallest_cut(graph: Graph) -> int:
    """The fewest links between two halves of the nodes."""
    model = cp_model.CpModel()
    side = {node: model.new_bool_var("") for node in graph}
    first = next(iter(graph))
    model.add(sum(side.values()) == len(graph) // 2)
    model.add(side[first] == 0)
    cut = []
    for u, v in graph.edges():
        cut.append(model.new_bool_var(""))
        model.add(cut[-1] >= side[u] - side[v])
        model.add(cut[-1] >= side[v] - side[u])
    model.minimize(sum(cut))
    solver = cp_model.CpSolver()
    assert solve(solver, model) == cp_model.OPTIMAL
    return round(solver.objective_value)


def _derived(dimensions: Iterable[int]) -> list[dict[str, Any]]:
    return columns("topology d", [(topology, d) for d in dimensions for topology in _DERIVED])


@claim("section 1", "P = d 2^d, i.e. only 8, 24, 64, etc.", over=_derived(range(2, 7)))
@said(
    conditions=["topology != 'butterfly'"],
    evidence="nodes of the graphs, from their definitions",
    reading="An ordinary butterfly has d + 1 ranks, a wrapped one d",
)
def derived_processors(topology: str, d: int) -> Case:
    """Cube-connected cycles, wrap-around and ordinary butterflies have d 2^d processors."""
    return case(len(_DERIVED[topology](d)), d << d)


@claim("section 1", "a small constant degree", over=_derived(range(3, 7)))
@said(evidence="highest degree in the graphs, from their definitions")
def derived_degree(topology: str, d: int) -> Case:
    """Cube-connected cycles and butterflies have a small constant degree, at most 4."""
    return case(max(degree for _, degree in _DERIVED[topology](d).degree()), 3 if topology == "CCC" else 4)


@claim("section 1", "the logarithmic diameter as before", over=_derived(range(3, 8)))
@said(
    reading="Logarithmic is read as at most 5/2 of log P, rounded up: CCC come to that, with 2 d + floor(d/2) - 2 for d > 3",
    evidence="longest of the shortest ways in the graphs, from their definitions",
)
def derived_diameter(topology: str, d: int) -> Case:
    """Cube-connected cycles and butterflies have a logarithmic diameter."""
    graph = _DERIVED[topology](d)
    diameter, logarithm = networkx.diameter(graph), ceil_log(2, len(graph))
    return judged(f"{diameter} against {logarithm}", "at most 5/2 of it", 2 * diameter <= 5 * logarithm, P=len(graph))


@claim("section 1", "grows more slowly than in hypercube, d = log(P/m)", over=each(d=range(1, 6), m=(2, 3, 4, 8)))
@said(words="degree %s")
def fat_cube_degree(d: int, m: int) -> Case:
    """The node degree of the fat cube is d = log(P/m), and below that of the hypercube with as many processors."""
    graph = networkx.Graph(FatCube(d, m).graph)
    degrees = {degree for _, degree in graph.degree()}
    larger = ceil_log(2, m << d)
    return case(degrees if d < larger else "not below", {ceil_log(2, (m << d) // m)}, P=m << d)


@claim("section 1", "can be adjusted by multiple links", over=each(d=range(1, 6), m=(2, 4), f=range(1, 5)))
@said(evidence="a cut of that width, and Fiedler's bound that none is smaller")
def fat_cube_bisection(d: int, m: int, f: int) -> Case:
    """The bisection width of the fat cube can be adjusted by multiple links: it is f times that with one lane."""
    found, single = (measures.bisection(FatCube(d, m, lanes), effort=0) for lanes in (f, 1))
    assert found.exact and single.exact
    return case(found.width, f * single.width)


@claim("section 1", "easier", over=each(d=range(1, 5), m=(2, 4), f=range(1, 6)))
@said(
    conditions=["f < m"],
    reading="Easier is read as: fewer links cross the middle. The area of a layout is at least of the order of the square of "
    "that number (Thompson). m is a power of 2, so that there is a hypercube of as many processors",
    evidence="cuts of that width, and Fiedler's bound that none is smaller",
)
def easier_mapping(d: int, m: int, f: int) -> Case:
    """The mapping of the fat cube into 2-D space is easier than that of the hypercube of as many processors."""
    fat, thin = (measures.bisection(cube, effort=0) for cube in (FatCube(d, m, f), Hypercube(d + ceil_log(2, m))))
    assert fat.exact and thin.exact
    return judged(f"{fat.width} against {thin.width} links", "fewer", fat.width < thin.width, P=m << d)


@claim("section 2", "d' = ceil(log P) = d + ceil(log m)", over=each(d=range(1, 6), m=range(2, 18)))
@said(evidence="the first hypercube that is as large")
def hypercube_dimensions(d: int, m: int) -> Case:
    """The smallest hypercube with at least P = m 2^d vertices has ceil(log P) = d + ceil(log m) dimensions."""
    smallest = next(larger for larger in range(1, 12) if Hypercube(larger).nodes >= m << d)
    return case(smallest, d + ceil_log(2, m), P=m << d)


@claim("section 2", "L = f d 2^(d-1)", over=each(d=range(1, 9), m=(2, 3, 4), f=range(1, 5)))
def links(d: int, m: int, f: int) -> Case:
    """A fat cube has f d 2^(d-1) links."""
    return case(FatCube(d, m, f).graph.number_of_edges(), f * d << d - 1)


@claim("section 2", "identical", over=each(collective=("OAB", "OAS", "AAB", "AAS"), d=range(1, 5)))
@said(show="d == 3", evidence="")
def all_port_hypercube(evidence: Evidence, collective: str, d: int) -> Case:
    """On the hypercube, m = f = 1, models d and * are identical: all collectives take the same steps."""
    one, other = (FatCase.of(d, 1, 1, ports, collective) for ports in ("*", "d"))
    return compared(evidence, one, other, equal, "equal")


_SAME_SCHEDULES = (
    "model b is model 1 with the copying of a message to several outputs. All messages of AAS are distinct, each for one "
    "processor, so that a copy is of no use, and both models need the same number of steps"
)


@claim(
    "section 2",
    "identical",
    parameters=columns("collective argument", [("OAS", ""), ("AAB", ""), ("AAS", _SAME_SCHEDULES)]),
    over=partial(cases, FAT, "b"),
    show="(d, m, f) == (2, 2, 1)",
    evidence="{argument}",
)
def broadcast_router(evidence: Evidence, instance: FatCase, collective: str) -> Case:
    """Apart from broadcast, model b behaves as model 1: {collective} takes the same steps."""
    found = compared(evidence, instance, instance.changed(ports="1"), equal, "equal")
    # Where the ranges of fewest steps leave it open, the argument decides; ranges that contradict it would fail.
    return dataclasses.replace(found, holds=True) if collective == "AAS" and found.holds is None else found


@claim("Figure 1", "P = 16", over=FIGURE_1, evidence="processors of the network")
def figure_1_processors(d: int, m: int, f: int) -> Case:
    """Both fat cubes of Figure 1 have 16 processors."""
    return case(FatCube(d, m, f).processors, 16)


@claim("Figure 2", "P = 8", over=columns("d m f", [(2, 2, 1)]), evidence="processors of the network")
def figure_2_processors(d: int, m: int, f: int) -> Case:
    """The fat cube for which the four router models are drawn has 8 processors."""
    return case(FatCube(d, m, f).processors, 8)
