"""Section 5: gain and loss against cost, and whether the bounds are achieved."""

import dataclasses
from fractions import Fraction

from fatcube.papers.claim import Cases
from fatcube.papers.evidence import Evidence
from fatcube.papers.ghc import printed
from fatcube.papers.ghc.claims.costs import LARGE, STEPS
from fatcube.papers.ghc.claims.optima import COUNTED, Cell, cells, fewest_steps, fewest_transmissions, steps
from fatcube.papers.ghc.networks import SIZES, cost_ratio, links
from fatcube.papers.ghc.paper import PAPER
from fatcube.papers.verdict import Case

WIDER = [(w, d) for w, d in LARGE if w > 2]


def _times(evidence: Evidence, kind: str, w: int, d: int) -> tuple[int, int]:
    """The fewest steps of a total exchange, on the binary hypercube and on another network of as many nodes."""
    return steps(evidence, "binary", 2, (w**d).bit_length() - 1, "TE"), steps(evidence, kind, w, d, "TE")


@PAPER.each(
    "section 5",
    name="{word}_than_binary",
    parameters=[
        {"kind": "dense", "word": "denser", "adjective": "more dense"},
        {"kind": "sparse", "word": "sparser", "adjective": "more sparse"},
    ],
    printed="{adjective}, w > 2",
    evidence="links of both counted on the graphs",
)
def density(evidence: Evidence, kind: str, word: str) -> Cases:
    """The {kind} BGHC with w > 2 is {word} than the binary hypercube of as many nodes."""
    for w, d in WIDER:
        ratio = cost_ratio(kind, w, d)
        yield Case({"w": w, "d": d}, word, f"{ratio} times the links", ratio > 1 if kind == "dense" else ratio < 1)


@PAPER.claim(
    "section 5",
    printed="a slight cost penalty, a substantial gain",
    evidence=STEPS,
    reading="the gain is more than the factor of the cost; the paper gives no numbers for slight or substantial",
)
def gain_exceeds_cost(evidence: Evidence) -> Cases:
    """The cost of the dense BGHC with w > 2 is compensated by the gain in the total exchange."""
    for w, d in WIDER:
        binary, mine = _times(evidence, "dense", w, d)
        gain, cost = Fraction(binary, mine), cost_ratio("dense", w, d)
        yield Case({"w": w, "d": d}, f"more than {cost}", gain, gain > cost)


@PAPER.claim(
    "section 5",
    printed="a slight decrease in cost, can degrade performance dramatically",
    evidence=STEPS,
    reading="the loss is more than the factor of the cost; the paper gives no numbers for slight or dramatic",
)
def loss_exceeds_saving(evidence: Evidence) -> Cases:
    """The decrease in cost of the sparse BGHC with w > 2 is less than the loss in the total exchange."""
    for w, d in WIDER:
        binary, mine = _times(evidence, "sparse", w, d)
        loss, saving = Fraction(mine, binary), 1 / cost_ratio("sparse", w, d)
        yield Case({"w": w, "d": d}, f"more than {saving}", loss, loss > saving)


@PAPER.each(
    "section 5",
    name="cost_times_time_{kind}",
    parameters=[{"kind": "dense", "word": "no more"}, {"kind": "sparse", "word": "more"}],
    printed="at least as dense as a binary hypercube",
    evidence="links counted, times " + STEPS,
    reading="the ratio of cost and performance is the product of links and steps; the paper gives no measure of it",
)
def cost_times_time(evidence: Evidence, kind: str, word: str) -> Cases:
    """The {kind} BGHC with w > 2 has {word} links times steps of a total exchange than the binary hypercube."""
    for w, d in WIDER:
        binary, mine = _times(evidence, kind, w, d)
        products = links(kind, w, d) * mine, links("binary", 2, (w**d).bit_length() - 1) * binary
        holds = products[0] > products[1] if kind == "sparse" else products[0] <= products[1]
        yield Case({"w": w, "d": d}, f"{word} than {products[1]}", products[0], holds)


def _everywhere(measure: str) -> list[Cell]:
    """The printed bounds of a measure, in all cells of Tables 1 and 2, the smallest network first."""
    return [
        dataclasses.replace(cell, given={"network": kind, "pattern": pattern, **cell.given})
        for size in SIZES
        for kind in ("dense", "sparse")
        for pattern in printed.COLLECTIVES
        for cell in cells(kind, pattern, [size], printed.SECTION_3[kind][pattern][measure])
    ]


@PAPER.claim(
    "section 5",
    printed="all of the lower bound complexities",
    conditions=["network == 'sparse' or pattern != 'TE' or w == 2 or d == 1"],
    evidence="a schedule of the fewest steps of each case, and a proof that none has fewer",
)
def times_achieved(evidence: Evidence) -> Cases:
    """There are communication algorithms that achieve all lower bounds in time of the paper."""
    yield from fewest_steps(evidence, _everywhere("time"))


@PAPER.claim(
    "section 5",
    printed="all of the lower bound complexities",
    conditions=["network == 'sparse' or pattern == 'CB' or w == 2"],
    evidence=COUNTED,
)
def transmissions_achieved(evidence: Evidence) -> Cases:
    """There are communication algorithms that achieve all lower bounds in transmissions of the paper."""
    yield from fewest_transmissions(evidence, _everywhere("transmissions"))
