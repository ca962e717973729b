"""Section 4.4: AAS, equations 13 to 17, Theorem 5."""

from collections import Counter
from functools import partial
from math import comb

from fatcube.noc.topologies.cubes import Hypercube
from fatcube.papers.arithmetic import ceil_div
from fatcube.papers.claim import columns, each, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.fat_cube.fat_case import FAT, FatCase, cases
from fatcube.papers.fat_cube.paper import PAPER
from fatcube.papers.verdict import Case, case, judged
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem

__all__ = ["LANES_ONE_PORT", "theorem_5"]

claim = partial(PAPER.claim, evidence="")


_TEXTS = {
    "1": "ceil(P m d/(2 min(m, f d))) + m - 1",
    "d": "ceil(P m d/(2 min(m d, f d))) + ceil((m - 1)/d)",
    "*": "ceil(P m d/(2 min(m (d + m - 1), f d))) + 1",
}
_PARAMETERS = columns("model text", _TEXTS.items())
_MODEL = partial(cases, FAT, collective="AAS")

LANES_ONE_PORT = "ceil(P*m / (2*f)) >= d*P/2 + m - 1"
"""The links of model 1 take no less than its ports, which pass d P/2 + m - 1 messages each."""
LANES_D_PORT = "ceil(P*m / (2*f)) >= P/2 + (m - 1)/d"

_SHOWN = "(d, m, f) == (2, 2, 1)"
_ENOUGH_LINKS = cases([(d, m, f) for d, m, f in FAT if m <= f * d], "1", "AAS")
_FEW_LINKS = cases([(d, m, f) for d, m, f in FAT if m > f * d], "1", "AAS")
_AS_MANY_LINKS = cases([(d, m, m) for d in range(1, 5) for m in range(2, 6) if m << d <= 48], "*", "AAS")
_MORE_PROCESSORS = cases([(d, m, f) for d, m, f in FAT if f <= m], "d", "AAS")


def theorem_5(case: FatCase) -> int:
    """The steps of AAS by Theorem 5."""
    P, m, d, f = case.P, case.m, case.d, case.f
    if case.ports == "1":
        return ceil_div(P * m * d, 2 * min(m, f * d)) + m - 1
    if case.ports == "d":
        return ceil_div(P * m * d, 2 * min(m * d, f * d)) + ceil_div(m - 1, d)
    return ceil_div(P * m * d, 2 * min(m * (d + m - 1), f * d)) + 1


@claim("section 4.4", "all links are used in both directions in all steps", over=each(d=range(1, 6)))
@said(evidence="links of every step of the schedule, counted", words="steps %s: links %s")
def all_links_busy(d: int) -> Case:
    """In AAS on the all-port hypercube, in P/2 steps, all links are used in both directions in all steps."""
    cube = Hypercube(d)
    schedule = construct(Problem(cube, "d", "AAS")).found.expanded()
    used = Counter({(one.step, one.src, one.dst) for one in schedule.transfers})
    busy = Counter(step for step, _, _ in used)
    steps, every = cube.processors // 2, 2 * cube.graph.number_of_edges()
    found = sorted(busy), sorted(set(busy.values()))
    return case(found, (list(range(1, steps + 1)), [every]), P=cube.processors)


def _half_duplex(transfers_per_port: int, hops: int, links: int) -> tuple[int, int]:
    """The steps for ports, and for links in both directions or in one at a time: full duplex and half duplex."""
    return max(transfers_per_port, ceil_div(hops, 2 * links)), max(transfers_per_port, ceil_div(hops, links))


@claim("section 4.4", "factor of two", over=each(d=range(1, 9)))
@said(
    evidence="hops between all pairs of processors, ports and links, counted on the graph",
    reading="Of the all-port hypercube, of which the paragraph is; of fat cubes: half_duplex_bound_*",
)
def half_duplex_bound(d: int) -> Case:
    """The lower bounds of AAS for half-duplex and full-duplex links differ by a factor of two."""
    full, half = _link_bounds(FatCase.of(d, 1, 1, "d", "AAS"))
    return case(half, 2 * full, P=1 << d)


@claim("section 4.4", "factor of two", name="half_duplex_bound_{model}", parameters=_PARAMETERS, over=_MODEL)
@said(
    conditions=["ceil(P*m / (2*f)) >= (d*P/2 + m - 1) / k"],
    evidence="hops between all pairs of processors, ports and links, counted on the graph",
    reading="The other reading of half_duplex_bound: on fat cubes, whose ports k may take longer than their links. The "
    "bounds are twice one another, or one less where they are rounded up",
    show=_SHOWN,
)
def half_duplex_bound_fat(instance: FatCase) -> Case:
    """The lower bounds of AAS on fat cubes in model {model} for half- and full-duplex links differ by a factor of two."""
    full, half = _link_bounds(instance)
    return judged(half, 2 * full, half in (2 * full, 2 * full - 1), k=instance.k)


