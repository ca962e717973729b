"""Section 4.3: OAS, equation 12, Theorem 4."""

from functools import partial

from fatcube.noc.topologies.cubes import FatCube
from fatcube.papers.arithmetic import ceil_div
from fatcube.papers.claim import columns, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.fat_cube.claims.all_gather import LARGE, LARGE_SINGLE
from fatcube.papers.fat_cube.fat_case import FatCase, Size, cases, port_bound
from fatcube.papers.fat_cube.paper import PAPER
from fatcube.papers.verdict import Case, case
from fatcube.schedules.construct import construct
from fatcube.schedules.problem import Problem

__all__ = ["theorem_4"]

claim = partial(PAPER.claim, evidence="")


SCATTERED: list[Size] = [(d, m, f) for d in range(1, 6) for m in range(2, 17) for f in range(1, 6) if m << d <= 64]
"""Fat cubes of up to 64 processors: a scatter has a construction with a proof."""

_SINGLE = [size for size in SCATTERED if size[2] == 1]
_HYPERCUBES = columns("d P model", [(d, 1 << d, model) for d in range(1, 6) for model in ("1", "d", "*")])
_SCATTERED = partial(cases, SCATTERED, collective="OAS")
_TEXTS = {
    "1": "P - 1",
    "d": "ceil((P - m)/min(f d, m d)) + ceil((m - 1)/d)",
    "*": "ceil((P - m - d)/min(f d, m (d + m - 1))) + 1",
}


def theorem_4(case: FatCase) -> int:
    """The steps of OAS by Theorem 4."""
    P, m, d, f = case.P, case.m, case.d, case.f
    if case.ports == "1":
        return P - 1
    if case.ports == "d":
        return ceil_div(P - m, min(f * d, m * d)) + ceil_div(m - 1, d)
    return ceil_div(P - m - d, min(f * d, m * (d + m - 1))) + 1


@claim(
    "equation 12",
    "each processor has to send P - 1 (all send simultaneously), and the number of its input ports",
    over=columns("d m", ((1, 2), (2, 2), (3, 2), (3, 4))),
    misprint="the source must be meant, and its output ports: what is printed is AAS. Both transcriptions have it",
    evidence="origins of the messages in a schedule of OAS",
)
def scatter_senders(d: int, m: int) -> Case:
    """In OAS each processor has P - 1 distinct messages to send, and all send simultaneously."""
    schedule = construct(Problem(FatCube(d, m), "1", "OAS")).found
    origins = {transfer.message.origin for transfer in schedule.expanded().transfers}
    return case(len(origins), m << d, P=m << d)


@claim("Theorem 4", "{text}", parameters=columns("model text", _TEXTS.items()), over=_SCATTERED)
@said(
    conditions=["f == 1", "ceil((P - m - d) / min(f*d, m*(d + m - 1))) + 1 >= ceil((P - 1) / (d + m - 1))"],
    show="(d, m, f) == (2, 2, 1)",
)
def oas_theorem(evidence: Evidence, instance: FatCase) -> Case:
    """OAS in model {model} can be done in {text} steps."""
    return evidence.reached(instance, theorem_4(instance))


@claim("Theorem 4", "P - 1", over=_SCATTERED("1"), show="(d, m, f) == (2, 2, 1)")
def oas_one_port_fewest(evidence: Evidence, instance: FatCase, P: int) -> Case:
    """P - 1 is the fewest steps of OAS in model 1."""
    return evidence.fewest(instance, P - 1)


@claim(
    "Theorem 4, proof",
    "ceil(m/min(f d, m d)) (2^d - 1) + ceil((m - 1)/d) = ceil((P - m)/min(f d, m d)) + ceil((m - 1)/d)",
    over=LARGE,
    conditions=["m % min(f*d, m*d) == 0 or (2**d - 1) * (min(f*d, m*d) - m % min(f*d, m*d)) < min(f*d, m*d)"],
    evidence="both sides computed in whole numbers",
)
def super_messages_oas(d: int, m: int, f: int) -> Case:
    """ceil(m/min(f d, m d)) (2^d - 1) + ceil((m - 1)/d) is ceil((P - m)/min(f d, m d)) + ceil((m - 1)/d)."""
    rate, local = min(f * d, m * d), ceil_div(m - 1, d)
    return case(((1 << d) - 1) * ceil_div(m, rate) + local, ceil_div((m << d) - m, rate) + local)


@claim("Theorem 4, proof", "ceil((P - 1)/d)", over=LARGE_SINGLE)
@said(conditions=["(m - P) % d <= (1 - P) % d"], evidence="both sides computed in whole numbers")
def oas_simple_links(d: int, m: int) -> Case:
    """For simple links the bound of model d comes to ceil((P - 1)/d)."""
    P = m << d
    return case(ceil_div(P - m, d) + ceil_div(m - 1, d), ceil_div(P - 1, d), P=P)


@claim("Theorem 4, proof", "ceil((P - 1)/d)", over=cases(_SINGLE, "d", "OAS"), show="(d, m) == (2, 2)")
def oas_simple_links_fewest(evidence: Evidence, instance: FatCase) -> Case:
    """For simple links ceil((P - 1)/d) is the fewest steps of OAS in model d."""
    return evidence.fewest(instance, port_bound(instance))


@claim("Theorem 4, proof", "ceil((P - m)/d)", over=LARGE_SINGLE, evidence="both sides computed in whole numbers")
def oas_simple_links_all_port(d: int, m: int) -> Case:
    """For simple links the bound of model * can be simplified to ceil((P - m)/d)."""
    P = m << d
    return case(ceil_div(P - m - d, d) + 1, ceil_div(P - m, d), P=P)


@claim("section 4.3", "the lower bounds for the hypercube as a special case", over=_HYPERCUBES)
@said(show="(d, model) == (3, 'd')")
def oas_hypercube(evidence: Evidence, d: int, P: int, model: str) -> Case:
    """For m = f = 1 Theorem 4 gives the lower bounds of the hypercube as a special case."""
    instance = FatCase.of(d, 1, 1, model, "OAS")
    return evidence.fewest(instance, theorem_4(instance))
