"""A printed formula as the text of an expression, so that what a row shows is what was evaluated.

The letters are the paper's: n, N, M, B, l, d, i, k, tau, t_c. They are exact fractions; only roots and logarithms are
not. ``C`` is the binomial coefficient, and ``span(a, b)`` are the numbers from a to b, both included, as the bounds of
a sum are printed.
"""

from collections.abc import Iterator
from fractions import Fraction
import functools
import math
from types import CodeType
from typing import Any, TypeAlias

__all__ = ["Number", "value"]


Number: TypeAlias = int | Fraction | float


def _binomial(n: Number, k: Number) -> int:
    return math.comb(int(n), int(k)) if n >= 0 and k >= 0 else 0


def _span(first: Number, last: Number) -> Iterator[Fraction]:
    return map(Fraction, range(int(first), int(last) + 1))


_FUNCTIONS: dict[str, Any] = {
    "C": _binomial,
    "span": _span,
    "sum": sum,
    "ceil": math.ceil,
    "floor": math.floor,
    "sqrt": math.sqrt,
    "log2": math.log2,
    "pi": math.pi,
    "min": min,
    "max": max,
}


@functools.cache
def _compiled(text: str) -> CodeType:
    return compile(text, "<formula>", "eval")


def value(text: str, **letters: Number) -> Number:
    """The value of a formula; N is 2^n.

    Raises
    ------
    NameError
        If there is another name in it.
    """
    exact: dict[str, Any] = {name: Fraction(number) for name, number in letters.items()}
    if "n" in exact:
        exact["N"] = 2 ** exact["n"]
    # A sum's inner expression sees what is global, not what is local.
    return eval(_compiled(text), {"__builtins__": {}, **_FUNCTIONS, **exact})