def _link_bounds(case: FatCase) -> tuple[int, int]:
    """Lower bounds with full-duplex and with half-duplex links."""
    graph = case.topology.graph
    distances = case.topology.distances[0]
    hops = case.m**2 * sum(distances)  # of what starts at one node
    transfers = case.m * (case.m - 1) + hops
    ports = ceil_div(transfers, case.m * case.k)
    return _half_duplex(ports, hops * len(graph), graph.number_of_edges())


@claim("Theorem 5", "{text}", parameters=_PARAMETERS, over=_MODEL, show=_SHOWN)
def aas_theorem(evidence: Evidence, instance: FatCase) -> Case:
    """AAS in model {model} can be done in {text} steps."""
    return evidence.reached(instance, theorem_5(instance))


@claim("equation 13", "d 2^(d-1)", over=each(d=range(1, 11)))
@said(
    evidence="hops from one node to all others, counted on the graph", words="counted %s, first sum %s, second sum %s"
)
def super_messages(d: int) -> Case:
    """The super-messages on all levels of a broadcast tree are sum k C(d, k) = d sum C(d - 1, k - 1) = d 2^(d-1)."""
    sums = sum(k * comb(d, k) for k in range(d + 1)), d * sum(comb(d - 1, k - 1) for k in range(1, d + 1))
    printed = d << d - 1
    return case((sum(Hypercube(d).distances[0]), *sums), (printed, printed, printed))


@claim("equation 14", "d P/2 + (m - 1)", over=_ENOUGH_LINKS, show=_SHOWN)
def aas_enough_links(evidence: Evidence, instance: FatCase, d: int, m: int, P: int) -> Case:
    """For m <= f d, d P/2 + m - 1 is the fewest steps of AAS in model 1."""
    return evidence.fewest(instance, d * P // 2 + m - 1)


@claim("equation 15", "ceil(P m/(2 f)) + (m - 1)", over=_FEW_LINKS)
def aas_few_links(evidence: Evidence, instance: FatCase, m: int) -> Case:
    """For m > f d, AAS in model 1 can be done in ceil(P m/(2 f)) + m - 1 steps."""
    return evidence.reached(instance, _link_steps(instance) + m - 1)


@claim("equation 16", "ceil(P m/(2 f))", over=_FEW_LINKS)
@said(
    conditions=[LANES_ONE_PORT],
    reading="That full overlap is possible for m > f d. Were it an assumption, the equation would say that it is not "
    "possible where the condition is false: a processor then passes more messages than there are steps",
)
def aas_overlap(evidence: Evidence, instance: FatCase) -> Case:
    """For m > f d, AAS in model 1 takes ceil(P m/(2 f)) steps with full overlap, and no fewer."""
    return evidence.fewest(instance, _link_steps(instance))


def _link_steps(case: FatCase) -> int:
    """The steps that the links need for all messages that cross them."""
    return ceil_div(case.P * case.m, 2 * case.f)


@claim("equation 17", "P/2 + ceil((m - 1)/d)", over=cases([(d, m, f) for d, m, f in FAT if m <= f], "d", "AAS"))
def aas_d_port_fewest(evidence: Evidence, instance: FatCase, d: int, m: int, P: int) -> Case:
    """For m <= f, P/2 + ceil((m - 1)/d) is the fewest steps of AAS in model d."""
    return evidence.fewest(instance, P // 2 + ceil_div(m - 1, d))


@claim("equation 17", "ceil(P m/(2 f)) + ceil((m - 1)/d)", over=_MORE_PROCESSORS, show=_SHOWN)
def aas_d_port(evidence: Evidence, instance: FatCase, d: int, m: int) -> Case:
    """For f <= m, AAS in model d can be done in ceil(P m/(2 f)) + ceil((m - 1)/d) steps."""
    return evidence.reached(instance, _link_steps(instance) + ceil_div(m - 1, d))


@claim("equation 17", "overlapping both global and local AAS is again possible", over=_MORE_PROCESSORS)
@said(
    conditions=[LANES_D_PORT],
    reading="Overlap is read as full overlap, as in equation 16. The latter case, f <= m, has f = m in it",
)
def aas_d_port_overlap(evidence: Evidence, instance: FatCase) -> Case:
    """For f <= m, overlap of global and local AAS is possible in model d: all is done in ceil(P m/(2 f)) steps."""
    return evidence.reached(instance, _link_steps(instance))


@claim("section 4.4", "P/2", over=_AS_MANY_LINKS)
def aas_all_port(evidence: Evidence, instance: FatCase, P: int) -> Case:
    """For f = m, P/2 is the fewest steps of AAS in model *."""
    return evidence.fewest(instance, P // 2)
