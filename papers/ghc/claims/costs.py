"""Section 4 and the abstract: cost against time, where N is a power of two.

The cost is the number of links, counted; a time is the proven fewest steps of a pattern.
"""

from fractions import Fraction
from functools import partial
from math import isclose, log2

import networkx

from fatcube.papers.claim import Cases, columns, each, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.ghc import printed
from fatcube.papers.ghc.claims.optima import steps
from fatcube.papers.ghc.networks import POWERS, SIZES, cost_ratio, directed, links, powers
from fatcube.papers.ghc.paper import PAPER
from fatcube.papers.verdict import Case, case, judged

LARGE = [*POWERS, (2, 7), (128, 1), (2, 8), (4, 4), (16, 2)]
"""Sizes of total exchanges, for which schedules are known for all w and d."""

claim = partial(PAPER.claim, evidence="links counted on the graph", over=columns("w d", LARGE))


STEPS = "proven fewest steps, as in tables 1 to 3"


def _factor(kind: str, w: int) -> float:
    """Cost of a network over that of the binary hypercube, as it is printed."""
    return (w - 1 if kind == "dense" else 1) / log2(w)


def _binary(w: int, d: int) -> int:
    """The dimensions of the binary hypercube of w^d nodes."""
    return (w**d).bit_length() - 1


def _ratio(evidence: Evidence, kind: str, pattern: str, w: int, d: int) -> Fraction:
    """How many times as fast as the binary hypercube a network is."""
    binary = steps(evidence, "binary", 2, _binary(w, d), pattern)
    return Fraction(binary, steps(evidence, kind, w, d, pattern))


def _near(found: float | Fraction | int, wanted: float, **given: object) -> Case:
    """A case of a printed value that has logarithms."""
    return Case(given, f"{wanted:.6g}", str(found), isclose(found, wanted))


@claim("equation 1", "N log N", over=each(N=[2**d for d in range(1, 9)]))
def cost_binary(N: int) -> Case:
    """The cost of an N node binary hypercube, its directed links, is N log N."""
    return _near(links("binary", 2, N.bit_length() - 1), N * log2(N))


@claim(
    "equation {number}",
    "{text} N log N",
    parameters=columns("kind number text", [("dense", 2, "(w - 1) / log w"), ("sparse", 3, "1 / log w")]),
    over=columns("w N", [(w, w**d) for w, d in SIZES]),
    reading="w from 2 to N are those of which N is a power: there is no BGHC for the others",
)
def cost(kind: str, w: int, N: int) -> Case:
    """The cost of an N node {kind} BGHC, its directed links, is {text} times N log N."""
    [(_, d)] = [size for size in powers(N) if size[0] == w]
    return _near(links(kind, w, d), _factor(kind, w) * N * log2(N))


@claim(
    "section 4",
    "{long}",
    name="cost_{word}_{kind}",
    parameters=columns(
        "kind word long",
        [("dense", "rises", "more dense and more expensive"), ("sparse", "falls", "more sparse and less expensive")],
    ),
)
def cost_changes(kind: str, word: str) -> Cases:
    """For a fixed number of nodes N the {kind} BGHC becomes {long} if w is increased."""
    for N in range(4, 129):
        if len(powers(N)) > 1:
            costs = [links(kind, w, d) for w, d in powers(N)]
            good = costs == sorted(set(costs), reverse=kind == "sparse")
            yield case(f"the cost {word}" if good else f"costs {costs}", f"the cost {word}", N=N)


@claim("section 4", "completely connected", over=each(N=range(2, 33)))
def w_is_N_dense(N: int) -> Case:
    """For w = N the dense BGHC is a completely connected graph."""
    graph = directed("dense", N, 1)
    full = set(graph.edges) == {(u, v) for u in range(N) for v in range(N) if u != v}
    return case("a complete graph" if full else "not a complete graph", "a complete graph")


@claim("section 4", "a unidirectional ring", over=each(N=range(2, 33)))
@said(evidence="followed on the graph from node to node")
def w_is_N_sparse(N: int) -> Case:
    """For w = N the sparse BGHC is a unidirectional ring."""
    graph = directed("sparse", N, 1)
    single = {degree for _, degree in [*graph.in_degree(), *graph.out_degree()]} == {1}
    ring = single and networkx.is_strongly_connected(graph) and len(graph) == N
    return case("a ring" if ring else "no ring", "a ring")


@claim(
    "section 4",
    "{more}",
    name="cost_ratio_{kind}",
    parameters=columns(
        "kind text more",
        [("dense", "(w - 1) / log w", "(w - 1) / log w times more"), ("sparse", "1 / log w", "log w times less")],
    ),
    over=columns("w d", POWERS),
    evidence="links of both counted on the graphs",
)
def cost_ratios(kind: str, w: int, d: int) -> Case:
    """The {kind} BGHC costs {text} times as much as the binary hypercube of N nodes."""
    return _near(cost_ratio(kind, w, d), _factor(kind, w), w=w, d=d)


