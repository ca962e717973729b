"""Section 5: gain and loss against cost, and whether the bounds are achieved."""

import dataclasses
from fractions import Fraction
from functools import partial

from fatcube.papers.claim import Cases, columns, said
from fatcube.papers.evidence import Evidence
from fatcube.papers.ghc import printed
from fatcube.papers.ghc.claims.costs import LARGE, STEPS
from fatcube.papers.ghc.claims.optima import COUNTED, Cell, cells, fewest_steps, fewest_transmissions, steps
from fatcube.papers.ghc.networks import SIZES, cost_ratio, links
from fatcube.papers.ghc.paper import PAPER
from fatcube.papers.verdict import Case, judged

WIDER = [(w, d) for w, d in LARGE if w > 2]

claim = partial(PAPER.claim, over=columns("w d", WIDER))


def _times(evidence: Evidence, kind: str, w: int, d: int) -> tuple[int, int]:
    """The fewest steps of a total exchange, on the binary hypercube and on another network of as many nodes."""
    return steps(evidence, "binary", 2, (w**d).bit_length() - 1, "TE"), steps(evidence, kind, w, d, "TE")


@claim(
    "section 5",
    "{adjective}, w > 2",
    name="{word}_than_binary",
    parameters=columns(
        "kind word adjective", [("dense", "denser", "more dense"), ("sparse", "sparser", "more sparse")]
    ),
    evidence="links of both counted on the graphs",
)
def density(kind: str, word: str, w: int, d: int) -> Case:
    """The {kind} BGHC with w > 2 is {word} than the binary hypercube of as many nodes."""
    ratio = cost_ratio(kind, w, d)
    return judged(f"{ratio} times the links", word, ratio > 1 if kind == "dense" else ratio < 1)


@claim("section 5", "a slight cost penalty, a substantial gain")
@said(
    evidence=STEPS,
    reading="the gain is more than the factor of the cost; the paper gives no numbers for slight or substantial",
)
def gain_exceeds_cost(evidence: Evidence, w: int, d: int) -> Case:
    """The cost of the dense BGHC with w > 2 is compensated by the gain in the total exchange."""
    binary, mine = _times(evidence, "dense", w, d)
    gain, cost = Fraction(binary, mine), cost_ratio("dense", w, d)
    return judged(gain, f"more than {cost}", gain > cost)


@claim("section 5", "a slight decrease in cost, can degrade performance dramatically")
@said(
    evidence=STEPS,
    reading="the loss is more than the factor of the cost; the paper gives no numbers for slight or dramatic",
)
def loss_exceeds_saving(evidence: Evidence, w: int, d: int) -> Case:
    """The decrease in cost of the sparse BGHC with w > 2 is less than the loss in the total exchange."""
    binary, mine = _times(evidence, "sparse", w, d)
    loss, saving = Fraction(mine, binary), 1 / cost_ratio("sparse", w, d)
    return judged(loss, f"more than {saving}", loss > saving)


@claim(
    "section 5",
    "at least as dense as a binary hypercube",
    parameters=columns("kind word", [("dense", "no more"), ("sparse", "more")]),
    evidence="links counted, times " + STEPS,
    reading="the ratio of cost and performance is the product of links and steps; the paper gives no measure of it",
)
def cost_times_time(evidence: Evidence, kind: str, word: str, w: int, d: int) -> Case:
    """The {kind} BGHC with w > 2 has {word} links times steps of a total exchange than the binary hypercube."""
    binary, mine = _times(evidence, kind, w, d)
    products = links(kind, w, d) * mine, links("binary", 2, (w**d).bit_length() - 1) * binary
    holds = products[0] > products[1] if kind == "sparse" else products[0] <= products[1]
    return judged(products[0], f"{word} than {products[1]}", holds)


def _everywhere(measure: str) -> list[Cell]:
    """The printed bounds of a measure, in all cells of Tables 1 and 2, the smallest network first."""
    return [
        dataclasses.replace(cell, given={"network": kind, "pattern": pattern, **cell.given})
        for size in SIZES
        for kind in ("dense", "sparse")
        for pattern in printed.COLLECTIVES
        for cell in cells(kind, pattern, [size], printed.SECTION_3[kind][pattern][measure])
    ]


@claim("section 5", "all of the lower bound complexities")
@said(
    conditions=["network == 'sparse' or pattern != 'TE' or w == 2 or d == 1"],
    evidence="a schedule of the fewest steps of each case, and a proof that none has fewer",
)
def times_achieved(evidence: Evidence) -> Cases:
    """There are communication algorithms that achieve all lower bounds in time of the paper."""
    yield from fewest_steps(evidence, _everywhere("time"))


@claim("section 5", "all of the lower bound complexities")
@said(conditions=["network == 'sparse' or pattern == 'CB' or w == 2"], evidence=COUNTED)
def transmissions_achieved(evidence: Evidence) -> Cases:
    """There are communication algorithms that achieve all lower bounds in transmissions of the paper."""
    yield from fewest_transmissions(evidence, _everywhere("transmissions"))
