"""Fewest steps and fewest transmissions of a pattern: proven bounds, and schedules that reach them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
import dataclasses
from fractions import Fraction
from functools import cache

from fatcube.papers.claim import Cases
from fatcube.papers.evidence import Evidence, Instance
from fatcube.papers.ghc.networks import distances, network
from fatcube.papers.ghc.printed import COLLECTIVES, Formula
from fatcube.papers.verdict import Case
from fatcube.schedules.checker import check
from fatcube.schedules.construct import construct

__all__ = [
    "COUNTED",
    "Cell",
    "Size",
    "at_least",
    "bound_in_time",
    "cells",
    "fewest_steps",
    "fewest_transmissions",
    "instance",
    "least",
    "steps",
]


COUNTED = (
    "no fewer: of a broadcast every other node is entered once, any other message crosses as many links as its "
    "nodes are apart on the graph; reached: transfers counted in schedules that pass the checker"
)

SEARCHED = 9  # nodes up to which a search for too few steps takes no second

Size = tuple[int, int]


def instance(kind: str, w: int, d: int, pattern: str) -> Instance:
    """A pattern, by the paper's letters, on a network."""
    return Instance(network(kind, w, d), "d", COLLECTIVES[pattern])


def at_least(found: Fraction | int, printed: Fraction | int, *, evidence: str = "", **given: object) -> Case:
    """A case in which the claim holds if the computed value is no less than the printed one."""
    return Case(given, printed, found, found >= printed, evidence)


def steps(evidence: Evidence, kind: str, w: int, d: int, pattern: str) -> int:
    """The proven fewest steps.

    Raises
    ------
    ValueError
        If they are not known.
    """
    found = evidence.optimum(instance(kind, w, d, pattern))
    if found is None:
        raise ValueError(f"the fewest steps of {instance(kind, w, d, pattern)} are not known")
    return found


def cells(kind: str, pattern: str, sizes: Iterable[Size], formula: Formula) -> list["Cell"]:
    """The values of a formula for a pattern on one kind of network."""
    return [Cell(kind, pattern, w, d, formula.value(w, d), {"w": w, "d": d}) for w, d in sizes]


@dataclasses.dataclass(frozen=True)
class Cell:
    """A value that is claimed for a pattern on a network, and the parameters of its case."""

    kind: str
    pattern: str
    w: int
    d: int
    value: Fraction
    given: Mapping[str, object]

    @property
    def instance(self) -> Instance:
        """The pattern on the network."""
        return instance(self.kind, self.w, self.d, self.pattern)


def fewest_steps(evidence: Evidence, claimed: Sequence[Cell], show: str = "") -> Cases:
    """Whether the values are the fewest steps; only the schedule that is shown is written to a file.

    If too few steps are claimed, and the network is small, a search proves that so few are impossible.
    """
    cases = []
    for cell in claimed:
        best = evidence.optimum(cell.instance)
        holds = None if best is None else best == cell.value
        cases.append(Case(cell.given, cell.value, f"{evidence.text(cell.instance)} steps", holds))

    def shown(cell: Cell, case: Case) -> Case:
        reason = f"{evidence.schedule(cell.instance)}; no fewer: {evidence.known(cell.instance)[0].reason}"
        if case.holds is False and cell.value < evidence.known(cell.instance)[0].steps and cell.w**cell.d <= SEARCHED:
            reason += f"; {evidence.proof(cell.instance, int(cell.value))}"
        return dataclasses.replace(case, evidence=reason, optimum=evidence.text(cell.instance))

    return _with_shown(claimed, cases, shown, show)


def bound_in_time(evidence: Evidence, claimed: Sequence[Cell]) -> Cases:
    """Whether no schedule has fewer steps than the values: a search finds that one step less is impossible.

    The bounds of :mod:`fatcube.schedules.bounds` are not asked, because they count as the paper does.
    """
    fewer = {id(cell): int(cell.value) - 1 for cell in claimed}
    proofs = [evidence.proof(cell.instance, fewer[id(cell)]) for cell in claimed if fewer[id(cell)]]
    for cell in claimed:
        steps = fewer[id(cell)]
        proven = not steps or evidence.impossible(cell.instance, steps)
        _, best = evidence.known(cell.instance)
        holds = True if proven else False if best <= steps else None
        found = f"none of {steps} steps" if proven else f"a schedule of {best} steps"
        yield Case(cell.given, cell.value, found, holds, ", ".join(proofs))


@cache
def least(kind: str, w: int, d: int, pattern: str) -> int:
    """Transmissions below which no schedule of a pattern can be, counted on the graph."""
    hops = distances(kind, w, d)
    if pattern == "CB":
        return sum(len(others) - 1 for others in hops.values())
    if pattern == "SNS":
        return sum(hops[0].values())
    return sum(sum(others.values()) for others in hops.values())


@cache
def _transfers(kind: str, w: int, d: int, pattern: str) -> int:
    """The transfers of a schedule that is made and checked."""
    one = instance(kind, w, d, pattern)
    schedule = construct(one.problem).schedule
    assert schedule is not None, "every pattern has a construction"
    return check(schedule).transfers


def fewest_transmissions(evidence: Evidence, claimed: Sequence[Cell], show: str = "") -> Cases:
    """Whether the values are the fewest transmissions; the schedule that is shown is written to a file."""
    cases = []
    for cell in claimed:
        at = cell.kind, cell.w, cell.d, cell.pattern
        low, reached = least(*at), _transfers(*at)
        decided = low == reached or not low <= cell.value <= reached
        found = low if low == reached else f"{low} to {reached}"
        cases.append(Case(cell.given, cell.value, found, cell.value == low if decided else None))

    def shown(cell: Cell, case: Case) -> Case:
        transfers = _transfers(cell.kind, cell.w, cell.d, cell.pattern)
        return dataclasses.replace(case, evidence=f"{evidence.schedule(cell.instance)} has {transfers} transfers")

    return _with_shown(claimed, cases, shown, show)


def _with_shown(
    claimed: Sequence[Cell], cases: Sequence[Case], shown: Callable[[Cell, Case], Case], show: str
) -> Cases:
    """The cases, the one that the row shows with its evidence."""
    failing = (case for case in cases if case.holds is False)
    picked = next(failing, None) or next((case for case in cases if show and case.satisfies(show)), cases[0])
    for cell, case in zip(claimed, cases, strict=True):
        yield shown(cell, case) if case is picked else case
