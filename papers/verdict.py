"""A verdict on a claim, which follows from the cases in which it was tried and from nothing else.

A claim ``holds`` in all of its cases; or it ``holds only if`` a condition, which leaves no case in which it fails and
none outside in which it holds; or it ``holds if`` a condition, and in some cases beyond; or it is ``wrong``, with the
first case in which it fails. A claim offers its conditions; each is a text that is printed as it is evaluated.

A claim of an approximation compares numbers with :func:`about`. If up to half of its cases are further off, the verdict is
``approximate``, with the number of these cases and the largest deviation; if more are, it is ``wrong``. From which size on
an approximation is near enough is no condition of the claim.

A claim of an optimum is ``achieved, not shown optimal`` where an execution attains what is printed and the lower bound that
is proven is below it: nothing refutes the claim, and nothing proves it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
import dataclasses
from typing import Any, Literal, TypeAlias, get_args

from fatcube.papers.expression import evaluate

__all__ = [
    "ABOUT",
    "ACHIEVED",
    "KIND_NAMES",
    "Case",
    "Kind",
    "Verdict",
    "about",
    "case",
    "deviation",
    "judge",
    "judged",
    "sizes",
]


Kind: TypeAlias = Literal[
    "wrong", "condition", "approximate", "misprint", "open", "achieved", "untested", "holds"
]  # findings first
"""What a row of an audit finds."""
KIND_NAMES: tuple[Kind, ...] = get_args(Kind)
"""All kinds, findings first."""
ACHIEVED = "achieved, not shown optimal"
"""The verdict on an optimum that is attained, and is above the proven lower bound."""


ABOUT = '"about" is within 10 % of the printed value'
"""The reading of all approximations."""


@dataclasses.dataclass(frozen=True)
class Case:
    """One case of a claim.

    Attributes
    ----------
    given : mapping
        The parameters that make the case, by the paper's letters, as in ``{"n": 3, "model": "d"}``.
    printed, found : object
        The value that the paper gives for this case, and the computed one.
    holds : :class:`bool` or ``None``
        Whether the claim holds here; ``None`` if that could not be decided.
    evidence : :class:`str` or callable
        The evidence in this case: the file of a schedule or of a proof, the bound; empty if the claim's own is complete.
        A callable without arguments is called only for the case that a row shows, so that no other writes its files.
    optimum : :class:`str`
        The proven fewest steps or the range they lie in; empty where the claim is of something else.
    off : :class:`float` or ``None``
        The deviation from the printed value, as of :func:`deviation`, where that is printed as an approximation.
    achieved : :class:`bool`
        Of an optimum that is not decided: the printed value is attained, and the proven lower bound is below it.
    """

    given: Mapping[str, Any]
    printed: Any
    found: Any
    holds: bool | None
    evidence: str | Callable[[], str] = ""
    optimum: str = ""
    off: float | None = None
    achieved: bool = False

    def __post_init__(self) -> None:
        assert self.holds is None or not self.achieved, "what is only achieved is not decided"

    @property
    def shown_by(self) -> str:
        """The text of :attr:`evidence`."""
        return self.evidence if isinstance(self.evidence, str) else self.evidence()

    def satisfies(self, condition: str) -> bool:
        """Whether a condition is true of the parameters.

        It is an expression in their letters: see :func:`fatcube.papers.expression.evaluate`.

        Raises
        ------
        NameError
            If there is another name in it.
        """
        return bool(evaluate(condition, self.given))

    def __str__(self) -> str:
        return ", ".join(f"{name} = {value}" for name, value in self.given.items())


def case(found: Any, printed: Any, *, evidence: str | Callable[[], str] = "", **given: Any) -> Case:
    """A case in which the claim holds if the computed value equals the printed one."""
    return judged(found, printed, found == printed, evidence=evidence, **given)


def judged(
    found: Any, printed: Any, holds: bool | None, *, evidence: str | Callable[[], str] = "", **given: Any
) -> Case:
    """A case in which the claim holds if ``holds``."""
    return Case(given, printed, found, holds, evidence)


def deviation(found: float, printed: float) -> float:
    """The distance of the computed value from a printed value other than 0, as a fraction of the printed value."""
    return abs(found - printed) / abs(printed)


def about(found: float, printed: float) -> bool:
    """Whether the computed value is within 10 % of the printed one."""
    return abs(found - printed) <= abs(printed) / 10


@dataclasses.dataclass(frozen=True)
class Verdict:
    """The verdict on a claim.

    Attributes
    ----------
    text : :class:`str`
        ``holds``, ``holds only if ...: fails in k of n cases``, ``holds if ..., and in k of the other n cases``,
        ``approximate: ...``, ``wrong: fails in k of n cases``, ``not decided``, ``achieved, not shown optimal``.
    failing : :class:`Case` or ``None``
        The first case in which it fails.
    """

    text: str
    failing: Case | None

    @property
    def kind(self) -> Kind:
        """``"holds"``, ``"condition"``, ``"approximate"``, ``"wrong"``, ``"open"`` or ``"achieved"``."""
        kinds: tuple[tuple[Kind, tuple[str, ...]], ...] = (
            ("condition", ("holds only if", "holds if")),
            ("approximate", ("approximate",)),
            ("wrong", ("wrong",)),
            ("achieved", (ACHIEVED,)),
            ("open", ("not ", "holds in")),
        )
        for kind, words in kinds:
            if self.text.startswith(words):
                return kind
        return "holds"


def judge(cases: Sequence[Case], conditions: Iterable[str] = ()) -> Verdict:
    """The verdict that follows from ``cases``, the smallest first.

    ``conditions`` are tried in their order, first those that say exactly where the claim holds.

    Raises
    ------
    ValueError
        If there is no case.
    """
    if not cases:
        raise ValueError("a claim must have a case")
    failing = next((one for one in cases if one.holds is False), None)
    return Verdict(_text_without_failing(cases) if failing is None else _text_with_failing(cases, conditions), failing)


def _text_without_failing(cases: Sequence[Case]) -> str:
    undecided = sum(one.holds is None for one in cases)
    achieved = sum(one.achieved for one in cases)
    if not undecided:
        return "holds"
    if achieved == undecided:
        part = "" if achieved == len(cases) else f" in {achieved} of {len(cases)} cases, and optimal in the others"
        return ACHIEVED + part
    if undecided == len(cases):
        return "not decided"
    return f"holds in {len(cases) - undecided} of {len(cases)} cases, the others not decided"


def _text_with_failing(cases: Sequence[Case], conditions: Iterable[str]) -> str:
    wrong = sum(one.holds is False for one in cases)
    offs = [one.off for one in cases if one.off is not None]
    if len(offs) == len(cases):
        kind = "wrong" if 2 * wrong > len(cases) else "approximate"
        off = f"more than 10 % off in {wrong} of {len(cases)} cases, at most {100 * max(offs):.0f} %"
        return f"{kind}: {off}" if len(cases) > 1 else kind
    if condition := _condition(cases, conditions, wrong):
        return condition
    achieved = sum(one.achieved for one in cases)
    others = f", in {achieved} others {ACHIEVED}" if achieved else ""
    return f"wrong: fails in {wrong} of {len(cases)} cases{others}" if len(cases) > 1 else "wrong"


def _condition(cases: Sequence[Case], conditions: Iterable[str], wrong: int) -> str | None:
    """The text for a condition under which all cases hold: for one under which alone they do, if there is one."""
    outsides: dict[str, list[Case]] = {}
    for condition in conditions:
        inside = [one for one in cases if one.satisfies(condition)]
        if inside and all(one.holds for one in inside):
            outsides[condition] = [one for one in cases if not one.satisfies(condition)]
    for condition, outside in outsides.items():
        if not any(one.holds for one in outside):
            return f"holds only if {condition}: fails in {wrong} of {len(cases)} cases"
    if not outsides:
        return None
    condition, outside = next(iter(outsides.items()))
    also = sum(one.holds is True for one in outside)
    return f"holds if {condition}, and in {also} of the other {len(outside)} cases"


def sizes(cases: Sequence[Case]) -> str:
    """A clause for the cases: their number, and the values of each parameter, as in ``5 cases: n = 3 to 7``."""
    parts = []
    for name in cases[0].given:
        values = list(dict.fromkeys(one.given[name] for one in cases if name in one.given))
        parts.append(f"{name} = {_values(values)}")
    return f"{len(cases)} case{'s' if len(cases) > 1 else ''}" + (f": {'; '.join(parts)}" if parts else "")


def _values(values: Sequence[Any]) -> str:
    if all(type(value) is int for value in values):
        ordered = sorted(values)
        if len(ordered) > 2 and ordered == list(range(ordered[0], ordered[-1] + 1)):
            return f"{ordered[0]} to {ordered[-1]}"
    if len(values) > 8:
        return f"{values[0]}, {values[1]}, ... {values[-1]} ({len(values)} values)"
    return ", ".join(map(str, values))
