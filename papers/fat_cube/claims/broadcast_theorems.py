"""Theorem 2, Lemma 1 and their proofs."""

from functools import partial
from math import comb

from fatcube.noc.topologies.cubes import FatCube, Hypercube
from fatcube.papers.claim import columns, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.fat_cube.claims.broadcast import BEYOND, STARRED, STARRED_MODELS, theorem_2
from fatcube.papers.fat_cube.claims.cost import router_cost
from fatcube.papers.fat_cube.fat_case import FatCase, cases, compared, cube, fewer
from fatcube.papers.fat_cube.paper import PAPER
from fatcube.papers.verdict import Case, case, judged

claim = partial(PAPER.claim, evidence="")


PRINTED = {
    "d": "d + ceil(log ceil(m/d) to the base d + 1)",
    "*": "d (if m <= d) or d + 1 (if m > d)",
    "b": "d (if m <= d) or d + 1 (if m > d)",
}
_MODELS = columns("model word text", [(model, PAPER.words[model], text) for model, text in PRINTED.items()])
_BEYOND = partial(cases, BEYOND, collective="OAB")
_COUNTED = "counted on the graph: the level of a node is its number of ones"


@claim("Theorem 2", "{text}", parameters=_MODELS, over=_BEYOND, show="(d, m) == (2, 2)")
def oab_theorem(evidence: Evidence, instance: FatCase, d: int, m: int, model: str) -> Case:
    """OAB in model {model} can be done in {text} steps."""
    return evidence.reached(instance, theorem_2(d, m, model))


@claim("Theorem 2", "{text}", parameters=_MODELS, over=_BEYOND)
@said(
    conditions=["d == 1 or m <= d * (d + 1)"],
    reading="Read as the exact number of steps, although the upper index of tau marks an upper bound; as an upper bound: "
    "oab_theorem_{word}",
    show="(d, m) == (2, 2)",
)
def oab_theorem_fewest(evidence: Evidence, instance: FatCase, d: int, m: int, model: str) -> Case:
    """The complexity of OAB in model {model} is {text} steps, and no fewer are enough."""
    return evidence.fewest(instance, theorem_2(d, m, model))


@claim("Theorem 2", "better performance", over=STARRED_MODELS)
def starred_faster(evidence: Evidence, model: str, d: int, m: int) -> Case:
    """Where Table 4 has an asterisk, OAB takes fewer steps than on the hypercube with as many processors."""
    instance = FatCase.of(d, m, 1, model, "OAB")
    return compared(evidence, instance, cube(instance), fewer, "fewer", f=instance.f, P=instance.P)


@claim("Theorem 2", "in many cases also a lower cost", over=columns("d m", STARRED))
@said(evidence="inputs and outputs counted on the routers that are generated")
def starred_cheaper(d: int, m: int) -> Case:
    """In many cases, and in all that have an asterisk in Table 4, model d is cheaper than the hypercube as well."""
    fat = router_cost(FatCube(d, m, 1), "d")
    thin = router_cost(Hypercube(d + m // 2), "d")
    return judged(f"{fat} against {thin}", "cheaper", fat < thin)


def _links_between(d: int, i: int) -> int:
    """Links between levels i and i + 1."""
    return sum({u.bit_count(), v.bit_count()} == {i, i + 1} for u, v in FatCube(d).graph.edges())


_LEVELS = columns("d i", [(d, i) for d in range(1, 9) for i in range(d)])


@claim("Lemma 1", "C(d - 1, i)", over=_LEVELS)
@said(
    misprint="d C(d - 1, i) must be meant, which its proof derives and Theorem 2 uses; both transcriptions lack the d",
    evidence=_COUNTED,
)
def lemma_1(d: int, i: int) -> Case:
    """There are C(d - 1, i) links between the adjacent levels i and i + 1 of a broadcast tree."""
    return case(_links_between(d, i), comb(d - 1, i))


@claim("Lemma 1", "d C(d - 1, i)", over=_LEVELS, evidence=_COUNTED)
def lemma_1_proved(d: int, i: int) -> Case:
    """There are d C(d - 1, i) links between levels i and i + 1, as the proof derives."""
    return case(_links_between(d, i), d * comb(d - 1, i))


@claim("Lemma 1", "d C(d, i) - d C(d - 1, d - i)", over=_LEVELS, evidence=_COUNTED)
def lemma_1_subtraction(d: int, i: int) -> Case:
    """Links that come to level i, taken from all links at the nodes of level i, leave d C(d, i) - d C(d - 1, d - i)."""
    graph = FatCube(d).graph
    incident = sum(degree for node, degree in graph.degree() if node.bit_count() == i)
    coming = _links_between(d, i - 1) if i else 0
    return case(incident - coming, d * comb(d, i) - (d * comb(d - 1, d - i) if i else 0))


@claim("Theorem 2, proof", "d C(d - 1, i - 1)/C(d, i) = i", over=_LEVELS, evidence=_COUNTED)
def newly_informed(d: int, i: int) -> Case:
    """The links from level i - 1 inform i new processors in each node of level i."""
    nodes = sum(node.bit_count() == i + 1 for node in range(1 << d))
    return case(_links_between(d, i) / nodes, i + 1, i=i + 1)


@claim("Theorem 2, proof", "d + 1", over=cases(BEYOND, "b", "OAB"), show="(d, m) == (2, 2)")
def oab_broadcast_router(evidence: Evidence, instance: FatCase, d: int) -> Case:
    """OAB in model b can be done in d + 1 steps, regardless of the relation between m and d."""
    return evidence.reached(instance, d + 1)


@claim("Theorem 2, proof", "d + 1", over=cases(BEYOND, "b", "OAB"))
@said(
    conditions=["m > d"],
    reading="Read as the exact number of steps, which contradicts the theorem's own d for m <= d; as an upper bound: oab_broadcast_router",
)
def oab_broadcast_router_fewest(evidence: Evidence, instance: FatCase, d: int) -> Case:
    """OAB in model b takes d + 1 steps and no fewer, regardless of the relation between m and d."""
    return evidence.fewest(instance, d + 1)
