"""What the cube-connected cycles paper (Kambhatla) prints, to be held against what is computed.

A formula is printed text and a function of n, the dimensions, and N, the nodes of the network that it is about.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

__all__ = ["AVERAGE_DISTANCE", "EXAMPLE_PATHS", "REFERENCES", "TABLE_1", "TABLE_2"]

Cell: TypeAlias = tuple[str, Callable[[int, int], Fraction]]


def _n(n: int, N: int) -> Fraction:
    return Fraction(n)


def _n_less_1(n: int, N: int) -> Fraction:
    return Fraction(n - 1)


def _2_n(n: int, N: int) -> Fraction:
    return Fraction(2 * n)


def _3(n: int, N: int) -> Fraction:
    return Fraction(3)


def _N_less_1(n: int, N: int) -> Fraction:
    return Fraction(N - 1)


def _N_less_1_by_n(n: int, N: int) -> Fraction:
    return Fraction(N - 1, n)


def _N_less_1_by_3(n: int, N: int) -> Fraction:
    return Fraction(N - 1, 3)


def _N_by_2(n: int, N: int) -> Fraction:
    return Fraction(N, 2)


def _N_by_2_n(n: int, N: int) -> Fraction:
    return Fraction(N, 2 * n)


def _N_n_by_2(n: int, N: int) -> Fraction:
    return Fraction(N * n, 2)


TABLE_1: dict[str, dict[str, Cell]] = {
    "OAB": {"1": ("2 n", _2_n), "d": ("2 n", _2_n)},
    "AAB": {"1": ("N - 1", _N_less_1), "d": ("(N - 1) / 3", _N_less_1_by_3)},
    "OAS": {"1": ("N - 1", _N_less_1), "d": ("(N - 1) / 3", _N_less_1_by_3)},
    "AAS": {"d": ("N n / 2", _N_n_by_2)},
}
"""Table 1: lower bounds on CCC by collective and I/O: single is router model 1, multiple is router model d."""


TABLE_2: dict[str, tuple[Cell, Cell]] = {
    "bisection": (("N / 2", _N_by_2), ("N / (2 n)", _N_by_2_n)),
    "diameter": (("n", _n), ("2 n", _2_n)),
    "paths": (("n", _n), ("3", _3)),
    "OAB": (("n - 1", _n_less_1), ("2 n", _2_n)),
    "AAB": (("(N - 1) / n", _N_less_1_by_n), ("(N - 1) / 3", _N_less_1_by_3)),
    "OAS": (("(N - 1) / n", _N_less_1_by_n), ("(N - 1) / 3", _N_less_1_by_3)),
    "AAS": (("N / 2", _N_by_2), ("n N / 2", _N_n_by_2)),
}
"""Table 2: the hypercube, then CCC; collectives with multiple I/O."""


RELATIVE_LINKS = Fraction(3, 1)
"""Table 2: the links of the hypercube to those of the CCC."""


AVERAGE_DISTANCE = {"3-cube": "1.9", "4-cube": "2", "CCC(3,3)": "3.25"}
"""Section 3 and Table 2."""


EXAMPLE_PATHS = (
    (("000", 2), ("100", 2), ("100", 1), ("110", 1), ("110", 0), ("111", 0), ("111", 2), ("011", 2), ("011", 1)),
    (("000", 1), ("010", 1), ("010", 0), ("011", 0), ("011", 1)),
)
"""Result 3, proof: two of the three paths from (000, 1) to (011, 1), without their first node."""


REFERENCES = (
    ("result 4, proof: 2 n hops", "result 1", "result 1"),
    ("result 4, proof: a node 2 n away", "corollary 1", "corollary 1"),
    ("section 5: bounds", "table 1", "table 1"),
    ("section 7: summary", "Table 2", "Table 2"),
    ("section 3: the diameter is 2 d", "result 4 and corollary 3", "result 1 and corollary 2"),
    ("result 1, proof: distances from (0,0)", "figure 1", "figure 2"),
    ("result 5, proof: distances", "figure 1", "figure 2"),
    ("corollary 4, proof: condition (2)", "result 11", "result 8"),
)
"""What the text refers to: where and what for, the number printed, the number of what does say that."""
