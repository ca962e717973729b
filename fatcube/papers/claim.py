"""A paper as a list of claims, each of them a function, and the row of an audit that is made of one.

A claim is a generator of its :class:`cases <fatcube.papers.verdict.Case>`, named for what is claimed; its docstring is
the claim, in the paper's words as far as they are clear. What the row says beside that is data of the decorator::

    @claim("section 2", printed="n 2^n", evidence="the definition, pair by pair of addresses")
    def processors(evidence: Evidence) -> Cases:
        '''A CCC of size n has n 2^n processors.'''
        for n in range(1, 8):
            yield case(len(defined(n)), n << n, n=n)

A claim that a paper makes many times, for each model or each cell of a table, is one function with parameters; the
name, the docstring and all texts have them in braces, and the function takes those that it needs::

    @claim.each("Table 4", name="oab_bound_{model}", model=("b", "d"), printed="...")
    def oab_bound(evidence: Evidence, model: str) -> Cases:
        '''The lower bound of OAB in model {model}.'''
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
import dataclasses
import functools
import inspect
import itertools
from typing import Any, TypeAlias

from fatcube.papers.evidence import Evidence
from fatcube.papers.verdict import ACHIEVED, Case, Kind, Verdict, judge, sizes
from groundwork.validation import ParameterError

__all__ = ["Cases", "Claim", "Paper", "Place", "Row"]


Cases: TypeAlias = Iterator[Case]
Function: TypeAlias = Callable[..., Cases]


@dataclasses.dataclass(frozen=True)
class Place:
    """A place of a paper that claims something: a section, a table, an equation, a theorem, a pseudo-code.

    Attributes
    ----------
    name : :class:`str`
        As in ``"Theorem 2"``.
    says : :class:`str`
        What is claimed there, in a few words.
    untested : :class:`str`
        Why no claim of it is tried; empty if there is one.
    """

    name: str
    says: str
    untested: str = ""


@dataclasses.dataclass(frozen=True)
class Row:
    """One claim of a paper, tried.

    Attributes
    ----------
    name : :class:`str`
        The claim's name, by which it is run alone.
    where, claim, printed : :class:`str`
        Where it is printed, what is claimed, and what is printed for it.
    recomputed : :class:`str`
        What comes out: in the first case that fails, or else in the first that is not shown optimal, or in the first.
    cases : :class:`str`
        How many there are, over which sizes, and on which of two graphs of one size.
    verdict : :class:`str`
        The text of a :class:`~fatcube.papers.verdict.Verdict`, or ``not tested``, with the reason.
    kind : :data:`~fatcube.papers.verdict.Kind`
        ``holds``, ``condition``, ``approximate``, ``wrong``, ``achieved``, ``open``, ``misprint`` or ``untested``.
    failing : :class:`str`
        The first case that fails; empty if none does.
    evidence : :class:`str`
        What shows it: schedule files that ``fatcube check`` accepts, bounds, infeasibility proofs, counts, arithmetic.
    reading : :class:`str`
        The reading of the text that is judged, and what follows under the other; empty where there is only one.
    optimum : :class:`str`
        The proven fewest steps of the case shown, or the range they lie in; ``-`` where the claim is of something else.
    """

    name: str
    where: str
    claim: str
    printed: str
    recomputed: str
    cases: str
    verdict: str
    kind: Kind
    failing: str
    evidence: str
    reading: str
    optimum: str


@dataclasses.dataclass(frozen=True)
class Claim:
    """A claim of a paper.

    Attributes
    ----------
    name : :class:`str`
        An identifier, the name of its function unless it is one of many.
    where : :class:`str`
        The name of its :class:`Place`.
    text : :class:`str`
        What is claimed.
    cases : callable
        From an :class:`~fatcube.papers.evidence.Evidence` to the cases, the smallest first.
    printed : :class:`str`
        What is printed.
    conditions : tuple of :class:`str`
        Conditions that may explain where it holds: see :meth:`fatcube.papers.verdict.Case.satisfies`.
    evidence : :class:`str`
        What shows it in all cases; what shows it in one is said by the case.
    reading : :class:`str`
        The reading that is judged, if the text has two, and what follows under the other.
    misprint : :class:`str`
        What must be meant, where what is printed cannot be: the claim is then a misprint unless it holds.
    show : :class:`str`
        A condition for the case that is shown where none fails; the first case if it is empty.
    words : :class:`str` or pair of :class:`str`
        How a value of a case is shown: a text with a ``%s`` for it, or for each number of a tuple; for a truth what is
        shown if it is true, and if it is not. Texts are shown as they are.
    graph : :class:`str`
        Which graph a case is of, where a paper has two of one size; shown behind the cases.
    """

    name: str
    where: str
    text: str
    cases: Callable[[Evidence], Iterable[Case]]
    printed: str
    conditions: tuple[str, ...] = ()
    evidence: str = "computed"
    reading: str = ""
    misprint: str = ""
    show: str = ""
    words: str | tuple[str, str] = ""
    graph: str = ""

    def in_words(self, value: object) -> str:
        """A value that is printed or found in a case, as it is shown."""
        if isinstance(value, bool) and isinstance(self.words, tuple):
            return self.words[not value]
        if isinstance(self.words, str) and self.words and not isinstance(value, str):
            values = value if isinstance(value, tuple) else (value,)
            return self.words % tuple(map(_listed, values))
        return _listed(value)

    def table(self, evidence: Evidence) -> list[list[str]]:
        """Every case as a line: given, printed, found, whether it holds, and what shows it."""
        answers = {True: "yes", False: "no", None: "not decided"}
        return [
            [
                str(one),
                self.in_words(one.printed),
                self.in_words(one.found),
                ACHIEVED if one.achieved else answers[one.holds],
                "; ".join(dict.fromkeys(filter(None, (one.shown_by, self.evidence)))),
            ]
            for one in self.cases(evidence)
        ]

    def row(self, evidence: Evidence) -> Row:
        """Try the claim."""
        cases = list(self.cases(evidence))
        verdict = judge(cases, self.conditions)
        shown = verdict.failing or next((one for one in cases if self._is_shown(one, verdict)), cases[0])
        kind, text = verdict.kind, verdict.text
        if self.misprint and kind != "holds":
            kind, text = "misprint", f"misprint: {self.misprint}"
        return Row(
            name=self.name,
            where=self.where,
            claim=self.text,
            printed=self.printed,
            recomputed=self._recomputed(shown, cases, verdict),
            cases="; ".join(filter(None, (sizes(cases), self.graph))),
            verdict=text,
            kind=kind,
            failing="" if verdict.failing is None else str(verdict.failing),
            evidence="; ".join(dict.fromkeys(filter(None, (shown.shown_by, self.evidence)))),
            reading=self.reading,
            optimum=shown.optimum or "-",
        )

    def _is_shown(self, one: Case, verdict: Verdict) -> bool:
        """Whether a case is one to show where none fails: not shown optimal, or else as :attr:`show` says."""
        return one.achieved if verdict.kind == "achieved" else bool(self.show) and one.satisfies(self.show)

    def _recomputed(self, shown: Case, cases: Sequence[Case], verdict: Verdict) -> str:
        """What comes out in the case that is shown; in all of them, where there are few and what comes out is short."""
        found = [self.in_words(one.found) for one in cases]
        if verdict.failing is None and 1 < len(cases) <= 8 and all(len(text) <= 12 for text in found):
            return "; ".join(f"{one}: {text}" for one, text in zip(cases, found, strict=True))
        where = f"{shown}: " if shown.given else ""
        printed = f", printed {self.in_words(shown.printed)}" if verdict.failing is not None else ""
        return f"{where}{self.in_words(shown.found)}{printed}"


def _listed(value: object) -> str:
    """A value in words, the members of a collection one after the other."""
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_listed, value))
    if isinstance(value, (set, frozenset)):
        return ", ".join(map(str, sorted(value)))
    return str(value)


class Paper:
    """A paper: its places in their order, and the claims that are registered for them.

    Parameters
    ----------
    name : :class:`str`
        As on the command line.
    title, note : :class:`str`
        Of the page of its audit.
    places : list of :class:`Place`
        Every place that claims something, in the order of the paper.
    """

    def __init__(self, name: str, title: str, note: str, places: Sequence[Place]) -> None:
        self.name = name
        self.title = title
        self.note = note
        self.places = {place.name: place for place in places}
        assert len(self.places) == len(places), "a place stands there once"
        self._claims: dict[str, Claim] = {}

    @property
    def claims(self) -> list[Claim]:
        """All claims, in the order of their places; those of one place in the order of their definition."""
        order = list(self.places)
        return sorted(self._claims.values(), key=lambda claim: order.index(claim.where))

    def find(self, name: str) -> Claim:
        """The claim of that name.

        Raises
        ------
        ParameterError
            If there is none.
        """
        close = [known for known in self._claims if name and (name in known or known in name)] or list(self._claims)[:5]
        if name not in self._claims:
            raise ParameterError(f"claim must be one of {self.name}'s, as in {', '.join(close[:5])}, not {name!r}")
        return self._claims[name]

    def rows(self, evidence: Evidence, *, advance: Callable[[], None] = lambda: None) -> list[Row]:
        """The rows of all claims, and of places that have none, in the order of the paper."""
        rows, claims = [], itertools.groupby(self.claims, key=lambda claim: claim.where)
        tried = {where: list(group) for where, group in claims}
        for place in self.places.values():
            if place.untested:
                rows.append(_untested(place))
            for claim in tried.get(place.name, ()):
                rows.append(claim.row(evidence))
                advance()
        return rows

    def claim(self, where: str, **data: Any) -> Callable[[Function], Function]:
        """Register the decorated function as a claim. ``data`` are the fields of :class:`Claim` that it has beside."""

        def register(function: Function) -> Function:
            self._add(function, function.__name__, where, {}, data)
            return function

        return register

    def each(
        self, where: str, *, name: str, parameters: Iterable[Mapping[str, Any]], **data: Any
    ) -> Callable[[Function], Function]:
        """Register the decorated function as a claim for each of ``parameters``.

        ``where``, ``name``, the docstring and all texts in ``data`` have parameters in braces, as in :meth:`str.format`.
        The function takes those that it names, beside the evidence.
        """

        def register(function: Function) -> Function:
            for given in parameters:
                texts = {key: _filled(value, given) for key, value in data.items()}
                self._add(function, name.format(**given), where.format(**given), given, texts)
            return function

        return register

    def _add(
        self, function: Function, name: str, where: str, given: Mapping[str, Any], data: Mapping[str, Any]
    ) -> None:
        assert where in self.places, f"{where} is no place of {self.name}"
        assert name.isidentifier() and name not in self._claims, f"{name} must be an identifier, and there once"
        takes = inspect.signature(function).parameters.values()
        all_of_them = any(parameter.kind is parameter.VAR_KEYWORD for parameter in takes)
        named = {parameter.name for parameter in takes}
        passed = {name: value for name, value in given.items() if all_of_them or name in named}
        text = " ".join((inspect.getdoc(function) or "").split())
        assert text, f"{name} has no docstring, which is the claim"
        self._claims[name] = Claim(
            name=name,
            where=where,
            text=(text.format(**given) if given else text).rstrip("."),
            cases=functools.partial(function, **passed),
            **{**data, "conditions": tuple(data.get("conditions", ()))},
        )


def _filled(value: Any, given: Mapping[str, Any]) -> Any:
    if isinstance(value, str):
        return value.format(**given)
    return value


def _untested(place: Place) -> Row:
    return Row(
        name="",
        where=place.name,
        claim=place.says,
        printed="-",
        recomputed="-",
        cases="-",
        verdict=f"not tested: {place.untested}",
        kind="untested",
        failing="",
        evidence="-",
        reading="",
        optimum="-",
    )
