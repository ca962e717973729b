"""Section 3.1, lemma 1 and theorem 1 with its proof: the dense BGHC."""

from fractions import Fraction
from functools import partial
from math import comb

from fatcube.papers.arithmetic import ceil_div
from fatcube.papers.claim import Cases, columns, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.ghc import printed
from fatcube.papers.ghc.claims.optima import COUNTED, Cell, at_least, bound_in_time, cells, fewest_transmissions, least
from fatcube.papers.ghc.networks import SIZES, directed, distances, levels, links
from fatcube.papers.ghc.paper import PAPER
from fatcube.papers.verdict import Case, case

claim = partial(PAPER.claim, over=columns("w d", SIZES))


BOTH = columns("kind section", [("dense", "section 3.1"), ("sparse", "section 3.2")])
_NINE = [(w, d) for w, d in SIZES if w**d <= 9]
SEARCHED = {"CB": [*_NINE, (2, 4), (4, 2)], "SNS": [*_NINE, (2, 4), (4, 2)], "TE": [*_NINE, (4, 2)]}
"""Sizes for which a search can prove that one step less is impossible."""

NONE_FASTER = (
    "searches for schedules of one step less, which prove that there are none; in 0 steps no other node is reached"
)


def _time(kind: str, pattern: str) -> printed.Formula:
    """The printed bound in time."""
    return printed.SECTION_3[kind][pattern]["time"]


@claim("{section}.1", "w^d - 1", parameters=BOTH)
@said(evidence="nodes that a search from each node reaches: each is entered once at least")
def broadcast_bound(kind: str, w: int, d: int) -> Case:
    """A single-node broadcast on the {kind} BGHC requires at least w^d - 1 transmissions."""
    entered = min(len(others) - 1 for others in distances(kind, w, d).values())
    return at_least(entered, w**d - 1)


@claim("{section}.1", "w^d (w^d - 1)", parameters=BOTH, evidence=COUNTED)
def cb_bound_transmissions(kind: str, w: int, d: int) -> Case:
    """A complete broadcast on the {kind} BGHC requires at least w^d (w^d - 1) transmissions."""
    return at_least(least(kind, w, d, "CB"), w**d * (w**d - 1))


@claim(
    "{section}.{subsection}",
    "{text}",
    name="{pattern}_bound_time_{kind}",
    parameters=[
        {**both, "pattern": pattern, "name": name, "subsection": subsection, "text": _time(both["kind"], pattern).text}
        for both in BOTH
        for pattern, name, subsection in (("CB", "complete broadcast", 1), ("SNS", "single-node scatter", 2))
    ],
    evidence=NONE_FASTER,
)
def bound_time(evidence: Evidence, kind: str, pattern: str) -> Cases:
    """The time of the {name} on the {kind} BGHC is bounded below by {text}."""
    return bound_in_time(evidence, cells(kind, pattern, SEARCHED[pattern], _time(kind, pattern)))


@claim("lemma 1", "C(d, i) (w - 1)^i", evidence="counted on the graph", words="nodes by distance: %s")
def levels_dense(w: int, d: int) -> Case:
    """In the dense BGHC there are C(d, i) (w - 1)^i nodes at distance i."""
    return case(levels("dense", w, d), [comb(d, i) * (w - 1) ** i for i in range(d + 1)])


@claim("section 3.1.2", "w^d", evidence="lemma 1's numbers added up")
def lemma_1_adds_up(w: int, d: int) -> Case:
    """Lemma 1's numbers of nodes add up to w^d over all distances."""
    return case(sum(comb(d, i) * (w - 1) ** i for i in range(d + 1)), w**d)


@claim("theorem 1", printed.THEOREM_1.text)
@said(evidence="distances counted on the graph, added up; the best bound is w - 1 times as much")
def theorem_1(w: int, d: int) -> Case:
    """The transmissions of a single-node scatter on the dense BGHC are bounded below by d w^(d-1)."""
    return at_least(least("dense", w, d, "SNS"), printed.THEOREM_1.value(w, d))


@claim("theorem 1, proof", printed.THEOREM_1.text)
@said(conditions=["w == 2"], evidence="nodes by distance counted on the graph: the proof loses a factor of w - 1")
def theorem_1_sum(w: int, d: int) -> Case:
    """The sum of i C(d, i) (w - 1)^i over i, by which theorem 1 is proved, is d w^(d-1)."""
    found = sum(i * number for i, number in enumerate(levels("dense", w, d)))
    return case(found, printed.THEOREM_1.value(w, d))


@claim("{section}.3", "w^d times", parameters=BOTH, evidence=COUNTED)
def te_is_scatters(evidence: Evidence, kind: str) -> Cases:
    """The transmissions of the total exchange on the {kind} BGHC are w^d times those of the scatter."""
    claimed = [Cell(kind, "TE", w, d, Fraction(w**d * least(kind, w, d, "SNS")), {"w": w, "d": d}) for w, d in SIZES]
    return fewest_transmissions(evidence, claimed, "w == 3 and d == 2")


@claim("section 3.1.3", "d w^(2d-1)", evidence=COUNTED + "; the fewest are w - 1 times as many")
def te_bound_transmissions_dense(w: int, d: int) -> Case:
    """The total exchange on the dense BGHC requires at least d w^(2d-1) transmissions."""
    return at_least(least("dense", w, d, "TE"), d * w ** (2 * d - 1))


@claim("section 3.1.3", "ceil(w^(d-1) / (w - 1))", evidence=NONE_FASTER)
def te_bound_time_dense(evidence: Evidence) -> Cases:
    """The time of the total exchange on the dense BGHC is bounded below by ceil(w^(d-1) / (w - 1))."""
    return bound_in_time(evidence, cells("dense", "TE", SEARCHED["TE"], _time("dense", "TE")))


@claim("section 3.1.3", "ceil(w^(d-1) / (w - 1))")
@said(
    conditions=["w == 2", "w == 2 or d == 1"],
    evidence="transmissions and links counted on the graph: w^(d-1) steps",
    reading="so many are needed and enough, if all links are used: as a bound below it holds (te_bound_time_dense)",
)
def te_quotient_dense(w: int, d: int) -> Case:
    """If all links of the dense BGHC are used in each step, the total exchange takes w^(d-1) / (w - 1), rounded up."""
    hops = sum(sum(others.values()) for others in distances("dense", w, d).values())
    found = ceil_div(hops, directed("dense", w, d).number_of_edges())
    return case(found, ceil_div(w ** (d - 1), w - 1))


@claim("section 3.2.3", "(w - 1) w^d / 2", evidence="transmissions and links counted on the graph")
def te_quotient_sparse(w: int, d: int) -> Case:
    """If all links of the sparse BGHC are used in each step, the total exchange takes (w - 1) w^d / 2 steps."""
    hops = sum(sum(others.values()) for others in distances("sparse", w, d).values())
    return case(Fraction(hops, links("sparse", w, d)), Fraction((w - 1) * w**d, 2))
