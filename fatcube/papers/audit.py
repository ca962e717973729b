"""Auditing a paper: every claim printed, recomputed, held against proofs, with its verdict and its evidence.

A claim about many cases is decided case by case, and the verdict follows from the cases: it ``holds`` in all of
them, or it ``holds only if`` a condition (the first of those offered that leaves only cases in which it holds
and none outside), or it is ``wrong``, with the smallest case in which it fails. Nothing about the verdict is
written by hand; whoever states a claim offers conditions that might explain it.
"""

from collections.abc import Callable, Sequence
from typing import Any

from fatcube.papers.audit_rows import Row
from fatcube.papers.evidence import Evidence
from fatcube.papers.evidence import Instance as Case

__all__ = [
    "Case",
    "Evidence",
    "Row",
    "arithmetic",
    "ceil_div",
    "ceil_log",
    "counted",
    "formula",
    "judge",
    "optimal",
    "reachable",
]


Holds = Callable[[Any], bool | None]
"""From a case to whether a claim holds in it, ``None`` where that is not known."""
Conditions = Sequence[tuple[str, Callable[[Any], bool]]]
"""Conditions on a case in words, that might explain where a claim holds; the best explanation comes first."""


def judge(cases: Sequence[Any], holds: Holds, conditions: Conditions = ()) -> tuple[str, Any]:
    """The verdict on a claim about many cases, and the smallest case in which it fails (or ``None``).

    Parameters
    ----------
    cases : list
        All cases looked at, the smallest first.
    holds : :data:`Holds`
    conditions : :data:`Conditions`
    """
    results = [(case, holds(case)) for case in cases]
    failing = [case for case, result in results if result is False]
    if not failing:
        unknown = sum(result is None for _, result in results)
        return ("holds" if not unknown else f"holds in {len(results) - unknown} cases, {unknown} not decided"), None
    for text, condition in conditions:
        inside = [result for case, result in results if condition(case)]
        outside = [result for case, result in results if not condition(case)]
        if inside and all(inside) and not any(outside):
            return f"holds only if {text}", failing[0]
    for text, condition in conditions:
        inside = [result for case, result in results if condition(case)]
        if inside and all(inside):
            also = sum(result is True for case, result in results if not condition(case))
            return f"holds if {text}, and in {also} of the other {len(results) - len(inside)} cases", failing[0]
    good = sum(result is True for _, result in results)
    return f"wrong: fails in {len(failing)} of {len(results)} cases, holds in {good}", failing[0]


def reachable(evidence: Evidence, value: Callable[[Any], int]) -> Holds:
    """Return whether a schedule of ``value(case)`` steps exists; ``None`` if that is not known."""

    def holds(case: Any) -> bool | None:
        bound, steps = evidence.known(case)
        return True if value(case) >= steps else False if value(case) < bound.steps else None

    return holds


def optimal(evidence: Evidence, value: Callable[[Any], int]) -> Holds:
    """Return whether ``value(case)`` is the fewest steps; ``None`` if that is not known."""

    def holds(case: Any) -> bool | None:
        bound, steps = evidence.known(case)
        if value(case) == steps == bound.steps:
            return True
        return False if value(case) < bound.steps or value(case) > steps or bound.steps == steps else None

    return holds


def formula(
    evidence: Evidence,
    where: str,
    claim: str,
    printed: str,
    cases: Sequence[Any],
    value: Callable[[Any], int],
    holds: Holds,
    conditions: Conditions = (),
    *,
    sizes: str = "",
    show: Callable[[Any], bool] = lambda case: False,
) -> Row:
    """The row of a formula that is claimed for many cases.

    It shows the smallest case in which the formula fails, otherwise the first that ``show`` picks, otherwise the
    first. ``sizes`` says in words which cases they are.
    """
    verdict, failing = judge(cases, holds, conditions)
    best = sum(evidence.optimum(case) == value(case) for case in cases)
    shown = failing or next(filter(show, cases), cases[0])
    bound, _ = evidence.known(shown)
    return Row(
        where,
        claim,
        printed,
        f"{shown}: {value(shown)}; {len(cases)} cases{sizes and ' ' + sizes}, the optimum in {best}",
        verdict,
        f"{evidence.schedule(shown)}; no fewer: {bound.reason}",
        evidence.text(shown),
    )


def arithmetic(
    where: str,
    claim: str,
    printed: str,
    values: Sequence[Any],
    holds: Holds,
    conditions: Conditions = (),
    evidence: str = "computed",
    show: Callable[[Any], str] = str,
) -> Row:
    """The row of a claim that needs no schedule: ``values`` are the cases."""
    verdict, failing = judge(values, holds, conditions)
    recomputed = f"{len(values)} cases" if failing is None else f"fails for {show(failing)}"
    return Row(where, claim, printed, recomputed, verdict, evidence)


def counted(
    where: str,
    claim: str,
    printed: str,
    values: Sequence[Any],
    found: Callable[[Any], object],
    expected: Callable[[Any], object],
    conditions: Conditions = (),
    evidence: str = "counted on the graph",
    *,
    show: Callable[[Any], str] = lambda value: f"n = {value}",
) -> Row:
    """The row of a claim about a number: for all values ``found`` is shown, and held against ``expected``."""
    results = {value: found(value) for value in values}
    verdict, _ = judge(values, lambda value: results[value] == expected(value), conditions)
    return Row(
        where,
        claim,
        printed,
        "; ".join(f"{show(value)}: {result}" for value, result in results.items()),
        verdict,
        evidence,
    )


def ceil_div(amount: int, rate: int) -> int:
    """The papers' ceil(amount / rate)."""
    return -(-amount // rate)


def ceil_log(base: int, number: int) -> int:
    """The papers' ceil(log number) to a base of at least 2, exactly."""
    exponent, power = 0, 1
    while power < number:
        exponent, power = exponent + 1, power * base
    return exponent
