"""Section 4.3: OAS, equation 12, Theorem 4."""

from functools import partial

from fatcube.papers.arithmetic import ceil_div
from fatcube.papers.claim import Cases, columns, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.fat_cube.claims.all_gather import LARGE, cases_by_size
from fatcube.papers.fat_cube.claims.broadcast import word
from fatcube.papers.fat_cube.fat_case import FatCase, Size, cases, port_bound
from fatcube.papers.fat_cube.paper import PAPER
from fatcube.papers.verdict import Case, case
from noc.topologies.cubes import FatCube
from schedules.construct import construct

__all__ = ["theorem_4"]

claim = partial(PAPER.claim, evidence="")


SCATTERED: list[Size] = [(d, m, f) for d in range(1, 6) for m in range(2, 17) for f in range(1, 6) if m << d <= 64]
"""Fat cubes of up to 64 processors: a scatter has a construction with a proof."""

_SINGLE = [size for size in SCATTERED if size[2] == 1]
_TEXTS = {
    "1": "P - 1",
    "d": "ceil((P - m)/min(f d, m d)) + ceil((m - 1)/d)",
    "*": "ceil((P - m - d)/min(f d, m (d + m - 1))) + 1",
}
_PARAMETERS = columns("model word text", [(model, word(model), text) for model, text in _TEXTS.items()])


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
    schedule = construct(FatCube(d, m), "1", "OAS").found
    origins = {transfer.message.origin for transfer in schedule.expanded().transfers}
    return case(len(origins), m << d, P=m << d)


@claim("Theorem 4", "{text}", name="oas_theorem_{word}", parameters=_PARAMETERS)
@said(
    conditions=["f == 1", "ceil((P - m - d) / min(f*d, m*(d + m - 1))) + 1 >= ceil((P - 1) / (d + m - 1))"],
    show="(d, m, f) == (2, 2, 1)",
)
def oas_theorem(evidence: Evidence, model: str) -> Cases:
    """OAS in model {model} can be done in {text} steps."""
    for instance in cases(SCATTERED, model, "OAS"):
        yield evidence.reached(instance, theorem_4(instance), **instance.given)


@claim("Theorem 4", "P - 1", show="(d, m, f) == (2, 2, 1)")
def oas_one_port_fewest(evidence: Evidence) -> Cases:
    """P - 1 is the fewest steps of OAS in model 1."""
    for instance in cases(SCATTERED, "1", "OAS"):
        yield evidence.fewest(instance, instance.P - 1, **instance.given)


@claim(
    "Theorem 4, proof",
    "ceil(m/min(f d, m d)) (2^d - 1) + ceil((m - 1)/d) = ceil((P - m)/min(f d, m d)) + ceil((m - 1)/d)",
    over=columns("d m f", cases_by_size(LARGE)),
    conditions=["m % min(f*d, m*d) == 0 or (2**d - 1) * (min(f*d, m*d) - m % min(f*d, m*d)) < min(f*d, m*d)"],
    evidence="both sides computed in whole numbers",
)
def super_messages_oas(d: int, m: int, f: int) -> Case:
    """ceil(m/min(f d, m d)) (2^d - 1) + ceil((m - 1)/d) is ceil((P - m)/min(f d, m d)) + ceil((m - 1)/d)."""
    rate, local = min(f * d, m * d), ceil_div(m - 1, d)
    return case(((1 << d) - 1) * ceil_div(m, rate) + local, ceil_div((m << d) - m, rate) + local)


@claim("Theorem 4, proof", "ceil((P - 1)/d)")
@said(conditions=["(m - P) % d <= (1 - P) % d"], evidence="both sides computed in whole numbers")
def oas_simple_links() -> Cases:
    """For simple links the bound of model d comes to ceil((P - 1)/d)."""
    for d, m, _ in cases_by_size([size for size in LARGE if size[2] == 1]):
        P = m << d
        yield case(ceil_div(P - m, d) + ceil_div(m - 1, d), ceil_div(P - 1, d), d=d, m=m, P=P)


@claim("Theorem 4, proof", "ceil((P - 1)/d)", show="(d, m) == (2, 2)")
def oas_simple_links_fewest(evidence: Evidence) -> Cases:
    """For simple links ceil((P - 1)/d) is the fewest steps of OAS in model d."""
    for instance in cases(_SINGLE, "d", "OAS"):
        yield evidence.fewest(instance, port_bound(instance), **instance.given)


@claim("Theorem 4, proof", "ceil((P - m)/d)", evidence="both sides computed in whole numbers")
def oas_simple_links_all_port() -> Cases:
    """For simple links the bound of model * can be simplified to ceil((P - m)/d)."""
    for d, m, _ in cases_by_size([size for size in LARGE if size[2] == 1]):
        P = m << d
        yield case(ceil_div(P - m - d, d) + 1, ceil_div(P - m, d), d=d, m=m, P=P)


@claim("section 4.3", "the lower bounds for the hypercube as a special case", show="(d, model) == (3, 'd')")
def oas_hypercube(evidence: Evidence) -> Cases:
    """For m = f = 1 Theorem 4 gives the lower bounds of the hypercube as a special case."""
    for instance in cases([(d, 1, 1) for d in range(1, 6)], "1", "OAS"):
        for model in ("1", "d", "*"):
            one = instance.changed(ports=model)
            yield evidence.fewest(one, theorem_4(one), d=one.d, P=one.P, model=model)
