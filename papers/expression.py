"""Printed formulas and conditions as expressions of Python, so that what a row shows is what was evaluated.

Beside the operators there are the functions that the papers use: ``ceil``, ``floor``, ``sqrt``, ``log2``, ``gcd``, ``min``, ``max``, ``abs``,
``sum``, the binomial coefficient ``C``, and ``span(a, b)``, the numbers from a to b, both included, as the bounds of a
sum are printed.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
import functools
import math
from types import CodeType
from typing import Any, TypeAlias

__all__ = ["Number", "amount", "evaluate"]


Number: TypeAlias = int | Fraction | float


def _binomial(n: Number, k: Number) -> int:
    return math.comb(int(n), int(k)) if n >= 0 and k >= 0 else 0


def _gcd(one: Number, other: Number) -> int:
    return math.gcd(int(one), int(other))


def _span(first: Number, last: Number) -> Iterator[Fraction]:
    return map(Fraction, range(int(first), int(last) + 1))


_NAMES: dict[str, Any] = {
    "__builtins__": {},
    "C": _binomial,
    "abs": abs,
    "ceil": math.ceil,
    "floor": math.floor,
    "gcd": _gcd,
    "log2": math.log2,
    "max": max,
    "min": min,
    "pi": math.pi,
    "span": _span,
    "sqrt": math.sqrt,
    "sum": sum,
}


@functools.cache
def _compiled(text: str) -> CodeType:
    return compile(text, "<expression>", "eval")


def evaluate(text: str, given: Mapping[str, Any]) -> Any:
    """The value of an expression in the letters ``given``.

    Raises
    ------
    NameError
        If there is another name in it.
    """
    # All names are global: the inner expression of a sum sees no others.
    return eval(_compiled(text), {**_NAMES, **given})


def amount(text: str, given: Mapping[str, Number]) -> Number:
    """The value of a formula, an exact fraction unless there is a root or a logarithm in it.

    Raises
    ------
    NameError
        If there is another name in it than the letters ``given``.
    """
    return evaluate(text, {name: Fraction(value) for name, value in given.items()})
