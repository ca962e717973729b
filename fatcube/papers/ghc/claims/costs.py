"""Section 4 and the abstract: cost against time, where N is a power of two.

The cost is the number of links, counted; a time is the proven fewest steps of a pattern.
"""

from fractions import Fraction
from math import isclose, log2

import networkx

from fatcube.papers.claim import Cases
from fatcube.papers.evidence import Evidence
from fatcube.papers.ghc import printed
from fatcube.papers.ghc.claims.optima import steps
from fatcube.papers.ghc.networks import POWERS, SIZES, cost_ratio, directed, links, powers
from fatcube.papers.ghc.paper import PAPER
from fatcube.papers.verdict import Case, case

LARGE = [*POWERS, (2, 7), (128, 1), (2, 8), (4, 4), (16, 2)]
"""Sizes of total exchanges, for which schedules are known for all w and d."""

STEPS = "proven fewest steps, as in tables 1 to 3"
FACTORS = {"dense": "(w - 1) / log w", "sparse": "1 / log w"}
"""Cost of a network over that of the binary hypercube, as it is printed."""


def _factor(kind: str, w: int) -> float:
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


@PAPER.claim("equation 1", printed="N log N", evidence="links counted on the graph")
def cost_binary(evidence: Evidence) -> Cases:
    """The cost of an N node binary hypercube, its directed links, is N log N."""
    for d in range(1, 9):
        yield _near(links("binary", 2, d), 2**d * log2(2**d), N=2**d)


@PAPER.claim(
    "equation 2",
    printed="(w - 1) / log w N log N",
    evidence="links counted on the graph",
    reading="w from 2 to N are those of which N is a power: there is no BGHC for the others",
)
def cost_dense(evidence: Evidence) -> Cases:
    """The cost of an N node dense BGHC, its directed links, is (w - 1) / log w times N log N."""
    for w, d in SIZES:
        yield _near(links("dense", w, d), (w - 1) / log2(w) * w**d * log2(w**d), w=w, N=w**d)


@PAPER.claim(
    "equation 3",
    printed="1 / log w N log N",
    evidence="links counted on the graph",
    reading="w from 2 to N are those of which N is a power: there is no BGHC for the others",
)
def cost_sparse(evidence: Evidence) -> Cases:
    """The cost of an N node sparse BGHC, its directed links, is 1 / log w times N log N."""
    for w, d in SIZES:
        yield _near(links("sparse", w, d), 1 / log2(w) * w**d * log2(w**d), w=w, N=w**d)


@PAPER.each(
    "section 4",
    name="cost_{word}_{kind}",
    parameters=[
        {"kind": "dense", "word": "rises", "long": "more dense and more expensive"},
        {"kind": "sparse", "word": "falls", "long": "more sparse and less expensive"},
    ],
    printed="{long}",
    evidence="links counted on the graph",
)
def cost_changes(evidence: Evidence, kind: str, word: str) -> Cases:
    """For a fixed number of nodes N the {kind} BGHC becomes {long} if w is increased."""
    for N in range(4, 129):
        if len(powers(N)) > 1:
            costs = [links(kind, w, d) for w, d in powers(N)]
            good = costs == sorted(set(costs), reverse=kind == "sparse")
            yield case(f"the cost {word}" if good else f"costs {costs}", f"the cost {word}", N=N)


@PAPER.claim("section 4", printed="completely connected", evidence="links counted on the graph")
def w_is_N_dense(evidence: Evidence) -> Cases:
    """For w = N the dense BGHC is a completely connected graph."""
    for N in range(2, 33):
        graph = directed("dense", N, 1)
        full = set(graph.edges) == {(u, v) for u in range(N) for v in range(N) if u != v}
        yield case("a complete graph" if full else "not a complete graph", "a complete graph", N=N)


@PAPER.claim("section 4", printed="a unidirectional ring", evidence="followed on the graph from node to node")
def w_is_N_sparse(evidence: Evidence) -> Cases:
    """For w = N the sparse BGHC is a unidirectional ring."""
    for N in range(2, 33):
        graph = directed("sparse", N, 1)
        single = {degree for _, degree in [*graph.in_degree(), *graph.out_degree()]} == {1}
        ring = single and networkx.is_strongly_connected(graph) and len(graph) == N
        yield case("a ring" if ring else "no ring", "a ring", N=N)


@PAPER.each(
    "section 4",
    name="cost_ratio_{kind}",
    parameters=[
        {"kind": "dense", "text": "(w - 1) / log w", "more": "(w - 1) / log w times more"},
        {"kind": "sparse", "text": "1 / log w", "more": "log w times less"},
    ],
    printed="{more}",
    evidence="links of both counted on the graphs",
)
def cost_ratios(evidence: Evidence, kind: str) -> Cases:
    """The {kind} BGHC costs {text} times as much as the binary hypercube of N nodes."""
    for w, d in POWERS:
        yield _near(cost_ratio(kind, w, d), _factor(kind, w), w=w, d=d)


