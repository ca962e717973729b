"""Code that the claims of several sections share: cases of printed formulas, and the readings of the whole paper."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from fatcube.papers.claim import Cases
from fatcube.papers.expression import Number
from fatcube.papers.spanning_graphs.bounds import Bound, bound_of
from fatcube.papers.spanning_graphs.formula import value
from fatcube.papers.spanning_graphs.prices import UNLIMITED, Key, price, problem_of
from fatcube.papers.verdict import Case, about, deviation

COUNTED = "counted on the graph"
EXECUTED = "executed and checked, packet by packet"

SHARE = (
    "n divides M: the paper gives every one of n trees 1 / n of the data (section 1), and its results are strictly only "
    "true then (section 5.1.4)"
)
PIECES = "B is at most the data that is divided into packets, as in section 1"
ROUND = "B_opt is whole and divides the data: the paper leaves out the rounding"
MEANT_ROOT = "sqrt(2/pi) N M / n^(3/2), with 2 / pi alone under the root, as in corollary 6.2 and section 5.1.5"

DATA = (
    "B < M*2**n",
    "M % B == 0 or B >= M",
    "n*B <= M*2**n",
    "B <= M",
    "M % B == 0",
    "M % (n*B) == 0",
    "B == 1",
    "B >= M",
    "B >= M*2**n",
)
"""Conditions on n, M and B that may explain where a price holds, the weakest first."""


def join(*texts: str) -> str:
    """Texts that are not empty, as one."""
    return "; ".join(filter(None, texts))


def equal(found: Any, printed: Any) -> bool:
    """Whether the computed value equals the printed one."""
    return found == printed


def at_most(found: Number, printed: Number) -> bool:
    """Whether the computed value is at most the printed one."""
    return found <= printed


def at_least(found: Number, printed: Number) -> bool:
    """Whether the computed value is at least the printed one."""
    return found >= printed


def in_words(number: Any) -> str:
    """A number, or a pair of start-ups and elements, as text."""
    if isinstance(number, tuple):
        return f"{in_words(number[0])} start-ups, {in_words(number[1])} elements"
    if isinstance(number, float):
        return f"{number:.6g}"
    if isinstance(number, (list, set, frozenset)):
        return ", ".join(map(in_words, number))
    return str(number)


def against(
    found: Callable[..., Any],
    printed: str | Callable[..., Any] | tuple[str, str],
    cases: Iterable[dict[str, Any]],
    agrees: Callable[[Any, Any], bool] = equal,
) -> Cases:
    """The cases of a number that is found, a function of their letters, and printed, a formula or a pair of them."""
    for given in cases:
        if callable(printed):
            expected = printed(**given)
        elif isinstance(printed, tuple):
            expected = tuple(value(text, **given) for text in printed)
        else:
            expected = value(printed, **given)
        result = found(**given)
        # Beside an approximation a fraction would be hard to read.
        shown = float(result) if isinstance(expected, float) else result
        off = None
        if agrees is about and not isinstance(expected, tuple):
            off = deviation(float(result), float(expected))
        yield Case(given, in_words(expected), in_words(shown), agrees(result, expected), off=off)


def approximation(given: dict[str, Any], found: Number, printed: Number) -> Case:
    """The case that the computed value is about the printed one."""
    off = deviation(float(found), float(printed))
    return Case(given, in_words(float(printed)), in_words(float(found)), about(float(found), float(printed)), off=off)


def fact_case(holds: bool, shows: str, **given: Any) -> Case:
    """The case of a fact, as a sentence."""
    return Case(given, shows, shows if holds else f"it is not so that {shows}", holds)


def priced(found: Sequence[Number], printed: Sequence[Number], **given: Any) -> Case:
    """The case that start-ups and elements are what is printed."""
    return Case(given, in_words(tuple(printed)), in_words(tuple(found)), tuple(found) == tuple(printed))


def proven(run: Key, n: int, M: int) -> Bound:
    """The lower bound of any routing for the problem that a run solves."""
    return bound_of(*problem_of(run), n, M)


def optimal(
    run: Key, printed: Sequence[Number], n: int, M: int, B: int = UNLIMITED, *, least: Bound | None = None
) -> Case:
    """The case that a run attains a printed price, and that no routing costs less, or less than ``least``.

    Where it is attained and the bound of any routing is below it, it is achieved, and not shown optimal.
    """
    found, least = tuple(price(run, n, M, B)), least or proven(run, n, M)
    attained, known = found == tuple(printed), tuple(printed) == tuple(least.price)
    bound = f"; of any routing at least {in_words(tuple(least.price))}"
    shown = in_words(found) + (", the least of any routing" if attained and known else bound)
    holds = False if not attained else True if known else None
    achieved = attained and not known
    return Case({}, in_words(tuple(printed)), shown, holds, f"proven: {least.reason}", achieved=achieved)
