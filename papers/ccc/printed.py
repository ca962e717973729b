"""The formulas that the cube-connected cycles paper (Kambhatla) prints, to be held against computed values.

A formula is of n, the dimensions, and N, the nodes of the network that it is about.
"""

from fractions import Fraction
from typing import NamedTuple

from fatcube.papers.expression import amount

__all__ = ["AVERAGE_DISTANCE", "Cell", "EXAMPLE_PATHS", "REFERENCES", "TABLE_1", "TABLE_2"]


class Cell(NamedTuple):
    """A printed formula.

    Members
    -------
    text : :class:`str`
        As it is printed.
    expression : :class:`str`
        The formula as :func:`fatcube.papers.expression.amount` reads it.
    """

    text: str
    expression: str

    def value(self, n: int, N: int) -> Fraction:
        """The value for n dimensions and N nodes."""
        return Fraction(amount(self.expression, {"n": n, "N": N}))


TABLE_1: dict[str, dict[str, Cell]] = {
    "OAB": {"1": Cell("2 n", "2*n"), "d": Cell("2 n", "2*n")},
    "AAB": {"1": Cell("N - 1", "N - 1"), "d": Cell("(N - 1) / 3", "(N - 1) / 3")},
    "OAS": {"1": Cell("N - 1", "N - 1"), "d": Cell("(N - 1) / 3", "(N - 1) / 3")},
    "AAS": {"d": Cell("N n / 2", "N*n / 2")},
}
"""Table 1: lower bounds on CCC by collective and I/O: single is router model 1, multiple is router model d."""


TABLE_2: dict[str, tuple[Cell, Cell]] = {
    "bisection": (Cell("N / 2", "N / 2"), Cell("N / (2 n)", "N / (2*n)")),
    "diameter": (Cell("n", "n"), Cell("2 n", "2*n")),
    "paths": (Cell("n", "n"), Cell("3", "3")),
    "OAB": (Cell("n - 1", "n - 1"), Cell("2 n", "2*n")),
    "AAB": (Cell("(N - 1) / n", "(N - 1) / n"), Cell("(N - 1) / 3", "(N - 1) / 3")),
    "OAS": (Cell("(N - 1) / n", "(N - 1) / n"), Cell("(N - 1) / 3", "(N - 1) / 3")),
    "AAS": (Cell("N / 2", "N / 2"), Cell("n N / 2", "N*n / 2")),
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