@PAPER.each(
    "section 4",
    name="{low}_by_cost_{kind}",
    parameters=[
        {"kind": kind, "low": pattern.lower(), "pattern": pattern, "name": name, "text": text, "exact": exact}
        for kind, text, exact in (
            ("dense", "(w - 1) / log w times smaller", "w = 2"),
            ("sparse", "log w times larger", "w = 2, and for w = 4 and d = 2"),
        )
        for pattern, name in (("CB", "complete broadcast"), ("SNS", "single-node scatter"))
    ],
    printed="{text}",
    evidence=STEPS,
    reading="apart from rounding up, which both times have: some two numbers that round up to them have this ratio. Of up "
    "to 64 nodes the ratio of the rounded times themselves is the printed one only for {exact}",
)
def by_cost(evidence: Evidence, kind: str, pattern: str, **texts: str) -> Cases:
    """The time of the {name} on the {kind} BGHC, against the binary hypercube, is {text}: by the factor of the cost."""
    for w, d in POWERS:
        mine = steps(evidence, kind, w, d, pattern)
        binary = steps(evidence, "binary", 2, _binary(w, d), pattern)
        factor = _factor(kind, w)
        # binary = ceil(x) and mine = ceil(y) for some x = factor y
        holds = binary - 1 < factor * mine and factor * (mine - 1) < binary
        yield Case({"w": w, "d": d}, f"{factor:.4g}", f"{binary} / {mine} steps", holds)


@PAPER.claim(
    "section 4",
    printed="w (w - 1) times smaller",
    evidence=STEPS + ": faster by w / 2",
    reading="exactly; nor is it smaller by at least that factor",
)
def te_gain(evidence: Evidence) -> Cases:
    """The time of the total exchange on the dense BGHC is w (w - 1) times smaller than on the binary hypercube."""
    for w, d in LARGE:
        yield case(_ratio(evidence, "dense", "TE", w, d), w * (w - 1), w=w, d=d)


@PAPER.claim(
    "section 4",
    printed="w (w - 1) times smaller",
    evidence="printed formulas before they are rounded, divided: w (w - 1) / 2",
)
def te_gain_by_tables(evidence: Evidence) -> Cases:
    """By Tables 1 and 3 as printed, the time of the total exchange is w (w - 1) times smaller on the dense BGHC."""
    for w, d in LARGE:
        binary = printed.TABLES["binary"]["TE"]["time"].exact(2, _binary(w, d))
        dense = printed.TABLES["dense"]["TE"]["time"].exact(w, d)
        yield case(binary / dense, w * (w - 1), w=w, d=d)


def _gains(evidence: Evidence, least: int, *, equal: bool) -> Cases:
    """Whether the gain is more than K (K - 1), or ``equal``, where the links are K >= ``least`` times as many."""
    for w, d in LARGE:
        K = cost_ratio("dense", w, d)
        if K >= least:
            gain, wanted = _ratio(evidence, "dense", "TE", w, d), K * (K - 1)
            yield Case({"w": w, "d": d}, f"{float(wanted):.4g}", gain, gain > wanted or equal and gain == wanted)


@PAPER.claim(
    "section 4",
    printed="more than K (K - 1)",
    conditions=["w <= 8"],
    evidence=STEPS + ": faster by w / 2, where K = (w - 1) / log w, the links counted",
)
def te_gain_by_cost(evidence: Evidence) -> Cases:
    """If the dense BGHC costs K times as much, the total exchange is improved by more than K (K - 1)."""
    yield from _gains(evidence, 1, equal=False)


@PAPER.claim(
    "abstract",
    printed="K (K - 1), K >= 2 (so in section 1)",
    conditions=["w <= 8"],
    evidence=STEPS + ": the total exchange is faster by w / 2, where K = (w - 1) / log w, the links counted",
    reading="at least K (K - 1) times, for the pattern that gains most; with equality it holds for no w. K >= 2 needs w >= 8",
)
def gain_by_cost(evidence: Evidence) -> Cases:
    """A dense BGHC of degree K log N, K >= 2, can process certain patterns K (K - 1) times faster."""
    yield from _gains(evidence, 2, equal=True)


@PAPER.claim("section 4", printed="(w - 1) times larger", evidence=STEPS)
def te_loss(evidence: Evidence) -> Cases:
    """The time of the total exchange on the sparse BGHC is w - 1 times larger than on the binary hypercube."""
    for w, d in LARGE:
        yield case(1 / _ratio(evidence, "sparse", "TE", w, d), w - 1, w=w, d=d)


@PAPER.claim(
    "abstract",
    printed="2^L, L >= 2 (so in sections 1 and 4)",
    evidence=STEPS + ": slower by w - 1 = 2^L - 1, the links counted",
    reading="exactly; no pattern is slower by more than 2^L - 1, to which 2^L comes near for large w",
)
def loss_by_cost(evidence: Evidence) -> Cases:
    """If the sparse BGHC costs L times less, L >= 2, its total exchange is slower by a factor of 2^L."""
    for w, d in LARGE:
        L = 1 / cost_ratio("sparse", w, d)
        if L >= 2:
            yield case(1 / _ratio(evidence, "sparse", "TE", w, d), 2 ** int(L), w=w, d=d)
