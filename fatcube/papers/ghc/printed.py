"""What the generalized hypercubes paper (Antonio, Lin and Metzger) prints, to be held against what is computed.

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
    up : :class:`bool`
        Whether it is rounded up.
    """

    text: str
    amount: str
    up: bool = False

    def exact(self, w: int, d: int) -> Fraction:
        """The value for w nodes along each of d dimensions, before it is rounded."""
        return Fraction(amount(self.amount, {"w": w, "d": d, "N": w**d}))

    def value(self, w: int, d: int) -> Fraction:
        """The value for w nodes along each of d dimensions."""
        exact = self.exact(w, d)
        return Fraction(math.ceil(exact)) if self.up else exact


Cells = dict[str, dict[str, Formula]]  # by pattern and measure

_CB = Formula("N (N - 1)", "N * (N - 1)")


TABLES: dict[str, Cells] = {
    "dense": {
        "CB": {
            "time": Formula("ceil((N - 1) log w / ((w - 1) log N))", "(N - 1) / ((w - 1) * d)", up=True),
            "transmissions": _CB,
        },
        "SNS": {
            "time": Formula("ceil((N - 1) log w / ((w - 1) log N))", "(N - 1) / ((w - 1) * d)", up=True),
            "transmissions": Formula("N log N / (w log w)", "N * d / w"),
        },
        "TE": {
            "time": Formula("ceil(N / (w (w - 1)))", "N / (w * (w - 1))", up=True),
            "transmissions": Formula("N^2 log N / (w log w)", "N**2 * d / w"),
        },
    },
    "sparse": {
        "CB": {"time": Formula("ceil((N - 1) log w / log N)", "(N - 1) / d", up=True), "transmissions": _CB},
        "SNS": {
            "time": Formula("ceil((N - 1) log w / log N)", "(N - 1) / d", up=True),
            "transmissions": Formula("(w - 1) N log N / (2 log w)", "(w - 1) * N * d / 2"),
        },
        "TE": {
            "time": Formula("ceil((w - 1) N / 2)", "(w - 1) * N / 2", up=True),
            "transmissions": Formula("(w - 1) N^2 log N / (2 log w)", "(w - 1) * N**2 * d / 2"),
        },
    },
    "binary": {
        "CB": {"time": Formula("ceil((N - 1) / log N)", "(N - 1) / d", up=True), "transmissions": _CB},
        "SNS": {
            "time": Formula("ceil((N - 1) / log N)", "(N - 1) / d", up=True),
            "transmissions": Formula("N log N / 2", "N * d / 2"),
        },
        "TE": {
            "time": Formula("ceil(N / 2)", "N / 2", up=True),
            "transmissions": Formula("N^2 log N / 2", "N**2 * d / 2"),
        },
    },
}
"""Tables 1 (dense), 2 (sparse, w > 2) and 3 (binary hypercube, w = 2): time and transmissions of each pattern."""


THEOREM_1 = Formula("d w^(d-1)", "d * w**(d - 1)")
THEOREM_2 = Formula("(w - 1) d w^d / 2", "(w - 1) * d * w**d / 2")
"""Transmissions of a single-node scatter, dense and sparse."""

_CB_3 = Formula("w^d (w^d - 1)", "w**d * (w**d - 1)")

SECTION_3: dict[str, Cells] = {
    "dense": {
        "CB": {
            "time": Formula("ceil((w^d - 1) / ((w - 1) d))", "(w**d - 1) / ((w - 1) * d)", up=True),
            "transmissions": _CB_3,
        },
        "SNS": {
            "time": Formula("ceil((w^d - 1) / ((w - 1) d))", "(w**d - 1) / ((w - 1) * d)", up=True),
            "transmissions": THEOREM_1,
        },
        "TE": {
            "time": Formula("ceil(w^(d-1) / (w - 1))", "w**(d - 1) / (w - 1)", up=True),
            "transmissions": Formula("d w^(2d-1)", "d * w**(2 * d - 1)"),
        },
    },
    "sparse": {
        "CB": {"time": Formula("ceil((w^d - 1) / d)", "(w**d - 1) / d", up=True), "transmissions": _CB_3},
        "SNS": {"time": Formula("ceil((w^d - 1) / d)", "(w**d - 1) / d", up=True), "transmissions": THEOREM_2},
        "TE": {
            "time": Formula("(w - 1) w^d / 2", "(w - 1) * w**d / 2"),
            "transmissions": Formula("(w - 1) d w^(2d) / 2", "(w - 1) * d * w**(2 * d) / 2"),
        },
    },
}
"""What sections 3.1 and 3.2 derive for the cells of Tables 1 and 2."""

EXAMPLE_FIGURE_3 = (7, 7, 30)
"""Figure 3's example: the nodes at distance i of the sparse BGHC with w = 3 and d dimensions, as (d, i, nodes)."""
