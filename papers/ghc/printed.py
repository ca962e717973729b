"""The values that the generalized hypercubes paper (Antonio, Lin and Metzger) prints, to be held against computed ones.

Patterns have the paper's letters: CB is the complete broadcast, SNS the single-node scatter, TE the total exchange.
"""

import dataclasses
from fractions import Fraction
import math

from fatcube.papers.expression import amount

__all__ = ["COLLECTIVES", "EXAMPLE_FIGURE_3", "SECTION_3", "TABLES", "THEOREM_1", "THEOREM_2", "Formula"]


COLLECTIVES = {"CB": "AAB", "SNS": "OAS", "TE": "AAS"}
"""The collective that each pattern is."""


@dataclasses.dataclass(frozen=True)
class Formula:
    """A printed formula.

    Attributes
    ----------
    text : :class:`str`
        As it is printed.
    amount : :class:`str`
        As an expression of Python in w, d and N, before it is rounded; log N / log w is d.
    """

    text: str
    amount: str

    def exact(self, w: int, d: int) -> Fraction:
        """The value for w nodes along each of d dimensions, before it is rounded."""
        return Fraction(amount(self.amount, {"w": w, "d": d, "N": w**d}))

    def value(self, w: int, d: int) -> Fraction:
        """The value for w nodes along each of d dimensions, rounded up if that is printed."""
        exact = self.exact(w, d)
        return Fraction(math.ceil(exact)) if self.text.startswith("ceil(") else exact


Cells = dict[str, dict[str, Formula]]  # by pattern and measure


def _cells(*rows: tuple[Formula, Formula]) -> Cells:
    """The time and the transmissions of each pattern."""
    measures = ({"time": time, "transmissions": transmissions} for time, transmissions in rows)
    return dict(zip(COLLECTIVES, measures, strict=True))


_CB = Formula("N (N - 1)", "N * (N - 1)")
_DENSE = Formula("ceil((N - 1) log w / ((w - 1) log N))", "(N - 1) / ((w - 1) * d)")
_SPARSE = Formula("ceil((N - 1) log w / log N)", "(N - 1) / d")
_BINARY = Formula("ceil((N - 1) / log N)", "(N - 1) / d")

TABLES = {
    "dense": _cells(
        (_DENSE, _CB),
        (_DENSE, Formula("N log N / (w log w)", "N * d / w")),
        (Formula("ceil(N / (w (w - 1)))", "N / (w * (w - 1))"), Formula("N^2 log N / (w log w)", "N**2 * d / w")),
    ),
    "sparse": _cells(
        (_SPARSE, _CB),
        (_SPARSE, Formula("(w - 1) N log N / (2 log w)", "(w - 1) * N * d / 2")),
        (
            Formula("ceil((w - 1) N / 2)", "(w - 1) * N / 2"),
            Formula("(w - 1) N^2 log N / (2 log w)", "(w - 1) * N**2 * d / 2"),
        ),
    ),
    "binary": _cells(
        (_BINARY, _CB),
        (_BINARY, Formula("N log N / 2", "N * d / 2")),
        (Formula("ceil(N / 2)", "N / 2"), Formula("N^2 log N / 2", "N**2 * d / 2")),
    ),
}
"""Tables 1 (dense), 2 (sparse, w > 2) and 3 (binary hypercube, w = 2): time and transmissions of each pattern."""


THEOREM_1 = Formula("d w^(d-1)", "d * w**(d - 1)")
THEOREM_2 = Formula("(w - 1) d w^d / 2", "(w - 1) * d * w**d / 2")
"""Transmissions of a single-node scatter, dense and sparse."""

_CB_3 = Formula("w^d (w^d - 1)", "w**d * (w**d - 1)")
_DENSE_3 = Formula("ceil((w^d - 1) / ((w - 1) d))", "(w**d - 1) / ((w - 1) * d)")
_SPARSE_3 = Formula("ceil((w^d - 1) / d)", "(w**d - 1) / d")

SECTION_3 = {
    "dense": _cells(
        (_DENSE_3, _CB_3),
        (_DENSE_3, THEOREM_1),
        (Formula("ceil(w^(d-1) / (w - 1))", "w**(d - 1) / (w - 1)"), Formula("d w^(2d-1)", "d * w**(2 * d - 1)")),
    ),
    "sparse": _cells(
        (_SPARSE_3, _CB_3),
        (_SPARSE_3, THEOREM_2),
        (
            Formula("(w - 1) w^d / 2", "(w - 1) * w**d / 2"),
            Formula("(w - 1) d w^(2d) / 2", "(w - 1) * d * w**(2 * d) / 2"),
        ),
    ),
}
"""What sections 3.1 and 3.2 derive for the cells of Tables 1 and 2."""

EXAMPLE_FIGURE_3 = (7, 7, 30)
"""Figure 3's example: the nodes at distance i of the sparse BGHC with w = 3 and d dimensions, as (d, i, nodes)."""