@claim(
    "section 4",
    "{text}",
    name="{pattern}_by_cost_{kind}",
    parameters=columns(
        "kind text exact pattern name",
        [
            (*factor, *pattern)
            for factor in (
                ("dense", "(w - 1) / log w times smaller", "w = 2"),
                ("sparse", "log w times larger", "w = 2, and for w = 4 and d = 2"),
            )
            for pattern in (("CB", "complete broadcast"), ("SNS", "single-node scatter"))
        ],
    ),
    over=columns("w d", POWERS),
    evidence=STEPS,
    reading="apart from rounding up, which both times have: some two numbers that round up to them have this ratio. Of up "
    "to 64 nodes the ratio of the rounded times themselves is the printed one only for {exact}",
)
def by_cost(evidence: Evidence, kind: str, pattern: str, w: int, d: int) -> Case:
    """The time of the {name} on the {kind} BGHC, against the binary hypercube, is {text}: by the factor of the cost."""
    mine = steps(evidence, kind, w, d, pattern)
    binary = steps(evidence, "binary", 2, _binary(w, d), pattern)
    factor = _factor(kind, w)
    # binary = ceil(x) and mine = ceil(y) for some x = factor y
    holds = binary - 1 < factor * mine and factor * (mine - 1) < binary
    return judged(f"{binary} / {mine} steps", f"{factor:.4g}", holds)


@claim("section 4", "w (w - 1) times smaller")
@said(evidence=STEPS + ": faster by w / 2", reading="exactly; nor is it smaller by at least that factor")
def te_gain(evidence: Evidence, w: int, d: int) -> Case:
    """The time of the total exchange on the dense BGHC is w (w - 1) times smaller than on the binary hypercube."""
    return case(_ratio(evidence, "dense", "TE", w, d), w * (w - 1))


@claim("section 4", "w (w - 1) times smaller")
@said(evidence="printed formulas before they are rounded, divided: w (w - 1) / 2")
def te_gain_by_tables(w: int, d: int) -> Case:
    """By Tables 1 and 3 as printed, the time of the total exchange is w (w - 1) times smaller on the dense BGHC."""
    binary = printed.TABLES["binary"]["TE"]["time"].exact(2, _binary(w, d))
    dense = printed.TABLES["dense"]["TE"]["time"].exact(w, d)
    return case(binary / dense, w * (w - 1))


def _gain(evidence: Evidence, w: int, d: int, *, equal: bool) -> Case:
    """Whether the gain is more than K (K - 1), or ``equal``, where the links are K times as many."""
    K = cost_ratio("dense", w, d)
    gain, wanted = _ratio(evidence, "dense", "TE", w, d), K * (K - 1)
    return judged(gain, f"{float(wanted):.4g}", gain > wanted or equal and gain == wanted)


@claim("section 4", "more than K (K - 1)")
@said(conditions=["w <= 8"], evidence=STEPS + ": faster by w / 2, where K = (w - 1) / log w, the links counted")
def te_gain_by_cost(evidence: Evidence, w: int, d: int) -> Case:
    """If the dense BGHC costs K times as much, the total exchange is improved by more than K (K - 1)."""
    return _gain(evidence, w, d, equal=False)


@claim(
    "abstract",
    "K (K - 1), K >= 2 (so in section 1)",
    over=columns("w d", [(w, d) for w, d in LARGE if cost_ratio("dense", w, d) >= 2]),
    conditions=["w <= 8"],
    evidence=STEPS + ": the total exchange is faster by w / 2, where K = (w - 1) / log w, the links counted",
    reading="at least K (K - 1) times, for the pattern that gains most; with equality it holds for no w. K >= 2 needs w >= 8",
)
def gain_by_cost(evidence: Evidence, w: int, d: int) -> Case:
    """A dense BGHC of degree K log N, K >= 2, can process certain patterns K (K - 1) times faster."""
    return _gain(evidence, w, d, equal=True)


@claim("section 4", "(w - 1) times larger", evidence=STEPS)
def te_loss(evidence: Evidence, w: int, d: int) -> Case:
    """The time of the total exchange on the sparse BGHC is w - 1 times larger than on the binary hypercube."""
    return case(1 / _ratio(evidence, "sparse", "TE", w, d), w - 1)


@claim(
    "abstract",
    "2^L, L >= 2 (so in sections 1 and 4)",
    over=columns("w d", [(w, d) for w, d in LARGE if cost_ratio("sparse", w, d) <= Fraction(1, 2)]),
    evidence=STEPS + ": slower by w - 1 = 2^L - 1, the links counted",
    reading="exactly; no pattern is slower by more than 2^L - 1, to which 2^L comes near for large w",
)
def loss_by_cost(evidence: Evidence, w: int, d: int) -> Case:
    """If the sparse BGHC costs L times less, L >= 2, its total exchange is slower by a factor of 2^L."""
    L = 1 / cost_ratio("sparse", w, d)
    return case(1 / _ratio(evidence, "sparse", "TE", w, d), 2 ** int(L))
